import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { problem, warning } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { version } from '../sync/version.ts';
import type { CommandName } from './command-table.ts';
import type { Command, EndContext } from './context.ts';
import { type EventLog, openEventLog } from './event-log.ts';
import { CommandError, exitCode, invalidOption } from './exit-codes.ts';
import type { Io, StopReason } from './io.ts';
import { openOutput, outputWidth, reportBeside } from './output.ts';
import { reportFiles } from './output-files.ts';
import { type Arguments, parseArguments } from './parse-arguments.ts';
import { internalError, reportErrors, reportStop } from './print-document.ts';

/** Only the command that runs is loaded. */
const commands: Readonly<Record<CommandName, () => Promise<{ readonly command: Command }>>> = {
  init: () => import('./commands/init.ts'),
  validate: () => import('./commands/validate.ts'),
  plan: () => import('./commands/plan.ts'),
  apply: () => import('./commands/apply.ts'),
  drift: () => import('./commands/drift.ts'),
  show: () => import('./commands/show.ts'),
  explain: () => import('./commands/explain.ts'),
  pull: () => import('./commands/pull.ts'),
  completion: () => import('./commands/completion.ts'),
  serve: () => import('./commands/serve.ts'),
  demo: () => import('./commands/demo.ts'),
};

/** Runs one command line and returns its exit code. The only place that catches errors. */
export async function run(io: Io): Promise<number> {
  const output = openOutput(io);
  let parsed: Arguments | undefined;
  try {
    const result = await parseArguments(io.argv, outputWidth(io.stdout));
    if ('page' in result) {
      output.result(result.page);
      return exitCode.done;
    }
    parsed = result;
    if (!existsSync(io.cwd)) throw new CommandError(exitCode.invalid, [deletedDirectory(io.cwd)]);
    const context = { io, output, arguments: result, reports: await reportFiles(io, result) };
    return await logged(context, async (events) => {
      const { command } = await commands[result.command]();
      return command({ ...context, events, run });
    });
  } catch (error) {
    return endWith(error, { io, output, arguments: parsed });
  }
}

function deletedDirectory(path: string): Diagnostic {
  const message = `The working directory ${path} was deleted.`;
  return problem('DIRECTORY_DELETED', message, 'change to a directory that exists, and run the command again');
}

/** Runs a command between the first and the last line of its event log. */
async function logged(
  context: EndContext & { readonly arguments: Arguments },
  use: (events: EventLog) => Promise<number>,
): Promise<number> {
  const { io, output } = context;
  const { command, events: file, out } = context.arguments;
  const path = file === undefined ? undefined : resolve(io.cwd, file);
  if (path !== undefined && out !== undefined && path === resolve(io.cwd, out))
    throw invalidOption(`--events and --out name one file, ${file}.`, 'name two files');
  const onLoss = (why: string) => reportBeside(output, [eventsLost(String(file), why)]);
  const events = openEventLog(path, { clock: io.clock, mask: output.mask, onLoss });
  if (command === 'plan' || command === 'apply' || command === 'drift' || command === 'pull')
    events.write({ event: 'run_started', tool: 'tenant-sync', command, version: version() });
  const returned = await use(events).catch((error: unknown) => endWith(error, context));
  // Read last: a signal may arrive while the result is printed.
  const code = stopCode(context) ?? returned;
  events.write({ event: 'run_ended', exit_code: code });
  events.close();
  return code;
}

function eventsLost(file: string, why: string): Diagnostic {
  const hint = 'the exit code and the output are not affected; free some space, or read the pipe to its end';
  return warning('EVENTS_LOST', `--events ${file} can no longer be written: ${why}.`, hint);
}

/** A run stopped by a signal exits with its number; for a server, a signal is the normal way to end. */
function stopCode({ io: { signal }, arguments: options }: EndContext): number | null {
  if (!signal.aborted || options?.command === 'serve') return null;
  return 128 + (signal.reason as StopReason).number;
}

async function endWith(error: unknown, context: EndContext): Promise<number> {
  const stopped = stopCode(context);
  if (stopped !== null) {
    reportStop(context);
    return stopped;
  }
  if (error instanceof CommandError) {
    await reportErrors(context, error.diagnostics, error.files);
    return error.exitCode;
  }
  await reportErrors(context, [internalError(error, context.output, context.arguments?.debug ?? false)]);
  return exitCode.failed;
}
