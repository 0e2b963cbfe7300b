import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.generated.ts';
import type { ApplyContext, Check, PlanContext } from './check.ts';
import { duration } from './duration.ts';
import { guards } from './guards.ts';
import { incomplete } from './incomplete.ts';
import { scopes } from './scopes.ts';
import { secrets } from './secrets.ts';
import { stale } from './stale.ts';
import { tokenEnd } from './token-end.ts';

/** What `plan` reports, because apply would refuse it. */
export const planChecks: readonly Check<PlanContext>[] = [incomplete, guards, duration];

/** What must hold before the first write. Nothing is sent when one of them reports an error. */
export const applyChecks: readonly Check<ApplyContext>[] = [stale, ...planChecks, scopes, secrets, tokenEnd];

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
