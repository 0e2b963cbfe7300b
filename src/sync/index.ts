/**
 * Everything the commands do, from code: `import { plan } from 'tenant-sync'`.
 *
 * - Values in, values out. Nothing here reads the environment, prints, or ends the process.
 * - Every function resolves to a result with a `status`. Errors of the files, the service, the network and the
 *   journal are results with diagnostics; a promise rejects only for a bug, or with what a callback of yours threw.
 * - `validate`, `plan`, `drift` and `pull` use a transport that cannot send a write.
 * - Durations are seconds and quotas requests per second, unless a name states otherwise. Times are ISO 8601 in UTC.
 *   Lines and columns count from 1, columns in UTF-16 units.
 * - A plan is plain data, described by `schemas/plan.schema.json`; outcomes by `schemas/outcomes.schema.json`.
 */
import { resolve } from 'node:path';
import { systemClock } from '../client/system-clock.ts';
import { folderSource } from '../config/files/folder-source.ts';
import type * as engine from '../engine/options.ts';
import type { ApplyResult, DriftResult, PlanResult, PullResult, ValidateResult } from '../engine/results.ts';
import { version } from '../files/package-file.ts';
import { kinds } from '../kinds/index.ts';
import type { FileSource } from '../model/file-source.ts';
import { pull as pullWith } from '../pull/pull.ts';
import { apply as applyWith } from './apply.ts';
import { drift as driftWith, plan as planWith } from './plan.ts';
import { validate as validateWith } from './validate.ts';

/** Optional here: the kinds of this package, the system clock, this package's version, and no secrets. */
type Defaulted = 'kinds' | 'clock' | 'toolVersion' | 'secret';
type WithDefaults<Options> = Omit<Options, Defaulted | 'files'> &
  Partial<Pick<Options, Defaulted & keyof Options>> & {
    /** Where the YAML files are: a folder, or a source of your own. */
    readonly files: FileSource | string;
  };

export type ValidateOptions = WithDefaults<engine.ValidateOptions>;
export type PlanOptions = WithDefaults<engine.PlanOptions>;
export type DriftOptions = WithDefaults<engine.DriftOptions>;
export type PullOptions = WithDefaults<engine.PullOptions>;
export type ApplyOptions = WithDefaults<engine.ApplyOptions>;

const defaults = { kinds, clock: systemClock, toolVersion: version(), secret: () => undefined };

/** An option that is undefined counts as left out, also where a compiler treats both alike. */
function withDefaults<Options extends { readonly files: FileSource | string }>(options: Options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const files = typeof options.files === 'string' ? folderSource(resolve(options.files)) : options.files;
  return { ...defaults, ...(Object.fromEntries(given) as Options), files };
}

/** Loads and checks the files; sends nothing. `valid` or `invalid`. */
export function validate(options: ValidateOptions): Promise<ValidateResult> {
  return validateWith(withDefaults(options));
}

/** What apply would do. `planned`; `refused`, if apply would refuse the plan; `invalid`, `failed` or `stopped`. */
export function plan(options: PlanOptions): Promise<PlanResult> {
  return planWith(withDefaults(options));
}

/** How the tenant differs from the files. `compared`, `invalid`, `failed` or `stopped`. */
export function drift(options: DriftOptions): Promise<DriftResult> {
  return driftWith(withDefaults(options));
}

/**
 * What the files have to become to be equal to the tenant; writes nothing. `pulled`; `changed`, if a file did meanwhile;
 * `invalid`, `failed` or `stopped`. Rejects if the new files would not be in sync with what was read, which is a bug.
 */
export function pull(options: PullOptions): Promise<PullResult> {
  return pullWith(withDefaults(options));
}

/**
 * Makes the plan, checks it, asks `confirm`, and performs exactly that plan. `applied`, with an outcome for every
 * action; `refused` or `locked`, and nothing was sent; `invalid`, `failed` or `stopped`. One apply at a time for each
 * tenant and state folder. An apply that was stopped is resumed by the next one with the same saved plan.
 */
export function apply(options: ApplyOptions): Promise<ApplyResult> {
  return applyWith(withDefaults(options));
}

export type { Variables } from '../config/variables/variables.ts';
export { type ParsedDocument, type ParsedPlan, parseDocument, parsePlan } from '../document/parse-document.ts';
export type { Listener, Resolution, ResolvedAction, SyncEvent } from '../engine/events.ts';
export type { BaseFiles, TenantAccess } from '../engine/options.ts';
export type * from '../engine/results.ts';
export { unfinishedIn as unfinishedPull } from '../files/write-files.ts';
export { type OpenBaseOptions, type OpenedBase, openBase } from '../git/open-base.ts';
export type { Credentials } from '../model/client.ts';
export type { Clock } from '../model/clock.ts';
export type { Desired } from '../model/desired.ts';
export type { Diagnostic, DiagnosticCode, Source } from '../model/diagnostic.ts';
export type { Explanation } from '../model/explanation.generated.ts';
export type { VariableFile } from '../model/file-source.ts';
export type { AnyKind, LazyKind, ResourceKind } from '../model/kind.ts';
export type { Outcome, OutcomesDocument } from '../model/outcomes.generated.ts';
export type { Action, Finding, Plan, PlannedRequest, Selection } from '../model/plan.generated.ts';
export { writePulled } from '../pull/write-pulled.ts';
export { type ExplainResult, explain } from './explain.ts';
export type { FileSource };
export { folderSource };
