import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import type { Session } from '../../database/connect.ts';
import { withSession } from '../../database/migrate.ts';
import { problem, warning } from '../../diagnostics/problem.ts';
import { type ParsedDocument, type ParsedResult, parseDocument } from '../../document/parse-document.ts';
import { allKinds } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ResultSelection } from '../../model/selection.generated.ts';
import { isViewed, planOf, type ReportDocument } from '../../report/document.ts';
import { few, quantity } from '../../report/wording.ts';
import { groupBy } from '../../values/group-by.ts';
import { listed } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';
import { readChecks, readDocuments } from '../../worker/checks.ts';
import type { CommandContext } from '../context.ts';
import { errorsOf, isUnmatched, printTogether, worst } from '../each-tenant.ts';
import { databaseUrl } from '../environment.ts';
import { CommandError, exitCode, invalidOption } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import { reviewTenants } from '../plan-tenants.ts';
import { printDocuments, withoutSecrets } from '../print-document.ts';
import {
  checkPlansFolder,
  firstFileOf,
  isSelectionFile,
  readSavedText,
  readSelection,
  savePlans,
  type WavePlan,
} from '../saved.ts';
import { nameOf, targetsOf } from '../targets.ts';

/**
 * Prints saved plans, outcomes and results, of files and of folders. Needs no environment. Results of several processes
 * are printed as those of one, whose exit code this is. With --state, what the workers of a project found.
 */
export async function command(context: CommandContext): Promise<number> {
  const { state, operands, out } = context.arguments;
  if (state !== undefined && (operands.length > 0 || out !== undefined))
    throw invalidOption('--state takes no files and no --out.', 'show the files by themselves');
  await allKinds();
  if (state !== undefined) return showChecks(context, state);
  if (operands.length === 0)
    throw invalidOption('show needs <file...>.', 'name files or folders, or a project with --state');
  return showFiles(context);
}

/** The last checks of the tenants of a project, and what they found. */
async function showChecks(context: CommandContext, folder: string): Promise<number> {
  const names = (await targetsOf(context.io, { folder, all: true })).map(nameOf);
  const documents = await withSession(databaseUrl(context.io), (session) => checkedDocuments(session, names));
  await printDocuments(context, documents, { isList: true });
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
  await printTogether(context, documents, together, { command, isList, ...origin });
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
  problems.push(...repeatedResults(saved));
  if (problems.length > 0) throw new CommandError(exitCode.invalid, problems);
  saved.sort((one, other) => compareText(one.result?.tenant ?? '', other.result?.tenant ?? ''));
  return { saved, selections };
}

/** Of two results of one tenant, nothing shows which one counts. One that differed again has a second file beside the first. */
function repeatedResults(saved: readonly SavedDocument[]): Diagnostic[] {
  const byTenant = groupBy(saved, ({ result }) => result?.tenant);
  return [...byTenant].flatMap(([tenant, same]) => {
    const files = new Set(same.map(({ path }) => firstFileOf(path)));
    if (tenant === undefined || files.size === 1) return [];
    const message = `${tenant} has ${quantity(files.size, 'result')}: ${few([...files])}.`;
    return [problem('OPTION_INVALID', message, 'name the results of one run')];
  });
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
  const tenants = selections.flatMap((selection) => selection.tenants);
  const ofProject = Math.max(...selections.map(({ project }) => project));
  const review = reviewTenants(plansOf(saved, selections), tenants, ofProject);
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
      return { name, wave, plan: document !== undefined && isViewed(document) ? planOf(document) : null };
    });
}

/** A document, and what is known of the run if it is the result of a tenant. */
interface SavedDocument {
  readonly document: ReportDocument;
  readonly result: ParsedResult | null;
  readonly path: string;
}

/** The files themselves, and the JSON files in folders and in their subfolders. */
async function findFiles(cwd: string, operands: readonly string[]) {
  const found = await Promise.all(operands.map((operand) => filesOf(cwd, operand)));
  return {
    // A file that several operands name is one document.
    paths: [...new Map(found.flatMap(({ paths }) => paths.map((path) => [resolve(cwd, path), path]))).values()],
    problems: found.flatMap(({ problems }) => problems),
    isList: operands.length > 1 || found.some(({ isFolder }) => isFolder),
  };
}

async function filesOf(cwd: string, operand: string) {
  const present = await stat(resolve(cwd, operand)).catch(() => null);
  if (!present?.isDirectory()) return { isFolder: false, paths: [operand], problems: [] };
  const names = await readdir(resolve(cwd, operand), { recursive: true });
  const paths = names
    .filter(isDocument)
    .sort(compareText)
    .map((name) => join(operand, name));
  const none = problem('OPTION_INVALID', `${operand} has no .json file.`, 'name a folder with saved plans, or files');
  return { isFolder: true, paths, problems: paths.length === 0 ? [none] : [] };
}

/** Not the index of saved plans, and nothing that is hidden. */
function isDocument(path: string): boolean {
  const [name = '', ...folders] = path.split(sep).reverse();
  return (/^[^._].*\.json$/.test(name) || isSelectionFile(name)) && folders.every((folder) => !/^[._]/.test(folder));
}

/** Throws a CommandError if it cannot be shown. */
function readDocument({ io, output }: CommandContext, path: string): SavedDocument {
  const parsed = parseDocument(readSavedText(resolve(io.cwd, path)), path);
  if (parsed.status !== 'parsed') throw new CommandError(exitCode.invalid, parsed.diagnostics);
  return { document: withoutSecrets(documentOf(parsed), output.mask), result: parsed.result ?? null, path };
}

/** The last checks of these tenants, and what each found. */
export async function checkedDocuments(session: Session, names: readonly string[]): Promise<readonly ReportDocument[]> {
  const tenants = await readChecks(session, names);
  const found = (await readDocuments(session, names)).map(({ tenant, document }) => {
    const parsed = parseDocument(document, `the last check of ${tenant}`);
    return parsed.status === 'parsed' ? documentOf(parsed) : errorsOf(tenant, 'drift', parsed.diagnostics);
  });
  return [{ type: 'checks', tenants }, ...found];
}

function documentOf(parsed: ParsedDocument & { readonly status: 'parsed' }): ReportDocument {
  const { command = 'show', tenant, diagnostics } = parsed.result ?? {};
  switch (parsed.type) {
    case 'plan':
      return { type: command === 'drift' ? 'drift' : 'plan', plan: parsed.plan, diagnostics: diagnostics ?? [] };
    case 'outcomes':
      return { type: 'outcomes', outcomes: parsed.outcomes };
    case 'diagnostics': {
      const about = { command, files: 0, ...(tenant !== undefined && { tenant }) };
      return { type: 'diagnostics', ...about, diagnostics: diagnostics ?? parsed.diagnostics };
    }
  }
}
