import { systemClock } from '../client/system-clock.ts';
import type { Io, Sink, Spinner, StopReason } from './io.ts';

/** The real world: standard streams, environment, signals. The first signal asks a run to stop, the second ends it at once. */
export function processIo(argv: readonly string[]): Io {
  return {
    argv,
    env: process.env,
    cwd: process.cwd(),
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    clock: systemClock,
    signal: stopSignal(),
    confirm,
    spin,
  };
}

/** A reader that closes its end early, as `head` does, must not end an apply half-way: what cannot be printed is dropped. */
function sink(stream: NodeJS.WriteStream): Sink {
  let closed = false;
  stream.on('error', () => {
    closed = true;
  });
  return {
    isTTY: stream.isTTY === true,
    write: (text) => {
      if (!closed) stream.write(text);
    },
  };
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (reason: StopReason) => {
    if (controller.signal.aborted) process.exit(128 + reason.number);
    controller.abort(reason);
  };
  process.on('SIGINT', () => stop({ name: 'SIGINT', number: 2 }));
  process.on('SIGTERM', () => stop({ name: 'SIGTERM', number: 15 }));
  return controller.signal;
}

async function spin(text: string): Promise<Spinner | null> {
  if (!process.stderr.isTTY) return null;
  const { default: ora } = await import('ora');
  return ora({ text, stream: process.stderr, discardStdin: false }).start();
}

async function confirm(question: string): Promise<boolean> {
  const { default: ask } = await import('@inquirer/confirm');
  // Leaving the question with Ctrl-C or Ctrl-D is a no; the latter closes the input, after which there is nothing left to wait for.
  const gone = new AbortController();
  const leave = () => gone.abort();
  process.once('beforeExit', leave);
  try {
    return await ask({ message: question, default: false }, { output: process.stderr, signal: gone.signal });
  } catch {
    return false;
  } finally {
    process.off('beforeExit', leave);
  }
}
