import { existsSync } from 'node:fs';
import { problem } from '../diagnostics/problem.ts';
import { JournalTrouble } from '../journal/journal-trouble.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { CommandName } from './command-table.ts';
import type { Command, EndContext } from './context.ts';
import { givenKey } from './environment.ts';
import { CommandError, exitCode } from './exit-codes.ts';
import type { Io, StopReason } from './io.ts';
import { openOutput, outputWidth, reportFiles } from './output.ts';
import { parseArguments } from './parse-arguments.ts';
import { internalError, reportErrors, reportStop } from './print-document.ts';

/** Only the command that runs is loaded. */
const commands: Readonly<Record<CommandName, () => Promise<{ readonly command: Command }>>> = {
  init: () => import('./commands/init.ts'),
  validate: () => import('./commands/validate.ts'),
  plan: () => import('./commands/plan.ts'),
  apply: () => import('./commands/apply.ts'),
  drift: () => import('./commands/drift.ts'),
  worker: () => import('./commands/worker.ts'),
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
  let context: EndContext = { io, output };
  try {
    const parsed = await parseArguments(io.argv, outputWidth(io.stdout));
    if ('page' in parsed) {
      output.result(parsed.page);
      // A script whose command is empty has done nothing.
      return io.argv.length === 0 ? exitCode.invalid : exitCode.done;
    }
    context = { ...context, arguments: parsed };
    if (!existsSync(io.cwd)) throw new CommandError(exitCode.invalid, [deletedDirectory(io.cwd)]);
    const key = await givenKey(io);
    if (key !== null) output.hide(key.pem);
    const reports = await reportFiles(io, parsed);
    context = { ...context, reports };
    const { command } = await commands[parsed.command]();
    const returned = await command({ io, output, arguments: parsed, reports, run });
    // Read last: a signal may arrive while the result is printed.
    return stopCode(context) ?? returned;
  } catch (error) {
    return endWith(error, context);
  }
}

function deletedDirectory(path: string): Diagnostic {
  const message = `The working directory ${path} was deleted.`;
  return problem('DIRECTORY_DELETED', message, 'change to a directory that exists, and run the command again');
}

/** A run stopped by a signal exits with its number; for a server, a signal is the normal way to end. */
function stopCode({ io: { signal }, arguments: options }: EndContext): number | null {
  if (!signal.aborted || ['serve', 'worker'].includes(options?.command ?? '')) return null;
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
  if (error instanceof JournalTrouble) {
    await reportErrors(context, [error.diagnostic]);
    return error.isInvalid ? exitCode.invalid : exitCode.failed;
  }
  await reportErrors(context, [internalError(error, context.output, context.arguments?.debug ?? false)]);
  return exitCode.failed;
}
