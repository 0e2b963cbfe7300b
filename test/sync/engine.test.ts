// The engine as a library calls it: results and events are values, and nothing is printed or read from the environment.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { type FaultRule, parseFault } from '../../src/embedded-tenant/faults/fault-rule.ts';
import { stateFiles } from '../../src/journal/folder-store.ts';
import { takeLock } from '../../src/journal/lock.ts';
import type { Credentials } from '../../src/model/client.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { apply, drift, folderSource, parsePlan, plan, type SyncEvent, validate } from '../../src/sync/index.ts';
import { filesOfEveryKind, policiesYaml, seedOf, streamsYaml } from '../support/files-and-tenant.ts';
import { keyPair } from '../support/key-pairs.ts';
import { allScopes, type startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

/** A create, and two deletions that wait for it. */
const oneAfterTheOther = { 'p.yaml': policiesYaml('default', 'client_id:new') };

async function setUp(
  seed: Seed = seedOf(),
  files: Readonly<Record<string, string>> = filesOfEveryKind,
  options: Parameters<typeof startTenant>[1] = {},
) {
  const tenant = await tenantWith(seed, options);
  const path = await folder(files);
  const stop = new AbortController();
  const events: SyncEvent[] = [];
  const read = {
    files: folderSource(path),
    tenant: { baseUrl: tenant.baseUrl, credentials: { token: await tenant.token() } },
    signal: stop.signal,
    onEvent: (event: SyncEvent) => void events.push(event),
  };
  const write = { ...read, confirm: async () => true, stateFolder: await folder({}) };
  const writes = () =>
    tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token');
  return { tenant, path, read, write, stop, events, writes };
}

test('validate: the desired state, or every error', async () => {
  const { path, read } = await setUp();
  expect(await validate(read)).toMatchObject({
    status: 'valid',
    files: 4,
    warnings: [{ code: 'TENANT_UNASSERTED' }],
  });
  await writeFile(join(path, 'roles.yaml'), 'roles: [{ id: 1 }]\n');
  expect(await validate({ ...read, selection: { only: ['rolez'], except: [], rotate: [] } })).toMatchObject({
    status: 'invalid',
    diagnostics: [{ code: 'CONFIG_WRONG_TYPE' }, { code: 'OPTION_INVALID' }],
  });
});

test.each(['ftp://a.example/api/v2', 'http://a.example/api/v2', 'https://a.example'])(
  'credentials are not sent to %s',
  async (baseUrl) => {
    const { read } = await setUp();
    const result = await plan({ ...read, tenant: { ...read.tenant, baseUrl } });
    expect(result).toMatchObject({ status: 'invalid', diagnostics: [{ code: 'OPTION_INVALID' }] });
  },
);

describe('plan', () => {
  test('the plan, and the events on the way', async () => {
    const { read, events, writes } = await setUp();
    const result = await plan(read);
    expect(result).toMatchObject({ status: 'planned', plan: { summary: { requests: 3 } }, warnings: [] });
    expect(events.map(({ type }) => type)).toEqual([
      'run_started',
      'warnings',
      'reading',
      ...Array(5).fill('read'),
      'planned',
      'run_ended',
    ]);
    expect(events.at(-1)).toEqual({ type: 'run_ended', status: 'planned' });
    expect(writes()).toEqual([]);
  });

  test('what apply would refuse', async () => {
    const { read } = await setUp(seedOf(), { 'p.yaml': 'rate_limit_policies: []\n' });
    const result = await plan(read);
    expect(result).toMatchObject({
      status: 'refused',
      refusals: [{ code: 'GUARD_REFUSED' }],
    });
  });

  test('failed, when the service refuses the token', async () => {
    const { read } = await setUp();
    const result = await plan({ ...read, tenant: { ...read.tenant, credentials: { token: 'planted' } } });
    expect(result).toMatchObject({ status: 'failed', diagnostics: [{ code: 'SERVICE_UNAUTHORIZED' }] });
  });

  test('stopped, when the signal aborts while it reads', async () => {
    const { read, stop } = await setUp(seedOf(), filesOfEveryKind, { latencyMs: 200 });
    setTimeout(() => stop.abort(), 50);
    expect(await plan(read)).toEqual({ status: 'stopped' });
  });
});

test('drift: whether a difference is proven', async () => {
  const { read, write } = await setUp();
  expect(await drift(read)).toMatchObject({ status: 'compared', differs: true });
  await apply(write);
  expect(await drift(read)).toMatchObject({ status: 'compared', differs: false, plan: { complete: true } });
});

describe('apply', () => {
  test('an outcome for every action, and an event for each', async () => {
    const { write, events, writes } = await setUp();
    const result = await apply(write);
    expect(result).toMatchObject({
      status: 'applied',
      complete: true,
      outcomes: { summary: { done: 3, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 } },
      diagnostics: [],
      bug: null,
    });
    expect(events.filter(({ type }) => type === 'action_ended')).toHaveLength(3);
    expect(writes()).toHaveLength(3);
  });

  test('confirm is asked once with the plan, and not when there is nothing to send', async () => {
    const { write, writes } = await setUp();
    const asked: number[] = [];
    const confirm = async ({ actions }: { readonly actions: readonly unknown[] }) => asked.push(actions.length) > 1;
    const declined = await apply({ ...write, confirm });
    expect(declined).toMatchObject({
      status: 'refused',
      refusals: [{ code: 'CONFIRMATION_DECLINED' }],
      outcomes: { summary: { not_attempted: 3 } },
    });
    expect(writes()).toEqual([]);
    await apply({ ...write, confirm });
    await apply({ ...write, confirm });
    expect(asked).toEqual([3, 3]);
  });

  test('an item of a saved plan that changed is left alone', async () => {
    const { write, read, path, writes } = await setUp();
    const planned = await plan(read);
    if (planned.status !== 'planned') throw new Error(planned.status);
    const parsed = parsePlan(JSON.stringify(planned.plan), 'plan.json');
    if (parsed.status !== 'parsed') throw new Error(parsed.status);
    await writeFile(join(path, 'policies.yaml'), policiesYaml('default', 'client_id:one', 'client_id:stale'));
    const conflict = await apply({ ...write, saved: parsed.plan });
    expect(conflict).toMatchObject({ status: 'applied', outcomes: { summary: { done: 2, conflict: 1 } } });
    expect(writes()).toHaveLength(2);
  });

  test('every refusal is reported at once', async () => {
    const authorization = ', webhook_authorization: { method: basic, username: crm, password: "$'.concat(
      '{env:TENANT_VAR_CRM_PASSWORD}" }',
    );
    const { write, writes } = await setUp(seedOf({ event_streams: [] }), {
      's.yaml': streamsYaml.replace(' } }', `${authorization} } }`),
      'p.yaml': 'rate_limit_policies: []\n',
    });
    const variables = { env: { TENANT_VAR_CRM_PASSWORD: 'planted' }, values: [], files: [] };
    const refused = await apply({ ...write, variables });
    expect(refused).toMatchObject({
      status: 'refused',
      refusals: [{ code: 'GUARD_REFUSED' }, { code: 'ENV_MISSING' }],
    });
    const onlySecrets = await apply({
      ...write,
      variables,
      selection: { only: ['event_streams'], except: [], rotate: [] },
    });
    expect(onlySecrets).toMatchObject({ status: 'invalid', diagnostics: [{ code: 'ENV_MISSING' }] });
    const ended = await apply({
      ...write,
      variables,
      selection: { only: ['event_streams'], except: [], rotate: [] },
      secret: () => 'planted\n',
    });
    expect(ended).toMatchObject({
      status: 'invalid',
      diagnostics: [{ code: 'ENV_INVALID', message: expect.stringContaining('TENANT_VAR_CRM_PASSWORD') }],
    });
    expect(writes()).toEqual([]);
  });

  test('locked, while another apply runs', async () => {
    const { write, tenant } = await setUp();
    const { lock } = stateFiles(write.stateFolder, tenant.baseUrl);
    const held = takeLock(lock, { started: '2026-11-20T10:00:00.000Z', toolVersion: '0.1.0' });
    expect(await apply(write)).toMatchObject({ status: 'locked', diagnostics: [{ code: 'APPLY_LOCKED' }] });
    if (held.ok) held.release();
    expect(await apply(write)).toMatchObject({ status: 'applied' });
  });

  test('a signal finishes the requests in flight, and the rest is not attempted', async () => {
    const { write, stop, events } = await setUp(seedOf(), oneAfterTheOther, {
      onRequest: ({ method, operation }) => method !== 'GET' && operation !== 'token' && stop.abort(),
    });
    expect(await apply(write)).toMatchObject({
      status: 'applied',
      complete: false,
      outcomes: { summary: { done: 1, failed: 0, not_attempted: 2, unknown: 0, conflict: 0 } },
    });
    expect(events.map(({ type }) => type)).toContain('stopping');
  });

  test.each<[SyncEvent['type'], object]>([
    ['action_ended', { done: 1, failed: 0, not_attempted: 2, unknown: 0, conflict: 0 }],
    ['run_ended', { done: 3, failed: 0, not_attempted: 0, unknown: 0, conflict: 0 }],
  ])('a listener that throws on %s ends the apply with true outcomes', async (type, summary) => {
    const { write } = await setUp(seedOf(), oneAfterTheOther);
    const cause = new Error('the screen broke');
    const onEvent = (event: SyncEvent) => {
      if (event.type === type) throw cause;
    };
    const result = await apply({ ...write, onEvent });
    expect(result).toMatchObject({ status: 'applied', complete: false, outcomes: { summary }, bug: { cause } });
  });

  test('a listener that throws while an outcome is resolved loses none of them', async () => {
    const { write } = await setUp(seedOf(), filesOfEveryKind, {
      faults: [parseFault('delete_rate_limit_policy:reset:times=1') as FaultRule],
    });
    const cause = new Error('the screen broke');
    const onEvent = (event: SyncEvent) => {
      if (event.type === 'waiting') throw cause;
    };
    const result = await apply({ ...write, onEvent });
    expect(result).toMatchObject({ status: 'applied', complete: false, bug: { cause } });
  });

  test('a listener that throws when the signal aborts does not end the process', async () => {
    const stop = new AbortController();
    const { write } = await setUp(seedOf(), oneAfterTheOther, {
      onRequest: ({ method, operation }) => method !== 'GET' && operation !== 'token' && stop.abort(),
    });
    const cause = new Error('the screen broke');
    const onEvent = ({ type }: SyncEvent) => {
      if (type === 'stopping') throw cause;
    };
    const result = await apply({ ...write, signal: stop.signal, onEvent });
    expect(result).toMatchObject({
      status: 'applied',
      complete: false,
      outcomes: { summary: { done: 1 } },
      bug: { cause },
    });
  });
});

describe('an apply sends what was confirmed, whatever the program does', () => {
  test('a listener and a confirmation that change the plan', async () => {
    const { write, writes } = await setUp();
    const onEvent = (event: SyncEvent) => {
      if (event.type === 'planned') event.plan.actions.pop();
    };
    await expect(apply({ ...write, onEvent })).rejects.toThrow(TypeError);
    const confirm = async (plan: Plan) => {
      plan.actions.length = 0;
      return true;
    };
    await expect(apply({ ...write, confirm })).rejects.toThrow(TypeError);
    expect(writes()).toEqual([]);
  });

  test('a signal that aborts while the plan is confirmed', async () => {
    const { write, stop, writes } = await setUp();
    const confirm = async () => {
      stop.abort();
      return true;
    };
    expect(await apply({ ...write, confirm })).toEqual({ status: 'stopped' });
    expect(writes()).toEqual([]);
  });

  test.each<[string, (plan: Plan) => unknown, string]>([
    ['without its actions', (plan) => ({ ...plan, actions: [] }), 'PLAN_STALE'],
    ['that is only a digest', ({ digest }) => ({ digest }), 'PLAN_FILE_INVALID'],
    ['of another version', (plan) => ({ ...plan, format_version: '3.0' }), 'PLAN_VERSION_UNSUPPORTED'],
    ['that is nested without an end', (plan) => withDeepBefore(plan), 'PLAN_FILE_INVALID'],
  ])('a saved plan %s', async (_name, change, code) => {
    const { read, write, writes } = await setUp();
    const planned = await plan(read);
    if (planned.status !== 'planned') throw new Error(planned.status);
    const result = await apply({ ...write, saved: change(planned.plan) as Plan });
    expect(result).toMatchObject({ status: 'invalid', diagnostics: [{ code }] });
    expect(writes()).toEqual([]);
  });
});

function withDeepBefore(plan: Plan): Plan {
  let before: Record<string, unknown> = {};
  for (let depth = 0; depth < 20_000; depth += 1) before = { before };
  const [first, ...rest] = plan.actions;
  if (first === undefined) throw new Error('a plan without actions');
  return { ...plan, actions: [{ ...first, before }, ...rest] };
}

describe('options of a program are checked before anything is sent', () => {
  const client = { clientId: 'a', clientSecret: 'b', audience: 'c' };
  const keys = keyPair();

  test('a private key, also beside an empty secret, is one of them', async () => {
    const tenant = await tenantWith(
      seedOf({ clients: [{ client_id: 'a', public_keys: [keys.spki], scopes: allScopes }] }),
    );
    const { read } = await setUp();
    const authUrl = new URL(tenant.baseUrl).origin;
    for (const more of [{}, { clientSecret: '' }]) {
      const credentials = { clientId: 'a', privateKey: keys.traditional, authUrl, ...more } as Credentials;
      const secrets: string[] = [];
      const onSecret = (secret: string) => secrets.push(secret);
      const result = await plan({
        ...read,
        tenant: { baseUrl: tenant.baseUrl, credentials },
        clock: systemClock,
        onSecret,
      });
      expect([result.status, secrets.includes(keys.traditional)]).toEqual(['planned', true]);
    }
  });

  test.each<[string, Credentials]>([
    ['a secret over http to another host', { ...client, authUrl: 'http://a.example' }],
    ['no URL', { ...client, authUrl: '' }],
    ['no secret', { ...client, clientSecret: '', authUrl: 'https://a.example' }],
    [
      'a secret and a key',
      { ...client, privateKey: keys.pkcs8, authUrl: 'https://a.example' } as object as Credentials,
    ],
    ['a public key', { clientId: 'a', privateKey: keys.spki, authUrl: 'https://a.example' }],
    ['no key', { clientId: 'a', privateKey: '', authUrl: 'https://a.example' }],
    ['a token that is no header', { token: 'a b\r\nX: y' }],
  ])('%s', async (_name, credentials) => {
    const { read, tenant } = await setUp();
    const before = tenant.tenant.requests.length;
    const result = await plan({ ...read, tenant: { ...read.tenant, credentials } });
    expect(result).toMatchObject({ status: 'invalid', diagnostics: [{ code: 'OPTION_INVALID' }] });
    expect(tenant.tenant.requests).toHaveLength(before);
  });

  test.each(['relative/folder', undefined])('the state folder %s', async (stateFolder) => {
    const { write } = await setUp();
    const result = await apply({ ...write, stateFolder: stateFolder as string });
    expect(result).toMatchObject({ status: 'invalid', diagnostics: [{ code: 'OPTION_INVALID' }] });
  });

  test('an option that is undefined counts as left out', async () => {
    const { read } = await setUp();
    const options = { ...read, clock: undefined, toolVersion: undefined, kinds: undefined, quotaShare: undefined };
    const result = await drift(options as unknown as typeof read);
    expect(result).toMatchObject({ status: 'compared', plan: { tool: { name: 'tenant-sync' } } });
  });

  test('a selection may have only one of its lists', async () => {
    const { read } = await setUp();
    expect(await plan({ ...read, selection: { only: ['prompts'] } })).toMatchObject({ status: 'planned' });
  });
});
