import { openReadConnection } from '../client/read-connection.ts';
import { planChecks, runChecks } from './checks.ts';
import { connected } from './connected.ts';
import { loadWithBase } from './load.ts';
import type { PlanOptions } from './options.ts';
import { readPlan } from './read-plan.ts';
import type { PlanResult } from './results.ts';
import { runOf } from './run-of.ts';

/** What apply would do, over a connection that cannot write. */
export async function plan(options: PlanOptions): Promise<PlanResult> {
  return runOf('plan', options, async (emit) => {
    const loaded = await loadWithBase(options);
    if (loaded.status === 'invalid') return loaded;
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    return connected(openReadConnection, loaded, options, async (session) => {
      const read = await readPlan(session, { inspects: true });
      if (read.status === 'invalid') return read;
      const { plan, forecast } = read;
      emit({ type: 'planned', plan, forecast });

      const { refusals, warnings } = await runChecks(planChecks, plan, { ...options, forecast });
      return refusals.length === 0
        ? { status: 'planned', plan, forecast, warnings }
        : { status: 'refused', plan, forecast, warnings, refusals };
    });
  });
}
