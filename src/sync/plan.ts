import { openReadConnection } from '../client/read-connection.ts';
import { planChecks, runChecks } from '../engine/checks.ts';
import { connected } from '../engine/connected.ts';
import { loadWithBase } from '../engine/load-base.ts';
import type { DriftOptions, PlanOptions } from '../engine/options.ts';
import { readPlan } from '../engine/read-plan.ts';
import {
  type DriftResult,
  type Failed,
  type Invalid,
  type PlanResult,
  runOf,
  type Stopped,
} from '../engine/results.ts';
import type { Plan } from '../model/plan.generated.ts';
import { hasDrift } from '../plan/summary.ts';

/** What apply would do, over a connection that cannot write. */
export async function plan(options: PlanOptions): Promise<PlanResult> {
  return planned('plan', options, async (plan) => {
    const { refusals, warnings } = await runChecks(planChecks, plan, options);
    return refusals.length === 0
      ? { status: 'planned', plan, warnings }
      : { status: 'refused', plan, warnings, refusals };
  });
}

/** A scheduled check must leave enough for the tenant's own traffic. */
const halfOfQuota = 0.5;

/** How the tenant differs from the files: the same plan, over a connection that cannot write. */
export async function drift(options: DriftOptions): Promise<DriftResult> {
  const { quotaShare = halfOfQuota } = options;
  return planned('drift', { ...options, quotaShare }, async (plan) => ({
    status: 'compared',
    plan,
    differs: hasDrift(plan),
  }));
}

async function planned<Result extends { readonly status: string }>(
  command: 'plan' | 'drift',
  options: PlanOptions,
  resultOf: (plan: Plan) => Promise<Result>,
): Promise<Result | Invalid | Failed | Stopped> {
  return runOf(command, options, async (emit): Promise<Result | Invalid> => {
    const loaded = await loadWithBase(options);
    if (loaded.status === 'invalid') return loaded;
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    return connected(openReadConnection, loaded, options, async (session) => {
      const read = await readPlan(session, { inspects: command === 'plan', glance: session.connection.glance });
      if (read.status === 'invalid') return read;
      const { plan } = read;
      emit({ type: 'planned', plan });
      return resultOf(plan);
    });
  });
}
