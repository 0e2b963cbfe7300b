import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface BuiltResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command as a process of its own; `npm test` builds before it tests. Ends by itself within a minute. */
export async function runBuilt(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  watch?: (child: ChildProcess) => void,
): Promise<BuiltResult> {
  const child = spawn(process.execPath, [main, ...argv], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  watch?.(child);
  const [stdout, stderr, [code, signal]] = await Promise.all([collect(child.stdout), collect(child.stderr), once(child, 'exit')]);
  return { code, signal, stdout, stderr };
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch {
    // A reader that closed its end early gets what it had read.
  }
  return Buffer.concat(chunks).toString('utf8');
}
