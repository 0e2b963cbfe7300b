import { problem, warning } from '../diagnostics/problem.ts';
import type { WriteConnection } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Forecast } from '../model/quota.ts';
import { comparePlans } from '../plan/compare-plans.ts';
import { approves } from '../plan/guard-plan.ts';
import { credentialFinder, credentialSecret, exposed, secretsOf } from './credential-values.ts';
import type { ApplyOptions } from './options.ts';

/** An error refuses the plan; a warning is shown. Empty when there is nothing to report. */
export type Check<Context> = (plan: Plan, context: Context) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;

export interface PlanContext extends Pick<ApplyOptions, 'approve'> {
  readonly forecast: Forecast;
  readonly maxSeconds?: number | undefined;
}

export interface ApplyContext extends PlanContext, Pick<ApplyOptions, 'clock' | 'saved' | 'secret' | 'tenant'> {
  readonly connection: Pick<WriteConnection, 'grantedScopes' | 'tokenEnds'>;
  /** The saved plan when this apply resumes it. */
  readonly resumed: Plan | null;
}

const shownDifferences = 10;

/** A saved plan must be the plan made now, unless this apply resumes it. */
export const stale: Check<Pick<ApplyContext, 'saved' | 'resumed'>> = (plan, { saved, resumed }) => {
  if (saved === undefined || resumed !== null || saved.digest === plan.digest) return [];
  if (seemsApplied(saved, plan)) {
    const message = 'Nothing is left to do: the saved plan seems to have been applied already.';
    return [problem('PLAN_STALE', message, 'run tenant-sync plan to see the state of the tenant')];
  }
  const found = comparePlans(saved, plan);
  // Different digests refuse the plan even if no difference can be named, such as a different order.
  const differences = found.length > 0 ? found : ['the digest differs'];
  const rest = differences.length - shownDifferences;
  const messages = [
    ...differences.slice(0, shownDifferences).map((text) => `The saved plan is out of date: ${text}.`),
    ...(rest > 0 ? [rest === 1 ? '1 more difference is not shown.' : `${rest} more differences are not shown.`] : []),
  ];
  // One hint is enough for all of them.
  return messages.map((message, index) =>
    problem('PLAN_STALE', message, index === messages.length - 1 ? 'save a new plan and have it reviewed' : undefined),
  );
};

function seemsApplied(saved: Plan, now: Plan): boolean {
  return (
    now.complete &&
    now.actions.length === 0 &&
    saved.actions.length > 0 &&
    saved.tenant.base_url === now.tenant.base_url
  );
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
const guards: Check<Pick<PlanContext, 'approve'>> = ({ refusals }, { approve }) => {
  if (approves(approve, refusals)) return [];
  return refusals.map(({ kind, message, approve: code }) =>
    problem('GUARD_REFUSED', `${kind}: the plan ${message}.`, `if this is intended, run apply with --approve ${code}`),
  );
};

/** An apply must fit into --max-duration. A limit that cannot be checked is a warning. */
const duration: Check<Pick<PlanContext, 'forecast' | 'maxSeconds'>> = (_plan, { forecast, maxSeconds }) => {
  const { seconds, writes } = forecast;
  if (maxSeconds === undefined || writes === 0) return [];
  if (seconds === null) {
    const message = 'The tenant advertises no quota, so --max-duration is not enforced.';
    return [warning('DURATION_UNKNOWN', message, 'add the quota, for example --quota 10/s,10')];
  }
  if (seconds <= maxSeconds) return [];
  const message = `At this quota, the apply takes about ${Math.ceil(seconds)} s; --max-duration allows ${maxSeconds} s.`;
  return [problem('DURATION_EXCEEDED', message, 'raise --max-duration, or apply a part of the plan with --only')];
};

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
const secrets: Check<Pick<ApplyContext, 'secret'>> = ({ actions }, { secret }) => {
  const names = new Set(actions.flatMap(({ request }) => (request.secrets ?? []).map(({ env }) => env)));
  return [...names]
    .filter((name) => !secret(name))
    .map((name) => {
      const message = `${name} is not set; the plan sends it as a secret.`;
      return problem('ENV_MISSING', message, 'set it where apply runs; plan and drift do not need it');
    });
};

/** Nothing that is sent may be a credential of the run: neither the secrets, nor what the tenant itself had returned. */
const credentials: Check<Pick<ApplyContext, 'secret' | 'tenant'>> = ({ actions }, { secret, tenant }) => {
  const has = credentialFinder(secretsOf(tenant.credentials));
  const names = new Set(actions.flatMap(({ request }) => (request.secrets ?? []).map(({ env }) => env)));
  const sent = actions.filter(({ request: { path, body } }) => has(path) || has(JSON.stringify(body ?? null)));
  return [
    ...[...names].filter((name) => has(secret(name) ?? '')).map(credentialSecret),
    ...sent.map(({ id }) => ({ ...exposed, message: `The request of ${id} contains a credential of the tenant.` })),
  ];
};

/** Warns if a token that cannot be renewed expires before the last request can be sent. */
const tokenEnd: Check<Pick<ApplyContext, 'clock' | 'connection' | 'forecast'>> = async (
  { actions },
  { clock, connection, forecast },
) => {
  const end = actions.length === 0 ? null : await connection.tokenEnds();
  if (end === null || end > clock.now() + (forecast.seconds ?? 0) * 1000) return [];
  const message = `The token expires at ${new Date(end).toISOString()}, probably before this apply ends.`;
  const hint = 'use TENANT_SYNC_CLIENT_ID and TENANT_SYNC_CLIENT_SECRET, which can request a new token';
  return [warning('TOKEN_ENDS', message, hint)];
};

/** What `plan` reports, because apply would refuse it. */
export const planChecks: readonly Check<PlanContext>[] = [incomplete, guards, duration];

/** The checks before the first write. Nothing is sent if one of them reports an error. */
export const applyChecks: readonly Check<ApplyContext>[] = [
  stale,
  ...planChecks,
  scopes,
  secrets,
  credentials,
  tokenEnd,
];

export interface Checked {
  readonly refusals: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** Runs every check, in order, so that all refusals are reported at once. */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  plan: Plan,
  context: Context,
): Promise<Checked> {
  const found: Diagnostic[] = [];
  for (const check of checks) found.push(...(await check(plan, context)));
  return {
    refusals: found.filter(({ severity }) => severity === 'error'),
    warnings: found.filter(({ severity }) => severity === 'warning'),
  };
}
