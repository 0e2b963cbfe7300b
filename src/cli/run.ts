import { resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { renderDiagnostics } from '../report/render-diagnostics.ts';
import type { Command } from './command.ts';
import type { CommandName } from './command-options.ts';
import { type EventLog, openEventLog } from './event-log.ts';
import { exitCode } from './exit-codes.ts';
import { Fault, fault, problem } from './fault.ts';
import { folderInRepository } from './folder-in-repository.ts';
import { internalError } from './internal-error.ts';
import type { Io, StopReason } from './io.ts';
import { type Output, openOutput } from './output.ts';
import { type Arguments, parseArguments } from './parse-arguments.ts';
import { version } from './version.ts';

/** Only the command that runs is loaded. */
const commands: Readonly<Record<CommandName, () => Promise<{ readonly command: Command }>>> = {
  validate: () => import('./commands/validate.ts'),
  plan: () => import('./commands/plan.ts'),
  apply: () => import('./commands/apply.ts'),
  drift: () => import('./commands/drift.ts'),
  serve: () => import('./commands/serve.ts'),
  demo: () => import('./commands/demo.ts'),
};

/** Runs one command line and answers its exit code. The one place where errors end. */
export async function run(io: Io): Promise<number> {
  const output = openOutput(io);
  let parsed: Arguments | undefined;
  try {
    const result = await parseArguments(io.argv);
    if ('help' in result) {
      output.result(result.help);
      return exitCode.done;
    }
    parsed = result;
    return await watched(parsed, { io, output, parsed }, async (events) => {
      const { command } = await commands[result.command]();
      return command({ arguments: result, io, output, events, run });
    });
  } catch (error) {
    return endWith(error, { io, output, parsed });
  }
}

/** Runs a command under the eye of its event log: the first line says what runs, and the last one what it answered. */
async function watched(
  { command, events: file, out }: Arguments,
  told: Told,
  use: (events: EventLog) => Promise<number>,
): Promise<number> {
  const { io, output } = told;
  const path = file === undefined ? undefined : resolve(io.cwd, file);
  if (path !== undefined && out !== undefined && path === resolve(io.cwd, out))
    throw fault(exitCode.invalid, 'OPTION_INVALID', `--events and --out name one file, ${file}.`, 'name two files');
  const onLoss = (why: string) =>
    output.talk(renderDiagnostics([eventsLost(String(file), why)], 'text', output.talkStyle, 0));
  const events = openEventLog(path, { clock: io.clock, onLoss });
  if (command === 'plan' || command === 'apply' || command === 'drift')
    events.write({ event: 'run_started', command, version: version() });
  const answer = await use(events).catch((error: unknown) => endWith(error, told));
  // Last of all: a signal may come while the end is told.
  const code = stopCode(told.io, told.parsed) ?? answer;
  events.write({ event: 'run_ended', exit_code: code });
  events.close();
  return code;
}

function eventsLost(file: string, why: string): Diagnostic {
  const hint = 'the exit code and what is printed are not affected; make room, or read the pipe to its end';
  return {
    ...problem('EVENTS_LOST', `--events ${file} cannot take any more events: ${why}.`, hint),
    severity: 'warning',
  };
}

/** A run that a signal stopped says so; a server has no other way to end, so for it that is an ordinary end. */
function stopCode({ signal }: Io, parsed: Arguments | undefined): number | null {
  if (!signal.aborted || parsed?.command === 'serve') return null;
  return 128 + (signal.reason as StopReason).number;
}

function endWith(error: unknown, told: Told): number {
  const { io, output, parsed } = told;
  const stopped = stopCode(io, parsed);
  if (stopped !== null) {
    output.talk(`stopped by ${(io.signal.reason as StopReason).name}; nothing was sent that is not told above`);
    return stopped;
  }
  if (error instanceof Fault) return tell(error.diagnostics, error.files, error.exitCode, told);
  if (hasDiagnostic(error)) return tell([error.diagnostic], 0, exitCode.failed, told);
  return tell([internalError(error, output, parsed?.debug ?? false)], 0, exitCode.failed, told);
}

/** To whom an end is told, and in which form. */
interface Told {
  readonly io: Io;
  readonly output: Output;
  readonly parsed: Arguments | undefined;
}

/** People read faults on standard error; programs get them where they look for the result. */
function tell(diagnostics: readonly Diagnostic[], files: number, code: number, { io, output, parsed }: Told): number {
  const format = parsed?.format ?? 'text';
  if (format !== 'text')
    output.result(
      renderDiagnostics(
        diagnostics,
        format,
        output.resultStyle,
        files,
        folderInRepository(io, parsed?.folder ?? '.'),
        parsed?.command,
      ),
    );
  if (format !== 'github') output.talk(renderDiagnostics(diagnostics, 'text', output.talkStyle, files));
  return code;
}

function hasDiagnostic(error: unknown): error is { readonly diagnostic: Diagnostic } {
  return error instanceof Error && 'diagnostic' in error;
}
