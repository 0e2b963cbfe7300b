import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { createTenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import { prepareTenant } from '../../src/embedded-tenant/create-tenant.ts';
import { createTokenBucket } from '../../src/embedded-tenant/http/token-bucket.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { openTenant, startTenant } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

const start = 1_800_000_000_000;

function manualClock() {
  let now = start;
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    advance: (ms: number) => {
      now += ms;
    },
  };
}

function headers(limit: number, remaining: number, reset: number) {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  };
}

describe('token bucket', () => {
  test('grants the burst, then one token at a time, and reports when the next one is available', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 2, burst: 3 }, clock);
    expect(take()).toEqual({ granted: true, headers: headers(3, 2, start / 1000 + 1) });
    expect(take()).toEqual({ granted: true, headers: headers(3, 1, start / 1000 + 1) });
    expect(take()).toEqual({ granted: true, headers: headers(3, 0, start / 1000 + 1) });
    expect(take()).toEqual({ granted: false, headers: headers(3, 0, start / 1000 + 1) });
    clock.advance(499);
    expect(take().granted).toBe(false);
    clock.advance(1);
    expect(take().granted).toBe(true);
    expect(take().granted).toBe(false);
    clock.advance(60_000);
    expect([take(), take(), take(), take()].map((grant) => grant.granted)).toEqual([true, true, true, false]);
  });

  test('a clock that is set back takes nothing away', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 1, burst: 2 }, clock);
    take();
    clock.advance(-3_600_000);
    expect(take().granted).toBe(true);
    expect(take().granted).toBe(false);
  });

  test('law: a refused caller who waits for the reset is granted', () => {
    const rates = fc.record({
      perSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
      burst: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 50 }), (rate, pauses) => {
        const clock = manualClock();
        const take = createTokenBucket(rate, clock);
        for (const pause of pauses) {
          clock.advance(pause);
          const grant = take();
          if (grant.granted) continue;
          clock.advance(Number(grant.headers['X-RateLimit-Reset']) * 1000 - clock.now());
          expect(take().granted).toBe(true);
        }
      }),
      propertyRuns(100),
    );
  });
});

describe('the rate limit of the tenant (service specification 7)', () => {
  test('429 carries the three headers, and so does every other response of the API', async () => {
    const clock = manualClock();
    const tenant = await openTenant({}, { clock, rate: { perSecond: 1, burst: 2 } });
    const token = await tenant.token();
    const list = (query = '') =>
      tenant.fetch(
        new Request(`${tenant.baseUrl}/event-streams${query}`, { headers: { Authorization: `Bearer ${token}` } }),
      );

    const good = await list();
    const bad = await list('?take=0');
    const refused = await list();
    expect([good.status, bad.status, refused.status]).toEqual([200, 400, 429]);
    expect([good, bad, refused].map((response) => response.headers.get('X-RateLimit-Remaining'))).toEqual([
      '1',
      '0',
      '0',
    ]);
    expect(await refused.json()).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: 'Global limit has been reached',
      errorCode: 'too_many_requests',
    });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      date: new Date(start).toUTCString(),
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(start / 1000 + 1),
    });
    clock.advance(1000);
    expect((await list()).status).toBe(200);
  });

  test('a refused token costs nothing, and nothing is performed at 429', async () => {
    const clock = manualClock();
    const policy = buildLivePolicy({ id: 'rlp_1' });
    const tenant = await openTenant({ rate_limit_policies: [policy] }, { clock, rate: { perSecond: 1, burst: 1 } });
    const token = await tenant.token();
    const remove = (bearer: string) =>
      tenant.fetch(
        new Request(`${tenant.baseUrl}/rate-limit-policies/rlp_1`, {
          method: 'DELETE',
          headers: { Authorization: `Bearer ${bearer}` },
        }),
      );
    expect([(await remove('x')).status, (await remove('x')).status]).toEqual([401, 401]);
    const unknown = await tenant.fetch(
      new Request(`${tenant.baseUrl}/rate-limit-policies/rlp_0`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}` },
      }),
    );
    expect(unknown.status).toBe(404);
    expect((await remove(token)).status).toBe(429);
    expect(tenant.snapshot().rate_limit_policies).toEqual([policy]);
  });

  test('without a rate there is no limit and no header', async () => {
    const tenant = await startTenant();
    const response = await fetch(`${tenant.baseUrl}/event-streams`, {
      headers: { Authorization: `Bearer ${await tenant.token()}` },
    });
    expect(response.headers.get('X-RateLimit-Limit')).toBeNull();
    await tenant.close();
  });
});

test('latency delays every response by the clock', async () => {
  const slept: number[] = [];
  const clock = {
    now: () => start,
    monotonic: () => start,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const tenant = await openTenant({}, { clock, latencyMs: 250 });
  await tenant.token();
  await tenant.fetch(new Request(`${tenant.origin}/nowhere`));
  expect(slept).toEqual([250, 250]);
});

test('without keys of its own, a tenant makes some', async () => {
  const tenant = await openTenant({}, { latencyMs: 5, keys: await createTenantKeys() });
  const before = Date.now();
  const defaults = (await prepareTenant({ resources: tenantResources, clock: systemClock, latencyMs: 5 }))(80);
  const response = await defaults.fetch(
    new Request(`${defaults.baseUrl}/event-streams`, { headers: { Authorization: `Bearer ${await tenant.token()}` } }),
  );
  expect(await response.json()).toMatchObject({
    statusCode: 401,
    message: 'Invalid signature received for JSON Web Token validation',
  });
  expect(Date.now() - before).toBeGreaterThanOrEqual(9);
  await expect(systemClock.sleep(1000, AbortSignal.abort())).rejects.toThrow('aborted');
});
