import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** One of the harnesses as its command runs it, in processes of its own; what it said and how it ended. */
export async function runHarness(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: Buffer.concat(said).toString('utf8') };
}
