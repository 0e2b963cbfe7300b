import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.cjs');
/** No compiled code is kept in the home of who runs the tests. */
const quietEnvironment = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: devNull };

export interface BuiltResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BuiltLimits {
  /** A file for its standard output, which the result then lacks. */
  readonly stdoutFile?: string;
  /** How large a file it may write, in blocks of 512 bytes (1024 in some shells); beyond that writing fails as on a full disk. */
  readonly fileBlocks?: number;
}

/**
 * Runs the built command in a process of its own, for at most a minute. `npm test` and `npm run check` build before they test.
 * Unless `env` names a state folder, it has one of its own.
 */
export async function runBuilt(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  watch?: (child: ChildProcess) => void,
  { stdoutFile, fileBlocks }: BuiltLimits = {},
): Promise<BuiltResult> {
  const stateFolder = await mkdtemp(join(tmpdir(), 'tenant-sync-state-'));
  const [command, ...args] = [...limited(fileBlocks), process.execPath, main, ...argv] as [string, ...string[]];
  const target = stdoutFile === undefined ? 'pipe' : openSync(stdoutFile, 'w');
  const child = spawn(command, args, {
    env: { ...quietEnvironment, TENANT_SYNC_STATE_DIR: stateFolder, ...env },
    stdio: ['ignore', target, 'pipe'],
    timeout: 60_000,
  });
  if (target !== 'pipe') closeSync(target);
  watch?.(child);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    once(child, 'exit'),
  ]);
  await rm(stateFolder, { recursive: true });
  return { code, signal, stdout, stderr };
}

/** Starts the built command with pipes that nothing reads, for at most a minute. */
export function startBuilt(argv: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [main, ...argv], {
    env: { ...quietEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
}

/**
 * Runs the built command on a terminal of its own, for at most a minute: that of `script`, which is part of Debian and its
 * descendants. `reactions` are what is typed, or the signal that is sent, when the terminal first shows a text; `behind` is
 * where the output goes. Returns the code and what the terminal shows.
 */
export async function runOnTerminal(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  reactions: Readonly<Record<string, string>>,
  behind = '',
) {
  const command = [process.execPath, main, ...argv].map((arg) => `'${arg}'`).join(' ') + behind;
  const child = spawn('script', ['--quiet', '--return', '--command', `echo pid $$; exec ${command}`, devNull], {
    env: { ...quietEnvironment, SHELL: '/bin/sh', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  let shown = '';
  const open = new Map(Object.entries(reactions));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const [when, then] of open) {
      if (!shown.includes(when)) continue;
      open.delete(when);
      if (then.startsWith('SIG')) process.kill(Number(/pid (\d+)/.exec(shown)?.[1]), then);
      else child.stdin.write(then);
    }
  });
  const [code] = await once(child, 'close');
  return { code, shown };
}

function limited(fileBlocks: number | undefined): string[] {
  return fileBlocks === undefined ? [] : ['sh', '-c', `ulimit -f ${fileBlocks} && exec "$0" "$@"`];
}

async function collect(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream ?? []) chunks.push(chunk);
  } catch {
    // A reader that closed its end early gets what it had read.
  }
  return Buffer.concat(chunks).toString('utf8');
}
