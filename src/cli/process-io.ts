import { basename, relative, sep } from 'node:path';
import { isatty } from 'node:tty';
import { systemClock } from '../client/system-clock.ts';
import type { Bar, Io, Sink, StopReason } from './io.ts';
import { noColour } from './output.ts';

/** CI systems wait a few seconds longer before they kill a job. */
const graceMs = 5_000;

/**
 * The process: standard streams, environment, signals. The first signal asks a run to stop, the second ends it at once.
 */
export function processIo(argv: readonly string[], cwd: string): Io {
  if (argv.includes(noColour)) {
    // For the prompt, which has its own colours.
    process.env['NO_COLOR'] = '1';
    delete process.env['FORCE_COLOR'];
  }
  return {
    program: programOf(process.argv[1], cwd),
    argv,
    env: process.env,
    cwd,
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    // The stream of the input is made when it is read.
    interactive: isatty(0) && isatty(2),
    clock: systemClock,
    ...stopSignals(),
    confirm,
    bar: async () => (process.stderr.isTTY ? openBar(process.stderr) : null),
  };
}

/** How to start a program again that was started by this path: `npx` finds it in any folder of node_modules. */
export function programOf(path: string | undefined, cwd: string): string {
  const name = 'tenant-sync';
  if (path === undefined) return name;
  if (path.split(sep).includes('node_modules')) return `npx ${name}`;
  return basename(path) === 'main.cjs' ? `node ${relative(cwd, path)}` : name;
}

/**
 * A reader that closes its end early, as `head` does, must not interrupt an apply, so the output is dropped. On a full
 * disk it is dropped as well, but the run fails, because its result is incomplete.
 */
function sink(stream: NodeJS.WriteStream): Sink {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!closed && error.code !== 'EPIPE') failAtExit(`the output is incomplete: ${error.code ?? error.message}`);
    closed = true;
  });
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    write: (text) => {
      if (!closed) stream.write(text);
    },
  };
}

function failAtExit(why: string): void {
  process.stderr.write(`${why}\n`);
  process.once('exit', (code) => {
    if (code === 0 || code === 2) process.exitCode = 1;
  });
}

function stopSignals(): Pick<Io, 'signal' | 'hangUp'> {
  const controller = new AbortController();
  const giveUp = new AbortController();
  const stop = (reason: StopReason) => {
    if (controller.signal.aborted) process.exit(128 + reason.number);
    controller.abort(reason);
    setTimeout(() => giveUp.abort(reason), graceMs).unref();
  };
  process.on('SIGINT', () => stop({ name: 'SIGINT', number: 2 }));
  process.on('SIGTERM', () => stop({ name: 'SIGTERM', number: 15 }));
  return { signal: controller.signal, hangUp: giveUp.signal };
}

async function confirm(question: string): Promise<boolean> {
  const { default: ask } = await import('@inquirer/confirm');
  // Ctrl-C and Ctrl-D mean no. Ctrl-D closes the input, after which the prompt would wait forever.
  const gone = new AbortController();
  const leave = () => gone.abort();
  process.once('beforeExit', leave);
  try {
    return await ask({ message: question, default: false }, { output: process.stderr, signal: gone.signal });
  } catch (error) {
    if (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name)) return false;
    throw error;
  } finally {
    process.off('beforeExit', leave);
  }
}

/** A bar on a terminal, cleared when it stops. */
export async function openBar(stream: NodeJS.WritableStream): Promise<Bar> {
  const { default: progress } = await import('cli-progress');
  const line = new progress.SingleBar(
    { format: '{bar} {value}/{total} {text}', stream, clearOnComplete: true, barsize: 24, gracefulExit: false },
    progress.Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total, text) {
      if (started) line.setTotal(total);
      else line.start(total, done, { text });
      started = true;
      line.update(done, { text });
    },
    stop() {
      line.stop();
      started = false;
    },
  };
}
