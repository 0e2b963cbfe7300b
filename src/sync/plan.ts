import { openReadConnection } from '../client/read-connection.ts';
import { planChecks, runChecks } from '../engine/checks.ts';
import { connected } from '../engine/connected.ts';
import { loadWithBase } from '../engine/load.ts';
import type { PlanOptions } from '../engine/options.ts';
import { readPlan } from '../engine/read-plan.ts';
import type { PlanResult } from '../engine/results.ts';
import { runOf } from '../engine/run-of.ts';

/** What apply would do, over a connection that cannot write. */
export async function plan(options: PlanOptions): Promise<PlanResult> {
  return runOf('plan', options, async (emit) => {
    const loaded = await loadWithBase(options);
    if (loaded.status === 'invalid') return loaded;
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    return connected(openReadConnection, loaded, options, async (session) => {
      const read = await readPlan(session, { inspects: true, glance: session.connection.glance });
      if (read.status === 'invalid') return read;
      const { plan } = read;
      emit({ type: 'planned', plan });

      const { refusals, warnings } = await runChecks(planChecks, plan, options);
      return refusals.length === 0
        ? { status: 'planned', plan, warnings }
        : { status: 'refused', plan, warnings, refusals };
    });
  });
}
