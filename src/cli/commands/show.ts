import { basename, resolve } from 'node:path';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResultSelection } from '../../model/selection.generated.ts';
import type { CommandContext } from '../context.ts';
import { printTogether } from '../each-tenant.ts';
import { CommandError, exitCode } from '../exit-codes.ts';
import { merged, type Part, partOf } from '../merged-results.ts';
import { reportBeside } from '../output.ts';
import { isSelectionFile, readSelection } from '../results.ts';
import { documentsOf, findFiles, readDocument } from '../saved-documents.ts';

/**
 * Prints saved plans, outcomes and results, of files and of folders. Needs no environment. Results of several processes
 * are printed as those of one, whose exit code this is.
 */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  const { paths, isList, problems } = await findFiles(io.cwd, options.operands);
  const { parts, selections } = readAll(context, paths, [...problems]);
  const { shown, together, code, command } = merged(parts, selections);
  const [selection] = selections;
  // Results are about the commit of this job, a plan is about any.
  const origin = selection === undefined ? { filesUrl: null } : { folder: selection.folder };
  await printTogether(context, documentsOf(context, shown), together, { command, kinds, isList, ...origin });
  reportBeside(context.output, together);
  return code;
}

/** What is needed of all files at once. Throws a CommandError with every file that cannot be shown. */
function readAll(context: CommandContext, paths: readonly string[], problems: Diagnostic[]) {
  const parts: Part[] = [];
  const selections: ResultSelection[] = [];
  for (const path of paths) {
    try {
      if (isSelectionFile(basename(path))) selections.push(readSelection(resolve(context.io.cwd, path), path));
      else parts.push(partOf(path, readDocument(context, path), paths.length === 1));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  return { parts, selections };
}
