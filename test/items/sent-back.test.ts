// Updates of objects that the service replaces, on a tenant that has more in them than a plan may know.
import { describe, expect, onTestFinished, test } from 'vitest';
import { knownScopes } from '../../src/contract/known-words.ts';
import { describedKind } from '../../src/items/described-kind.ts';
import { rateLimitPolicies } from '../../src/kinds/rate-limit-policies/index.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { KindDescription } from '../../src/model/resource.ts';
import { description as clients } from '../../src/service/clients/description.generated.ts';
import { description as connections } from '../../src/service/connections/description.generated.ts';
import { description as servers } from '../../src/service/resource-servers/description.generated.ts';
import { applyScene, planScene, type Scene } from '../support/described-scene.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';

const kinds = [describedKind(clients as KindDescription), describedKind(connections as KindDescription)];
const partner = {
  id: 'con_partner000000000',
  name: 'partner',
  strategy: 'oidc',
  options: {
    client_id: 'at-provider',
    client_secret: 'planted-secret-of-partner',
    scope: 'openid',
    new_member: { token: 'planted-undescribed-1' },
    useOauthSpecScope: true,
    // A set has another order in each response.
    domain_aliases: ['a.example', 'b.example', 'c.example'],
  },
};
const icon_url = 'https://acme.example/a.png';
const scene: Scene = {
  kinds,
  files: { connections: [{ name: 'partner', strategy: 'oidc', options: { client_id: 'at-provider', icon_url } }] },
};

type Options = Record<string, unknown>;

async function open(connection: object = partner, client: object = { client_id: 'web', name: 'Web' }) {
  const seed = { clients: [{ ...testClient, scopes: [...knownScopes] }, client], connections: [connection] };
  const tenant = await startTenant(seed as never);
  onTestFinished(tenant.close);
  const connectionOf = (state: object) => (state as { connections: { options: Options }[] }).connections[0];
  return {
    tenant,
    options: () => connectionOf(tenant.tenant.snapshot())?.options,
    edit: (change: (options: Options) => void) =>
      tenant.tenant.change((state) => change(connectionOf(state)?.options ?? {})),
    clientNamed: (name: string) =>
      (tenant.tenant.snapshot()['clients'] as unknown as Options[]).find((one) => one['name'] === name),
    writes: () => tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token'),
  };
}

/** What the tenant has afterwards. */
const kept = { ...partner.options, domain_aliases: expect.arrayContaining(partner.options.domain_aliases), icon_url };

const places = ['/options/client_secret', '/options/new_member'];

test('an edit of one option keeps a secret of the tenant and what is not described', async () => {
  const { tenant, options } = await open();
  const { plan, document, intents, hidden } = await applyScene(tenant, scene);
  expect(plan.actions).toMatchObject([
    {
      request: { live: places },
      notes: ['sends back what the tenant has in options.client_secret, options.new_member, read immediately before'],
    },
  ]);
  expect(document).toMatchObject({ outcomes: [{ outcome: 'done' }], verification: { result: 'verified' } });
  expect(options()).toMatchObject(kept);
  expect(JSON.stringify([plan, document, intents])).not.toContain('planted');
  expect(hidden).toEqual(expect.arrayContaining(['planted-secret-of-partner', 'planted-undescribed-1']));
  expect((await planScene(tenant, scene)).actions).toEqual([]);
});

test('what others change of that before it is sent stays', async () => {
  const { tenant, options, edit } = await open();
  const rotated = { client_secret: 'planted-by-hand', new_member: { token: 'planted-by-hand-2' } };
  const onIntent = () => edit((live) => Object.assign(live, rotated));
  const { document } = await applyScene(tenant, { ...scene, onIntent });
  expect(document.outcomes).toMatchObject([{ outcome: 'done' }]);
  expect(options()).toMatchObject({ ...kept, ...rotated });
});

test('what they remove stays removed', async () => {
  const { tenant, options, edit } = await open();
  const onIntent = () => edit((live) => void delete live['new_member']);
  await applyScene(tenant, { ...scene, onIntent });
  expect(options()).not.toHaveProperty('new_member');
  expect(options()).toMatchObject({ client_secret: 'planted-secret-of-partner', icon_url });
});

describe('the reading immediately before the request shows', () => {
  test.each<[string, (live: Options) => void, RegExp]>([
    [
      'a setting that others added',
      (live) => Object.assign(live, { type: 'back_channel' }),
      /options\.type was absent, is "back_channel"/,
    ],
    ['one that is not described', (live) => Object.assign(live, { newer: 1 }), /now it would lose options\.newer/],
    [
      'a change of what the plan changes',
      (live) => Object.assign(live, { icon_url: 'https://b.example/' }),
      /options\.icon_url/,
    ],
  ])('%s: a conflict, and nothing is sent', async (_name, change, message) => {
    const { tenant, edit, writes, options } = await open();
    const { document } = await applyScene(tenant, { ...scene, onIntent: () => edit(change) });
    expect(document.outcomes).toMatchObject([
      { outcome: 'conflict', message: expect.stringMatching(message), conflict: { moved: 'tenant' } },
    ]);
    expect([writes(), options()?.['icon_url'] === icon_url]).toEqual([[], false]);
  });
});

test('a default that only some responses have is no change by others', async () => {
  const password = { enabled: true, api_behavior: 'required', signup_behavior: 'allow' };
  const options = { disable_signup: true, new_member: 1, authentication_methods: { password } };
  const { tenant } = await open({ id: 'con_db000000000000000', name: 'db', strategy: 'auth0', options });
  for (const disable_signup of [false, true]) {
    const files = { connections: [{ name: 'db', strategy: 'auth0', options: { disable_signup } }] };
    const { document } = await applyScene(tenant, { ...scene, files });
    expect(document.outcomes).toMatchObject([{ outcome: 'done' }]);
  }
});

test('secrets of a map that the files do not have are named, because the request deletes them', async () => {
  const options = { disable_signup: true, configuration: { KEPT: 'planted-1', GOING: 'planted-2' } };
  const { tenant } = await open({ id: 'con_db000000000000000', name: 'db', strategy: 'auth0', options });
  const declared = { disable_signup: false, configuration: { KEPT: '${env:TENANT_VAR_KEPT}' } };
  const files = { connections: [{ name: 'db', strategy: 'auth0', options: declared }] };
  const { actions } = await planScene(tenant, { ...scene, files });
  expect(actions.map(({ notes }) => notes)).toEqual([
    [expect.stringContaining('TENANT_VAR_KEPT'), 'deletes options.configuration.GOING, which the files do not have'],
  ]);
});

describe('a saved plan', () => {
  test.each([0, 1])('sends what the tenant has when it is applied, after %i other readings', async (readings) => {
    const { tenant, options, edit } = await open();
    const saved = await planScene(tenant, scene);
    for (let index = 0; index < readings; index += 1) await planScene(tenant, scene);
    await edit((live) => Object.assign(live, { client_secret: 'planted-since' }));
    const { document } = await applyScene(tenant, scene, saved);
    expect(document.outcomes).toMatchObject([{ outcome: 'done' }]);
    expect(options()).toMatchObject({ ...kept, client_secret: 'planted-since' });
  });

  test.each<[string, (live: Options) => void]>([
    ['has a new field that it would lose', (live) => Object.assign(live, { newer: 1 })],
    ['has another value of what it knows', (live) => Object.assign(live, { useOauthSpecScope: false })],
  ])('is a conflict if the tenant %s', async (_name, change) => {
    const { tenant, edit, writes } = await open();
    const saved = await planScene(tenant, scene);
    await edit(change);
    const { document } = await applyScene(tenant, scene, saved);
    expect(document.outcomes).toMatchObject([{ outcome: 'conflict' }]);
    expect(writes()).toEqual([]);
  });

  test.each([[[...places, '/name']], [['/options/client_secret']], [['/options/oidc_metadata']]])(
    'that was forged to send back %j is a conflict',
    async (live) => {
      const { tenant, writes } = await open();
      const saved = await planScene(tenant, scene);
      const forged: Plan = {
        ...saved,
        actions: saved.actions.map((action) => ({ ...action, request: { ...action.request, live } })),
      };
      const { document } = await applyScene(tenant, scene, forged);
      expect(document.outcomes).toMatchObject([{ outcome: 'conflict' }]);
      expect(writes()).toEqual([]);
    },
  );
});

describe('ciphertext', () => {
  const users = {
    id: 'con_users00000000000',
    name: 'users',
    strategy: 'auth0',
    options: { configuration: { url: 'planted' } },
  };
  const edited = (options: object) => ({
    kinds,
    files: { connections: [{ name: 'users', strategy: 'auth0', options: { disable_signup: true, ...options } }] },
    secrets: { URL: 'planted-new' },
  });

  test('never goes back: without a declared value, nothing is planned', async () => {
    const { tenant } = await open(users);
    const { actions, findings } = await planScene(tenant, edited({}));
    expect(actions).toEqual([]);
    expect(findings).toMatchObject([{ message: expect.stringContaining('options.configuration.url') }]);
  });

  test('is replaced by the declared secret', async () => {
    const { tenant, options } = await open(users);
    const { plan } = await applyScene(tenant, edited({ configuration: { url: '${env:URL}' } }));
    expect(plan.actions[0]?.request.live ?? []).not.toContainEqual(expect.stringContaining('configuration'));
    expect(options()).toMatchObject({ disable_signup: true, configuration: { url: 'planted-new' } });
  });
});

// Policies read the name of a client by the same path.
test.each([
  ['alone', [], {}],
  ['beside policies', [rateLimitPolicies], { rate_limit_policies: [] }],
])('addons of a client that are not described stay, %s', async (_name, first, others) => {
  const addons = { aws: { principal: 'planted-principal', role: 'planted-role' }, samlp: { audience: 'urn:a' } };
  const { tenant, clientNamed } = await open(partner, { client_id: 'web', name: 'Web', addons });
  const files = { ...others, clients: [{ name: 'Web', addons: { samlp: { audience: 'urn:b' } } }] };
  const { plan, document } = await applyScene(tenant, { kinds: [...first, ...kinds], files });
  expect(plan.actions).toMatchObject([{ request: { body: { addons: { samlp: {} } }, live: ['/addons/aws'] } }]);
  expect(document.outcomes).toMatchObject([{ outcome: 'done' }]);
  expect(clientNamed('Web')).toMatchObject({ addons: { ...addons, samlp: { audience: 'urn:b' } } });
});

test('what only an update accepts is sent to the new item, also where nothing shows it: the declared secret of a client', async () => {
  const { tenant, clientNamed } = await open();
  const client_secret = '${env:SECRET}';
  const names = ['Web shop', 'Billing'];
  const { document } = await applyScene(tenant, {
    kinds,
    files: { clients: names.map((name) => ({ name, client_secret })) },
    secrets: { SECRET: 'planted-secret-of-new-clients-0123456789' },
  });
  expect(document.outcomes.map(({ outcome, status }) => [outcome, status])).toEqual([
    ['done', 201],
    ['done', 201],
    ['done', 200],
    ['done', 200],
  ]);
  expect(names.map((name) => clientNamed(name)?.['client_secret'])).toEqual(
    Array(2).fill('planted-secret-of-new-clients-0123456789'),
  );
});

test('what only an update accepts is sent to the new item, also where a reading shows that it is needed', async () => {
  const tenant = await startTenant({
    clients: [{ ...testClient, scopes: [...knownScopes] }],
    resource_servers: [],
  });
  onTestFinished(tenant.close);
  const { document } = await applyScene(tenant, {
    kinds: [describedKind(servers as KindDescription)],
    files: {
      resource_servers: [{ identifier: 'https://new.example', name: 'New', token_lifetime_for_web: 3000 }],
    },
  });
  expect(document).toMatchObject({
    outcomes: [
      { outcome: 'done', status: 201 },
      { outcome: 'done', status: 200 },
    ],
    verification: { result: 'verified' },
  });
  expect(tenant.tenant.snapshot()['resource_servers']).toMatchObject([{ token_lifetime_for_web: 3000 }]);
});

test('a client that the plan creates is enabled for a connection, with the id that a reading shows', async () => {
  const { tenant, clientNamed } = await open();
  const { plan, intents, document } = await applyScene(tenant, {
    kinds,
    files: {
      clients: [{ name: 'Web shop' }],
      connections: [{ name: 'partner', strategy: 'oidc', enabled_clients: ['Web shop'] }],
    },
  });
  const reference = { client_id: '{result:clients/Web shop:client_id}', status: true };
  expect(plan.actions.map(({ request }) => request.body)).toEqual([expect.any(Object), [reference]]);
  const { client_id } = clientNamed('Web shop') ?? {};
  expect(intents[1]?.request.body).toEqual([{ client_id, status: true }]);
  expect(document).toMatchObject({
    outcomes: [{ outcome: 'done' }, { outcome: 'done' }],
    verification: { result: 'verified', verified: 2 },
  });
  expect(tenant.tenant.snapshot()['connections']).toMatchObject([{ enabled_clients: [{ client_id }] }]);
});

test('a connection that is deleted is gone when the apply ends, and a second apply at once finds nothing', async () => {
  const { tenant, writes } = await open();
  const files = { connections: [{ name: 'partner', strategy: 'oidc', state: 'absent' as const }] };
  const { document } = await applyScene(tenant, { kinds, files });
  expect(document).toMatchObject({
    outcomes: [{ outcome: 'done', status: 202 }],
    verification: { result: 'verified', verified: 1 },
  });
  expect(writes()).toHaveLength(1);
  expect(
    await tenant.tenant.fetch(
      new Request(`${tenant.baseUrl}/connections/con_partner000000000`, {
        headers: { authorization: `Bearer ${await tenant.token()}` },
      }),
    ),
  ).toMatchObject({ status: 404 });
  const again = await planScene(tenant, { kinds, files });
  expect([again.actions, again.findings]).toEqual([[], []]);
});
