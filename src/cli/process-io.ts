import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { systemClock } from '../client/system-clock.ts';
import { fitStart } from '../report/terminal.ts';
import { tried } from '../values/tried.ts';
import type { Bar, Io, Sink, StopReason } from './io.ts';

/** CI systems wait a few seconds longer before they kill a job. */
const graceMs = 5_000;

/**
 * The process: standard streams, environment, signals. The first signal asks a run to stop, the second ends it at once.
 */
export function processIo(argv: readonly string[], cwd: string): Io {
  const stops = stopSignals();
  const stderr = sink(process.stderr);
  return {
    program: programOf(process.argv[1], cwd),
    argv,
    env: process.env,
    cwd,
    stdout: sink(process.stdout),
    stderr,
    // The stream of the input is made when it is read. A program behind a pipe may read what is typed as well.
    interactive: isatty(0) && isatty(2) && tried(() => fstatSync(1).isFIFO()) !== true,
    clock: systemClock,
    ...stops,
    confirm: (question) => confirm(question, stops.signal),
    bar: () => (stderr.isTTY ? openBar(process.stderr) : null),
    every: (ms, call) => {
      const timer = setInterval(call, ms).unref();
      return () => clearInterval(timer);
    },
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
    isTTY: stream.isTTY === true && process.env['TERM'] !== 'dumb',
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

/**
 * Asks on the terminal: only `y` and `yes` mean yes, and the end of the input means no. The terminal keeps its mode, so that
 * it edits the line, stops and continues the program, and is as it was when the program ends. Rejects with the reason of the
 * signal.
 */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  await dropTyped(process.stdin);
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const closed = once(lines, 'close').then(() => '');
  try {
    const answer = await Promise.race([lines.question(`${question} (y/N) `, { signal }), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}

/** How long what was typed before a question takes to arrive. Nobody reads a question in less. */
const typedMs = 50;
const ctrlC = 3;

/**
 * What was typed before the question is no answer to it. The terminal keeps a line that was begun until it is in raw mode, in
 * which Ctrl-C is a letter.
 */
async function dropTyped(input: NodeJS.ReadStream): Promise<void> {
  const onTyped = (typed: Buffer) => {
    if (typed.includes(ctrlC)) process.kill(process.pid, 'SIGINT');
  };
  input.setRawMode(true);
  input.on('data', onTyped);
  await sleep(typedMs);
  // On a busy machine as well, the input is read at least once before this.
  await setImmediate();
  input.setRawMode(false);
  input.off('data', onTyped);
  input.pause();
}

const barLength = 24;

/** A bar on a terminal, cleared when it stops. It moves the cursor within its line only: others may write as well. */
export function openBar(stream: Pick<NodeJS.WriteStream, 'write' | 'columns'>): Bar {
  let isShown = false;
  const draw = (text: string) => {
    if (isShown || text !== '') stream.write(`\r${text}\x1b[K`);
    isShown = text !== '';
  };
  const stop = () => draw('');
  process.once('exit', stop);
  return {
    update(done, total, text) {
      const length = Math.round((barLength * done) / Math.max(1, done, total));
      const bar = '█'.repeat(length).padEnd(barLength, '░');
      draw(fitStart(`${bar} ${done}/${total} ${text}`, Math.max(1, (stream.columns || 80) - 1)));
    },
    stop,
  };
}
