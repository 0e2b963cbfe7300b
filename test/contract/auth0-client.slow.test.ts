/** A client that this project did not write, the npm package `auth0`, against the embedded tenant (decision 12). */
import { Management, ManagementClient, ManagementError } from 'auth0';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { kinds } from '../support/all-kinds.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { keyPair } from '../support/key-pairs.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import type { Auth0Call } from './auth0-calls.ts';
import { calls } from './auth0-calls.ts';
import { connectAuth0, connection } from './auth0-connect.ts';
import { refusals } from './auth0-refusals.ts';
import {
  apiFields,
  apis,
  held,
  orders,
  permissions,
  policies,
  roles,
  seed,
  streams,
  users,
  webhook,
} from './auth0-seed.ts';

// What adds elements and what removes them can be one operation of the service.
const operations = [
  ...new Map(
    kinds
      .flatMap((kind) => kind.operations)
      .toReversed()
      .map((row) => [`${row.method} ${row.path}`, row] as const),
  ).values(),
];
const byOperation = calls.map((row) => [row.operation, row] as const);

describe('every operation', () => {
  test('no operation is without a call of the package, and each returns what its row says', async () => {
    const { client, requests } = await connectAuth0();
    for (const { call } of calls) await call(client);
    const seen = requests().map(({ operation, method, status }) => ({ id: operation, method, success: status }));
    const rows = operations.map(({ id, method, success }) => ({ id, method, success }));
    expect(byId(seen)).toEqual(byId(rows));
  });

  test.each(byOperation)('%s', async (operation, { call, request, returns }) => {
    const { client, requests } = await connectAuth0();
    expect(await call(client)).toEqual(returns);
    expect(requests()).toEqual([{ operation, ...request }]);
  });
});

describe('what a write leaves behind is what the next read finds', () => {
  test('a policy', async () => {
    const { client, clock } = await connectAuth0();
    const { rateLimitPolicies } = client;
    const identity = {
      resource: 'oauth_authentication_api',
      consumer: 'client',
      consumer_selector: 'client_id:app',
    } as const;
    const created = await rateLimitPolicies.create({ ...identity, configuration: { action: 'log', limit: 5 } });
    expect(await rateLimitPolicies.get(created.id)).toEqual(created);
    clock.advance(1_250);
    const updated = await rateLimitPolicies.update(created.id, { configuration: { action: 'block', limit: 5 } });
    expect(updated).toEqual({
      ...created,
      configuration: { action: 'block', limit: 5 },
      updated_at: '2026-11-20T10:00:01.25Z',
    });
    expect(await rateLimitPolicies.get(created.id)).toEqual(updated);
    await rateLimitPolicies.delete(created.id);
    await expect(rateLimitPolicies.get(created.id)).rejects.toBeInstanceOf(Management.NotFoundError);
  });

  test('a role, whose name is free again after it was deleted', async () => {
    const { client } = await connectAuth0();
    const { id = '', ...created } = await client.roles.create({ name: 'New' });
    expect(created).toEqual({ name: 'New', type: 'tenant' });
    expect((await client.roles.list({ name_filter: 'new' })).data).toEqual([
      { id, name: 'New', description: '', type: 'tenant' },
    ]);
    await client.roles.update(id, { description: 'For now' });
    await client.roles.update(id, { name: 'Renamed' });
    expect((await client.roles.list({ name_filter: 'renamed' })).data).toEqual([
      { id, name: 'Renamed', description: 'For now', type: 'tenant' },
    ]);
    await client.roles.delete(id);
    expect((await client.roles.list({ name_filter: 'renamed' })).data).toEqual([]);
    expect(await client.roles.create({ name: 'Renamed' })).not.toMatchObject({ id });
  });

  test('a role that users have can be deleted, and its permissions are gone', async () => {
    const { client } = await connectAuth0();
    await client.roles.delete('rol_1');
    await expect(everyItem(client.roles.permissions.list('rol_1'))).rejects.toBeInstanceOf(Management.NotFoundError);
  });

  test('permissions of a role', async () => {
    const { client } = await connectAuth0();
    const holding = client.roles.permissions;
    await holding.add('rol_1', { permissions: [pair('export:orders'), pair('read:orders')] });
    await holding.delete('rol_1', { permissions: [pair('write:orders'), pair('read:nothing')] });
    expect(await everyItem(holding.list('rol_1'))).toEqual([
      permissions[0],
      held('export:orders', 'Export orders'),
      permissions[1],
    ]);
  });

  test('permissions of an API, which are replaced completely: roles lose those that are left out', async () => {
    const { client } = await connectAuth0();
    const scopes = [{ value: 'read:orders', description: 'Read' }, { value: 'new:orders' }];
    await client.resourceServers.update('https://orders.example/', { scopes });
    const changed = { ...orders, scopes };
    expect(await client.resourceServers.get(orders.id)).toEqual(changed);
    expect(await everyItem(client.resourceServers.list())).toEqual([changed, ...apis.slice(1)]);
    expect(await everyItem(client.roles.permissions.list('rol_1'))).toEqual([held('read:orders', 'Read')]);
    await client.resourceServers.update(orders.id, { scopes: [] });
    expect(await client.resourceServers.get(orders.id)).toEqual({ ...orders, scopes: [] });
  });

  test('every other field of an API that can be changed', async () => {
    const { client, started } = await connectAuth0();
    const { scopes: _, ...fields }: Management.UpdateResourceServerRequestContent = apiFields;
    const body = { ...fields, token_lifetime_for_web: 3600 };
    // A key is returned as its thumbprint, and what a proof is required for is filled in.
    const { encryption_key: { pem: _pem, ...key } = {}, ...encryption } = body.token_encryption ?? {};
    const shown = {
      ...{ ...orders, ...body },
      proof_of_possession: { ...body.proof_of_possession, required_for: 'all_clients' },
      token_encryption: { ...encryption, encryption_key: { ...key, thumbprint_sha256: expect.any(String) } },
    };
    expect(await client.resourceServers.update(orders.id, body)).toEqual(shown);
    expect(await client.resourceServers.get(orders.id)).toEqual(shown);
    // What the tenant keeps in a file is a seed: another start has the same API.
    const again = await connectAuth0({ tenant: { seed: started.tenant.snapshot() } });
    expect(await again.client.resourceServers.get(orders.id)).toEqual(shown);
    await client.resourceServers.update(orders.id, { token_encryption: null, authorization_details: null });
    expect(await client.resourceServers.get(orders.id)).not.toHaveProperty('token_encryption');
  });

  test('partials of a prompt, which are replaced completely', async () => {
    const { client } = await connectAuth0();
    const { partials } = client.prompts;
    await partials.set('login', { login: { 'form-footer-end': '<p>"New" ☃</p>\r\n' }, 'login-empty': {} });
    expect(await partials.get('login')).toEqual({ login: { 'form-footer-end': '<p>"New" ☃</p>\r\n' } });
    await partials.set('login', {});
    expect(await partials.get('login')).toEqual({});
  });

  test('an event stream, which can be deleted twice', async () => {
    const { client, clock } = await connectAuth0();
    const { eventStreams } = client;
    const { id = '', ...created } = await eventStreams.create({
      name: 'new',
      subscriptions: [{ event_type: 'user.deleted' }],
      destination: webhook,
    });
    clock.advance(1_250);
    await eventStreams.update(id, { name: 'renamed', subscriptions: [{ event_type: 'group.created' }] });
    expect(await eventStreams.get(id)).toEqual({
      id,
      ...created,
      name: 'renamed',
      subscriptions: [{ event_type: 'group.created' }],
      updated_at: '2026-11-20T10:00:01.250Z',
    });
    await eventStreams.delete(id);
    await expect(eventStreams.get(id)).rejects.toBeInstanceOf(Management.NotFoundError);
    await eventStreams.delete(id);
  });
});

describe('listings of more than one page, by the iteration of the package', () => {
  // For the users of a role, the package sends `include_totals` as well, which changes nothing beside `take`.
  const cursor = [
    ['policies', 1, ['?take=1', '?take=1&from=…', '?take=1&from=…']],
    ['policies', 2, ['?take=2', '?take=2&from=…']],
    ['policies', 3, ['?take=3']],
    ['streams', 1, ['?take=1', '?take=1&from=…', '?take=1&from=…']],
    ['streams', 2, ['?take=2', '?take=2&from=…']],
    ['streams', 3, ['?take=3']],
    ['users', 1, ['?take=1', '?take=1&from=…', '?take=1&from=…']],
    ['users', 2, ['?take=2', '?take=2&from=…']],
    ['users', 3, ['?take=3']],
  ] as const;

  test.each(cursor)('by cursor: %s, %i a page', async (listing, take, queries) => {
    const { client, requests } = await connectAuth0();
    const listings = {
      policies: () => everyItem<unknown>(client.rateLimitPolicies.list({ take })),
      streams: () => everyItem<unknown>(client.eventStreams.list({ take })),
      users: () => everyItem<unknown>(client.roles.users.list('rol_1', { take })),
    };
    expect(await listings[listing]()).toEqual({ policies, streams, users }[listing]);
    const asked = requests().map(({ query }) =>
      query
        .replace('include_totals=true&', '')
        .replace(/^\?from=([^&]+)&take=(\d+)$/, '?take=$2&from=$1')
        .replace(/from=[^&]+/, 'from=…'),
    );
    expect(asked).toEqual(queries);
  });

  // The package does not look at `total`: it goes on until a page is not full, or empty where it was given no size.
  const page = [
    ['roles', 1, ['per_page=1&page=0', 'per_page=1&page=1', 'per_page=1&page=2', 'per_page=1&page=3']],
    ['roles', 2, ['per_page=2&page=0', 'per_page=2&page=1']],
    ['roles', undefined, ['per_page=50&page=0', 'per_page=50&page=1']],
    ['permissions', 1, ['per_page=1&page=0', 'per_page=1&page=1', 'per_page=1&page=2', 'per_page=1&page=3']],
    ['permissions', 2, ['per_page=2&page=0', 'per_page=2&page=1']],
    ['permissions', undefined, ['per_page=50&page=0', 'per_page=50&page=1']],
  ] as const;

  test.each(page)('by page: %s, %s a page', async (listing, size, queries) => {
    const { client, requests } = await connectAuth0();
    const request = size === undefined ? {} : { per_page: size };
    const items = await everyItem<unknown>(
      listing === 'roles' ? client.roles.list(request) : client.roles.permissions.list('rol_1', request),
    );
    expect(items).toEqual(listing === 'roles' ? roles : permissions);
    expect(requests().map(({ query }) => query)).toEqual(queries.map((query) => `?${query}&include_totals=true`));
  });

  test('without totals the response is a bare list, in which the package finds no item', async () => {
    const { client } = await connectAuth0();
    const { response, data } = await client.roles.list({ include_totals: false });
    expect({ response, data }).toEqual({ response: roles, data: [] });
  });
});

describe('APIs by their identifiers', () => {
  const [, billing] = apis;
  const management = 'https://acme.example/api/v2/';

  test.each([
    ['one', orders.identifier, [orders]],
    ['several, in the order of the listing', [management, orders.identifier], [orders, apis[2]]],
    ['one twice, and an unknown one', [billing.identifier, 'urn:none', billing.identifier], [billing]],
    ['an unknown one', ['urn:none'], []],
    ['none', [], apis],
  ])('%s', async (_name, identifiers, expected) => {
    const { client } = await connectAuth0();
    expect((await client.resourceServers.list({ identifiers })).response).toMatchObject({
      resource_servers: expected,
      total: expected.length,
    });
  });

  test('include_fields changes nothing', async () => {
    const { client } = await connectAuth0();
    for (const include_fields of [true, false])
      expect(await everyItem(client.resourceServers.list({ include_fields }))).toEqual(apis);
  });

  test('an empty one is refused, and more than ten', async () => {
    const { client } = await connectAuth0();
    const eleven = Array.from({ length: 11 }, (_, index) => `urn:${index}`);
    await expect(everyItem(client.resourceServers.list({ identifiers: eleven }))).rejects.toThrow(
      "'Array is too long, maximum 10' on property identifiers",
    );
    await expect(everyItem(client.resourceServers.list({ identifiers: ['a', ''] }))).rejects.toThrow(
      "'String is too short, minimum 1' on property identifiers[1]",
    );
  });
});

describe('tokens, by the client credentials flow of the package', () => {
  test('one token for requests at once and one after the other', async () => {
    const { client, started } = await connectAuth0();
    await Promise.all([client.roles.list(), client.eventStreams.list()]);
    await client.prompts.partials.get('login');
    const [first, ...rest] = started.tenant.requests;
    expect(first).toEqual({ operation: 'token', method: 'POST', path: '/oauth/token', query: '', status: 200 });
    expect(rest.map(({ operation }) => operation).sort()).toEqual([
      'get_prompt_partials',
      'list_event_streams',
      'list_roles',
    ]);
  });

  test('a token is asked for again ten seconds before it ends', async () => {
    const { client, started } = await connectAuth0({ tenant: { tokenLifetime: 9 } });
    await client.prompts.partials.get('login');
    await client.prompts.partials.get('login');
    expect(started.tenant.requests.map(({ operation }) => operation)).toEqual([
      'token',
      'get_prompt_partials',
      'token',
      'get_prompt_partials',
    ]);
  });

  const refused = [
    ['another secret', { clientSecret: 'not-the-secret' }, 401, 'Unauthorized'],
    ['an unknown client', { clientId: 'nobody' }, 401, 'Unauthorized'],
    [
      'another audience',
      { audience: 'https://127.0.0.1/api/v2/' },
      403,
      'Client is not authorized to access this audience',
    ],
  ] as const;

  test.each(refused)('%s', async (_name, options, statusCode, description) => {
    const { client, started } = await connectAuth0({ client: options });
    const error = await errorOf(client.roles.list());
    const body = { error: 'access_denied', error_description: description };
    expect(error).toMatchObject({
      statusCode,
      body,
      message: expect.stringMatching(/^ManagementClient: token request failed\n/),
    });
    expect(started.tenant.requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['token', statusCode],
    ]);
  });

  test('a private key, whose assertion the package makes', async () => {
    const { pkcs8, spki } = keyPair();
    const keyed = { client_id: 'keyed', public_keys: [spki], scopes: testClient.scopes };
    const started = await startTenant({ ...seed, clients: [keyed] });
    onTestFinished(started.close);
    const options = { ...connection(started), clientId: 'keyed' };
    const client = new ManagementClient({ ...options, clientAssertionSigningKey: pkcs8 });
    expect(await client.rateLimitPolicies.get('rlp_1')).toEqual(policies[0]);
    const other = new ManagementClient({ ...options, clientAssertionSigningKey: keyPair().pkcs8 });
    expect(await errorOf(other.roles.list())).toMatchObject({ statusCode: 401, body: { error: 'access_denied' } });
  });

  test('a token from elsewhere', async () => {
    const { started } = await connectAuth0();
    const client = new ManagementClient({ ...connection(started), token: () => started.token() });
    expect(await client.rateLimitPolicies.get('rlp_1')).toEqual(policies[0]);
  });
});

describe('refusals are the typed errors of the package', () => {
  test.each(byOperation)('401: %s', async (_operation, row) => {
    const { started } = await connectAuth0();
    const client = new ManagementClient({ ...connection(started), token: 'not-a-token' });
    expect(await refusalOf(row, client)).toEqual({
      error: Management.UnauthorizedError,
      statusCode: 401,
      body: {
        statusCode: 401,
        error: 'Unauthorized',
        message: 'Invalid token',
        attributes: { error: 'Invalid token' },
      },
    });
  });

  test('401: a client that is not global', async () => {
    const { client } = await connectAuth0({ client: { clientId: 'local' } });
    const error = await errorOf(client.rateLimitPolicies.list());
    expect(error).toBeInstanceOf(Management.UnauthorizedError);
    expect(error.body).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: 'Client is not global',
      attributes: { error: 'Client is not global' },
    });
  });

  test.each(byOperation)('403: %s', async (operation, row) => {
    const scope = operations.find(({ id }) => id === operation)?.scope;
    const { client } = await connectAuth0({ client: { clientId: `without-${scope?.replace(':', '-')}` } });
    expect(await refusalOf(row, client)).toEqual({
      error: Management.ForbiddenError,
      statusCode: 403,
      body: {
        statusCode: 403,
        error: 'Forbidden',
        message: `Insufficient scope, expected any of: ${scope}`,
        errorCode: 'insufficient_scope',
      },
    });
  });

  test.each(refusals.map((row) => [row.body.statusCode, row.name, row] as const))(
    '%i: %s',
    async (statusCode, _name, { call, typed, body }) => {
      const { client, requests } = await connectAuth0();
      const error = await errorOf(call(client));
      expect(error.constructor).toBe(typed ?? ManagementError);
      expect({ statusCode: error.statusCode, body: error.body }).toEqual({ statusCode, body });
      expect(requests().map(({ status }) => status)).toEqual([statusCode]);
    },
  );

  test.each(byOperation)('429: %s', async (_operation, row) => {
    const { client } = await connectAuth0({ tenant: { rate: { perSecond: 0.5, burst: 1 } } });
    await client.roles.list();
    expect(await refusalOf(row, client)).toEqual({
      error: Management.TooManyRequestsError,
      statusCode: 429,
      body: {
        statusCode: 429,
        error: 'Too Many Requests',
        message: 'Global limit has been reached',
        errorCode: 'too_many_requests',
      },
    });
  });

  test('the headers of a 429 are there to read', async () => {
    const { client, clock } = await connectAuth0({ tenant: { rate: { perSecond: 0.5, burst: 1 } } });
    await client.roles.list();
    const { rawResponse } = await errorOf(client.roles.list());
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    expect(names.map((name) => rawResponse?.headers.get(name))).toEqual(['1', '0', String(clock.now() / 1000 + 2)]);
  });

  test('the retries of the package go on after a 429', async () => {
    // The header then names a second that begins soon, and the package waits for it.
    const clock = startFakeClock(Date.now() - 950);
    const fault = { operation: 'list_roles', kind: 'status', status: 429, nth: 1 } as const;
    const { client, requests } = await connectAuth0({ tenant: { clock, faults: [fault] }, client: { maxRetries: 1 } });
    expect(await everyItem(client.roles.list({ per_page: 4 }))).toEqual(roles);
    expect(requests().map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe('secrets of a webhook', () => {
  test('the types of the package have no place for them', () => {
    expectTypeOf<Management.EventStreamWebhookBasicAuth>().not.toHaveProperty('password');
    expectTypeOf<Management.EventStreamWebhookBearerAuth>().not.toHaveProperty('token');
    expectTypeOf<Management.EventStreamWebhookCustomHeaderAuth>().not.toHaveProperty('header_value');
  });

  const planted = 'planted-webhook-secret';
  // A cast is all it takes: the package sends what it is given.
  const methods = [
    [
      { method: 'basic', username: 'crm', password: planted } as Management.EventStreamWebhookBasicAuth,
      { method: 'basic', username: 'crm' },
    ],
    [{ method: 'bearer', token: planted } as Management.EventStreamWebhookBearerAuth, { method: 'bearer' }],
    [
      {
        method: 'custom_header',
        header_key: 'X-Key',
        header_value: planted,
      } as Management.EventStreamWebhookCustomHeaderAuth,
      { method: 'custom_header', header_key: 'X-Key' },
    ],
  ] as const;

  test.each(methods)('%j is accepted and returned as %j', async (sent, returned) => {
    const { client, started, requests } = await connectAuth0();
    const sentTo = (authorization: Management.EventStreamWebhookAuthorizationResponse) =>
      ({
        type: 'webhook',
        configuration: { webhook_endpoint: 'https://crm.example/hook', webhook_authorization: authorization },
      }) as const;
    const created = await client.eventStreams.create({
      name: 'secret',
      subscriptions: [{ event_type: 'user.created' }],
      destination: sentTo(sent),
    });
    const updated = await client.eventStreams.update('est_1', { destination: sentTo(sent) });
    const responses = [
      created,
      updated,
      await client.eventStreams.get(created.id ?? ''),
      await client.eventStreams.get('est_1'),
    ];
    expect(responses.map(({ destination }) => destination)).toEqual(responses.map(() => sentTo(returned)));
    const listed = await everyItem(client.eventStreams.list());
    expect(JSON.stringify([...responses, ...listed, started.tenant.snapshot()])).not.toContain(planted);
    expect(requests().slice(0, 2)).toMatchObject([
      { status: 201, body: { destination: sentTo(sent) } },
      { status: 200, body: { destination: sentTo(sent) } },
    ]);
  });
});

describe('every value that the package names is accepted', () => {
  test.each(Object.values(Management.PartialGroupsEnum))('prompt %s', async (prompt) => {
    const { client } = await connectAuth0();
    await client.prompts.partials.set(prompt, { [prompt]: { 'form-content-start': prompt } });
    expect(await client.prompts.partials.get(prompt)).toEqual({ [prompt]: { 'form-content-start': prompt } });
  });

  test('types of events, in the order given', async () => {
    const { client } = await connectAuth0();
    const subscriptions = Object.values(Management.EventStreamEventTypeEnum).map((event_type) => ({ event_type }));
    expect(await client.eventStreams.update('est_1', { subscriptions })).toMatchObject({ subscriptions });
  });

  test('regions of an eventbridge, whose event source the tenant names', async () => {
    const { client } = await connectAuth0();
    for (const aws_region of Object.values(Management.EventStreamEventBridgeAwsRegionEnum)) {
      const destination = {
        type: 'eventbridge',
        configuration: { aws_account_id: '123456789012', aws_region },
      } as const;
      const created = await client.eventStreams.create({
        name: aws_region,
        subscriptions: [{ event_type: 'user.created' }],
        destination,
      });
      const configuration = {
        ...destination.configuration,
        aws_partner_event_source: expect.stringMatching(/^aws\.partner\//),
      };
      expect(created.destination).toEqual({ type: 'eventbridge', configuration });
    }
  });

  test('an action as the destination', async () => {
    const { client } = await connectAuth0();
    const destination = { type: 'action', configuration: { action_id: 'act_1' } } as const;
    const created = await client.eventStreams.create({
      name: 'action',
      status: 'disabled',
      subscriptions: [{ event_type: 'user.created' }],
      destination,
    });
    expect(created).toMatchObject({ status: 'disabled', destination });
  });
});

function byId<Row extends { readonly id: string | null }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => String(a.id).localeCompare(String(b.id)));
}

async function everyItem<Item>(listing: Promise<AsyncIterable<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of await listing) items.push(item);
  return items;
}

/** What a call is refused with, which has to be an error of the package. */
async function errorOf(call: Promise<unknown>): Promise<ManagementError> {
  const error = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ManagementError)) throw new Error(`not an error of the package: ${String(error)}`);
  return error;
}

async function refusalOf({ call }: Auth0Call, client: ManagementClient) {
  const error = await errorOf(call(client));
  return { error: error.constructor, statusCode: error.statusCode, body: error.body };
}
