import { describe, expect, test } from 'vitest';
import { errorBody } from '../../src/client/transport/shown-message.ts';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { scheduleFaults } from '../../src/embedded-tenant/faults/inject-fault.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { authorizedRequest, openTenant, type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';

const seed: Seed = {
  rate_limit_policies: ['rlp_1', 'rlp_2', 'rlp_3'].map((id) =>
    buildLivePolicy({ id, consumer_selector: `client_id:${id}` }),
  ),
  event_streams: [{ id: 'est_1', name: 'one' }],
  prompts: {},
};

describe('when a fault is due', () => {
  const hits = (rule: Partial<FaultRule>, count: number) => {
    const next = scheduleFaults([{ operation: 'a', kind: 'reset', ...rule }]);
    return Array.from({ length: count }, (_unused, index) => (next('a') === null ? 0 : index + 1)).filter(
      (number) => number > 0,
    );
  };

  test.each<[string, Partial<FaultRule>, readonly number[]]>([
    ['always', {}, [1, 2, 3, 4, 5, 6, 7]],
    ['the second only', { nth: 2 }, [2]],
    ['three from the second on', { nth: 2, times: 3 }, [2, 3, 4]],
    ['the first two', { times: 2 }, [1, 2]],
    ['every third', { every: 3 }, [3, 6]],
    ['every third, from the first on', { nth: 1, every: 3 }, [1, 4, 7]],
    ['every second, twice', { every: 2, times: 2 }, [2, 4]],
  ])('%s', (_name, rule, expected) => {
    expect(hits(rule, 7)).toEqual(expected);
  });

  test('* is every operation of the API, and the token endpoint is named', () => {
    const next = scheduleFaults([{ operation: '*', kind: 'reset' }]);
    expect(next('token')).toBeNull();
    expect(next('anything')?.kind).toBe('reset');
    expect(scheduleFaults([{ operation: 'token', kind: 'hang' }])('token')?.kind).toBe('hang');
  });

  test('the first rule that is due decides, and all matching rules count', () => {
    const next = scheduleFaults([
      { operation: '*', kind: 'html', nth: 2 },
      { operation: 'a', kind: 'cut', nth: 3 },
    ]);
    expect([next('a'), next('a'), next('a'), next('b')].map((rule) => rule?.kind ?? null)).toEqual([
      null,
      'html',
      'cut',
      null,
    ]);
  });
});

describe('faults that keep the connection', () => {
  test('status: nothing is performed, and the body has the error shape', async () => {
    const tenant = await openTenant(seed, {
      faults: [{ operation: 'delete_rate_limit_policy', kind: 'status', status: 503 }],
    });
    const response = await tenant.fetch(await authorizedRequest(tenant, 'DELETE', '/rate-limit-policies/rlp_1'));
    const body: unknown = await response.json();
    expect({ status: response.status, body }).toEqual({
      status: 503,
      body: {
        statusCode: 503,
        error: 'Service Unavailable',
        message: 'Injected fault',
        errorCode: 'injected_fault',
      },
    });
    expect(errorBody.validate(body)).toBe(true);
    expect(tenant.snapshot().rate_limit_policies).toHaveLength(3);
  });

  test('status after the commit: the write is performed', async () => {
    const tenant = await openTenant(seed, {
      faults: [{ operation: 'delete_rate_limit_policy', kind: 'status', status: 502, after: 'commit' }],
    });
    expect((await tenant.fetch(await authorizedRequest(tenant, 'DELETE', '/rate-limit-policies/rlp_1'))).status).toBe(
      502,
    );
    expect(tenant.snapshot().rate_limit_policies).toHaveLength(2);
  });

  test('status 429 carries the headers', async () => {
    const now = 1_800_000_000_500;
    const clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
    const tenant = await openTenant(seed, {
      clock,
      faults: [{ operation: '*', kind: 'status', status: 429, times: 1 }],
    });
    const response = await tenant.fetch(await authorizedRequest(tenant, 'GET', '/event-streams'));
    expect(await response.json()).toMatchObject({ statusCode: 429, errorCode: 'too_many_requests' });
    expect(response.headers.get('X-RateLimit-Reset')).toBe('1800000002');
    expect((await tenant.fetch(await authorizedRequest(tenant, 'GET', '/event-streams'))).status).toBe(200);
  });

  test.each([200, 204, 302, 304])('status %i has no body', async (status) => {
    const tenant = await openTenant(seed, { faults: [{ operation: '*', kind: 'status', status }] });
    const response = await tenant.fetch(await authorizedRequest(tenant, 'GET', '/event-streams'));
    expect({ status: response.status, text: await response.text() }).toEqual({ status, text: '' });
  });

  test('a status rule without its number is 500', async () => {
    const tenant = await openTenant(seed, { faults: [{ operation: 'token', kind: 'status' }] });
    expect((await tenant.fetch(new Request(`${tenant.origin}/oauth/token`, { method: 'POST' }))).status).toBe(500);
  });

  test('html: 200 with a page', async () => {
    const tenant = await openTenant(seed, { faults: [{ operation: 'list_event_streams', kind: 'html' }] });
    const response = await tenant.fetch(await authorizedRequest(tenant, 'GET', '/event-streams'));
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test('repeat_cursor: next is the cursor of the request', async () => {
    const tenant = await openTenant(seed, {
      faults: [{ operation: 'list_rate_limit_policies', kind: 'repeat_cursor' }],
    });
    const first = await json(tenant, '/rate-limit-policies?take=1');
    const second = await json(tenant, `/rate-limit-policies?take=1&from=${first['next']}`);
    expect(first['next']).toEqual(expect.any(String));
    expect(second['next']).toBe(first['next']);
  });

  test('repeat_id: an id comes twice', async () => {
    const tenant = await openTenant(seed, { faults: [{ operation: '*', kind: 'repeat_id' }] });
    expect(idsOf((await json(tenant, '/rate-limit-policies'))['rate_limit_policies'])).toEqual([
      'rlp_1',
      'rlp_2',
      'rlp_1',
    ]);
    expect(idsOf((await json(tenant, '/event-streams'))['eventStreams'])).toEqual(['est_1', 'est_1']);
  });

  test('drop_item: the first item of a page is left out', async () => {
    const tenant = await openTenant(seed, {
      faults: [{ operation: 'list_rate_limit_policies', kind: 'drop_item', nth: 1 }],
    });
    expect(idsOf((await json(tenant, '/rate-limit-policies'))['rate_limit_policies'])).toEqual(['rlp_2', 'rlp_3']);
    expect(idsOf((await json(tenant, '/rate-limit-policies'))['rate_limit_policies'])).toEqual([
      'rlp_1',
      'rlp_2',
      'rlp_3',
    ]);
  });

  test('bad_item: the first item breaks its schema, and the response is not validated', async () => {
    const tenant = await openTenant(seed, { faults: [{ operation: 'list_rate_limit_policies', kind: 'bad_item' }] });
    expect(idsOf((await json(tenant, '/rate-limit-policies'))['rate_limit_policies'])).toEqual([
      undefined,
      'rlp_2',
      'rlp_3',
    ]);
  });

  test('faults of a listing leave other responses and refusals alone', async () => {
    const tenant = await openTenant(seed, { faults: [{ operation: '*', kind: 'bad_item' }] });
    const put = await authorizedRequest(tenant, 'PUT', '/prompts/login/partials', { login: { a: 'b' } });
    expect(await (await tenant.fetch(put)).json()).toEqual({ login: { a: 'b' } });
    expect((await tenant.fetch(await authorizedRequest(tenant, 'GET', '/event-streams?take=0'))).status).toBe(400);
    expect((await tenant.fetch(await authorizedRequest(tenant, 'DELETE', '/rate-limit-policies/rlp_1'))).status).toBe(
      204,
    );
  });

  test('delay waits by the clock, then responds', async () => {
    const slept: number[] = [];
    const clock = {
      now: () => Date.now(),
      monotonic: () => 0,
      sleep: async (ms: number) => {
        slept.push(ms);
      },
    };
    const faults: readonly FaultRule[] = [
      { operation: 'list_event_streams', kind: 'delay', ms: 700, times: 1 },
      { operation: 'list_event_streams', kind: 'delay' },
    ];
    const tenant = await openTenant(seed, { clock, faults });
    expect(idsOf((await json(tenant, '/event-streams'))['eventStreams'])).toEqual(['est_1']);
    expect(idsOf((await json(tenant, '/event-streams'))['eventStreams'])).toEqual(['est_1']);
    expect(slept).toEqual([700, 0]);
  });
});

describe('faults that break the connection, over a socket', () => {
  test.each(['reset', 'cut'] as const)('%s: the list fails, and the next one succeeds', async (kind) => {
    await using(
      startTenant(seed, { faults: [{ operation: 'list_rate_limit_policies', kind, nth: 1 }] }),
      async (tenant) => {
        const get = async () => (await fetch(await authorizedRequest(tenant, 'GET', '/rate-limit-policies'))).json();
        await expect(get()).rejects.toThrow(TypeError);
        expect(await get()).toHaveProperty('rate_limit_policies');
        expect(statuses(tenant)).toEqual([null, 200]);
      },
    );
  });

  test.each([
    [{ kind: 'reset' }, 3],
    [{ kind: 'reset', after: 'commit' }, 2],
    [{ kind: 'cut' }, 2],
  ] as const)('%o on a delete leaves %i policies', async (rule, left) => {
    await using(startTenant(seed, { faults: [{ operation: 'delete_rate_limit_policy', ...rule }] }), async (tenant) => {
      await expect(fetch(await authorizedRequest(tenant, 'DELETE', '/rate-limit-policies/rlp_1'))).rejects.toThrow(
        'fetch failed',
      );
      expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(left);
    });
  });

  test('cut: all headers and half of the body arrive', async () => {
    await using(
      startTenant(seed, { faults: [{ operation: 'list_rate_limit_policies', kind: 'cut', nth: 2 }] }),
      async (tenant) => {
        const whole = await (await fetch(await authorizedRequest(tenant, 'GET', '/rate-limit-policies'))).text();
        const response = await fetch(await authorizedRequest(tenant, 'GET', '/rate-limit-policies'));
        expect([response.status, response.headers.get('Content-Length')]).toEqual([200, String(whole.length)]);
        await expect(response.text()).rejects.toThrow('terminated');
      },
    );
  });

  test('hang: no response, until the caller gives up or the tenant closes', async () => {
    const tenant = await startTenant(seed, { faults: [{ operation: 'list_event_streams', kind: 'hang' }] });
    const wait = async (signal: AbortSignal | null) =>
      fetch(await authorizedRequest(tenant, 'GET', '/event-streams'), { signal });
    await expect(wait(AbortSignal.timeout(50))).rejects.toThrow('timeout');
    const closed = expect(wait(null)).rejects.toThrow('fetch failed');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await tenant.close();
    await closed;
  });
});

describe('faults that could never happen are refused', () => {
  test.each<[FaultRule, string]>([
    [
      { operation: 'list_policies', kind: 'reset' },
      expect.stringMatching(
        /^The fault reset names an unknown operation "list_policies"; expected one of: \*, token, (\w+, )+remove_role_permissions\.$/,
      ) as string,
    ],
    [
      { operation: 'delete_rate_limit_policy', kind: 'bad_item' },
      'The fault bad_item applies only to operations that list, and delete_rate_limit_policy does not.',
    ],
    [
      { operation: 'token', kind: 'repeat_cursor' },
      'The fault repeat_cursor applies only to operations that list, and token does not.',
    ],
  ])('%o', async (rule, message) => {
    await expect(openTenant(seed, { faults: [rule] })).rejects.toMatchObject({
      diagnostics: [{ code: 'OPTION_INVALID', severity: 'error', message }],
    });
  });
});

async function json(tenant: Awaited<ReturnType<typeof openTenant>>, path: string): Promise<Record<string, unknown>> {
  return (await (await tenant.fetch(await authorizedRequest(tenant, 'GET', path))).json()) as Record<string, unknown>;
}

function idsOf(items: unknown): readonly unknown[] {
  return (items as readonly { id?: string }[]).map((item) => item.id);
}

function statuses({ tenant }: StartedTenant): readonly (number | null)[] {
  return tenant.requests.filter((entry) => entry.operation !== 'token').map((entry) => entry.status);
}

async function using(starting: Promise<StartedTenant>, work: (tenant: StartedTenant) => Promise<void>): Promise<void> {
  const tenant = await starting;
  try {
    await work(tenant);
  } finally {
    await tenant.close();
  }
}

test('a fault of the token endpoint', async () => {
  const tenant = await openTenant(seed, { faults: [{ operation: 'token', kind: 'status', status: 503, nth: 1 }] });
  const ask = () =>
    tenant.fetch(
      new Request(`${tenant.origin}/oauth/token/`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: testClient.client_id,
          client_secret: testClient.client_secret,
          audience: '/api/v2/',
        }),
      }),
    );
  expect([(await ask()).status, (await ask()).status]).toEqual([503, 200]);
});
