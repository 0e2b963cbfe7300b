import { ManagementClient } from 'auth0';
import { onTestFinished } from 'vitest';
import type { LoggedRequest } from '../../src/embedded-tenant/request-log.ts';
import type { TenantOptions } from '../../src/embedded-tenant/tenant-options.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import type { StartedTenant } from '../support/start-tenant.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import { seed } from './auth0-seed.ts';

export interface Auth0Connection {
  readonly client: ManagementClient;
  readonly started: StartedTenant;
  /** The tenant's clock, which stands still at 2026-11-20T10:00:00Z; the package has its own. */
  readonly clock: FakeClock;
  /** The requests of the API, without token requests. */
  requests(): readonly LoggedRequest[];
}

export interface Auth0Options {
  readonly tenant?: Partial<TenantOptions>;
  /** Other options of the package than those of the test client. */
  readonly client?: Partial<ManagementClient.ManagementClientOptionsWithClientSecret>;
}

/** A tenant on a loopback socket and the package's client for it; the tenant is closed when the test is over. */
export async function connectAuth0({ tenant = {}, client = {} }: Auth0Options = {}): Promise<Auth0Connection> {
  const clock = startFakeClock();
  const started = await startTenant(seed, { clock, ...tenant });
  onTestFinished(started.close);
  return {
    client: new ManagementClient({
      ...connection(started),
      clientId: testClient.client_id,
      clientSecret: testClient.client_secret,
      ...client,
    }),
    started,
    clock,
    requests: () => started.tenant.requests.filter(({ operation }) => operation !== 'token'),
  };
}

/**
 * The package speaks https only, and its audience follows from that. Both are options of its own: `audience`, and a
 * `fetch` that takes what the package would send to the tenant's address. Its retries are off, as they wait, mostly for
 * a second or longer.
 */
export function connection(started: StartedTenant) {
  return {
    domain: new URL(started.origin).host,
    audience: `${started.baseUrl}/`,
    fetch: sendInPlainText,
    maxRetries: 0,
  };
}

const sendInPlainText: typeof fetch = (url, init) => fetch(String(url).replace(/^https:/, 'http:'), init);
