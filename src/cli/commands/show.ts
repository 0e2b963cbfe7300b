import { basename, resolve } from 'node:path';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.generated.ts';
import type { ResultSelection } from '../../model/selection.generated.ts';
import { compareText } from '../../values/text-order.ts';
import { checkedTenants } from '../checked-tenants.ts';
import type { CommandContext } from '../context.ts';
import { printTogether } from '../each-tenant.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { merged, type Part, partOf } from '../merged-results.ts';
import { reportBeside } from '../output.ts';
import { printDocuments } from '../print-document.ts';
import { isSelectionFile, readSelection } from '../results.ts';
import { documentsOf, findFiles, readDocument } from '../saved-documents.ts';
import { checkPlansFolder, savePlans, type WavePlan } from '../saved-plans.ts';

/**
 * Prints saved plans, outcomes and results, of files and of folders. Needs no environment. Results of several processes
 * are printed as those of one, whose exit code this is.
 */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  if (options.state !== undefined) {
    if (options.operands.length > 0 || options.out !== undefined)
      throw invalidOption('--state takes no files and no --out.', 'show the files by themselves');
    return showChecks(context, options.state);
  }
  if (options.operands.length === 0)
    throw invalidOption('show needs <file...>.', 'name files or folders, or a project with --state');
  const { paths, isList, problems } = await findFiles(io.cwd, options.operands);
  const { parts, selections } = readAll(context, paths, [...problems]);
  const { shown, together, code, command } = merged(parts, selections);
  const [selection] = selections;
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (out !== null && (selection === undefined || command !== 'plan'))
    throw invalidOption('--out needs results of plan.', 'name folders that plan --results has written');
  if (out !== null) await checkPlansFolder(out);
  // Results are about the commit of this job, a plan is about any.
  const origin = selection === undefined ? { filesUrl: null } : { folder: selection.folder };
  await printTogether(context, documentsOf(context, shown), together, { command, kinds, isList, ...origin });
  reportBeside(output, together);
  // As plan --out of all tenants saves them: an apply takes them in any shards.
  if (out !== null) await savePlans(output, out, plansOf(context, parts, selections));
  return code;
}

function plansOf(context: CommandContext, parts: readonly Part[], selections: readonly ResultSelection[]): WavePlan[] {
  const plans = new Map<string, Plan>();
  for (const { path, plan } of parts) {
    const { document, result } = plan === null ? { document: null, result: null } : readDocument(context, path);
    if (document?.type === 'plan' && result !== null) plans.set(result.tenant, document.plan);
  }
  const waves = new Map(
    selections.flatMap(({ tenants }) => tenants.map(({ tenant, wave }) => [tenant, wave] as const)),
  );
  return [...waves]
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, wave]) => ({ name, wave, plan: plans.get(name) ?? null }));
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

/** The last checks of the tenants of a project, and what they found. */
async function showChecks(context: CommandContext, folder: string): Promise<number> {
  await printDocuments(context, await checkedTenants(context, folder), { kinds, isList: true });
  return exitCode.done;
}
