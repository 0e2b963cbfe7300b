import { expect } from 'vitest';
import { errorBody } from '../../src/client/transport/shown-message.ts';
import { formats } from '../../src/contract/formats.ts';
import { tokenEndpoint } from '../../src/contract/token-endpoint.ts';
import { createTenantKeys, type TenantKeys } from '../../src/embedded-tenant/auth/authenticate.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { TenantSetupError } from '../../src/embedded-tenant/tenant-options.ts';
import { lifecycles, type Operation, type Shape } from '../../src/model/operation.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { claims, hmac, signed, withStrayBits } from '../contract/bad-tokens.ts';
import { contractSeed } from '../contract/contract-seed.ts';
import { type OpenedTenant, openTenant, testClient, testKeys } from '../support/start-tenant.ts';
import type {
  Check,
  ConformanceRequest,
  Expected,
  PagesCheck,
  PolicyCheck,
  RequestCheck,
  RowCheck,
  ScopeCheck,
  ValueCheck,
} from './statement.ts';
import { policies } from './statement.ts';

/** Rejects with an assertion error if the check fails. */
export async function runCheck(check: Check): Promise<void> {
  if ('request' in check) await checkRequest(check);
  else if ('pages' in check) await checkPages(check);
  else if ('shape' in check) checkValue(check);
  else if ('policy' in check) await checkPolicy(check);
  else if ('scopes' in check) await checkScopes(check);
  else checkRow(check);
}

const operations: readonly Operation[] = tenantResources.flatMap(({ routes }) =>
  routes.map(({ operation }) => operation),
);

function operationOf(id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

/** A client with one scope, and a stream whose seed contains a secret. */
const seed: Seed = {
  ...contractSeed,
  clients: [
    ...(contractSeed.clients ?? []),
    {
      client_id: 'only read:rate_limit_policies',
      client_secret: testClient.client_secret,
      scopes: ['read:rate_limit_policies'],
    },
  ],
  event_streams: [
    ...(contractSeed.event_streams ?? []),
    {
      id: 'est_secret',
      name: 'secret',
      destination: {
        type: 'webhook',
        configuration: {
          webhook_endpoint: 'https://crm.example/hook',
          // A seed may contain more than the service returns.
          webhook_authorization: { method: 'basic', username: 'crm', ...{ password: 'planted' } },
        },
      },
    },
  ],
};

function checkRow({ operation, cells }: RowCheck): void {
  const row = operationOf(operation);
  // A cell that is undefined is absent in the row.
  const found = Object.fromEntries(Object.keys(cells).map((name) => [name, Reflect.get(row, name) as unknown]));
  expect(found).toMatchObject(cells);
}

/** Reads share a tenant, because they change nothing. */
const shared = new Map<string, Promise<OpenedTenant>>();

function openFor({ method, api = 'documented', times }: Omit<ConformanceRequest, 'path'>): Promise<OpenedTenant> {
  if (times !== undefined) return openTenant(seed, { api, rate: { perSecond: 0.001, burst: times - 1 } });
  if (method !== 'GET') return openTenant(seed, { api });
  const tenant = shared.get(api) ?? openTenant(seed, { api });
  shared.set(api, tenant);
  return tenant;
}

async function checkRequest({ request, expected }: RequestCheck): Promise<void> {
  const tenant = await openFor(request);
  for (let sent = 1; sent < (request.times ?? 1); sent += 1) await tenant.fetch(await requestOf(tenant, request));
  await expectResponse(tenant, await tenant.fetch(await requestOf(tenant, request)), expected);
}

async function requestOf(tenant: OpenedTenant, request: ConformanceRequest): Promise<Request> {
  const { method, path, from, body, headers = {}, token } = request;
  const authorization = await authorizationOf(tenant, token);
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  return new Request(`${from === 'origin' ? tenant.origin : tenant.baseUrl}${path}`, {
    method,
    headers: { ...authorization, ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

let otherKeys: Promise<TenantKeys> | undefined;

async function authorizationOf(tenant: OpenedTenant, token?: string): Promise<Readonly<Record<string, string>>> {
  switch (token) {
    case 'none':
      return {};
    case 'forged':
      otherKeys ??= createTenantKeys();
      return { Authorization: `Bearer ${await signed((await otherKeys).privateKey, claims(tenant.origin))}` };
    case 'of another audience':
      return tokenOf({ ...claims(tenant.origin), aud: 'https://other.example/api/v2/' });
    case 'signed with HS256':
      return { Authorization: `Bearer ${await hmac(tenant.origin, testClient.client_secret)}` };
    case 'spelled in another way':
      return { Authorization: `Bearer ${withStrayBits(await tenant.token())}` };
    case 'expired':
      return tokenOf({ ...claims(tenant.origin), iat: 1, exp: 2 });
    default:
      return { Authorization: `Bearer ${await tenant.token(token)}` };
  }
}

async function tokenOf(payload: Readonly<Record<string, unknown>>): Promise<{ readonly Authorization: string }> {
  return { Authorization: `Bearer ${await signed((await testKeys()).privateKey, payload)}` };
}

async function expectResponse(tenant: OpenedTenant, response: Response, expected: Expected): Promise<void> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: expected.status });
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (expected.body !== undefined) expectPart(body, expected.body);
  if (expected.message !== undefined) expect(JSON.stringify(at(body, '/message'))).toContain(expected.message);
  for (const key of expected.has ?? []) expect(body).toHaveProperty(key);
  for (const key of expected.lacks ?? []) expect(body).not.toHaveProperty(key);
  if (expected.length !== undefined) expect(at(body, `/${expected.length[0]}`)).toHaveLength(expected.length[1]);
  if (expected.keys !== undefined) {
    const [pointer, allowed] = expected.keys;
    expect(Object.keys(at(body, pointer) as object).filter((key) => !allowed.includes(key))).toEqual([]);
  }
  for (const name of expected.headers ?? []) expect(response.headers.get(name)).toMatch(/^\d+$/);
  if (expected.contentType !== undefined)
    expect(response.headers.get('Content-Type')?.split(';')[0]).toBe(expected.contentType);
  if (expected.state !== undefined) expect(at(tenant.snapshot(), expected.state[0])).toEqual(expected.state[1]);
}

/** A list contains a part if it begins with it. */
function expectPart(found: unknown, part: unknown): void {
  if (typeof part !== 'object' || part === null) expect(found).toBe(part);
  else for (const [key, value] of Object.entries(part)) expectPart(at(found, `/${key}`), value);
}

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], value);
}

async function checkPages({ pages, items, expected }: PagesCheck): Promise<void> {
  const tenant = await openFor({ method: 'GET' });
  const seen: unknown[] = [];
  let count = 0;
  for (let from: string | undefined = ''; from !== undefined && count < 100; count += 1) {
    const path: string = from === '' ? pages : `${pages}&from=${encodeURIComponent(from)}`;
    const response = await tenant.fetch(await requestOf(tenant, { method: 'GET', path }));
    const body = (await response.json()) as Readonly<Record<string, unknown>>;
    seen.push(...(body[items] as readonly { id: string }[]).map(({ id }) => id));
    from = body['next'] as string | undefined;
  }
  expect({ pages: count, items: new Set(seen).size, repeated: seen.length - new Set(seen).size }).toEqual({
    ...expected,
    repeated: 0,
  });
}

const declaredPolicy = {
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector: 'client_id:of-no-policy',
  configuration: { action: 'allow' },
};

/** Valid values, for rows that name only what they change. */
const bases: Readonly<Record<string, object>> = {
  'declared policy': declaredPolicy,
  'live policy': { id: 'rlp_1', ...declaredPolicy },
  'live stream': { id: 'est_1', name: 'crm' },
};

type Part = 'params' | 'documentedParams' | 'query' | 'body' | 'response';

function isValid(id: string, part: Part, value: unknown): boolean {
  const shape: Shape<unknown> | undefined = operationOf(id)[part];
  if (shape === undefined) throw new Error(`${id} has no ${part}`);
  return shape.validate(value);
}

const validators: Readonly<Record<string, (value: unknown) => boolean>> = {
  'base URL': (value) => formats['base-url']?.(String(value)) ?? false,
  'live policy': (value) => isValid('get_rate_limit_policy', 'response', value),
  'declared policy': (value) => isValid('create_rate_limit_policy', 'body', value),
  'policy page': (value) => isValid('list_rate_limit_policies', 'response', value),
  'policies query': (value) => isValid('list_rate_limit_policies', 'query', value),
  'live stream': (value) => isValid('get_event_stream', 'response', value),
  'create stream': (value) => isValid('create_event_stream', 'body', value),
  'stream page': (value) => isValid('list_event_streams', 'response', value),
  'streams query': (value) => isValid('list_event_streams', 'query', value),
  'role parameters': (value) => isValid('remove_role_permissions', 'params', value),
  pairs: (value) => isValid('remove_role_permissions', 'body', value),
  'prompt parameters': (value) =>
    isValid('set_prompt_partials', 'params', value) && isValid('set_prompt_partials', 'documentedParams', value),
  partials: (value) => isValid('set_prompt_partials', 'body', value),
  'token request': (value) => tokenEndpoint.request.validate(value),
  error: (value) => errorBody.validate(value),
  lifecycle: (value) => lifecycles.some((each) => each === value),
};

function checkValue({ shape, value, valid }: ValueCheck): void {
  const complete = bases[shape] === undefined ? value : { ...bases[shape], ...(value as object) };
  // As JSON: a field that is undefined is left out.
  const sent: unknown = JSON.parse(JSON.stringify(complete));
  expect({ shape, value, valid: validators[shape]?.(sent) }).toEqual({ shape, value, valid });
}

/** In the files, in a request and, if it is valid, when it is read. */
async function checkPolicy({ policy, valid }: PolicyCheck): Promise<void> {
  checkValue({ shape: 'declared policy', value: policy, valid });
  if (valid) checkValue({ shape: 'live policy', value: policy, valid });
  const tenant = await openFor({ method: 'POST', api: 'full' });
  const response = await tenant.fetch(
    await requestOf(tenant, { method: 'POST', path: policies, body: { ...declaredPolicy, ...policy }, api: 'full' }),
  );
  expect({ policy, status: response.status }).toEqual({ policy, status: valid ? 201 : 400 });
}

async function checkScopes({ scopes, valid }: ScopeCheck): Promise<void> {
  for (const group of valid ? [scopes] : scopes.map((scope) => [scope])) {
    const clients = [{ ...testClient, scopes: [...group] }];
    const opened = openTenant({ clients });
    if (valid) await opened;
    else await expect(opened, group.join()).rejects.toThrow(TenantSetupError);
  }
}
