import { expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { openTenant } from '../support/start-tenant.ts';

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

test.each([
  ['GET', '/rate-limit-policies', 200],
  ['GET', '/rate-limit-policies?take=0', 400],
  ['DELETE', '/rate-limit-policies/rlp_none', 404],
  ['GET', '/nothing', 404],
  ['GET', '/rate-limit-policies/', 404],
  ['PUT', '/rate-limit-policies', 405],
  ['HEAD', '/event-streams', 200],
  ['HEAD', '/event-streams?take=0', 400],
])('%s %s has the rate limit headers beside its %i', async (method, path, status) => {
  const tenant = await openTenant({}, { rate: { perSecond: 1, burst: 5 } });
  const headers = { Authorization: `Bearer ${await tenant.token()}` };
  const response = await tenant.fetch(new Request(`${tenant.baseUrl}${path}`, { method, headers }));
  expect(response.status).toBe(status);
  expect(names.map((name) => response.headers.get(name))).toEqual(['5', '4', expect.stringMatching(/^\d+$/)]);
});

test('a response that breaks its own schema has them too', async () => {
  const broken = tenantResources.map((resource) => ({
    ...resource,
    routes: resource.routes.map((route) => ({ ...route, respond: () => ({ status: 299 }) })),
  }));
  const tenant = await openTenant({}, { resources: broken, rate: { perSecond: 1, burst: 5 } });
  const headers = { Authorization: `Bearer ${await tenant.token()}` };
  const response = await tenant.fetch(new Request(`${tenant.baseUrl}/event-streams`, { headers }));
  expect([response.status, response.headers.get('X-RateLimit-Remaining')]).toEqual([500, '4']);
});

test('a path that is not served counts, and needs a token to count', async () => {
  const tenant = await openTenant({}, { rate: { perSecond: 0.001, burst: 1 } });
  const get = async (headers: Readonly<Record<string, string>>) =>
    tenant.fetch(new Request(`${tenant.baseUrl}/nowhere`, { headers }));
  const anonymous = await get({});
  expect([anonymous.status, anonymous.headers.get('X-RateLimit-Limit')]).toEqual([404, null]);
  const authorized = { Authorization: `Bearer ${await tenant.token()}` };
  expect([(await get(authorized)).status, (await get(authorized)).status]).toEqual([404, 429]);
});
