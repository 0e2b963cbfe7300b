import { unusable } from '../database/database-trouble.ts';
import type { CheckedTenant } from '../model/checks.generated.ts';
import type { countJobs } from './jobs.ts';

/** What the metrics are read from, anew for each request. */
export interface Measured {
  readonly tenants: readonly CheckedTenant[];
  readonly jobs: Awaited<ReturnType<typeof countJobs>>;
}

/** The state of all tenants of the project: every worker of a database has the same. Rejects without prom-client. */
export async function openMetrics(measure: () => Promise<Measured>) {
  const { Registry, Gauge } = await import('prom-client').catch((error: unknown) => {
    const hint = 'npm install prom-client@15, where tenant-sync is installed';
    throw unusable('STATE_DRIVER_MISSING', 'the package prom-client is not installed', hint, error);
  });
  return async (): Promise<{ readonly type: string; readonly text: string }> => {
    const measured = await measure();
    const registry = new Registry();
    for (const { name, help, value } of values(measured))
      new Gauge({ name: `tenant_sync_${name}`, help, registers: [registry] }).set(value);
    const jobs = new Gauge({
      ...{ name: 'tenant_sync_jobs', help: 'Jobs of the queue, by state.', labelNames: ['state'] },
      registers: [registry],
    });
    for (const [state, count] of Object.entries(measured.jobs)) jobs.set({ state }, count);
    return { type: registry.contentType, text: await registry.metrics() };
  };
}

function values({ tenants }: Measured) {
  const checks = tenants.flatMap(({ last }) => last ?? []);
  const oldest = Math.min(Date.now(), ...checks.map(({ at }) => Date.parse(at)));
  return [
    { name: 'tenants', help: 'Tenants of the project.', value: tenants.length },
    { name: 'tenants_checked', help: 'Tenants that were checked.', value: checks.length },
    {
      name: 'tenants_differing',
      help: 'Tenants that differ from the files.',
      value: tenants.filter(({ differs_since: since }) => since !== null).length,
    },
    {
      name: 'tenants_failed',
      help: 'Tenants whose last check failed.',
      value: checks.filter(({ exit_code: code }) => code === 1 || code === 3).length,
    },
    {
      name: 'oldest_check_age_seconds',
      help: 'Age of the oldest last check.',
      value: (Date.now() - oldest) / 1000,
    },
  ];
}
