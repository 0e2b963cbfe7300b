// Items that are about a client of this tool: what would leave it without a token is refused, and a weaker login critical.
import { describe, expect, test } from 'vitest';
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

type Given = Omit<Parameters<typeof planOnTenant>[0], 'kinds' | 'seed'>;

async function refusedFor(given: Given): Promise<string[]> {
  const { refusals } = await planOnTenant({ kinds, seed, ...given });
  return refusals.flatMap(({ code, message }) => (code === 'GUARD_OWN_CLIENT' ? [message] : []));
}

const why = (reason: string) => [`would leave clients of this tool without a token: test-client, because ${reason}`];
const client = (more: object) => ({ clients: [{ name: 'test-client', ...more }] });
const absent = { state: 'absent' } as const;

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
  ])('%s', async (_name, more, expected) => {
    expect(withoutPort(await refusedFor({ files: grant(more) }))).toEqual(expected);
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
