/** Requests, and the responses that the specification or docs/internals/adr/0005-embedded-tenant.md requires. */

import { expect } from 'vitest';
import { buildPermission as pair } from '../support/build-permission.ts';
import { documentedPrompts } from '../support/documented-prompts.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';
import { longestId, longestSelector } from './contract-seed.ts';

export interface ContractRequest {
  /** Section of the service specification. */
  readonly section: string;
  readonly name: string;
  readonly method: string;
  /** From the host on. */
  readonly path: string;
  /** Client whose token is sent; null sends none. Default: the test client. */
  readonly client?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | object;
  readonly status: number;
  readonly response?: {
    readonly body?: object;
    /** Keys that the body must not have. */
    readonly absent?: readonly string[];
    /** Length of the array under this key. */
    readonly length?: readonly [string, number];
    readonly headers?: Readonly<Record<string, string>>;
  };
}

const anyText: unknown = expect.stringMatching(/./);
const policies = '/api/v2/rate-limit-policies';
const streams = '/api/v2/event-streams';
const support = '/api/v2/roles/rol_support/permissions';
const partials = (prompt: string) => `/api/v2/prompts/${prompt}/partials`;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

const list = (
  name: string,
  query: string,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '4.1 list rate limit policies',
  name,
  method: 'GET',
  path: `${policies}${query}`,
  status,
  response,
});
const badQuery = (rule: string) => ({
  body: {
    statusCode: 400,
    error: 'Bad Request',
    errorCode: 'invalid_query_string',
    message: `Query validation error: ${rule}.`,
  },
});

const listPolicies: readonly ContractRequest[] = [
  list('a page of 50 without take', '', 200, { length: ['rate_limit_policies', 50], body: { next: anyText } }),
  list('take=1', '?take=1', 200, { length: ['rate_limit_policies', 1] }),
  list('take=100', '?take=100', 200, { length: ['rate_limit_policies', 100], body: { next: anyText } }),
  list('take=0', '?take=0', 400, badQuery("'Value must be >= 1' on property take")),
  list('take=101', '?take=101', 400, badQuery("'Value must be <= 100' on property take")),
  list('take=-1', '?take=-1', 400, badQuery("'Value must be >= 1' on property take")),
  list('take=1.5', '?take=1.5', 400, badQuery("'Expected type integer but found type string' on property take")),
  list('take in words', '?take=ten', 400, badQuery("'Expected type integer but found type string' on property take")),
  list(
    'take without a value',
    '?take=',
    400,
    badQuery("'Expected type integer but found type string' on property take"),
  ),
  list(
    'take with a leading zero',
    '?take=01',
    400,
    badQuery("'Expected type integer but found type string' on property take"),
  ),
  list(
    'take in exponent form',
    '?take=1e1',
    400,
    badQuery("'Expected type integer but found type string' on property take"),
  ),
  list('take twice', '?take=1&take=2', 400, badQuery("'Parameter given more than once' on property take")),
  list('an unknown parameter', '?per_page=50', 400, badQuery("'Additional properties not allowed: per_page'")),
  list('the resource', '?resource=oauth_authentication_api', 200, { length: ['rate_limit_policies', 50] }),
  list(
    'another resource',
    '?resource=management_api',
    400,
    badQuery("'Expected one of: oauth_authentication_api' on property resource"),
  ),
  list('the consumer', '?consumer=client', 200, { length: ['rate_limit_policies', 50] }),
  list('another consumer', '?consumer=user', 400, badQuery("'Expected one of: client' on property consumer")),
  list('selector default', '?consumer_selector=default', 200, {
    length: ['rate_limit_policies', 1],
    body: { rate_limit_policies: [{ id: longestId, configuration: { action: 'allow' } }] },
    absent: ['next'],
  }),
  list('selector third_party_clients', '?consumer_selector=third_party_clients', 200, {
    body: { rate_limit_policies: [{ id: 'rlp_3third', configuration: { action: 'log', limit: 10000 } }] },
  }),
  list('selector cimd_clients', '?consumer_selector=cimd_clients', 200, {
    body: {
      rate_limit_policies: [
        { configuration: { action: 'redirect', limit: 0, redirect_uri: 'https://acme.example/slow' } },
      ],
    },
  }),
  list('selector of a client id', '?consumer_selector=client_id:app-007', 200, {
    body: { rate_limit_policies: [{ id: 'rlp_1007' }] },
  }),
  list(
    'selector of a CIMD URI',
    `?consumer_selector=${encodeURIComponent('client_id:https://app.example/cimd.json')}`,
    200,
    {
      body: { rate_limit_policies: [{ id: 'rlp_5uri' }] },
    },
  ),
  list('selector of no policy', '?consumer_selector=client_id:nobody', 200, {
    length: ['rate_limit_policies', 0],
    absent: ['next'],
  }),
  list(
    'selector of no known form',
    '?consumer_selector=everyone',
    400,
    badQuery("'Value has none of the allowed forms' on property consumer_selector"),
  ),
  list(
    'selector without a client id',
    '?consumer_selector=client_id:',
    400,
    badQuery("'Value has none of the allowed forms' on property consumer_selector"),
  ),
  list(
    'all filters together',
    '?resource=oauth_authentication_api&consumer=client&consumer_selector=default&take=100',
    200,
    {
      length: ['rate_limit_policies', 1],
    },
  ),
  list('a malformed escape', '?consumer_selector=%zz', 400, badQuery("'Malformed percent-encoding'")),
  list('an empty cursor', '?from=', 400, badQuery("'String is too short, minimum 1' on property from")),
];

const limits: readonly ContractRequest[] = [
  {
    ...list('selector of 255 characters', `?consumer_selector=${longestSelector}`, 200, {
      length: ['rate_limit_policies', 1],
    }),
    section: '8 limits',
  },
  {
    ...list(
      'selector of 256 characters',
      `?consumer_selector=${longestSelector}x`,
      400,
      badQuery("'String is too long, maximum 255' on property consumer_selector"),
    ),
    section: '8 limits',
  },
  {
    ...list('cursor of 1000 characters', `?from=${'x'.repeat(1000)}`, 200, { length: ['rate_limit_policies', 0] }),
    section: '8 limits',
  },
  {
    ...list(
      'cursor of 1001 characters',
      `?from=${'x'.repeat(1001)}`,
      400,
      badQuery("'String is too long, maximum 1000' on property from"),
    ),
    section: '8 limits',
  },
];

const remove = (
  name: string,
  id: string,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '4.2 delete a rate limit policy',
  name,
  method: 'DELETE',
  path: `${policies}/${id}`,
  status,
  response,
});
const badPath = (rule: string) => ({
  body: { statusCode: 400, errorCode: 'invalid_uri', message: `Path validation error: ${rule}.` },
});

const deletePolicy: readonly ContractRequest[] = [
  remove('an existing policy', 'rlp_1007', 204),
  remove('an id of 26 characters', longestId, 204),
  remove('an id of 27 characters', `${longestId}2`, 400, badPath("'String is too long, maximum 26' on property id")),
  remove('an unknown id', 'rlp_unknown', 404, {
    body: { statusCode: 404, error: 'Not Found', message: 'The rate limit policy does not exist.' },
    absent: ['errorCode'],
  }),
  remove(
    'an id of a bad form',
    'rlp%201',
    400,
    badPath("'Value didn't pass validation for format rate-limit-policy-id' on property id"),
  ),
  remove(
    'an id with an encoded slash',
    'a%2Fb',
    400,
    badPath("'Value didn't pass validation for format rate-limit-policy-id' on property id"),
  ),
  remove('an id with a broken escape', '%zz', 400, badPath("'Malformed percent-encoding'")),
  remove('no id', '', 404),
  remove('a query', 'rlp_1007?force=true', 400, badQuery("'Additional properties not allowed: force'")),
  {
    ...remove('a body', 'rlp_1007', 400, {
      body: { errorCode: 'invalid_body', message: "Payload validation error: 'No body is allowed'." },
    }),
    body: {},
  },
];

const badBody = (rule: string) => ({
  body: {
    statusCode: 400,
    error: 'Bad Request',
    errorCode: 'invalid_body',
    message: `Payload validation error: ${rule}.`,
  },
});
const strip = (
  name: string,
  body: string | object,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '4.3 remove permissions from a role',
  name,
  method: 'DELETE',
  path: support,
  headers: typeof body === 'string' ? form : json,
  body,
  status,
  response,
});
const formPair = (index: number, name: string) =>
  `permissions[${index}][resource_server_identifier]=${encodeURIComponent('https://orders.example/')}&permissions[${index}][permission_name]=${name}`;
const thousand = Array.from({ length: 1000 }, (_unused, index) => index);

const removePermissions: readonly ContractRequest[] = [
  strip('one pair as JSON', { permissions: [pair('delete:orders')] }, 204),
  strip('one pair as a form', formPair(0, 'delete:orders'), 204),
  strip('one pair as an encoded form', encodeURI(formPair(0, 'delete:orders')), 204),
  strip('a pair that is not held', { permissions: [pair('approve:orders')] }, 204),
  strip('the same pair twice', { permissions: [pair('read:orders'), pair('read:orders')] }, 204),
  strip('1,000 pairs as JSON', { permissions: thousand.map((index) => pair(`p${index}`)) }, 204),
  strip('1,000 pairs as a form', thousand.map((index) => formPair(index, `p${index}`)).join('&'), 204),
  {
    ...strip('a role without permissions', { permissions: [pair('x')] }, 204),
    path: '/api/v2/roles/rol_unused/permissions',
  },
  {
    ...strip('an unknown role', { permissions: [pair('x')] }, 404, {
      body: { statusCode: 404, message: 'The role does not exist.' },
      absent: ['errorCode'],
    }),
    path: '/api/v2/roles/rol_none/permissions',
  },
  {
    ...strip(
      'a role id of white space',
      { permissions: [pair('x')] },
      400,
      badPath("'Value didn't pass validation for format path-segment' on property id"),
    ),
    path: '/api/v2/roles/%20/permissions',
  },
  strip('no pair', { permissions: [] }, 400, badBody("'Array is too short, minimum 1' on property permissions")),
  strip(
    'permissions of null',
    { permissions: null },
    400,
    badBody("'Expected type array but found type null' on property permissions"),
  ),
  strip('no permissions', {}, 400, badBody("'Missing required property: permissions'")),
  strip(
    'a pair without a name',
    { permissions: [{ resource_server_identifier: 'x' }] },
    400,
    badBody("'Missing required property: permission_name' on property permissions[0]"),
  ),
  strip(
    'a form pair without a name',
    'permissions[0][resource_server_identifier]=x',
    400,
    badBody("'Missing required property: permission_name' on property permissions[0]"),
  ),
  strip(
    'a pair without a resource server',
    { permissions: [{ permission_name: 'x' }] },
    400,
    badBody("'Missing required property: resource_server_identifier' on property permissions[0]"),
  ),
  strip(
    'a name of the wrong type',
    { permissions: [{ ...pair('x'), permission_name: 7 }] },
    400,
    badBody("'Expected type string but found type number' on property permissions[0].permission_name"),
  ),
  strip(
    'an empty name',
    { permissions: [pair('')] },
    400,
    badBody("'String is too short, minimum 1' on property permissions[0].permission_name"),
  ),
  strip(
    'an unknown field of a pair',
    { permissions: [{ ...pair('x'), id: 'x' }] },
    400,
    badBody("'Additional properties not allowed: id' on property permissions[0]"),
  ),
  strip(
    'an unknown field',
    { permissions: [pair('x')], force: true },
    400,
    badBody("'Additional properties not allowed: force'"),
  ),
  strip('an array as body', [pair('x')], 400, badBody("'Expected type object but found type array'")),
  { ...strip('no body', '', 400, badBody("'Missing body'")), headers: json },
  {
    ...strip('broken JSON', '{"permissions":', 400, badBody("'The body is not well-formed application/json'")),
    headers: json,
  },
  {
    ...strip(
      'a body of text',
      'permissions',
      400,
      badBody("'Content-Type must be one of: application/json, application/x-www-form-urlencoded'"),
    ),
    headers: { 'Content-Type': 'text/plain' },
  },
  {
    ...strip('JSON with a charset', JSON.stringify({ permissions: [pair('x')] }), 204),
    headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
  },
  {
    ...strip('JSON with another charset', JSON.stringify({ permissions: [pair('x')] }), 415, {
      body: { statusCode: 415, message: 'The charset of the body must be UTF-8.' },
    }),
    headers: { 'Content-Type': 'application/json; charset=iso-8859-1' },
  },
  strip(
    'form pairs without an index',
    formPair(0, 'delete:orders').replaceAll('[0]', '[]'),
    400,
    badBody("'The body is not well-formed application/x-www-form-urlencoded'"),
  ),
  strip(
    'a form that is nested too deep',
    'permissions[0][a][b][c][d][e][f][g]=x',
    400,
    badBody("'The body is not well-formed application/x-www-form-urlencoded'"),
  ),
  {
    ...strip('a body of more than 1 MB', { permissions: [pair('x'.repeat(1_048_576))] }, 413, {
      body: { statusCode: 413, message: 'The body is larger than 1 MB.' },
    }),
  },
  {
    ...strip('a query', { permissions: [pair('x')] }, 400, badQuery("'Additional properties not allowed: all'")),
    path: `${support}?all=true`,
  },
];

const put = (
  name: string,
  prompt: string,
  body: string | object,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '4.4 set partials for a prompt',
  name,
  method: 'PUT',
  path: partials(prompt),
  headers: typeof body === 'string' ? form : json,
  body,
  status,
  response,
});

const setPartials: readonly ContractRequest[] = [
  ...documentedPrompts.map((prompt) =>
    put(`prompt ${prompt}`, prompt, { [prompt]: { 'form-content-start': '<b>ä</b>\r\n' } }, 200, {
      body: { [prompt]: { 'form-content-start': '<b>ä</b>\r\n' } },
    }),
  ),
  put('a form', 'login', 'login[form-content-start]=%3Cb%3E+%C3%A4', 200, {
    body: { login: { 'form-content-start': '<b> ä' } },
  }),
  put('an empty object', 'login', {}, 200, { absent: ['login'] }),
  put('an empty screen', 'signup', { signup: {}, other: { a: 'b' } }, 200, {
    body: { other: { a: 'b' } },
    absent: ['signup'],
  }),
  put(
    'another prompt',
    'logout',
    {},
    400,
    badPath(`'Expected one of: ${documentedPrompts.join(', ')}' on property prompt`),
  ),
  put(
    'a prompt that only the public facts have',
    'confirmation',
    {},
    400,
    badPath(`'Expected one of: ${documentedPrompts.join(', ')}' on property prompt`),
  ),
  put(
    'a prompt in capitals',
    'Login',
    {},
    400,
    badPath(`'Expected one of: ${documentedPrompts.join(', ')}' on property prompt`),
  ),
  put(
    'a screen of text',
    'login',
    { login: 'text' },
    400,
    badBody("'Expected type object but found type string' on property login"),
  ),
  put(
    'a form screen of text',
    'login',
    'login=text',
    400,
    badBody("'Expected type object but found type string' on property login"),
  ),
  put(
    'a text of null',
    'login',
    { login: { a: null } },
    400,
    badBody("'Expected type string but found type null' on property login.a"),
  ),
  put('an array', 'login', [], 400, badBody("'Expected type object but found type array'")),
  { ...put('no body', 'login', '', 400, badBody("'Missing body'")), headers: form },
  {
    ...put('broken JSON', 'login', '{', 400, badBody("'The body is not well-formed application/json'")),
    headers: json,
  },
  {
    ...put(
      'no content type that is known',
      'login',
      '{}',
      400,
      badBody("'Content-Type must be one of: application/json, application/x-www-form-urlencoded'"),
    ),
    headers: { 'Content-Type': 'multipart/form-data' },
  },
];

const listStream = (
  name: string,
  query: string,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '4.5 list event streams',
  name,
  method: 'GET',
  path: `${streams}${query}`,
  status,
  response,
});

const listStreams: readonly ContractRequest[] = [
  listStream('a page of 50 without take', '', 200, { length: ['eventStreams', 50], body: { next: 'est_050' } }),
  listStream('take=1', '?take=1', 200, { length: ['eventStreams', 1], body: { next: 'est_001' } }),
  listStream('take=100', '?take=100', 200, { length: ['eventStreams', 100], body: { next: 'est_100' } }),
  listStream('take=0', '?take=0', 400, badQuery("'Value must be >= 1' on property take")),
  listStream('take=101', '?take=101', 400, badQuery("'Value must be <= 100' on property take")),
  listStream('from an id, which is included', '?from=est_119', 200, {
    body: { eventStreams: [{ id: 'est_119' }, { id: 'est_120' }] },
    absent: ['next'],
  }),
  listStream('a full last page', '?from=est_021&take=100', 200, { length: ['eventStreams', 100], absent: ['next'] }),
  listStream('from an id behind the last', '?from=zzz', 200, { length: ['eventStreams', 0], absent: ['next'] }),
  listStream('an unknown parameter', '?name=crm', 400, badQuery("'Additional properties not allowed: name'")),
  listStream('a shape without the secret', '?take=1', 200, {
    body: {
      eventStreams: [
        {
          destination: {
            type: 'webhook',
            configuration: { webhook_authorization: { method: 'basic', username: 'crm' } },
          },
        },
      ],
    },
  }),
];

/** One valid request per operation; the fifth scope of the list is for the fifth operation. */
export const validRequests: readonly ContractRequest[] = [
  list('list', '', 200),
  remove('delete', 'rlp_1007', 204),
  strip('remove', { permissions: [pair('read:orders')] }, 204),
  put('put', 'login', {}, 200),
  listStream('list streams', '', 200),
];

const scopes: readonly ContractRequest[] = validRequests.flatMap((request, index) => {
  const scope =
    ['read:rate_limit_policies', 'delete:rate_limit_policies', 'update:roles', 'update:prompts', 'read:event_streams'][
      index
    ] ?? '';
  const refused = {
    ...request,
    section: '5 scopes',
    status: 403,
    response: {
      body: {
        statusCode: 403,
        error: 'Forbidden',
        errorCode: 'insufficient_scope',
        message: `Insufficient scope, expected any of: ${scope}`,
      },
    },
  };
  return [
    { ...refused, name: `${request.name} without ${scope} only`, client: `without ${scope}` },
    { ...refused, name: `${request.name} without any scope`, client: 'no-scopes' },
    { ...request, section: '5 scopes', name: `${request.name} with ${scope}` },
  ];
});

const noToken: readonly ContractRequest[] = validRequests.flatMap((request) => [
  {
    ...request,
    section: '7 errors',
    name: `${request.name} without a token`,
    client: null,
    status: 401,
    response: {
      body: { statusCode: 401, error: 'Unauthorized', message: 'Missing authentication' },
      absent: ['errorCode'],
      headers: { 'WWW-Authenticate': 'Bearer' },
    },
  },
  {
    ...request,
    section: '7 errors',
    name: `${request.name} as a client that is not global`,
    client: 'local',
    status: 401,
    response: {
      body: { statusCode: 401, message: 'Client is not global', attributes: { error: 'Client is not global' } },
    },
  },
]);

const order: readonly ContractRequest[] = [
  { ...list('401 stands before 400', '?take=0', 401), section: '7 errors', client: null },
  { ...list('403 stands before 400', '?take=0', 403), section: '7 errors', client: 'no-scopes' },
  { ...remove('403 stands before 404', 'rlp_unknown', 403), section: '7 errors', client: 'no-scopes' },
  { ...remove('400 stands before 404', 'rlp_unknown?x=1', 400), section: '7 errors' },
];

const unknown: readonly ContractRequest[] = [
  {
    section: '9 versioning',
    name: 'another version',
    method: 'GET',
    path: '/api/v1/rate-limit-policies',
    status: 404,
    response: { body: { statusCode: 404, error: 'Not Found' } },
  },
  { section: '9 versioning', name: 'no version', method: 'GET', path: '/rate-limit-policies', status: 404 },
  {
    section: '1 operations',
    name: 'an operation that is not shown',
    method: 'GET',
    path: '/api/v2/clients',
    status: 404,
  },
  { section: '1 operations', name: 'a last slash', method: 'GET', path: `${policies}/`, status: 404 },
  {
    section: '1 operations',
    name: 'create a policy',
    method: 'POST',
    path: policies,
    body: {},
    headers: json,
    status: 405,
    response: { headers: { Allow: 'GET, HEAD' } },
  },
  { section: '1 operations', name: 'only the head of a listing', method: 'HEAD', path: policies, status: 200 },
  {
    section: '1 operations',
    name: 'read one policy',
    method: 'GET',
    path: `${policies}/rlp_1007`,
    status: 405,
    response: { headers: { Allow: 'DELETE' } },
  },
  {
    section: '1 operations',
    name: 'list the permissions of a role',
    method: 'GET',
    path: support,
    status: 405,
    response: { headers: { Allow: 'DELETE' } },
  },
  {
    section: '1 operations',
    name: 'read partials',
    method: 'GET',
    path: partials('login'),
    status: 405,
    response: { headers: { Allow: 'PUT' } },
  },
];

const credentials = {
  grant_type: 'client_credentials',
  client_id: testClient.client_id,
  client_secret: testClient.client_secret,
  audience: '/api/v2/',
};
const token = (
  name: string,
  body: string | object,
  status: number,
  response: ContractRequest['response'] = {},
): ContractRequest => ({
  section: '5 token endpoint',
  name,
  method: 'POST',
  path: '/oauth/token/',
  client: null,
  headers: typeof body === 'string' ? form : json,
  body,
  status,
  response,
});
const encode = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const issued = {
  body: { token_type: 'Bearer', expires_in: 86400, scope: allScopes.join(' '), access_token: anyText },
  headers: { 'Cache-Control': 'no-store' },
};
const oauthError = (error: string, error_description: string) => ({
  body: { error, error_description },
  absent: ['statusCode', 'access_token'],
});

const tokens: readonly ContractRequest[] = [
  token('a form', encode(credentials), 200, issued),
  { ...token('a form, without the last slash', encode(credentials), 200, issued), path: '/oauth/token' },
  token('JSON', credentials, 200, issued),
  token('parameters that are not known', encode({ ...credentials, scope: 'read:roles', foo: 'bar' }), 200, issued),
  token('a client without scopes', encode({ ...credentials, client_id: 'no-scopes' }), 200, { body: { scope: '' } }),
  token('a client that is not global', encode({ ...credentials, client_id: 'local' }), 200),
  token(
    'a wrong secret',
    encode({ ...credentials, client_secret: 'wrong' }),
    401,
    oauthError('access_denied', 'Unauthorized'),
  ),
  token(
    'an unknown client',
    encode({ ...credentials, client_id: 'nobody' }),
    401,
    oauthError('access_denied', 'Unauthorized'),
  ),
  token(
    'an unknown audience',
    encode({ ...credentials, audience: 'https://other.example/api/v2/' }),
    403,
    oauthError('access_denied', 'Client is not authorized to access this audience'),
  ),
  token('an audience without its slash', encode({ ...credentials, audience: '/api/v2' }), 403),
  token(
    'another grant type',
    encode({ ...credentials, grant_type: 'password' }),
    400,
    oauthError('unsupported_grant_type', 'grant_type must be client_credentials'),
  ),
  token(
    'no grant type',
    encode({ ...credentials, grant_type: '' }),
    400,
    oauthError('invalid_request', 'Missing or invalid parameter: grant_type'),
  ),
  token(
    'no client id',
    encode({ ...credentials, client_id: '' }),
    400,
    oauthError('invalid_request', 'Missing or invalid parameter: client_id'),
  ),
  token(
    'a secret of the wrong type',
    { ...credentials, client_secret: 7 },
    400,
    oauthError('invalid_request', 'Missing or invalid parameter: client_secret'),
  ),
  token(
    'no audience',
    { ...credentials, audience: undefined },
    400,
    oauthError('invalid_request', 'Missing or invalid parameter: audience'),
  ),
  {
    ...token('JSON null', 'null', 400, oauthError('invalid_request', 'Missing or invalid parameter: grant_type')),
    headers: json,
  },
  { ...token('broken JSON', '{', 400), headers: json },
  token(
    'no body',
    '',
    400,
    oauthError('invalid_request', 'A body is needed, in one of: application/x-www-form-urlencoded, application/json'),
  ),
  { ...token('another media type', 'x', 400), headers: { 'Content-Type': 'text/plain' } },
  token(
    'more than 1 MB',
    encode({ ...credentials, foo: 'x'.repeat(1_048_576) }),
    413,
    oauthError('invalid_request', 'The body is larger than 1 MB'),
  ),
  {
    section: '5 token endpoint',
    name: 'GET',
    method: 'GET',
    path: '/oauth/token/',
    client: null,
    status: 405,
    response: { headers: { Allow: 'POST' } },
  },
];

export const requests: readonly ContractRequest[] = [
  ...listPolicies,
  ...limits,
  ...deletePolicy,
  ...removePermissions,
  ...setPartials,
  ...listStreams,
  ...scopes,
  ...noToken,
  ...order,
  ...unknown,
  ...tokens,
];
