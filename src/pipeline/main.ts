// A step of a pipeline, as the action of GitHub or as a command of a GitLab job.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../files/package-file.ts';
import { runStep } from './run-step.ts';
import type { Env } from './settings.ts';

const tokenVariable = 'TENANT_PIPELINE_TOKEN';

process.exitCode = await runStep({
  argv: process.argv.slice(2),
  env: process.env,
  write: (text) => void process.stdout.write(text),
  tool: runTool,
  sleep: async (ms) => {
    await sleep(ms);
  },
});

/**
 * Runs the command of this package and returns its exit code. What it prints goes where this process prints. It has a
 * process group of its own, so that a signal reaches it once: a second one would end it at once.
 */
async function runTool(argv: readonly string[], cwd: string, env: Env): Promise<number> {
  const main = fileURLToPath(packageFile('dist/cli/main.cjs'));
  const child = spawn(process.execPath, [main, ...argv], {
    cwd,
    // The tool does not need the token of the forge.
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => !name.startsWith('INPUT_') && name !== tokenVariable),
    ),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    });
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}
