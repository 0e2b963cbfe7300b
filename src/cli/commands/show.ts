import { basename, resolve } from 'node:path';
import { withSession } from '../../database/migrate.ts';
import { warning } from '../../diagnostics/problem.ts';
import { kinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResultSelection } from '../../model/selection.generated.ts';
import { isViewed, planOf } from '../../report/document.ts';
import { quantity } from '../../report/wording.ts';
import { listed } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import type { CommandContext } from '../context.ts';
import { isUnmatched, printTogether, worst } from '../each-tenant.ts';
import { databaseUrl } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import { reviewTenants } from '../plan-tenants.ts';
import { printDocuments } from '../print-document.ts';
import { isSelectionFile, readSelection } from '../results.ts';
import { checkedDocuments, findFiles, readDocument, type SavedDocument } from '../saved-documents.ts';
import { checkPlansFolder, savePlans, type WavePlan } from '../saved-plans.ts';
import { few, nameOf, targetsOf } from '../targets.ts';

/**
 * Prints saved plans, outcomes and results, of files and of folders. Needs no environment. Results of several processes
 * are printed as those of one, whose exit code this is. With --state, what the workers of a project found.
 */
export async function command(context: CommandContext): Promise<number> {
  const { state, operands, out } = context.arguments;
  if (state !== undefined && (operands.length > 0 || out !== undefined))
    throw invalidOption('--state takes no files and no --out.', 'show the files by themselves');
  if (state !== undefined) return showChecks(context, state);
  if (operands.length === 0)
    throw invalidOption('show needs <file...>.', 'name files or folders, or a project with --state');
  return showFiles(context);
}

/** The last checks of the tenants of a project, and what they found. */
async function showChecks(context: CommandContext, folder: string): Promise<number> {
  const names = (await targetsOf(context.io, { folder, all: true })).map(nameOf);
  const documents = await withSession(databaseUrl(context.io), (session) => checkedDocuments(session, names));
  await printDocuments(context, documents, { kinds, isList: true });
  return exitCode.done;
}

async function showFiles(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { paths, isList, problems } = await findFiles(io.cwd, options.operands);
  const { saved, selections } = readAll(context, paths, [...problems]);
  const command = commandOf([...selections, ...saved.flatMap(({ result }) => result ?? [])]);
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (out !== null && (selections.length === 0 || command !== 'plan'))
    throw invalidOption('--out needs results of plan.', 'name folders that plan --results has written');
  if (out !== null) await checkPlansFolder(out);
  const hasMatch = saved.some(({ result, document }) => result !== null && !isUnmatched(document));
  const shown = saved.filter(({ result, document }) => result === null || !hasMatch || !isUnmatched(document));
  const [review, missing] = [reviewOf(saved, selections, command), missingOf(saved, selections)];
  const together = [...review, ...missing];
  // Results are about the commit of this job, a plan is about any.
  const [selection] = selections;
  const origin = selection === undefined ? { filesUrl: null } : { folder: selection.folder };
  const documents = shown.map(({ document }) => document);
  await printTogether(context, documents, together, { command, kinds, isList, ...origin });
  reportBeside(output, together);
  // As plan --out of all tenants saves them: an apply takes them in any shards.
  if (out !== null) await savePlans(output, out, plansOf(saved, selections));
  // Documents that are not results of tenants end well.
  return worst([
    ...shown.map(({ result }) => result?.code ?? exitCode.done),
    ...review.map(() => exitCode.refused),
    ...missing.map(() => exitCode.failed),
  ]);
}

/** In the order of the tenants. Throws a CommandError with every file that cannot be shown. */
function readAll(context: CommandContext, paths: readonly string[], problems: Diagnostic[]) {
  const saved: SavedDocument[] = [];
  const selections: ResultSelection[] = [];
  for (const path of paths) {
    try {
      if (isSelectionFile(basename(path))) selections.push(readSelection(resolve(context.io.cwd, path)));
      else saved.push(readDocument(context, path));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  saved.sort((one, other) => compareText(one.result?.tenant ?? '', other.result?.tenant ?? ''));
  return { saved, selections };
}

/** What was planned for a tenant is no result of an apply. Throws a CommandError. */
function commandOf(all: readonly { readonly command: string }[]): string {
  const [command = 'show', ...others] = new Set(all.map((one) => one.command));
  if (others.length === 0) return command;
  throw invalidOption(
    `The results are of ${listed([command, ...others].sort())}.`,
    'show those of one command at a time',
  );
}

/** As all tenants are reviewed by one run. Of an apply, only what guards of a tenant refuse: for the rest, nothing was sent. */
function reviewOf(saved: readonly SavedDocument[], selections: readonly ResultSelection[], command: string) {
  if (command === 'drift' || selections.length === 0) return [];
  const plans = saved.flatMap(({ result, document }) =>
    result === null ? [] : [{ name: result.tenant, plan: isViewed(document) ? planOf(document) : null }],
  );
  const tenants = selections.flatMap((selection) => selection.tenants);
  const approvals = tenants.flatMap(({ tenant, approvals }) => approvals.map((code) => ({ tenant, code })));
  const selected = new Set(tenants.map(({ tenant }) => tenant)).size;
  const ofProject = Math.max(...selections.map(({ project }) => project));
  const review = reviewTenants(plans, { approvals, selected, ofProject });
  return command === 'plan' ? review : review.filter(({ code }) => code === 'GUARD_REFUSED');
}

/** One warning that names the selected tenants without a result. */
function missingOf(saved: readonly SavedDocument[], selections: readonly ResultSelection[]): readonly Diagnostic[] {
  const present = new Set(saved.map(({ result }) => result?.tenant));
  const selected = new Set(selections.flatMap(({ tenants }) => tenants.map(({ tenant }) => tenant)));
  const missing = [...selected].filter((name) => !present.has(name)).sort(compareText);
  if (missing.length === 0) return [];
  const message = `There is no result of ${quantity(missing.length, 'tenant')}: ${few(missing)}.`;
  return [warning('RESULT_MISSING', message, 'run the command again for the shards of these tenants')];
}

/** The plans of all selected tenants, in the order of their names. */
function plansOf(saved: readonly SavedDocument[], selections: readonly ResultSelection[]): WavePlan[] {
  const documents = new Map(saved.map(({ result, document }) => [result?.tenant, document]));
  const waves = new Map(selections.flatMap(({ tenants }) => tenants.map(({ tenant, wave }) => [tenant, wave])));
  return [...waves]
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, wave]) => {
      const document = documents.get(name);
      return { name, wave, plan: document?.type === 'plan' ? document.plan : null };
    });
}
