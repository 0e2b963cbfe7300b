import { systemClock } from '../../src/client/system-clock.ts';
import type { TenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import { createTenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import type { Tenant } from '../../src/embedded-tenant/create-tenant.ts';
import { prepareTenant } from '../../src/embedded-tenant/create-tenant.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import type { ServedTenant, SocketOptions } from '../../src/embedded-tenant/serve-tenant.ts';
import { serveTenant } from '../../src/embedded-tenant/serve-tenant.ts';
import type { TenantOptions } from '../../src/embedded-tenant/tenant-options.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Seed } from '../../src/model/seed.generated.ts';

export const allScopes = [
  ...new Set(tenantResources.flatMap(({ routes }) => routes.map(({ operation }) => operation.scope))),
];

/** The client of a tenant that is started without clients of its own. */
export const testClient = {
  client_id: 'test-client',
  client_secret: 'planted-secret-of-test-client',
  scopes: allScopes,
};

/** A seed with its clients, and the one with which tests read it. */
export function withTestClient(seed: Seed): Seed {
  return { ...seed, clients: [testClient, ...(seed.clients ?? [])] };
}

export interface StartedTenant extends ServedTenant {
  /** What the command line needs to reach this tenant as the test client. */
  readonly env: Readonly<Record<string, string>>;
  /** An access token for the test client, or for another one of the seed with the same secret. */
  token(clientId?: string): Promise<string>;
}

/** A clock that stands still. */
export const fixedClock: Clock = {
  now: () => Date.UTC(2026, 10, 20, 10),
  monotonic: () => 0,
  sleep: async () => undefined,
};

type TestOptions = Partial<TenantOptions> & SocketOptions;

// Making a pair takes a good part of a second, so all tests of a file share one.
let sharedKeys: Promise<TenantKeys> | undefined;

export async function testKeys(): Promise<TenantKeys> {
  sharedKeys ??= createTenantKeys();
  return sharedKeys;
}

/** A tenant on a free loopback port; the caller closes it. */
export async function startTenant(seed: Seed = {}, options: TestOptions = {}): Promise<StartedTenant> {
  const served = await serveTenant(await testOptions(seed, options));
  return {
    ...served,
    env: {
      TENANT_SYNC_BASE_URL: served.baseUrl,
      TENANT_SYNC_CLIENT_ID: testClient.client_id,
      TENANT_SYNC_CLIENT_SECRET: testClient.client_secret,
    },
    token: (clientId) => requestToken(served.origin, fetch, clientId),
  };
}

export interface OpenedTenant extends Tenant {
  token(clientId?: string): Promise<string>;
}

/** A tenant without a socket. */
export async function openTenant(seed: Seed = {}, options: TestOptions = {}): Promise<OpenedTenant> {
  const tenant = (await prepareTenant(await testOptions(seed, options)))(80);
  return {
    ...tenant,
    token: (clientId) => requestToken(tenant.origin, (url, init) => tenant.fetch(new Request(url, init)), clientId),
  };
}

/** A request as the test client; an object is sent as JSON. */
export async function authorizedRequest(
  tenant: { readonly baseUrl: string; token(): Promise<string> },
  method: string,
  path: string,
  body?: object,
): Promise<Request> {
  const headers = { Authorization: `Bearer ${await tenant.token()}`, 'Content-Type': 'application/json' };
  return new Request(`${tenant.baseUrl}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function testOptions(seed: Seed, options: TestOptions): Promise<TenantOptions> {
  return {
    resources: tenantResources,
    clock: systemClock,
    keys: await testKeys(),
    seed: { clients: [testClient], ...seed },
    ...options,
  };
}

/** An access token of a tenant, by its origin or any URL of it. */
export async function requestToken(
  url: string,
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
  clientId = testClient.client_id,
): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: testClient.client_secret,
    audience: '/api/v2/',
  };
  const answer = await send(new URL('/oauth/token/', url), { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
