import { documentedPrompts } from '../support/documented-prompts.ts';
import {
  accepts,
  formPair,
  get,
  pair,
  policies,
  refuses,
  row,
  type Statement,
  section,
  send,
  streams,
  support,
} from './statement.ts';

const all = section('4');
const list = section('4.1');
const remove = section('4.2');
const strip = section('4.3');
const put = section('4.4');
const listStreams = section('4.5');

const login = '/prompts/login/partials';
const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
const partials = { login: { 'form-content-start': 'a' } };
const other = pair('delete:orders');

export const operations: readonly Statement[] = [
  all(
    'Bodies are JSON where nothing else is stated.',
    get(policies, { status: 200, contentType: 'application/json' }),
    send('PUT', login, partials, { status: 200, contentType: 'application/json' }),
    send('PUT', login, 'a', 400, { headers: { 'Content-Type': 'text/plain' } }),
  ),
  all(
    'Every operation needs a token.',
    get(policies, 401, { token: 'none' }),
    send('DELETE', `${policies}/rlp_1007`, undefined, 401, { token: 'none' }),
    send('DELETE', support, { permissions: [other] }, 401, { token: 'none' }),
    send('PUT', login, partials, 401, { token: 'none' }),
    get(streams, 401, { token: 'none' }),
  ),

  list('GET /rate-limit-policies lists policies.', get(policies, 200)),
  list(
    'The listing is in early access.',
    row('list_rate_limit_policies', { method: 'GET', path: policies, lifecycle: 'early access' }),
  ),
  list(
    'The listing needs the scope read:rate_limit_policies.',
    row('list_rate_limit_policies', { scope: 'read:rate_limit_policies' }),
    get(policies, 200, { token: 'only read:rate_limit_policies' }),
    get(policies, 403, { token: 'without read:rate_limit_policies' }),
  ),
  list('No parameter of the query is needed.', get(policies, 200), ...accepts('policies query', {})),
  list(
    'resource filters by the protected API.',
    get(`${policies}?resource=oauth_authentication_api`, { status: 200, length: ['rate_limit_policies', 50] }),
    ...accepts('policies query', { resource: 'oauth_authentication_api' }),
  ),
  list(
    'resource has one value.',
    get(`${policies}?resource=management_api`, { status: 400, message: 'on property resource' }),
    ...refuses('policies query', { resource: 'management_api' }),
  ),
  list(
    'consumer filters by the consumer.',
    get(`${policies}?consumer=client`, { status: 200, length: ['rate_limit_policies', 50] }),
    ...accepts('policies query', { consumer: 'client' }),
  ),
  list(
    'consumer has one value.',
    get(`${policies}?consumer=user`, { status: 400, message: 'on property consumer' }),
    ...refuses('policies query', { consumer: 'user' }),
  ),
  list(
    'consumer_selector filters by the selector.',
    get(`${policies}?consumer_selector=client_id:app-007`, {
      status: 200,
      body: { rate_limit_policies: [{ id: 'rlp_1007' }] },
      length: ['rate_limit_policies', 1],
    }),
    get(`${policies}?consumer_selector=client_id:no-app`, { status: 200, length: ['rate_limit_policies', 0] }),
  ),
  list(
    'consumer_selector has at most 255 characters.',
    get(`${policies}?consumer_selector=client_id:${'x'.repeat(245)}`, 200),
    get(`${policies}?consumer_selector=client_id:${'x'.repeat(246)}`, { status: 400, message: 'maximum 255' }),
    ...refuses('policies query', { consumer_selector: `client_id:${'x'.repeat(246)}` }),
  ),
  list(
    'consumer_selector has the forms of a policy.',
    get(`${policies}?consumer_selector=client_id:https%3A%2F%2Fapp.example%2Fcimd.json`, {
      status: 200,
      body: { rate_limit_policies: [{ id: 'rlp_5uri' }] },
    }),
    get(`${policies}?consumer_selector=everyone`, { status: 400, message: 'on property consumer_selector' }),
  ),
  list(
    'take is an integer.',
    get(`${policies}?take=ten`, { status: 400, message: 'type integer' }),
    get(`${policies}?take=1.5`, 400),
    get(`${policies}?take=`, 400),
    ...refuses('policies query', { take: '5' }, { take: 1.5 }),
  ),
  list(
    'The smallest take is 1.',
    get(`${policies}?take=1`, { status: 200, length: ['rate_limit_policies', 1] }),
    get(`${policies}?take=0`, { status: 400, message: '>= 1' }),
    get(`${policies}?take=-1`, 400),
    ...refuses('policies query', { take: 0 }),
  ),
  list(
    'The largest take is 100.',
    get(`${policies}?take=100`, { status: 200, length: ['rate_limit_policies', 100] }),
    get(`${policies}?take=101`, { status: 400, message: '<= 100' }),
    ...refuses('policies query', { take: 101 }),
  ),
  list('Without take, a page has 50 policies.', get(policies, { status: 200, length: ['rate_limit_policies', 50] })),
  list(
    'from has at most 1,000 characters.',
    get(`${policies}?from=${'x'.repeat(1001)}`, { status: 400, message: 'maximum 1000' }),
    ...accepts('policies query', { from: 'x'.repeat(1000) }),
    ...refuses('policies query', { from: 'x'.repeat(1001) }),
  ),
  list('from is the next of the page before.', {
    pages: `${policies}?take=100`,
    items: 'rate_limit_policies',
    expected: { pages: 2, items: 121 },
  }),
  list('The listing has no body.', row('list_rate_limit_policies', { body: undefined }), get(policies, 200)),
  list(
    '200: a page of policies.',
    row('list_rate_limit_policies', { success: 200 }),
    get(policies, { status: 200, has: ['rate_limit_policies'] }),
  ),
  list(
    '400: the query is invalid, with a message that depends on the cause.',
    get(`${policies}?take=0`, { status: 400, message: 'take' }),
    get(`${policies}?per_page=5`, { status: 400, message: 'per_page' }),
  ),
  list('401: the token is invalid.', get(policies, 401, { token: 'forged' })),
  list('403: the scope is missing.', get(policies, 403, { token: 'no-scopes' })),
  list('429: too many requests.', get(policies, 429, { times: 2 })),

  remove(
    'DELETE /rate-limit-policies/{id} deletes a policy.',
    row('delete_rate_limit_policy', { method: 'DELETE', path: '/rate-limit-policies/{id}' }),
    send('DELETE', `${policies}/rlp_1000`, undefined, {
      status: 204,
      state: ['/rate_limit_policies/0/id', 'rlp_1001'],
    }),
  ),
  remove('The id is needed.', send('DELETE', policies, undefined, 405), send('DELETE', `${policies}/`, undefined, 404)),
  remove(
    'The id is the id of a policy.',
    send('DELETE', `${policies}/rlp_none`, undefined, {
      status: 404,
      state: ['/rate_limit_policies/0/id', 'rlp_1000'],
    }),
  ),
  remove(
    'The id has at most 26 characters.',
    send('DELETE', `${policies}/rlp_2222222222222222222222`, undefined, 204),
    send('DELETE', `${policies}/rlp_22222222222222222222222`, undefined, { status: 400, message: 'maximum 26' }),
  ),
  remove(
    'The request has no body.',
    row('delete_rate_limit_policy', { body: undefined }),
    send('DELETE', `${policies}/rlp_1007`, {}, 400),
  ),
  remove(
    'Not shown: the status of a success. 204, as in the public facts (1.1).',
    send('DELETE', `${policies}/rlp_1007`, undefined, 204),
  ),
  remove('Not shown: the body of a success. None.', row('delete_rate_limit_policy', { response: undefined })),
  remove(
    'Not shown: errors. 404 for an unknown policy.',
    send('DELETE', `${policies}/rlp_none`, undefined, { status: 404, has: ['message'] }),
  ),

  strip(
    'DELETE /roles/{id}/permissions removes permissions from a role.',
    row('remove_role_permissions', { method: 'DELETE', path: '/roles/{id}/permissions' }),
    send(
      'DELETE',
      support,
      { permissions: [other] },
      { status: 204, state: ['/roles/0/permissions', [pair('read:orders')]] },
    ),
  ),
  strip(
    'The id is the id of a role.',
    send('DELETE', '/roles/rol_none/permissions', { permissions: [other] }, 404),
    ...accepts('role parameters', { id: 'rol_1' }),
  ),
  strip(
    'The body may be JSON.',
    send('DELETE', support, { permissions: [other] }, 204),
    row('remove_role_permissions', { body: { encodings: ['application/json', 'application/x-www-form-urlencoded'] } }),
  ),
  strip(
    'The body may be a form.',
    send('DELETE', support, formPair(0, 'delete:orders'), {
      status: 204,
      state: ['/roles/0/permissions', [pair('read:orders')]],
    }),
  ),
  strip('The DELETE has a body.', send('DELETE', support, undefined, { status: 400, message: 'Missing body' })),
  strip(
    'permissions is an array of pairs.',
    send('DELETE', support, { permissions: other }, 400),
    send('DELETE', support, {}, 400),
    ...refuses('pairs', {}, { permissions: other }),
  ),
  strip(
    'permissions has at least one element.',
    send('DELETE', support, { permissions: [] }, { status: 400, message: 'minimum 1' }),
    ...refuses('pairs', { permissions: [] }),
  ),
  strip(
    'Each element has both fields.',
    send(
      'DELETE',
      support,
      { permissions: [other, { permission_name: 'read:orders' }] },
      {
        status: 400,
        state: ['/roles/0/permissions/1', other],
      },
    ),
  ),
  strip(
    'One or more permissions are removed.',
    send(
      'DELETE',
      support,
      { permissions: [other, pair('read:orders')] },
      {
        status: 204,
        state: ['/roles/0/permissions', []],
      },
    ),
    send('DELETE', support, `${formPair(0, 'delete:orders')}&${formPair(1, 'read:orders')}`, {
      status: 204,
      state: ['/roles/0/permissions', []],
    }),
  ),
  strip(
    'Not shown: the status and the body of a success. 204 without a body, as in the public facts (2.1).',
    row('remove_role_permissions', { success: 204, response: undefined }),
  ),
  strip(
    'Not shown: errors. 404 for an unknown role.',
    send('DELETE', '/roles/rol_none/permissions', { permissions: [other] }, { status: 404, has: ['message'] }),
  ),

  put(
    'PUT /prompts/{prompt}/partials sets the partials of a prompt.',
    row('set_prompt_partials', { method: 'PUT', path: '/prompts/{prompt}/partials' }),
    send('PUT', login, partials, { status: 200, state: ['/prompts/login/partials', partials] }),
  ),
  ...documentedPrompts.map((prompt) =>
    put(
      `${prompt} is a prompt.`,
      send('PUT', `/prompts/${prompt}/partials`, partials, 200),
      ...accepts('prompt parameters', { prompt }),
    ),
  ),
  put(
    'There is no other prompt.',
    send('PUT', '/prompts/logout/partials', {}, 400),
    send('PUT', '/prompts/Login/partials', {}, 400),
    send('PUT', '/prompts/confirmation/partials', {}, 400),
    ...refuses('prompt parameters', { prompt: 'logout' }, { prompt: 'confirmation' }, {}),
  ),
  put('The body may be JSON.', send('PUT', login, partials, 200)),
  put(
    'The body may be a form.',
    send('PUT', login, 'login[form-content-start]=a', { status: 200, state: ['/prompts/login/partials', partials] }),
    row('set_prompt_partials', { body: { encodings: ['application/json', 'application/x-www-form-urlencoded'] } }),
  ),
  put('The body is needed.', send('PUT', login, '', 400, form), send('PUT', login, undefined, 400)),
  put(
    'The body is an object of partials for a group of screens.',
    send(
      'PUT',
      '/prompts/passkeys/partials',
      { 'passkey-enrollment': { a: 'b' }, 'passkey-enrollment-local': { a: 'c' } },
      {
        status: 200,
        state: ['/prompts/passkeys/partials/passkey-enrollment-local', { a: 'c' }],
      },
    ),
  ),
  put(
    'Not shown: the status and the body of a success. 200 with what is stored, as in the public facts (3.1).',
    send('PUT', login, partials, { status: 200, body: partials }),
    row('set_prompt_partials', { success: 200 }),
  ),
  put(
    'Not shown: errors. 400 for a body of another shape.',
    send('PUT', login, { login: 7 }, { status: 400, has: ['message'] }),
  ),

  listStreams(
    'GET /event-streams lists streams.',
    row('list_event_streams', { method: 'GET', path: streams }),
    get(streams, 200),
  ),
  listStreams(
    'from is optional, and the id at which the selection starts.',
    get(streams, { status: 200, body: { eventStreams: [{ id: 'est_000' }] } }),
    get(`${streams}?from=est_119`, { status: 200, body: { eventStreams: [{ id: 'est_119' }, { id: 'est_120' }] } }),
  ),
  listStreams(
    'The smallest take is 1.',
    get(`${streams}?take=1`, { status: 200, length: ['eventStreams', 1] }),
    get(`${streams}?take=0`, 400),
    ...refuses('streams query', { take: 0 }),
  ),
  listStreams(
    'The largest take is 100.',
    get(`${streams}?take=100`, { status: 200, length: ['eventStreams', 100] }),
    get(`${streams}?take=101`, 400),
    ...refuses('streams query', { take: 101 }),
  ),
  listStreams('take is an integer.', get(`${streams}?take=x`, 400), ...refuses('streams query', { take: '5' })),
  listStreams('Without take, a page has 50 streams.', get(streams, { status: 200, length: ['eventStreams', 50] })),
  listStreams('The listing has no body.', row('list_event_streams', { body: undefined })),
  listStreams(
    'The response is a page with eventStreams and next.',
    get(streams, { status: 200, keys: ['', ['eventStreams', 'next']], has: ['eventStreams', 'next'] }),
  ),
  listStreams(
    'Not shown: the status of a success. 200, as in the public facts (4.1).',
    row('list_event_streams', { success: 200 }),
  ),
  listStreams(
    'Not shown: errors. The same as of the other listing.',
    get(`${streams}?name=crm`, 400),
    get(streams, 403, { token: 'no-scopes' }),
    get(streams, 429, { times: 2 }),
  ),
];
