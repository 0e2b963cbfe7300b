import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bar, Io, StopReason } from '../../src/cli/io.ts';
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
  /** The response to a confirmation. Without it the run is not interactive. */
  readonly confirm?: (question: string) => boolean;
  /** Runs before the response to a confirmation. */
  readonly beforeAnswer?: () => Promise<void>;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly program?: string;
  /** Default: a clock on which waiting takes no time. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Default: a request in flight is never abandoned. */
  readonly hangUp?: AbortSignal;
  /** Default: on a terminal, a line for each step. */
  readonly bar?: (write: (text: string) => void) => Bar;
  /** Default: no time passes. */
  readonly every?: Io['every'];
  /** Called with every piece of output. */
  readonly onOutput?: (text: string) => void;
}

let commands = 0;

/** Runs a command line in this process and captures its output. Unless `env` names a state folder, it has one of its own. */
export async function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  commands += 1;
  const stateFolder = join(tmpdir(), `tenant-sync-state-${process.pid}-${commands}`);
  const sink = (name: keyof typeof written) => ({
    isTTY: options.isTTY ?? false,
    columns: options.columns,
    write: (text: string) => {
      written[name] += text;
      options.onOutput?.(text);
    },
  });
  const io: Io = {
    program: options.program ?? 'tenant-sync',
    argv,
    env: { TENANT_SYNC_STATE_DIR: stateFolder, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    interactive: options.confirm !== undefined,
    clock: options.clock ?? startFakeClock(Date.now()),
    signal: options.signal ?? new AbortController().signal,
    hangUp: options.hangUp ?? new AbortController().signal,
    bar: () => {
      const { write } = sink('stderr');
      if (options.bar !== undefined) return options.bar(write);
      return options.isTTY
        ? { update: (done, total, text) => write(`[${done}/${total}] ${text}\n`), stop: () => {} }
        : null;
    },
    every: options.every ?? (() => () => {}),
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

/** An abort signal with the reason that a terminal's signal has. */
export function stopWith(name: StopReason['name'] = 'SIGINT'): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    stop: () => controller.abort({ name, number: name === 'SIGINT' ? 2 : 15 } satisfies StopReason),
  };
}
