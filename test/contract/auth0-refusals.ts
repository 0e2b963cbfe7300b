import type { ManagementClient, ManagementError } from 'auth0';
import { Management } from 'auth0';
import { buildPermission as pair } from '../support/build-permission.ts';
import { webhook } from './auth0-seed.ts';

/** A call that the tenant refuses. `typed` is null where the package has no class for that status of that operation. */
export interface Refusal {
  readonly name: string;
  readonly call: (client: ManagementClient) => Promise<unknown>;
  readonly typed: (new (...parts: never[]) => ManagementError) | null;
  readonly body: {
    readonly statusCode: number;
    readonly error: string;
    readonly message: string;
    readonly errorCode?: string;
  };
}

const policy = {
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector: 'default',
  configuration: { action: 'allow' },
} as const;
const stream = { name: 'users-to-crm', subscriptions: [{ event_type: 'user.created' }], destination: webhook };
const toAction = { type: 'action', configuration: { action_id: 'act_1' } } as const;

const badRequests: readonly Refusal[] = [
  {
    name: 'a value that breaks a rule',
    call: (client) => client.rateLimitPolicies.create({ ...policy, configuration: { action: 'block', limit: 10_001 } }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'Value must be <= 10000' on property configuration.limit.",
    ),
  },
  {
    name: 'a query that breaks a rule',
    call: (client) => client.rateLimitPolicies.list({ take: 101 }),
    typed: Management.BadRequestError,
    body: badRequest('invalid_query_string', "Query validation error: 'Value must be <= 100' on property take."),
  },
  {
    name: 'roles of an organization without its id',
    call: (client) => client.roles.list({ type: 'organization' }),
    typed: Management.BadRequestError,
    body: badRequest('invalid_query_string', "Query validation error: 'Missing required property: owner_id'."),
  },
  {
    name: 'a role without a name',
    call: (client) => client.roles.create({} as { name: string }),
    typed: Management.BadRequestError,
    body: badRequest('invalid_body', "Payload validation error: 'Missing required property: name'."),
  },
  {
    name: 'a field that a role cannot change',
    call: (client) => client.roles.update('rol_1', { type: 'organization' } as object),
    typed: Management.BadRequestError,
    body: badRequest('invalid_body', "Payload validation error: 'Additional properties not allowed: type'."),
  },
  {
    name: 'no permission',
    call: (client) => client.roles.permissions.delete('rol_1', { permissions: [] }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'Array is too short, minimum 1' on property permissions.",
    ),
  },
  {
    name: 'a text that is too long',
    call: (client) => client.prompts.partials.set('login', { login: { 'form-content-start': 'x'.repeat(10_001) } }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'String is too long, maximum 10000' on property login.form-content-start.",
    ),
  },
  {
    name: 'a stream with an empty name',
    call: (client) => client.eventStreams.create({ name: '', destination: webhook }),
    typed: Management.BadRequestError,
    body: badRequest('invalid_body', "Payload validation error: 'String is too short, minimum 1' on property name."),
  },
  {
    name: 'another type of destination',
    call: (client) => client.eventStreams.update('est_1', { destination: toAction }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'The destination of this stream cannot be changed' on property destination.",
    ),
  },
  {
    name: 'a permission without a value, which the types of the package do not allow',
    call: (client) => client.resourceServers.update('urn:billing', { scopes: [{} as { value: string }] }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'Missing required property: value' on property scopes[0].",
    ),
  },
  {
    name: 'a permission twice',
    call: (client) => client.resourceServers.update('urn:billing', { scopes: [{ value: 'a' }, { value: 'a' }] }),
    typed: Management.BadRequestError,
    body: badRequest(
      'invalid_body',
      "Payload validation error: 'Another scope has the same value' on property scopes.",
    ),
  },
  {
    name: 'an API of the service itself',
    call: (client) => client.resourceServers.update('000000000000000000000001', { scopes: [] }),
    typed: Management.BadRequestError,
    body: badRequest('invalid_body', "Payload validation error: 'Additional properties not allowed: scopes'."),
  },
  {
    name: 'an id that is none',
    call: (client) => client.eventStreams.get('users-to-crm'),
    typed: null,
    body: badRequest(
      'invalid_uri',
      "Path validation error: 'Value didn't pass validation for format event-stream-id' on property id.",
    ),
  },
];

const noPolicy = notFound('The rate limit policy does not exist.');
const noRole = notFound('The role does not exist.');
const noApi = { ...notFound('The resource server does not exist'), errorCode: 'inexistent_resource_server' };
const noStream = notFound('The requested stream does not exist.');
const unknownApi = { resource_server_identifier: 'https://gone.example/', permission_name: 'read:orders' };

const notFounds: readonly Refusal[] = [
  {
    name: 'get a policy',
    call: (client) => client.rateLimitPolicies.get('rlp_9'),
    typed: Management.NotFoundError,
    body: noPolicy,
  },
  {
    name: 'update a policy',
    call: (client) => client.rateLimitPolicies.update('rlp_9', { configuration: { action: 'allow' } }),
    typed: Management.NotFoundError,
    body: noPolicy,
  },
  {
    name: 'delete a policy',
    call: (client) => client.rateLimitPolicies.delete('rlp_9'),
    typed: Management.NotFoundError,
    body: noPolicy,
  },
  {
    name: 'get a role',
    call: (client) => client.roles.get('rol_9'),
    typed: Management.NotFoundError,
    body: noRole,
  },
  {
    name: 'update a role',
    call: (client) => client.roles.update('rol_9', { description: '' }),
    typed: null,
    body: noRole,
  },
  {
    name: 'delete a role',
    call: (client) => client.roles.delete('rol_9'),
    typed: Management.NotFoundError,
    body: noRole,
  },
  {
    name: 'users of a role',
    call: (client) => client.roles.users.list('rol_9'),
    typed: Management.NotFoundError,
    body: noRole,
  },
  {
    name: 'get an API',
    call: (client) => client.resourceServers.get('https://gone.example/'),
    typed: Management.NotFoundError,
    body: noApi,
  },
  {
    name: 'update an API',
    call: (client) => client.resourceServers.update('https://gone.example/', { scopes: [] }),
    typed: null,
    body: noApi,
  },
  {
    name: 'permissions of a role',
    call: (client) => client.roles.permissions.list('rol_9'),
    typed: Management.NotFoundError,
    body: noRole,
  },
  {
    name: 'add to a role',
    call: (client) => client.roles.permissions.add('rol_9', { permissions: [pair('read:orders')] }),
    typed: Management.NotFoundError,
    body: noRole,
  },
  {
    name: 'add of an unknown API',
    call: (client) => client.roles.permissions.add('rol_1', { permissions: [unknownApi] }),
    typed: Management.NotFoundError,
    body: {
      ...notFound("The resource server does not exist: 'https://gone.example/'"),
      errorCode: 'inexistent_resource_server',
    },
  },
  {
    name: 'remove from a role',
    call: (client) => client.roles.permissions.delete('rol_9', { permissions: [pair('read:orders')] }),
    typed: null,
    body: noRole,
  },
  {
    name: 'get a stream',
    call: (client) => client.eventStreams.get('est_9'),
    typed: Management.NotFoundError,
    body: noStream,
  },
  {
    name: 'update a stream',
    call: (client) => client.eventStreams.update('est_9', { status: 'enabled' }),
    typed: null,
    body: noStream,
  },
];

const nameInUse = conflict('event_stream_conflict', 'An event stream with this name already exists.');

const roleExists = conflict('role_conflict', 'The role already exists.');

const conflicts: readonly Refusal[] = [
  {
    name: 'a policy of the same identity',
    call: (client) => client.rateLimitPolicies.create(policy),
    typed: Management.ConflictError,
    body: conflict(
      'rate_limit_policy_conflict',
      'A rate limit policy with the same resource, consumer and consumer_selector already exists.',
    ),
  },
  {
    name: 'a role of the same name',
    call: (client) => client.roles.create({ name: 'Support' }),
    typed: Management.ConflictError,
    body: roleExists,
  },
  {
    name: 'a role renamed to the name of another',
    call: (client) => client.roles.update('rol_2', { name: 'Support' }),
    typed: null,
    body: roleExists,
  },
  {
    name: 'a stream of the same name',
    call: (client) => client.eventStreams.create(stream),
    typed: Management.ConflictError,
    body: nameInUse,
  },
  {
    name: 'a stream renamed to the name of another',
    call: (client) => client.eventStreams.update('est_2', { name: 'users-to-crm' }),
    typed: null,
    body: nameInUse,
  },
];

export const refusals: readonly Refusal[] = [...badRequests, ...notFounds, ...conflicts];

function badRequest(errorCode: string, message: string) {
  return { statusCode: 400, error: 'Bad Request', message, errorCode };
}

function notFound(message: string) {
  return { statusCode: 404, error: 'Not Found', message };
}

function conflict(errorCode: string, message: string) {
  return { statusCode: 409, error: 'Conflict', message, errorCode };
}
