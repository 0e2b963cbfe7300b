/**
 * The page of a worker on a loopback socket. A web page can reach loopback too, so any other Host header is refused, which
 * prevents DNS rebinding.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { isLoopback } from '../contract/formats.ts';
import { optional } from '../database/connect.ts';
import type { CheckedTenant } from '../model/checks.generated.ts';
import type { countJobs } from './jobs.ts';

export interface Pages {
  /** Complete HTML. */
  readonly report: () => Promise<string>;
  /** In the format of Prometheus. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly isHealthy: () => boolean;
}

export interface ServedWorker {
  readonly origin: string;
  close(): Promise<void>;
}

/** Rejects with the error of the system if the port cannot be used; 0 is any free port. */
export async function serveWorker(port: number, pages: Pages): Promise<ServedWorker> {
  const server = createServer(getRequestListener(routes(pages).fetch, { overrideGlobalObjects: false }));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function routes({ report, metrics, isHealthy }: Pages): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (!isLoopback(new URL(context.req.url).hostname))
      return context.text('Only loopback host names are accepted.\n', 421);
    context.header('cache-control', 'no-store');
    return next();
  });
  app.get('/', async (context) => context.html(await report()));
  app.get('/healthz', (context) => (isHealthy() ? context.text('ok\n') : context.text('no database\n', 503)));
  app.get('/metrics', async (context) => {
    const { type, text } = await metrics();
    return context.body(text, 200, { 'content-type': type });
  });
  app.onError((_error, context) =>
    context.text('The last checks cannot be read; the log of the worker has the error.\n', 503),
  );
  return app;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** What the metrics are read from, anew for each request. */
export interface Measured {
  readonly tenants: readonly CheckedTenant[];
  readonly jobs: Awaited<ReturnType<typeof countJobs>>;
}

/** The state of all tenants of the project: every worker of a database has the same. Rejects without prom-client. */
export async function openMetrics(measure: () => Promise<Measured>) {
  const { Registry, Gauge } = await optional('prom-client@15', import('prom-client'));
  return async (): Promise<{ readonly type: string; readonly text: string }> => {
    const measured = await measure();
    const registry = new Registry();
    for (const [name, help, value] of values(measured))
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
  const differing = tenants.filter(({ differs_since: since }) => since !== null).length;
  const failed = checks.filter(({ exit_code: code }) => code === 1 || code === 3).length;
  return [
    ['tenants', 'Tenants of the project.', tenants.length],
    ['tenants_checked', 'Tenants that were checked.', checks.length],
    ['tenants_differing', 'Tenants that differ from the files.', differing],
    ['tenants_failed', 'Tenants whose last check failed.', failed],
    ['oldest_check_age_seconds', 'Age of the oldest last check.', (Date.now() - oldest) / 1000],
  ] as const;
}
