// Saved plans: the plan of a tenant as a file, and the plans of several in a folder, with an index that has one digest over
// all of them.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failureOf, readRegularFile } from '../config/files/folder-source.ts';
import { validatePlans } from '../contract/plans.generated.ts';
import { shape } from '../contract/shape.ts';
import { problem } from '../diagnostics/problem.ts';
import { parsePlan } from '../document/parse-document.ts';
import { version } from '../files/package-file.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import type { Shape } from '../model/operation.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { IndexedPlan, IndexedWave, Plans } from '../model/plans.generated.ts';
import { isDeletion } from '../plan/digest.ts';
import { jsonText, terminalText } from '../report/escape.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { parsedJson } from '../values/parsed-json.ts';
import { CommandError, exitCode, invalidOption } from './exit-codes.ts';
import type { Output } from './output.ts';

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
export function readShaped<Of>(
  path: string,
  { validate }: Pick<Shape<Of>, 'validate'>,
  what: string,
  hint: string,
): Of {
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

const indexShape = shape<Plans>('plans.schema.json', validatePlans);

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
  const own = new Set(names?.includes(indexFile) ? readIndex(path).plans.map(fileOf) : []);
  if (names?.every((name) => own.has(name) || name === indexFile)) return;
  const what = names === null ? 'is no folder' : 'has other files than saved plans';
  throw invalidOption(`--out ${path} cannot be used: it ${what}.`, 'name a new folder');
}

function fileOf({ tenant }: Pick<IndexedPlan, 'tenant'>): string {
  return `${tenant}.json`;
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
  for (const { name, plan } of plans)
    if (plan !== null) await savePlan(join(path, fileOf({ tenant: name })), jsonText(plan));
  const index: Plans = {
    format_version: '2.0',
    tool: { name: 'tenant-sync', version: version() },
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
    plan: digest === null ? null : readSavedPlan(join(path, `${tenant}.json`)),
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
  return readShaped(join(path, indexFile), indexShape, 'an index of plans', 'save the plans with plan --all --out');
}
