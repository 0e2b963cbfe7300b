import type { ManagementClient } from 'auth0';
import { expect } from 'vitest';
import { buildPermission as pair } from '../support/build-permission.ts';
import { describedCalls } from './auth0-described-calls.ts';
import { apis, groups, orders, partials, permissions, policies, roles, streams, users, webhook } from './auth0-seed.ts';

/** One operation as the package calls it: what reached the tenant, and what the package returned. */
export interface Auth0Call {
  readonly operation: string;
  readonly call: (client: ManagementClient) => Promise<unknown>;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly status: number;
    readonly body?: unknown;
  };
  /** Undefined where the package throws the response away. */
  readonly returns: unknown;
}

const newPolicy = {
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector: 'client_id:https://app.example/cimd.json',
  configuration: { action: 'redirect', limit: 0, redirect_uri: 'https://acme.example/slow' },
} as const;
const now = '2026-11-20T10:00:00';

const policyCalls: readonly Auth0Call[] = [
  {
    operation: 'list_rate_limit_policies',
    call: (client) =>
      firstPage(
        client.rateLimitPolicies.list({
          resource: 'oauth_authentication_api',
          consumer: 'client',
          consumer_selector: 'default',
        }),
      ),
    request: {
      method: 'GET',
      path: '/api/v2/rate-limit-policies',
      query: '?resource=oauth_authentication_api&consumer=client&consumer_selector=default&take=50',
      status: 200,
    },
    returns: { rate_limit_policies: [policies[0]] },
  },
  {
    operation: 'create_rate_limit_policy',
    call: (client) => client.rateLimitPolicies.create(newPolicy),
    request: { method: 'POST', path: '/api/v2/rate-limit-policies', query: '', status: 201, body: newPolicy },
    returns: {
      id: expect.stringMatching(/^rlp_[1-9A-Za-z]{21}$/),
      ...newPolicy,
      created_at: `${now}Z`,
      updated_at: `${now}Z`,
    },
  },
  {
    operation: 'get_rate_limit_policy',
    call: (client) => client.rateLimitPolicies.get('rlp_2'),
    request: { method: 'GET', path: '/api/v2/rate-limit-policies/rlp_2', query: '', status: 200 },
    returns: policies[1],
  },
  {
    operation: 'update_rate_limit_policy',
    call: (client) => client.rateLimitPolicies.update('rlp_1', { configuration: { action: 'allow' } }),
    request: {
      method: 'PATCH',
      path: '/api/v2/rate-limit-policies/rlp_1',
      query: '',
      status: 200,
      body: { configuration: { action: 'allow' } },
    },
    returns: { ...policies[0], configuration: { action: 'allow' }, updated_at: `${now}Z` },
  },
  {
    operation: 'delete_rate_limit_policy',
    call: (client) => client.rateLimitPolicies.delete('rlp_3'),
    request: { method: 'DELETE', path: '/api/v2/rate-limit-policies/rlp_3', query: '', status: 204 },
    returns: undefined,
  },
];

const roleCalls: readonly Auth0Call[] = [
  {
    operation: 'list_roles',
    call: (client) => firstPage(client.roles.list({ name_filter: 'supp', type: 'tenant' })),
    request: {
      method: 'GET',
      path: '/api/v2/roles',
      query: '?per_page=50&page=0&include_totals=true&name_filter=supp&type=tenant',
      status: 200,
    },
    returns: { roles: [roles[1]], start: 0, limit: 50, total: 1 },
  },
  {
    operation: 'create_role',
    call: (client) => client.roles.create({ name: 'Refunds', description: 'Pays back' }),
    request: {
      method: 'POST',
      path: '/api/v2/roles',
      query: '',
      status: 200,
      body: { name: 'Refunds', description: 'Pays back' },
    },
    returns: {
      id: expect.stringMatching(/^rol_[1-9A-Za-z]{16}$/),
      name: 'Refunds',
      description: 'Pays back',
      type: 'tenant',
    },
  },
  {
    operation: 'get_role',
    call: (client) => client.roles.get('rol_1'),
    request: { method: 'GET', path: '/api/v2/roles/rol_1', query: '', status: 200 },
    returns: roles[1],
  },
  {
    operation: 'update_role',
    call: (client) => client.roles.update('rol_2', { description: 'Does everything' }),
    request: {
      method: 'PATCH',
      path: '/api/v2/roles/rol_2',
      query: '',
      status: 200,
      body: { description: 'Does everything' },
    },
    returns: { ...roles[0], description: 'Does everything' },
  },
  {
    operation: 'delete_role',
    call: (client) => client.roles.delete('rol_3'),
    request: { method: 'DELETE', path: '/api/v2/roles/rol_3', query: '', status: 200 },
    returns: undefined,
  },
  {
    operation: 'get_client',
    call: (client) => client.clients.get('test-client', { fields: 'client_id,name', include_fields: true }),
    request: {
      method: 'GET',
      path: '/api/v2/clients/test-client',
      query: '?fields=client_id%2Cname&include_fields=true',
      status: 200,
    },
    returns: { client_id: 'test-client', name: 'test-client' },
  },
  {
    operation: 'list_role_users',
    call: (client) => firstPage(client.roles.users.list('rol_1')),
    request: {
      method: 'GET',
      path: '/api/v2/roles/rol_1/users',
      query: '?include_totals=true&take=50',
      status: 200,
    },
    returns: { users },
  },
  {
    operation: 'list_role_groups',
    call: (client) => firstPage(client.roles.groups.get('rol_1', { take: 100 })),
    request: { method: 'GET', path: '/api/v2/roles/rol_1/groups', query: '?take=100', status: 200 },
    returns: { groups },
  },
  {
    operation: 'list_role_permissions',
    call: (client) => firstPage(client.roles.permissions.list('rol_1')),
    request: {
      method: 'GET',
      path: '/api/v2/roles/rol_1/permissions',
      query: '?per_page=50&page=0&include_totals=true',
      status: 200,
    },
    returns: { permissions, start: 0, limit: 50, total: 3 },
  },
  {
    operation: 'add_role_permissions',
    call: (client) => client.roles.permissions.add('rol_2', { permissions: [pair('read:orders')] }),
    request: {
      method: 'POST',
      path: '/api/v2/roles/rol_2/permissions',
      query: '',
      status: 201,
      body: { permissions: [pair('read:orders')] },
    },
    returns: undefined,
  },
  {
    operation: 'remove_role_permissions',
    call: (client) => client.roles.permissions.delete('rol_1', { permissions: [pair('delete:orders')] }),
    request: {
      method: 'DELETE',
      path: '/api/v2/roles/rol_1/permissions',
      query: '',
      status: 204,
      body: { permissions: [pair('delete:orders')] },
    },
    returns: undefined,
  },
];

const scopes = [{ value: 'write:orders' }, { value: 'import:orders', description: 'Import orders' }];
const byIdentifier = '/api/v2/resource-servers/https%3A%2F%2Forders.example%2F';

const apiCalls: readonly Auth0Call[] = [
  {
    operation: 'list_resource_servers',
    call: (client) => firstPage(client.resourceServers.list()),
    request: {
      method: 'GET',
      path: '/api/v2/resource-servers',
      query: '?page=0&per_page=50&include_totals=true',
      status: 200,
    },
    returns: { resource_servers: apis, start: 0, limit: 50, total: 3 },
  },
  {
    operation: 'get_resource_server',
    call: (client) => client.resourceServers.get('https://orders.example/'),
    request: { method: 'GET', path: byIdentifier, query: '', status: 200 },
    returns: orders,
  },
  {
    operation: 'update_resource_server',
    call: (client) => client.resourceServers.update(orders.id, { scopes }),
    request: {
      method: 'PATCH',
      path: `/api/v2/resource-servers/${orders.id}`,
      query: '',
      status: 200,
      body: { scopes },
    },
    returns: { ...orders, scopes },
  },
  {
    operation: 'create_resource_server',
    call: (client) => client.resourceServers.create({ identifier: 'urn:new', scopes }),
    request: {
      method: 'POST',
      path: '/api/v2/resource-servers',
      query: '',
      status: 201,
      body: { identifier: 'urn:new', scopes },
    },
    returns: expect.objectContaining({ identifier: 'urn:new', scopes }),
  },
  {
    operation: 'delete_resource_server',
    call: (client) => client.resourceServers.delete(orders.id),
    request: { method: 'DELETE', path: `/api/v2/resource-servers/${orders.id}`, query: '', status: 204 },
    returns: undefined,
  },
];

const newPartials = { signup: { 'form-content-end': '<p>{{ prompt.name }}</p>' } };

const promptCalls: readonly Auth0Call[] = [
  {
    operation: 'get_prompt_partials',
    call: (client) => client.prompts.partials.get('login'),
    request: { method: 'GET', path: '/api/v2/prompts/login/partials', query: '', status: 200 },
    returns: partials,
  },
  {
    operation: 'set_prompt_partials',
    call: (client) => client.prompts.partials.set('signup', newPartials),
    request: { method: 'PUT', path: '/api/v2/prompts/signup/partials', query: '', status: 200, body: newPartials },
    returns: undefined,
  },
];

const newStream = {
  name: 'users-to-mail',
  subscriptions: [{ event_type: 'user.updated' }],
  destination: webhook,
} as const;

const streamCalls: readonly Auth0Call[] = [
  {
    operation: 'list_event_streams',
    call: (client) => firstPage(client.eventStreams.list({ take: 100 })),
    request: { method: 'GET', path: '/api/v2/event-streams', query: '?take=100', status: 200 },
    returns: { eventStreams: streams },
  },
  {
    operation: 'create_event_stream',
    call: (client) => client.eventStreams.create({ ...newStream, subscriptions: [...newStream.subscriptions] }),
    request: { method: 'POST', path: '/api/v2/event-streams', query: '', status: 201, body: newStream },
    returns: {
      id: expect.stringMatching(/^est_[1-9A-Za-z]{22}$/),
      status: 'enabled',
      ...newStream,
      created_at: `${now}.000Z`,
      updated_at: `${now}.000Z`,
    },
  },
  {
    operation: 'get_event_stream',
    call: (client) => client.eventStreams.get('est_2'),
    request: { method: 'GET', path: '/api/v2/event-streams/est_2', query: '', status: 200 },
    returns: streams[1],
  },
  {
    operation: 'update_event_stream',
    call: (client) => client.eventStreams.update('est_1', { status: 'disabled' }),
    request: {
      method: 'PATCH',
      path: '/api/v2/event-streams/est_1',
      query: '',
      status: 200,
      body: { status: 'disabled' },
    },
    returns: { ...streams[0], status: 'disabled', updated_at: `${now}.000Z` },
  },
  {
    operation: 'delete_event_stream',
    call: (client) => client.eventStreams.delete('est_3'),
    request: { method: 'DELETE', path: '/api/v2/event-streams/est_3', query: '', status: 204 },
    returns: undefined,
  },
];

/** Every operation once, in an order that one tenant accepts. */
export const calls: readonly Auth0Call[] = [
  ...policyCalls,
  ...roleCalls,
  ...describedCalls,
  ...apiCalls,
  ...promptCalls,
  ...streamCalls,
];

/** The first page as the tenant returned it. */
async function firstPage(page: Promise<{ readonly response: unknown }>): Promise<unknown> {
  return (await page).response;
}
