// Items that are about a client of this tool: what would leave it without a token is refused, and a weaker login critical.
import { describe, expect, test } from 'vitest';
import { ownClientsOf } from '../../src/items/effects/own-items.ts';
import { kinds } from '../support/all-kinds.ts';
import { effectsIn, planOnTenant } from '../support/plan-on-tenant.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';

const shop = { client_id: 'shop0000shop0000shop0000shop0000', name: 'Web shop' };
const own = {
  ...testClient,
  ...{ grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' },
};
// With APIs, that of the service itself is there.
const seed = { clients: [own, shop], resource_servers: [] };
const audienceOf = (baseUrl: string) => `${baseUrl}/`;

type Given = Omit<Parameters<typeof planOnTenant>[0], 'kinds' | 'seed'> & {
  readonly seed?: Readonly<Record<string, readonly object[]>>;
};

async function refusedFor(given: Given): Promise<string[]> {
  const { refusals } = await planOnTenant({ kinds, seed, ...given });
  return refusals.flatMap(({ code, message }) => (code === 'GUARD_OWN_CLIENT' ? [message] : []));
}

const why = (reason: string) => [`would leave clients of this tool without a token: test-client, because ${reason}`];
const client = (more: object) => ({ clients: [{ name: 'test-client', ...more }] });
const absent = { state: 'absent' } as const;

describe('of a client of this tool with keys, a plan is refused', () => {
  const ids = { private_key_jwt: { credentials: [{ id: 'cred_a' }] } };
  const credentials = ['a', 'b'].map((name) => ({ id: `cred_${name}`, name, credential_type: 'public_key' }));
  const keyed = { ...shop, client_authentication_methods: ids, credentials };
  const header = { guards: { own_clients: [shop.client_id] } };
  const names = (...all: readonly string[]) => ({
    client_authentication_methods: { private_key_jwt: { credentials: all.map((name) => ({ name })) } },
  });
  const both = credentials.map(({ id: _id, ...one }) => one);
  test.each<[string, object, readonly string[]]>([
    [
      'that takes a key from it',
      { ...names('b'), credentials: both },
      ['its client_authentication_methods.private_key_jwt.credentials changes'],
    ],
    ['that gives it another key', { ...names('a', 'b'), credentials: both }, []],
    [
      'that takes all of them',
      { client_authentication_methods: null, credentials: both },
      ['its client_authentication_methods changes'],
    ],
    [
      'that changes when a key expires',
      { credentials: [{ ...both[0], expires_at: '2027-01-31T00:00:00.000Z' }, ...both.slice(1)] },
      ['its credentials.a.expires_at changes'],
    ],
    ['that changes neither', { ...names('a'), credentials: both }, []],
  ])('%s', async (_name, declared, messages) => {
    const files = { clients: [{ name: 'Web shop', ...declared }] };
    const refused = await refusedFor({ seed: { ...seed, clients: [own, keyed] }, header, files });
    expect(refused.map((text) => text.replace(/^.*, because /, ''))).toEqual(messages);
  });
});

describe('a plan is refused', () => {
  test.each<[string, Given, readonly string[]]>([
    ['that deletes it', { files: client(absent) }, why('it is deleted')],
    [
      'that takes its grant type',
      { files: client({ grant_types: ['authorization_code'] }) },
      why('its grant_types do not have client_credentials'),
    ],
    ['that gives it others', { files: client({ grant_types: ['client_credentials', 'implicit'] }) }, []],
    [
      'that changes how it authenticates',
      { files: client({ token_endpoint_auth_method: 'client_secret_basic' }) },
      why('its token_endpoint_auth_method changes'),
    ],
    [
      'that rotates its secret',
      { files: client({ client_secret: '${env:TENANT_VAR_X}' }), rotate: ['clients/test-client'] },
      why('its client_secret changes'),
    ],
    [
      'that makes it a third-party client',
      { files: client({ is_first_party: false }) },
      why('its is_first_party becomes false'),
    ],
    [
      'that binds its tokens to a key',
      { files: client({ require_proof_of_possession: true }) },
      why('its require_proof_of_possession becomes true'),
    ],
    [
      'that gives it tokens of organizations only',
      { files: client({ organization_usage: 'require' }) },
      why('its organization_usage becomes require'),
    ],
    ['that lets it have them', { files: client({ organization_usage: 'allow' }) }, []],
    [
      'that makes its tokens those of an organization',
      { files: client({ default_organization: { organization_id: 'org_1', flows: ['client_credentials'] } }) },
      why('its tokens are for its default_organization'),
    ],
    [
      'that limits its tokens',
      { files: client({ token_quota: { client_credentials: { enforce: true, per_hour: 1 } } }) },
      why('its token_quota gets lower'),
    ],
    [
      'that counts its tokens',
      { files: client({ token_quota: { client_credentials: { enforce: false, per_hour: 1 } } }) },
      [],
    ],
    [
      'that lets it have more',
      {
        seed: { ...seed, clients: [{ ...own, token_quota: { client_credentials: { enforce: true, per_hour: 1 } } }] },
        files: client({ token_quota: { client_credentials: { per_hour: 2 } } }),
      },
      [],
    ],
    ['that declares its secret', { files: client({ client_secret: '${env:TENANT_VAR_X}' }) }, []],
    ['that changes something else', { files: client({ description: 'x' }) }, []],
    ['that deletes another one', { files: { clients: [{ name: 'Web shop', ...absent }] } }, []],
    [
      'that deletes one which the files name',
      { files: { clients: [{ name: 'Web shop', ...absent }] }, header: { guards: { own_clients: [shop.client_id] } } },
      [`would leave clients of this tool without a token: ${shop.client_id}, because it is deleted`],
    ],
  ])('%s', async (_name, given, expected) => {
    expect(await refusedFor(given)).toEqual(expected);
  });
});

describe('its grant', () => {
  const grant = (more: object) => (baseUrl: string) => ({
    client_grants: [{ client: 'test-client', audience: audienceOf(baseUrl), ...more }],
  });
  const withoutPort = (messages: readonly string[]) => messages.map((text) => text.replace(/http:\S+/, 'the API'));
  const without = (...names: readonly string[]) => allScopes.filter((scope) => !names.includes(scope));

  test.each<[string, object, readonly string[]]>([
    ['is deleted', absent, why('its grant for the API is deleted')],
    ['loses what the plan needs', { scope: without('read:clients') }, why('its grant for the API loses read:clients')],
    ['loses what another plan needs', { scope: without('delete:connections') }, []],
    ['is for all scopes', { allow_all_scopes: true }, []],
    [
      'is for organizations only',
      { organization_usage: 'require' },
      why('its grant for the API gets organization_usage require'),
    ],
    ['is also for organizations', { organization_usage: 'allow' }, []],
  ])('%s', async (_name, more, expected) => {
    expect(withoutPort(await refusedFor({ files: grant(more) }))).toEqual(expected);
  });
});

describe('the API that it uses', () => {
  const subjects = (client: string) => ({
    subject_type_authorization: { user: { policy: 'allow_all' }, client: { policy: client } },
  });
  const bound = (more: object) => ({ proof_of_possession: { mechanism: 'dpop', required: true, ...more } });

  test.each<[string, object, string | null]>([
    ['gives clients no tokens', subjects('deny_all'), 'its API the API gives no tokens to clients'],
    ['gives them tokens as before', subjects('require_client_grant'), null],
    [
      'binds tokens',
      bound({ required_for: 'all_clients' }),
      'its API the API takes only tokens that are bound to a key',
    ],
    ['binds tokens of all', bound({}), 'its API the API takes only tokens that are bound to a key'],
    ['binds tokens of public clients', bound({ required_for: 'public_clients' }), null],
    ['binds tokens where clients ask for it', bound({ required: false }), null],
    ['gives tokens for no time', { token_lifetime: 0 }, 'its API the API gives tokens for less than a minute'],
    ['gives tokens for a minute', { token_lifetime: 60 }, null],
    [
      'lets a policy decide',
      { authorization_policy: { policy_id: 'p1' } },
      'its API the API lets an authorization_policy decide who gets tokens',
    ],
    ['has other settings', { skip_consent_for_verifiable_first_party_clients: true }, null],
  ])('%s', async (_name, more, reason) => {
    const files = (baseUrl: string) => ({ resource_servers: [{ identifier: audienceOf(baseUrl), ...more }] });
    const messages = await refusedFor({ files });
    expect(messages.map((text) => text.replace(/http:\S+/, 'the API'))).toEqual(reason === null ? [] : why(reason));
  });

  test('is of every client of the tool', async () => {
    const files = (baseUrl: string) => ({ resource_servers: [{ identifier: audienceOf(baseUrl), token_lifetime: 1 }] });
    const [message] = await refusedFor({ files, header: { guards: { own_clients: [shop.client_id] } } });
    expect(message).toMatch(/: test-client, because .*; shop0000\S+, because/);
  });

  test('and another one that gives clients no tokens', async () => {
    const orders = { identifier: 'https://orders.example/', ...subjects('deny_all') };
    const live = { ...orders, ...subjects('require_client_grant') };
    const given = { seed: { ...seed, resource_servers: [live] }, files: { resource_servers: [orders] } };
    expect(await refusedFor(given)).toEqual([]);
    expect(effectsIn(await planOnTenant({ kinds, ...given }))).toEqual([
      'LOGIN_CHANGED warning resource_servers/https://orders.example/: changes logins: subject_type_authorization.client.policy from require_client_grant to deny_all',
    ]);
  });
});

test('a weaker login of the API that it uses is critical', async () => {
  const files = (baseUrl: string) => ({
    resource_servers: [{ identifier: audienceOf(baseUrl), skip_consent_for_verifiable_first_party_clients: true }],
  });
  expect((await planOnTenant({ kinds, seed, files })).actions.map(({ effects }) => effects)).toMatchObject([
    [{ code: 'LOGIN_WEAKER', severity: 'critical', message: expect.stringContaining('; this tool uses it') }],
  ]);
});

test('a weaker login of it is critical, and one of another client is not', async () => {
  const files = {
    clients: ['test-client', 'Web shop'].map((name) => ({ name, cross_origin_authentication: true })),
  };
  expect(effectsIn(await planOnTenant({ kinds, seed, files }))).toEqual([
    'LOGIN_WEAKER warning clients/Web shop: weakens logins: cross_origin_authentication from not set to true',
    'LOGIN_WEAKER critical clients/test-client: weakens logins: cross_origin_authentication from not set to true; this tool uses it',
  ]);
});

test('the API is not known where the token does not show it: a custom domain has another one', () => {
  const grant = { client: 'c1', audience: 'https://acme.eu.auth0.com/api/v2/' };
  const description = { own: { client: 'client', api: 'audience' } };
  const clients = [{ id: 'c1', name: 'c1' }];
  const own = { clients, apis: ['https://login.acme.example/api/v2/'] };
  expect(ownClientsOf(description, own, grant)).toBeNull();
  expect(ownClientsOf(description, { ...own, mayHaveOthers: true }, grant)).toEqual(clients);
  expect(ownClientsOf(description, { ...own, mayHaveOthers: true }, { ...grant, audience: 'https://a/' })).toBeNull();
});
