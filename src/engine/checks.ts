import { isDeepStrictEqual } from 'node:util';
import { comparePlans } from '../apply/compare-plans.ts';
import { meantVariable, noVariables } from '../config/variables/variables.ts';
import { approvalEditText } from '../diagnostics/approval-edit-text.ts';
import { controlEnds } from '../diagnostics/control-ends.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import type { WriteConnection } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Action, Approval, ApprovalEdit, Plan, Refusal } from '../model/plan.generated.ts';
import { openRefusals } from '../model/refusals.ts';
import { type ApprovedLeft, approvedBefore, coveredCodes } from '../plan/approved-before.ts';
import { commonCode } from '../plan/digest.ts';
import { variableNames } from '../secrets/credentials.ts';
import { credentialFinder, credentialSecret, exposed, secretsOf } from './credential-values.ts';
import type { ApplyOptions } from './options.ts';

/** An error refuses the plan; a warning is shown. Empty when there is nothing to report. */
export type Check<Context> = (plan: Plan, context: Context) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;

export interface ApplyContext extends Pick<ApplyOptions, 'clock' | 'expect' | 'secret' | 'tenant' | 'variables'> {
  readonly connection: Pick<WriteConnection, 'grantedScopes'>;
  /** The plan that was made now. */
  readonly now: Plan;
  /** True if the files have a `base_url`, which was compared with the tenant. */
  readonly asserted: boolean;
}

/** Seconds: 24 hours. */
export const defaultMaxAge = 86_400;

/** Clocks of two machines may differ by as many seconds. */
export const clockDifference = 300;

/** A saved plan was reviewed at its time. One that is dated in the future would never be too old. */
const age: Check<Pick<ApplyOptions, 'clock' | 'maxAge'>> = (plan, { clock, maxAge = defaultMaxAge }) => {
  const seconds = (clock.now() - Date.parse(plan.generated_at)) / 1000;
  const hint = 'save a new plan and have it reviewed';
  if (seconds > maxAge) {
    const message = `The saved plan is ${durationText(seconds)} old; --max-age allows ${durationText(maxAge)}.`;
    return [problem('PLAN_TOO_OLD', message, `${hint}, or raise --max-age`)];
  }
  if (seconds >= -clockDifference) return [];
  const message = `The saved plan is dated ${plan.generated_at}, which is in the future, so its age is not known.`;
  return [problem('PLAN_TOO_OLD', message, `compare the clocks of the machines, or ${hint}`)];
};

/** `90 s`, `36 min`, `25 h`, `8 days`: rounded up, so that it is not shown as the limit that it exceeds. */
function durationText(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`;
  if (seconds <= 7200) return `${Math.ceil(seconds / 60)} min`;
  return seconds <= 172_800 ? `${Math.ceil(seconds / 3600)} h` : `${Math.ceil(seconds / 86_400)} days`;
}

/** A digest binds an apply to what was reviewed. */
const expected: Check<Pick<ApplyOptions, 'expect'>> = ({ digest }, { expect }) => {
  if (expect === undefined || expect === digest) return [];
  const message = `The digest of the plan is ${digest}, but --expect names ${expect}.`;
  return [problem('PLAN_NOT_EXPECTED', message, 'review the plan again, and repeat the command with its digest')];
};

/** What is checked of a saved plan before the tenant is read. */
export const savedChecks: readonly Check<Pick<ApplyOptions, 'clock' | 'expect' | 'maxAge'>>[] = [age, expected];

/** A saved plan is for one tenant and one level of its operations. */
export const sameTenant: Check<Pick<ApplyContext, 'now'>> = ({ tenant: saved }, { now: { tenant: now } }) => {
  if (saved.base_url === now.base_url && saved.api === now.api) return [];
  const names = (tenant: Plan['tenant']) => `${tenant.base_url} (api: ${tenant.api})`;
  const message = `The saved plan is for ${names(saved)}, but the files and the environment are for ${names(now)}.`;
  return [problem('PLAN_STALE', message, 'save a new plan and have it reviewed')];
};

/**
 * The digest of a saved plan covers its requests, and not what is read about them, nor what they wait for. An action that
 * is planned with the same request now must not differ in what decides when it is sent.
 */
const asPlanned: Check<Pick<ApplyContext, 'now'>> = (saved, { now }) => {
  if (saved === now) return [];
  const { actionsOf, unchanged } = comparePlans(now);
  // Needs make references of texts that look like one, and then no precondition is compared.
  const sameRequest = (action: Action) =>
    actionsOf(action).find(({ request }) => isDeepStrictEqual(request, action.request));
  const freshOf = (action: Action) => unchanged(action) ?? sameRequest(action);
  const savedIds = new Map(saved.actions.map((action) => [freshOf(action)?.id, action.id]));
  const stillPlanned = new Set(saved.actions.flatMap((action) => (unchanged(action) === undefined ? [] : [action.id])));
  const differs = (action: Action) => {
    const fresh = freshOf(action);
    if (fresh === undefined) return false;
    const needs = new Set(fresh.needs.flatMap((id) => savedIds.get(id) ?? []).filter((id) => stillPlanned.has(id)));
    // What is done by now, or has changed, is needed by no fresh action.
    const savedNeeds = new Set(action.needs.filter((id) => stillPlanned.has(id)));
    return fresh.action !== action.action || !isDeepStrictEqual(savedNeeds, needs);
  };
  const other = saved.actions.find(differs);
  if (other === undefined) return [];
  const message = `The saved plan was changed: the action or the needs of ${other.id} are not those of its request.`;
  return [problem('PLAN_STALE', message, 'save a new plan and have it reviewed')];
};

/** What guards refuse for the items alone, however many others there are. */
const ofSingleItems: ReadonlySet<Refusal['code']> = new Set([
  'GUARD_EMPTIES_ITEM',
  'GUARD_DESTROYS',
  'GUARD_OWN_CLIENT',
]);

/**
 * What apply checks of a saved plan: both it and what was read now must be complete, and what was approved when it was
 * saved stays approved for every part of it. Guards are evaluated again where the complete kind was read. One code
 * approves everything that is still refused.
 */
export function savedWithFresh(
  saved: Plan,
  fresh: Plan,
  approvalOf: (code: string) => Approval | null,
  expect?: string,
  left: ApprovedLeft | null = null,
): Plan {
  // The digest does not cover approvals, and those in the files can be looked up there.
  const trusted = ({ approved_by }: Refusal) => expect === undefined && approved_by?.by === '--approve';
  const known = new Map(
    saved.refusals.flatMap(({ code, kind, items }) =>
      coveredCodes(code).map((covered) => [`${covered} ${kind}`, new Set(items)] as const),
    ),
  );
  const partial = new Set(fresh.left_out.filter(({ what }) => what === 'not_read').map(({ kind }) => kind));
  const isNew = ({ code, kind, items }: Refusal) =>
    (!partial.has(kind) || ofSingleItems.has(code)) && !items.every((item) => known.get(`${code} ${kind}`)?.has(item));
  const all = [...saved.refusals, ...fresh.refusals.filter(isNew)].map((refusal) => ({
    ...refusal,
    approved_by: approvalOf(refusal.approve) ?? (trusted(refusal) ? refusal.approved_by : null),
  }));
  const open = openRefusals(all);
  const approve = open.length === 0 ? '' : commonCode(open);
  const approved_by = approvalOf(approve) ?? approvedBefore({ refusals: open, actions: saved.actions }, left);
  return {
    ...saved,
    complete: saved.complete && fresh.complete,
    refusals: all.map((refusal) => (open.includes(refusal) ? { ...refusal, approve, approved_by } : refusal)),
  };
}

/** A kind that was not read completely may have items that the files do not declare. */
const incomplete: Check<unknown> = ({ complete }) => {
  if (complete) return [];
  const message =
    'Live state is incomplete, so apply refuses the plan. No deletions are planned for a kind that could not be read.';
  const hint = 'fix the cause shown in the findings and rerun, or exclude the kind with --except';
  return [problem('PLAN_INCOMPLETE', message, hint)];
};

/** A plan that deletes more than its guards allow needs the code that covers exactly these items. */
export const guards: Check<unknown> = ({ refusals }) => {
  const open = openRefusals(refusals);
  const [first] = open;
  if (first === undefined) return [];
  const { approve: code, approve_in: edit } = first;
  const message = open.map(({ kind, message }) => `${kind}: the plan ${message}.`).join(' ');
  const inFiles = edit === null ? [] : [inFilesText(edit, code)];
  const hint = `if this is intended, ${[...inFiles, `add --approve ${code} to apply`].join('; or ')}`;
  return [problem('GUARD_REFUSED', message, hint)];
};

/** A hint has one line. Reports show edits of several lines as they are written. */
function inFilesText(edit: ApprovalEdit, code: string): string {
  const [line = '', ...others] = edit.lines;
  if (others.length > 0) return `add ${code} to approvals in ${edit.file}`;
  return `${approvalEditText(edit)}: ${line.trim()}`;
}

/**
 * Where the token lists its scopes, a missing one is reported before the first write instead of failing in the middle.
 */
const scopes: Check<Pick<ApplyContext, 'connection'>> = async (plan, { connection }) => {
  const granted = plan.actions.length === 0 ? null : await connection.grantedScopes();
  if (granted === null) return [];
  return plan.scopes.apply
    .filter((scope) => !granted.has(scope))
    .map((scope) => {
      const message = `The token lacks the scope ${scope}, which the plan requires.`;
      return problem('SCOPE_MISSING', message, 'grant the scope to the client');
    });
};

/** The plan only names secrets; apply needs their values. */
const secrets: Check<Pick<ApplyContext, 'secret' | 'variables'>> = (plan, { secret, variables = noVariables }) =>
  secretNames(plan).flatMap((name) => {
    const value = secret(name);
    const meant = meantVariable(name, variables);
    if (value) return controlEnds(meant, value) ?? [];
    const names = variableNames(name, variables.environment).join(' or ');
    const hint = `set ${names} where apply runs; plan and drift do not need it`;
    return problem('ENV_MISSING', `${meant} is not set; the plan sends it as a secret.`, hint);
  });

function secretNames({ actions }: Plan): readonly string[] {
  return [...new Set(actions.flatMap(({ request }) => (request.secrets ?? []).map(({ env }) => env)))];
}

/** Nothing that is sent may be a credential of the run: neither the secrets, nor what the tenant itself had returned. */
const credentials: Check<Pick<ApplyContext, 'secret' | 'tenant'>> = (plan, { secret, tenant }) => {
  const has = credentialFinder(secretsOf(tenant.credentials));
  const sent = plan.actions.filter(({ request: { path, body } }) => has(path) || has(JSON.stringify(body ?? null)));
  return [
    ...secretNames(plan)
      .filter((name) => has(secret(name) ?? ''))
      .map(credentialSecret),
    ...sent.map(({ id }) => ({ ...exposed, message: `The request of ${id} contains a credential of the tenant.` })),
  ];
};

/** Without a `base_url`, the credentials alone decide which tenant is changed, so people see it before the first write. */
const assertion: Check<Pick<ApplyContext, 'asserted'>> = ({ actions, tenant }, { asserted }) => {
  if (asserted || actions.length === 0) return [];
  const message = `This apply changes ${tenant.base_url}. The files do not say which tenant they belong to.`;
  return [warning('TENANT_UNASSERTED', message, `add base_url: ${tenant.base_url} to the header`)];
};

/** What `plan` reports, because apply would refuse it. */
export const planChecks: readonly Check<unknown>[] = [incomplete, guards];

/** What is checked without a connection of what a plan sends: of several tenants, before the first write to any. */
export const sentChecks: readonly Check<Pick<ApplyContext, 'secret' | 'tenant' | 'variables'>>[] = [
  secrets,
  credentials,
];

/** The checks before the first write. Nothing is sent if one of them reports an error. */
export const applyChecks: readonly Check<ApplyContext>[] = [
  sameTenant,
  asPlanned,
  expected,
  ...planChecks,
  scopes,
  ...sentChecks,
  assertion,
];

/** Runs every check, in order, so that all refusals are reported at once. */
export async function runChecks<Context>(checks: readonly Check<Context>[], plan: Plan, context: Context) {
  const found: Diagnostic[] = [];
  for (const check of checks) found.push(...(await check(plan, context)));
  return {
    refusals: found.filter(({ severity }) => severity === 'error'),
    warnings: found.filter(({ severity }) => severity === 'warning'),
  };
}
