// A whole process, with what it printed and what it used.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const preloads = { usage: join(import.meta.dirname, 'usage.cjs'), loopback: join(import.meta.dirname, 'loopback.cjs') };

/** `wallMs` is from before the process starts until it has ended; `cpuMs` is user and system time together. */
export async function runMeasured({ script, args, env, preload = [] }) {
  const required = ['usage', ...preload].flatMap((name) => ['--require', preloads[name]]);
  const started = performance.now();
  const child = spawn(process.execPath, [...required, script, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([exitCode]) => ({ exitCode, wallMs: performance.now() - started }));
  const [{ exitCode, wallMs }, usage, ...printed] = await Promise.all([
    ended,
    ...[child.stdio[3], child.stdout, child.stderr].map(textOf),
  ]);
  const output = printed.join('');
  // Killed, or never started.
  if (usage === '') throw new Error(`${script} ended before it could tell what it used: ${output}`);
  return { exitCode, wallMs, ...JSON.parse(usage), output };
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
