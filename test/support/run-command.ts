import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io, StopReason } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import type { Clock } from '../../src/model/clock.ts';
import { startFakeClock } from './fake-clock.ts';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Answers a confirmation; without it nobody can be asked. */
  readonly confirm?: (question: string) => boolean;
  /** What happens while the person thinks. */
  readonly beforeAnswer?: () => Promise<void>;
  readonly isTTY?: boolean;
  /** Default: waits take no time. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Default: what is in flight is never given up. */
  readonly hangUp?: AbortSignal;
  /** Called with every piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
}

let commands = 0;

/** A command line in this process, with everything that it touches held. Unless `env` names a state folder, it has one of its own. */
export async function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  commands += 1;
  const stateFolder = join(tmpdir(), `tenant-sync-state-${process.pid}-${commands}`);
  const sink = (name: keyof typeof written) => ({
    isTTY: options.isTTY ?? false,
    write: (text: string) => {
      written[name] += text;
      options.onOutput?.(text);
    },
  });
  const io: Io = {
    argv,
    env: { TENANT_SYNC_STATE_DIR: stateFolder, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    interactive: options.confirm !== undefined,
    clock: options.clock ?? startFakeClock(Date.now()),
    signal: options.signal ?? new AbortController().signal,
    hangUp: options.hangUp ?? new AbortController().signal,
    bar: async () =>
      options.isTTY
        ? { update: (done, total, text) => sink('stderr').write(`[${done}/${total}] ${text}\n`), stop: () => {} }
        : null,
    confirm: async (question) => {
      await options.beforeAnswer?.();
      return options.confirm?.(question) ?? false;
    },
  };
  try {
    const code = await run(io);
    return { code, ...written };
  } finally {
    await rm(stateFolder, { recursive: true, force: true });
  }
}

/** A signal as a terminal sends it. */
export function stopWith(name: StopReason['name'] = 'SIGINT'): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    stop: () => controller.abort({ name, number: name === 'SIGINT' ? 2 : 15 } satisfies StopReason),
  };
}
