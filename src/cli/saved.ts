// What runs save. A plan is a file, and the plans of several tenants are a folder with an index, which has one digest over
// all of them. Results are a folder with a file for each tenant, as soon as it has one, and an index of all tenants that the
// run is a part of: folders of several processes together are what `show` prints as one report.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { failureOf, readRegularFile } from '../config/files/folder-source.ts';
import { validatePlans } from '../contract/plans.generated.ts';
import { validateSelection } from '../contract/selection.generated.ts';
import { shape } from '../contract/shape.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import { parsePlan } from '../document/parse-document.ts';
import { version } from '../files/package-file.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import type { Shape } from '../model/operation.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { IndexedPlan, IndexedWave, Plans } from '../model/plans.generated.ts';
import type { ResultSelection, SelectedTenant } from '../model/selection.generated.ts';
import { isDeletion } from '../plan/digest.ts';
import type { ProjectTenant } from '../project/read-project.ts';
import { joined } from '../report/document.ts';
import { jsonText, terminalText } from '../report/escape.ts';
import { digitsOf, fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { parsedJson } from '../values/parsed-json.ts';
import type { CommandContext } from './context.ts';
import { type Ended, hasResult, type SaveResult } from './each-tenant.ts';
import { shownFolder } from './environment.ts';
import { CommandError, exitCode, invalidOption } from './exit-codes.ts';
import { type Output, reportBeside } from './output.ts';
import { rendered, withoutSecrets } from './print-document.ts';
import { inShard, nameOf, type Target } from './targets.ts';

const tool = () => ({ name: 'tenant-sync', version: version() });

/** A larger file is neither written nor read. */
const mostBytes = 64 * 1024 * 1024;

export async function savePlan(path: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > mostBytes) throw planTooLarge(`The plan cannot be saved as ${path}`, exitCode.failed);
  await writeAtomically(path, text).catch((error: unknown) => {
    const message = `The plan cannot be saved as ${path}: ${failureOf(error).detail}.`;
    const hint = 'free some space, or choose another path for --out';
    throw new CommandError(exitCode.failed, [problem('PLAN_FILE_INVALID', message, hint)]);
  });
}

export function readSavedPlan(path: string): Plan {
  const parsed = parsePlan(readSavedText(path), path);
  if (parsed.status === 'parsed') return parsed.plan;
  throw new CommandError(exitCode[parsed.status], parsed.diagnostics);
}

/** The text of a saved document. Throws a CommandError if it cannot be read. */
export function readSavedText(path: string): string {
  const read = readRegularFile(path, mostBytes);
  if (read.ok) return read.bytes.toString();
  if (read.reason === 'too_large') throw planTooLarge(`The plan ${path} cannot be read`, exitCode.invalid);
  const why = read.detail === 'ELOOP' ? 'it is a link' : read.detail || 'it is not a regular file';
  const message = `The plan ${path} cannot be read: ${why}.`;
  throw new CommandError(exitCode.invalid, [problem('PLAN_FILE_INVALID', message, 'save a plan with plan --out FILE')]);
}

/** A saved document of one shape; `what` it is otherwise not. Throws a CommandError. */
function readShaped<Of>(path: string, { validate }: Pick<Shape<Of>, 'validate'>, what: string, hint: string): Of {
  const value = parsedJson(readSavedText(path));
  if (validate(value)) return value;
  throw new CommandError(exitCode.invalid, [problem('PLAN_FILE_INVALID', `${path} is not ${what}.`, hint)]);
}

function planTooLarge(what: string, code: number): CommandError {
  const message = `${what}: it has more than ${mostBytes} bytes (64 MB).`;
  return new CommandError(code, [problem('PLAN_FILE_INVALID', message, 'save several plans with plan --only')]);
}

/** Its name is no name of a tenant. */
const indexFile = '_index.json';

/** A plan by the name of its tenant in the project; null if none could be made. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan | null;
}

export interface WavePlan extends NamedPlan {
  readonly wave: number;
}

/** What --expect binds an apply to: the plans of exactly these tenants. */
export function digestOfPlans(plans: readonly NamedPlan[]): string {
  return fingerprint(plans.map(indexed));
}

function indexed({ name, plan }: NamedPlan): IndexedPlan {
  return { tenant: name, digest: plan?.digest ?? null };
}

/** Refuses a folder with anything else than saved plans, before anything is sent. */
export async function checkPlansFolder(path: string): Promise<void> {
  const names: string[] | null = await readdir(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? [] : null,
  );
  const own = new Set(names?.includes(indexFile) ? readIndex(path).plans.map(({ tenant }) => fileOf(tenant)) : []);
  if (names?.every((name) => own.has(name) || name === indexFile)) return;
  const what = names === null ? 'is no folder' : 'has other files than saved plans';
  throw invalidOption(`--out ${path} cannot be used: it ${what}.`, 'name a new folder');
}

/**
 * Into a folder that was checked, and prints what `apply --expect` takes. The index is written last: without one, the
 * folder has no complete set of plans.
 */
export async function savePlans(
  { talk }: Pick<Output, 'talk'>,
  path: string,
  plans: readonly WavePlan[],
): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path)) await rm(join(path, name));
  for (const { name, plan } of plans) if (plan !== null) await savePlan(join(path, fileOf(name)), jsonText(plan));
  const index: Plans = {
    format_version: '2.0',
    tool: tool(),
    plans: plans.map(indexed),
    waves: wavesOf(plans),
    digest: digestOfPlans(plans),
  };
  await savePlan(join(path, indexFile), jsonText(index));
  talk(`The digest of all plans in ${terminalText(path)} is ${index.digest}.`);
}

function wavesOf(plans: readonly WavePlan[]): IndexedWave[] {
  const waves = [...groupBy(plans, ({ wave }) => wave)].sort(([one], [other]) => one - other);
  const actionsOf = ({ plan }: WavePlan) => plan?.actions.length ?? 0;
  return waves.map(([wave, ofWave]) => ({ wave, actions: ofWave.reduce((sum, one) => sum + actionsOf(one), 0) }));
}

/** Throws a CommandError if a plan is missing or is not the one that the index names. */
export function readPlans(path: string): readonly NamedPlan[] {
  const index = readIndex(path);
  const plans = index.plans.map(({ tenant, digest }) => ({
    name: tenant,
    plan: digest === null ? null : readSavedPlan(join(path, fileOf(tenant))),
  }));
  const isOther = (name: string, plan: Plan) =>
    plan.tenant.name !== name || (plan.review === undefined && plan.actions.some(isDeletion));
  const other = plans.find(({ name, plan }) => plan !== null && isOther(name, plan));
  const isSame = index.digest === digestOfPlans(plans) && fingerprint(index.plans) === index.digest;
  if (isSame && other === undefined) return plans;
  const message = `The plans in ${path} are not those of their index.`;
  throw new CommandError(exitCode.refused, [problem('PLAN_STALE', message, 'save them again with plan --out')]);
}

function readIndex(path: string): Plans {
  const index = shape<Plans>('plans.schema.json', validatePlans);
  return readShaped(join(path, indexFile), index, 'an index of plans', 'save the plans with plan --all --out');
}

/** Its name is no name of a tenant. */
export function isSelectionFile(name: string): boolean {
  return /^_selection-[0-9a-f]{12}\.json$/.test(name);
}

/**
 * The tenants of the shard, and where their results go: the folder of --results, which is prepared before anything is
 * sent. `selected` are the tenants of all shards. `finish` is called when all tenants have ended.
 */
export async function ownTargets(context: CommandContext, selected: readonly Target[]) {
  const { arguments: options, io, output } = context;
  const targets = inShard(selected, options.shard);
  if (targets.length === 0) output.talk('No tenant is in this shard.');
  if (options.results === undefined) return { targets, save: async () => {}, finish: async () => {} };
  const path = resolve(io.cwd, options.results);
  await prepareFolder(context, path, selected, targets);
  const saved = new Map<string, Ended>();
  const save: SaveResult = async (ended, again) => {
    const file = join(path, fileOf(nameOf(ended.target), again));
    saved.set(file, ended);
    await saveResult(context, file, ended);
  };
  // A tenant may repeat a secret of another one that was not known yet, such as its token.
  const finish = async () => {
    for (const [file, ended] of saved)
      if (withoutSecrets(ended.document, output.mask) !== ended.document) await saveResult(context, file, ended);
  };
  return { targets, save, finish };
}

/**
 * Earlier results of the own tenants are removed: after a kill, none is taken for one of this run. To resume, only those
 * of tenants that differed again are. Throws a CommandError.
 */
async function prepareFolder(
  context: CommandContext,
  path: string,
  selected: readonly Target[],
  targets: readonly Target[],
): Promise<void> {
  const { results, resume } = context.arguments;
  const selection = selectionOf(context, selected);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const present = await readdir(path);
    // Results could replace other files.
    if (present.some((name) => !name.startsWith('.')) && !present.some(isSelectionFile)) throw new Error('other files');
    for (const name of targets.map(nameOf)) {
      if (resume !== undefined && !present.includes(fileOf(name, 'again'))) continue;
      for (const file of [fileOf(name), fileOf(name, 'again')]) await rm(join(path, file), { force: true });
    }
    // Equal selections have one file, which the processes of all shards may write at once.
    const name = `_selection-${digitsOf(fingerprint(selection), 12)}.json`;
    await writeAtomically(join(path, name), jsonText(selection), join(path, `.${randomBytes(8).toString('hex')}.tmp`));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? failureOf(error).detail : null;
    const why = code === 'EEXIST' ? 'it is a file' : (code ?? 'it contains files that are not results');
    throw invalidOption(`--results ${results} cannot be used: ${why}.`, 'name a new folder');
  }
}

/** The file of a tenant. No name of one has a tilde. */
function fileOf(tenant: string, again?: 'again'): string {
  return again === undefined ? `${tenant}.json` : `${tenant}~${again}.json`;
}

/** Of the two files of a tenant that differed again. */
export function firstFileOf(path: string): string {
  return path.replace(/~again\.json$/, '.json');
}

function selectionOf({ io, arguments: options }: CommandContext, selected: readonly Target[]): ResultSelection {
  return {
    format_version: '1.0',
    tool: tool(),
    command: options.command as ResultSelection['command'],
    folder: shownFolder(io, options.folder),
    project: selected[0]?.project?.tenants.length ?? selected.length,
    tenants: selectedTenants(
      selected.flatMap(({ tenant }) => tenant ?? []),
      options.approve,
    ),
  };
}

/** Tenants with the codes that approve a plan of each: those of the project, and the one of --approve. */
export function selectedTenants(tenants: readonly ProjectTenant[], approve: string | undefined): SelectedTenant[] {
  const given = approve === undefined ? [] : [approve];
  return tenants.map(({ name, wave, approvals }) => {
    return { tenant: name, wave, approvals: [...approvals.map(({ code }) => code), ...given] };
  });
}

/** Never rejects: the run goes on, and `show` names a tenant without a result. */
async function saveResult(context: CommandContext, path: string, ended: Ended): Promise<void> {
  if (!hasResult(ended)) return;
  try {
    await writeAtomically(path, await resultText(context, context.arguments.command, ended));
  } catch (error) {
    const message = `The result ${path} could not be written: ${failureOf(error).detail}.`;
    const hint = 'free some space, and run the command again for this tenant';
    reportBeside(context.output, [warning('REPORT_NOT_WRITTEN', message, hint)]);
  }
}

/** What a command has done with a tenant, without secrets. */
export async function resultText(
  context: CommandContext,
  command: string,
  { target, code, document }: Pick<Ended, 'target' | 'code' | 'document'>,
): Promise<string> {
  const shown = withoutSecrets(document, context.output.mask);
  return jsonText({
    format_version: '1.0',
    tool: tool(),
    tenant: nameOf(target),
    command,
    code,
    document: parsedJson(await joined(rendered(context, [shown], 'json'))),
    diagnostics: 'diagnostics' in shown ? shown.diagnostics : [],
  });
}

/** Throws a CommandError if it is no such file. */
export function readSelection(path: string): ResultSelection {
  const selection = shape<ResultSelection>('selection.schema.json', validateSelection);
  return readShaped(path, selection, 'the selection of a run with --results', 'run the command again');
}
