import { openReadConnection } from '../client/read-connection.ts';
import { connected } from '../engine/connected.ts';
import { load } from '../engine/load.ts';
import type { DriftOptions } from '../engine/options.ts';
import { readPlan } from '../engine/read-plan.ts';
import type { DriftResult } from '../engine/results.ts';
import { runOf } from '../engine/run-of.ts';
import { hasDrift } from '../plan/summary.ts';

/** A scheduled check must leave enough for the tenant's own traffic. */
const halfOfQuota = 0.5;

/** How the tenant differs from the files, over a connection that cannot write. */
export async function drift(options: DriftOptions): Promise<DriftResult> {
  return runOf('drift', options, async (emit) => {
    const loaded = await load(options);
    if (loaded.status === 'invalid') return loaded;
    emit({ type: 'warnings', diagnostics: loaded.warnings });

    return connected(
      openReadConnection,
      loaded,
      { ...options, quotaShare: options.quotaShare ?? halfOfQuota },
      async (session) => {
        const read = await readPlan(session, { glance: session.connection.glance });
        if (read.status === 'invalid') return read;
        const { plan } = read;
        emit({ type: 'planned', plan });
        return { status: 'compared', plan, differs: hasDrift(plan) };
      },
    );
  });
}
