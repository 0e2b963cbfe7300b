import { describe, expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { openRoutes } from '../support/open-routes.ts';
import { type OpenedTenant, openTenant } from '../support/start-tenant.ts';

const billing = 'https://billing.example/';

const roles: NonNullable<Seed['roles']> = [
  {
    id: 'rol_1',
    name: 'Reader',
    description: 'Can read',
    permissions: [pair('write'), pair('read', billing), pair('read')],
  },
  { id: 'rol_2', name: 'Admin', type: 'tenant' },
  { id: 'rol_3', name: 'read_only', description: 'Read Only' },
  { id: 'rol_4', name: 'Twin' },
  { id: 'rol_5', name: 'Twin' },
  { id: 'rol_6', name: 'Operator', type: 'organization', owner_id: 'org_1' },
];
const resource_servers: NonNullable<Seed['resource_servers']> = [
  {
    identifier: orders,
    name: 'Orders',
    scopes: [{ value: 'read', description: 'Read orders' }, { value: 'write' }, { value: 'refund' }],
  },
];

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(tenant: OpenedTenant, method: string, path: string, body?: object): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${await tenant.token()}`,
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const response = await tenant.fetch(
    new Request(tenant.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const get = async (path: string, seed: Seed = { roles }) => send(await openTenant(seed), 'GET', path);
const role = (id: string, name: string, description = '') => ({ id, name, description, type: 'tenant' });
const notFound = (message: string, fields: object = {}) => ({
  status: 404,
  body: { statusCode: 404, error: 'Not Found', message, ...fields },
});
const badRequest = (message: string, errorCode: string) => ({
  status: 400,
  body: { statusCode: 400, error: 'Bad Request', message, errorCode },
});

describe('list roles', () => {
  const admin = role('rol_2', 'Admin');
  const reader = role('rol_1', 'Reader', 'Can read');
  const operator = { id: 'rol_6', name: 'Operator', description: '', type: 'organization', owner_id: 'org_1' };
  const tenantRoles = [
    admin,
    reader,
    role('rol_4', 'Twin'),
    role('rol_5', 'Twin'),
    role('rol_3', 'read_only', 'Read Only'),
  ];

  test.each<readonly [string, string, unknown]>([
    ['all of them, in name order, as a bare list', '', [admin, operator, ...tenantRoles.slice(1)]],
    [
      'those of the tenant, with totals',
      '?type=tenant&include_totals=true',
      { roles: tenantRoles, start: 0, limit: 50, total: 5 },
    ],
    [
      'a page',
      '?type=tenant&include_totals=true&per_page=2&page=1',
      { roles: tenantRoles.slice(2, 4), start: 2, limit: 2, total: 5 },
    ],
    [
      'a page past the end',
      '?type=tenant&include_totals=true&per_page=100&page=1',
      { roles: [], start: 100, limit: 100, total: 5 },
    ],
    ['a page past the end as a bare list', '?page=9&include_totals=false', []],
    ['a part of the name in any case', '?name_filter=READ', [reader, tenantRoles[4]]],
    ['those of an organization', '?type=organization&owner_id=org_1', [operator]],
    ['those of an organization that has none', '?type=organization&owner_id=org_2', []],
  ])('%s', async (_name, query, body) => {
    expect(await get(`/roles${query}`)).toEqual({ status: 200, body });
  });

  test.each([
    ['?type=organization', "'Missing required property: owner_id'"],
    ['?type=other', "'Expected one of: tenant, organization' on property type"],
    ['?per_page=0', "'Value must be >= 1' on property per_page"],
    ['?per_page=101', "'Value must be <= 100' on property per_page"],
    ['?page=-1', "'Value must be >= 0' on property page"],
    ['?include_totals=yes', "'Expected one of: true, false' on property include_totals"],
    ['?take=10', "'Additional properties not allowed: take'"],
  ])('%s is refused', async (query, rule) => {
    expect(await get(`/roles${query}`)).toEqual(badRequest(`Query validation error: ${rule}.`, 'invalid_query_string'));
  });

  test('a page has 50 roles where the query does not say', async () => {
    const many = Array.from({ length: 51 }, (_empty, index) => ({ id: `rol_${index}`, name: `Role ${index}` }));
    expect((await get('/roles', { roles: many })).body).toHaveLength(50);
  });
});

describe('create, change and delete a role', () => {
  const exists = {
    status: 409,
    body: { statusCode: 409, error: 'Conflict', message: 'The role already exists.', errorCode: 'role_conflict' },
  };
  const newId = expect.stringMatching(/^rol_[1-9A-Za-z]{16}$/);

  test.each<readonly [string, object, unknown]>([
    ['a name alone, whose description is not returned', { name: 'New' }, { name: 'New', type: 'tenant' }],
    ['an empty description', { name: 'New', description: '' }, { name: 'New', description: '', type: 'tenant' }],
    ['a name that differs by case', { name: 'reader' }, { name: 'reader', type: 'tenant' }],
    ['the name of a role of an organization', { name: 'Operator' }, { name: 'Operator', type: 'tenant' }],
    [
      'a role of an organization',
      { name: 'Operator', type: 'organization', owner_id: 'org_2' },
      { name: 'Operator', type: 'organization', owner_id: 'org_2' },
    ],
  ])('create: %s', async (_name, body, created) => {
    const tenant = await openTenant({ roles });
    const shown = { id: newId, ...(created as object) };
    expect(await send(tenant, 'POST', '/roles', body)).toEqual({ status: 200, body: shown });
    const listed = await send(tenant, 'GET', '/roles');
    expect(listed.body).toContainEqual({ description: '', ...shown });
  });

  test.each<readonly [string, object, Answer]>([
    ['a name in use', { name: 'Reader' }, exists],
    ['a name in use in the organization', { name: 'Operator', type: 'organization', owner_id: 'org_1' }, exists],
    [
      'an organization without its id',
      { name: 'New', type: 'organization' },
      badRequest("Payload validation error: 'Missing required property: owner_id'.", 'invalid_body'),
    ],
    ['no name', {}, badRequest("Payload validation error: 'Missing required property: name'.", 'invalid_body')],
  ])('create: %s is refused', async (_name, body, refused) => {
    const tenant = await openTenant({ roles });
    expect(await send(tenant, 'POST', '/roles', body)).toEqual(refused);
    expect(tenant.snapshot().roles).toEqual(roles);
  });

  test.each<readonly [string, string, object, unknown]>([
    ['the description alone', 'rol_1', { description: 'Reads' }, role('rol_1', 'Reader', 'Reads')],
    ['an empty description', 'rol_1', { description: '' }, role('rol_1', 'Reader')],
    ['its own name', 'rol_1', { name: 'Reader' }, role('rol_1', 'Reader', 'Can read')],
  ])('update: %s', async (_name, id, body, updated) => {
    const tenant = await openTenant({ roles });
    expect(await send(tenant, 'PATCH', `/roles/${id}`, body)).toEqual({ status: 200, body: updated });
    const permissions = await send(tenant, 'GET', `/roles/${id}/permissions`);
    expect(permissions.body).toHaveLength(3);
  });

  test('update: a name in use, and a role that does not exist', async () => {
    const tenant = await openTenant({ roles });
    expect(await send(tenant, 'PATCH', '/roles/rol_1', { name: 'Admin' })).toEqual(exists);
    expect(await send(tenant, 'PATCH', '/roles/rol_9', { description: '' })).toEqual(
      notFound('The role does not exist.'),
    );
  });

  test('delete: once', async () => {
    const tenant = await openTenant({ roles });
    expect(await send(tenant, 'DELETE', '/roles/rol_1')).toEqual({ status: 200, body: {} });
    expect(await send(tenant, 'DELETE', '/roles/rol_1')).toEqual(notFound('The role does not exist.'));
    expect(tenant.snapshot().roles).toEqual(roles.filter(({ id }) => id !== 'rol_1'));
  });
});

describe('list the groups of a role', () => {
  const groups = Array.from({ length: 3 }, (_empty, index) => ({ id: `grp_${index}`, name: `Group ${index}` }));
  const seed: Seed = { roles: [{ id: 'rol_1', name: 'Reader', groups: groups.toReversed() }] };
  const next = 'grp_2';

  test.each<readonly [string, string, unknown]>([
    ['all of them', '', { groups }],
    ['a page', '?take=2', { groups: groups.slice(0, 2), next }],
    ['the last page', `?take=2&from=${next}`, { groups: groups.slice(2) }],
  ])('%s', async (_name, query, body) => {
    expect(await get(`/roles/rol_1/groups${query}`, seed)).toEqual({ status: 200, body });
  });

  test('a role without groups, one that does not exist, and page numbers', async () => {
    expect(await get('/roles/rol_2/groups')).toEqual({ status: 200, body: { groups: [] } });
    expect(await get('/roles/rol_9/groups')).toEqual(notFound('The role does not exist.'));
    expect(await get('/roles/rol_1/groups?page=0', seed)).toMatchObject({ status: 400 });
  });
});

describe('list the users of a role', () => {
  const users = Array.from({ length: 3 }, (_empty, index) => ({ user_id: `auth0|${index}`, name: `User ${index}` }));
  const seed: Seed = { roles: [{ id: 'rol_1', name: 'Reader', users: users.toReversed() }] };
  const next = 'auth0|2';

  test.each<readonly [string, string, unknown]>([
    ['a bare list', '', users],
    ['the number of them', '?per_page=1&include_totals=true', { users: [users[0]], start: 0, limit: 1, total: 3 }],
    ['by cursor', '?take=2', { users: users.slice(0, 2), next }],
    ['the last page by cursor', `?take=2&from=${next}`, { users: users.slice(2) }],
    ['take wins over totals', '?take=3&include_totals=true&per_page=1', { users }],
  ])('%s', async (_name, query, body) => {
    expect(await get(`/roles/rol_1/users${query}`, seed)).toEqual({ status: 200, body });
  });

  test('a role without users, and one that does not exist', async () => {
    expect(await get('/roles/rol_2/users?include_totals=true')).toEqual({
      status: 200,
      body: { users: [], start: 0, limit: 50, total: 0 },
    });
    expect(await get('/roles/rol_9/users')).toEqual(notFound('The role does not exist.'));
  });

  test('what is refused', async () => {
    const tooFar =
      'Requesting page 10 exceeds the allowed maximum of 1000 records. To fetch results beyond 1000, use the checkpoint pagination method.';
    expect(await get('/roles/rol_1/users?page=10&per_page=100')).toEqual({
      status: 400,
      body: { statusCode: 400, error: 'Bad Request', message: tooFar },
    });
  });
});

describe('list the permissions of a role', () => {
  const held = (
    permission_name: string,
    description: string,
    resource_server_name: string,
    resource_server_identifier: string,
  ) => ({
    permission_name,
    description,
    resource_server_name,
    resource_server_identifier,
  });
  const described = [
    held('read', '', billing, billing),
    held('read', 'Read orders', 'Orders', orders),
    held('write', '', 'Orders', orders),
  ];
  const plain = [
    held('read', '', billing, billing),
    held('read', '', orders, orders),
    held('write', '', orders, orders),
  ];

  test.each<readonly [string, string, Seed, unknown]>([
    ['in the order of their names, in the words of their API', '', { roles, resource_servers }, described],
    ['of APIs that the seed does not describe', '', { roles }, plain],
    ['with totals', '?include_totals=true', { roles }, { permissions: plain, start: 0, limit: 50, total: 3 }],
    [
      'a page',
      '?include_totals=true&per_page=2&page=1',
      { roles },
      { permissions: plain.slice(2), start: 2, limit: 2, total: 3 },
    ],
    ['a page past the end', '?page=1', { roles }, []],
  ])('%s', async (_name, query, seed, body) => {
    expect(await get(`/roles/rol_1/permissions${query}`, seed)).toEqual({ status: 200, body });
  });

  test('of a role that holds none', async () => {
    expect(await get('/roles/rol_2/permissions?include_totals=true')).toEqual({
      status: 200,
      body: { permissions: [], start: 0, limit: 50, total: 0 },
    });
  });

  test('a pair that a seed repeats is listed once', async () => {
    const seed = { roles: [{ id: 'rol_1', name: 'Reader', permissions: [pair('read'), pair('read')] }] };
    expect((await get('/roles/rol_1/permissions', seed)).body).toEqual([held('read', '', orders, orders)]);
  });

  test('of a role that does not exist', async () => {
    expect(await get('/roles/rol_7/permissions')).toEqual(notFound('The role does not exist.'));
  });

  test('no filters', async () => {
    expect(await get('/roles/rol_1/permissions?type=tenant')).toEqual(
      badRequest("Query validation error: 'Additional properties not allowed: type'.", 'invalid_query_string'),
    );
  });
});

/** Sends a write and tells the answer with what the role then holds. */
async function write(
  method: 'POST' | 'DELETE',
  id: string,
  permissions: readonly object[],
  seed: Seed = { roles, resource_servers },
) {
  const tenant = await openTenant(seed);
  const before = tenant.snapshot();
  const answer = await send(tenant, method, `/roles/${id}/permissions`, { permissions });
  const after = tenant.snapshot();
  return {
    answer,
    held: after.roles?.find((candidate) => candidate.id === id)?.permissions,
    changed: JSON.stringify(after) !== JSON.stringify(before),
  };
}

const heldByReader = [pair('write'), pair('read', billing), pair('read')];

describe('add permissions to a role', () => {
  const added = { status: 201, body: {} };

  test.each<readonly [string, string, readonly object[], readonly object[]]>([
    ['what was held stays', 'rol_1', [pair('refund')], [...heldByReader, pair('refund')]],
    [
      'pairs that are held, or are sent twice, are ignored',
      'rol_1',
      [pair('read'), pair('refund'), pair('refund')],
      [...heldByReader, pair('refund')],
    ],
    ['the first ones of a role', 'rol_2', [pair('read')], [pair('read')]],
  ])('%s', async (_name, id, permissions, held) => {
    expect(await write('POST', id, permissions)).toEqual({ answer: added, held, changed: true });
  });

  test('without a list of APIs every one exists', async () => {
    const written = await write('POST', 'rol_2', [pair('anything', 'urn:any')], { roles });
    expect(written).toEqual({ answer: added, held: [pair('anything', 'urn:any')], changed: true });
  });

  test.each<readonly [string, string, readonly object[], Answer]>([
    ['a role that does not exist', 'rol_7', [pair('read')], notFound('The role does not exist.')],
    [
      'an unknown API beside a known one',
      'rol_1',
      [pair('refund'), pair('read', 'urn:other')],
      notFound("The resource server does not exist: 'urn:other'", { errorCode: 'inexistent_resource_server' }),
    ],
    [
      'an unknown permission of a known API',
      'rol_1',
      [pair('refund'), pair('delete')],
      badRequest(
        `Payload validation error: The permission 'delete' does not exist on the resource server '${orders}'.`,
        'invalid_body',
      ),
    ],
    [
      'no pair',
      'rol_1',
      [],
      badRequest("Payload validation error: 'Array is too short, minimum 1' on property permissions.", 'invalid_body'),
    ],
    [
      'a pair with another key',
      'rol_1',
      [{ ...pair('read'), description: 'x' }],
      badRequest(
        "Payload validation error: 'Additional properties not allowed: description' on property permissions[0].",
        'invalid_body',
      ),
    ],
  ])('%s is refused, and nothing is stored', async (_name, id, permissions, answer) => {
    expect(await write('POST', id, permissions)).toMatchObject({ answer, changed: false });
  });
});

describe('several APIs', () => {
  const servers = [
    ...resource_servers,
    { identifier: billing, name: 'Billing', scopes: [{ value: 'read', description: 'Read bills' }] },
  ];
  const answer = (id: string, body?: object) =>
    openRoutes(tenantResources, { roles, resource_servers: servers }).respond(id, { params: { id: 'rol_1' }, body });

  test('a permission of one is not a permission of the other', () => {
    const message = `Payload validation error: The permission 'refund' does not exist on the resource server '${billing}'.`;
    expect(answer('add_role_permissions', { permissions: [pair('refund'), pair('read', billing)] })).toEqual({
      status: 201,
      body: {},
    });
    expect(answer('add_role_permissions', { permissions: [pair('refund', billing)] })).toEqual({
      status: 400,
      message,
      errorCode: 'invalid_body',
    });
  });

  test('each pair is listed in the words of its own', () => {
    const words = [
      { resource_server_name: 'Billing', description: 'Read bills' },
      { resource_server_name: 'Orders', description: 'Read orders' },
      { resource_server_name: 'Orders', description: '' },
    ];
    expect(answer('list_role_permissions')).toMatchObject({ status: 200, body: words });
  });
});

describe('remove permissions from a role', () => {
  const removed = { status: 204, body: null };

  test('those that are not held are ignored', async () => {
    const written = await write('DELETE', 'rol_1', [pair('read'), pair('refund'), pair('read', 'urn:other')]);
    expect(written).toEqual({ answer: removed, held: [pair('write'), pair('read', billing)], changed: true });
  });

  test('from a role that holds none', async () => {
    expect(await write('DELETE', 'rol_2', [pair('read')])).toEqual({
      answer: removed,
      held: undefined,
      changed: false,
    });
  });

  test('from a role that does not exist', async () => {
    expect(await write('DELETE', 'rol_7', [pair('read')])).toMatchObject({
      answer: notFound('The role does not exist.'),
      changed: false,
    });
  });
});
