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
  /** Called with every piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** A command line in this process, with everything that it touches held. */
export async function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) => ({
    isTTY: options.isTTY ?? false,
    write: (text: string) => {
      written[name] += text;
      options.onOutput?.(text);
    },
  });
  const io: Io = {
    argv,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    interactive: options.confirm !== undefined,
    clock: options.clock ?? startFakeClock(Date.now()),
    signal: options.signal ?? new AbortController().signal,
    spin: async (text) => (options.isTTY ? { text, stop: () => {} } : null),
    confirm: async (question) => {
      await options.beforeAnswer?.();
      return options.confirm?.(question) ?? false;
    },
  };
  return { code: await run(io), ...written };
}

/** A signal as a terminal sends it. */
export function stopWith(name: StopReason['name'] = 'SIGINT'): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort({ name, number: name === 'SIGINT' ? 2 : 15 } satisfies StopReason) };
}
