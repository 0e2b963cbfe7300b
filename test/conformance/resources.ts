import {
  accepts,
  formPair,
  get,
  noPolicy,
  pair,
  policies,
  policy,
  refuses,
  type Statement,
  section,
  send,
  streams,
  support,
} from './statement.ts';

const base = section('0');
const service = section('1');
const field = section('2.1');
const page = section('2.2');
const stream = section('2.3');
const permission = section('2.4');
const partial = section('2.5');
const state = section('3');

const redirect = { action: 'redirect', limit: 5, redirect_uri: 'https://acme.example/busy' };
const configured = (configuration: object) => ({ configuration });
const policyFields = [
  'id',
  'resource',
  'consumer',
  'consumer_selector',
  'configuration',
  'created_at',
  'updated_at',
] as const;

export const resources: readonly Statement[] = [
  base(
    'Paths are below a base address that ends in /api/v2.',
    get(streams, 200),
    get('/event-streams', 404, { from: 'origin' }),
    ...accepts('base URL', 'https://acme.example/api/v2'),
    ...refuses('base URL', 'https://acme.example/', 'https://acme.example/api/v1', 'https://acme.example/v2/api/v2'),
  ),
  service('The interface is HTTP with JSON.', get(policies, { status: 200, contentType: 'application/json' })),
  service('Rate limit policies can be listed.', get(policies, 200)),
  service('A rate limit policy can be deleted.', send('DELETE', `${policies}/rlp_1007`, undefined, 204)),
  service(
    'Permissions can be removed from a role.',
    send('DELETE', support, { permissions: [pair('read:orders')] }, 204),
  ),
  service('The partials of a prompt can be set.', send('PUT', '/prompts/login/partials', {}, 200)),
  service('Event streams can be listed.', get(streams, 200)),
  service(
    'No other operation is shown.',
    get('/clients', 404),
    send('POST', policies, {}, 405),
    get(`${policies}/rlp_1007`, 405),
    send('PATCH', `${policies}/rlp_1007`, {}, 405),
    get(support, 405),
    get('/prompts/login/partials', 405),
    send('POST', streams, {}, 405),
  ),

  field('A policy has an id.', ...accepts('live policy', {}), ...refuses('live policy', { id: undefined })),
  field('The id is text.', ...refuses('live policy', { id: 7 })),
  field(
    'The id has at most 26 characters.',
    ...accepts('live policy', { id: 'x'.repeat(26) }),
    send('DELETE', `${policies}/${'x'.repeat(26)}`, undefined, 404),
    send('DELETE', `${policies}/${'x'.repeat(27)}`, undefined, { status: 400, message: 'maximum 26' }),
  ),
  field(
    'The id has the format rate-limit-policy-id.',
    send('DELETE', `${policies}/rlp%201`, undefined, { status: 400, message: 'rate-limit-policy-id' }),
  ),
  field('A policy has a resource.', noPolicy({ resource: undefined })),
  field('The only resource is oauth_authentication_api.', policy({}), noPolicy({ resource: 'management_api' })),
  field('A policy has a consumer.', noPolicy({ consumer: undefined })),
  field('The only consumer is client.', policy({}), noPolicy({ consumer: 'user' })),
  field('A policy has a consumer_selector.', noPolicy({ consumer_selector: undefined })),
  field('The consumer_selector is text.', noPolicy({ consumer_selector: 7 })),
  field(
    'The consumer_selector has at most 255 characters.',
    policy({ consumer_selector: `client_id:${'y'.repeat(245)}` }),
    noPolicy({ consumer_selector: `client_id:${'y'.repeat(246)}` }),
  ),
  field(
    'A selector names one client by its id.',
    policy({ consumer_selector: 'client_id:new-app' }),
    noPolicy({ consumer_selector: 'client_id:' }),
  ),
  field(
    'A selector names one CIMD client by its URI.',
    policy({ consumer_selector: 'client_id:https://new.example/cimd.json' }),
    noPolicy({ consumer_selector: 'client_id:https:///cimd.json' }),
  ),
  field(
    'cimd_clients selects all CIMD clients.',
    get(`${policies}?consumer_selector=cimd_clients`, { status: 200, length: ['rate_limit_policies', 1] }),
    ...accepts('live policy', { consumer_selector: 'cimd_clients' }),
    ...accepts('declared policy', { consumer_selector: 'cimd_clients' }),
  ),
  field(
    'third_party_clients selects all third-party clients.',
    get(`${policies}?consumer_selector=third_party_clients`, { status: 200, length: ['rate_limit_policies', 1] }),
    ...accepts('live policy', { consumer_selector: 'third_party_clients' }),
    ...accepts('declared policy', { consumer_selector: 'third_party_clients' }),
  ),
  field(
    'default selects every consumer without a policy of its own.',
    get(`${policies}?consumer_selector=default`, { status: 200, length: ['rate_limit_policies', 1] }),
    ...accepts('declared policy', { consumer_selector: 'default' }),
  ),
  field(
    'There is no other form of a selector.',
    noPolicy({ consumer_selector: 'everyone' }),
    noPolicy({ consumer_selector: 'Default' }),
    noPolicy({ consumer_selector: '' }),
    get(`${policies}?consumer_selector=everyone`, 400),
  ),
  field('A policy has a configuration.', noPolicy({ configuration: undefined })),
  field('The configuration is an object.', noPolicy({ configuration: 'allow' })),
  field(
    'created_at is optional, and a date-time.',
    ...accepts('live policy', {}, { created_at: '2026-07-06T10:34:38.268912Z' }),
    ...refuses('live policy', { created_at: 'yesterday' }, { created_at: 7 }),
    get(`${policies}?consumer_selector=default`, {
      status: 200,
      body: { rate_limit_policies: [{ created_at: '2026-07-06T10:34:38.268912Z' }] },
    }),
  ),
  field(
    'updated_at is optional, and a date-time.',
    ...accepts('live policy', { updated_at: '2026-07-06T12:34:38+02:00' }),
    ...refuses('live policy', { updated_at: '2026-13-01T00:00:00Z' }),
    get(`${policies}?consumer_selector=default`, {
      status: 200,
      body: { rate_limit_policies: [{ updated_at: '2026-07-06T10:34:38.268912Z' }] },
    }),
  ),
  field(
    'A policy has no other field.',
    noPolicy({ name: 'busy' }),
    get(`${policies}?consumer_selector=default`, { status: 200, keys: ['/rate_limit_policies/0', policyFields] }),
  ),
  field('A configuration has an action.', noPolicy(configured({})), noPolicy(configured({ limit: 5 }))),
  field('There is no other action than the four.', noPolicy(configured({ action: 'throttle', limit: 5 }))),
  field('allow is one form.', policy(configured({ action: 'allow' }))),
  field(
    'allow has no other field.',
    noPolicy(configured({ action: 'allow', limit: 5 })),
    noPolicy(configured({ action: 'allow', redirect_uri: redirect.redirect_uri })),
  ),
  field(
    'block needs a limit.',
    policy(configured({ action: 'block', limit: 5 })),
    noPolicy(configured({ action: 'block' })),
  ),
  field('log needs a limit.', policy(configured({ action: 'log', limit: 5 })), noPolicy(configured({ action: 'log' }))),
  field(
    'block and log have no other field.',
    noPolicy(configured({ ...redirect, action: 'block' })),
    noPolicy(configured({ ...redirect, action: 'log' })),
    noPolicy(configured({ action: 'block', limit: 5, burst: 9 })),
  ),
  field(
    'A limit is an integer.',
    noPolicy(configured({ action: 'block', limit: 1.5 })),
    noPolicy(configured({ action: 'block', limit: '5' })),
    noPolicy(configured({ action: 'block', limit: null })),
  ),
  field(
    'The smallest limit is 0.',
    policy(configured({ action: 'block', limit: 0 })),
    noPolicy(configured({ action: 'block', limit: -1 })),
  ),
  field(
    'The largest limit is 10,000.',
    policy(configured({ action: 'log', limit: 10_000 })),
    noPolicy(configured({ action: 'log', limit: 10_001 })),
  ),
  field(
    'redirect needs a limit.',
    policy(configured(redirect)),
    noPolicy(configured({ ...redirect, limit: undefined })),
  ),
  field('The limit of redirect has the same bounds.', noPolicy(configured({ ...redirect, limit: 10_001 }))),
  field('redirect needs a redirect_uri.', noPolicy(configured({ ...redirect, redirect_uri: undefined }))),
  field(
    'A redirect_uri has the format strict-https-uri.',
    policy(configured({ ...redirect, redirect_uri: 'HTTPS://acme.example:8443/busy?from=%7Blogin%7D#now' })),
    noPolicy(configured({ ...redirect, redirect_uri: 'http://acme.example/busy' })),
    noPolicy(configured({ ...redirect, redirect_uri: '/busy' })),
    noPolicy(configured({ ...redirect, redirect_uri: 'https://acme.example/{busy}' })),
    noPolicy(configured({ ...redirect, redirect_uri: '' })),
  ),
  field('redirect has no other field.', noPolicy(configured({ ...redirect, delay: 5 }))),

  page(
    'A page of policies has the items under rate_limit_policies.',
    get(`${policies}?take=2`, { status: 200, length: ['rate_limit_policies', 2] }),
    ...accepts('policy page', { rate_limit_policies: [] }),
    ...refuses('policy page', { eventStreams: [] }, { rate_limit_policies: {} }, []),
  ),
  page(
    'The next of a page is text, and the from of the following page.',
    get(`${policies}?take=2`, { status: 200, has: ['next'] }),
    { pages: `${policies}?take=50`, items: 'rate_limit_policies', expected: { pages: 3, items: 121 } },
  ),
  page(
    'A page of policies has no other field.',
    get(`${policies}?take=2`, { status: 200, keys: ['', ['rate_limit_policies', 'next']] }),
  ),

  stream('A stream has an id.', get(`${streams}?take=1`, { status: 200, body: { eventStreams: [{ id: 'est_000' }] } })),
  stream(
    'A stream has a name.',
    get(`${streams}?take=1`, { status: 200, body: { eventStreams: [{ name: 'stream-000' }] } }),
    ...accepts('live stream', {}),
  ),
  stream(
    'The subscriptions of a stream are objects with an event_type.',
    get(`${streams}?take=1`, {
      status: 200,
      body: { eventStreams: [{ subscriptions: [{ event_type: 'user.created' }] }] },
    }),
    ...accepts('live stream', { subscriptions: [{ event_type: 'user.created' }] }),
    ...refuses('create stream', { name: 'crm', subscriptions: ['user.created'] }),
  ),
  stream(
    'A destination has a type and a configuration.',
    get(`${streams}?take=1`, {
      status: 200,
      keys: ['/eventStreams/0/destination', ['type', 'configuration']],
      body: { eventStreams: [{ destination: { type: 'webhook' } }] },
    }),
  ),
  stream(
    'The configuration of a webhook has an endpoint.',
    get(`${streams}?take=1`, {
      status: 200,
      body: {
        eventStreams: [{ destination: { configuration: { webhook_endpoint: 'https://crm.example/hook' } } }],
      },
    }),
  ),
  stream(
    'The authorization of a webhook has a method and a user name.',
    get(`${streams}?take=1`, {
      status: 200,
      body: {
        eventStreams: [
          { destination: { configuration: { webhook_authorization: { method: 'basic', username: 'crm' } } } },
        ],
      },
    }),
  ),
  stream(
    'The secret of an authorization is never returned.',
    get(`${streams}?from=est_secret`, {
      status: 200,
      keys: ['/eventStreams/0/destination/configuration/webhook_authorization', ['method', 'username']],
    }),
  ),
  stream('created_at is a date-time.', ...accepts('live stream', { created_at: '2026-07-06T10:34:38.268Z' })),
  stream('updated_at is a date-time.', ...accepts('live stream', { updated_at: '2026-07-06T10:34:38.268Z' })),
  stream(
    'A page of streams has the items under eventStreams, in camel case.',
    get(`${streams}?take=2`, { status: 200, length: ['eventStreams', 2], lacks: ['event_streams'] }),
    ...accepts('stream page', { eventStreams: [] }),
    ...refuses('stream page', { event_streams: [] }, []),
  ),
  stream('A page of streams has a next.', get(`${streams}?take=2`, { status: 200, body: { next: 'est_002' } }), {
    pages: `${streams}?take=50`,
    items: 'eventStreams',
    expected: { pages: 3, items: 122 },
  }),
  stream(
    'Not shown: limits of the fields of a stream. A live stream may have any text.',
    ...accepts('live stream', { name: 'x'.repeat(1000) }),
  ),
  stream(
    'Not shown: other types of destination. A live stream may have any.',
    ...accepts('live stream', { destination: { type: 'kafka', configuration: { brokers: ['b'] } } }),
  ),
  stream(
    'Not shown: other methods of authorization. A live stream may have any.',
    ...accepts('live stream', {
      destination: { type: 'webhook', configuration: { webhook_authorization: { method: 'mtls' } } },
    }),
  ),

  permission(
    'A pair has the identifier of the resource server, as text.',
    send('DELETE', support, { permissions: [{ permission_name: 'read:orders' }] }, 400),
    send('DELETE', support, { permissions: [{ ...pair('read:orders'), resource_server_identifier: 7 }] }, 400),
    ...accepts('pairs', { permissions: [pair('read:orders')] }),
    ...refuses('pairs', { permissions: [{ permission_name: 'read:orders' }] }),
  ),
  permission(
    'A pair has the name of the permission, as text.',
    send('DELETE', support, { permissions: [{ resource_server_identifier: 'https://orders.example/' }] }, 400),
    send('DELETE', support, formPair(0, 'x').replace(/&.*/, ''), 400),
    ...refuses('pairs', { permissions: [{ ...pair('x'), permission_name: null }] }),
  ),

  partial(
    'Partials are an object.',
    ...accepts('partials', {}, { login: { 'form-content-start': '<b>Hello</b>' } }),
    ...refuses('partials', [], 'text', null),
    send('PUT', '/prompts/login/partials', [], 400),
  ),
  partial(
    'Not shown: keys and values of partials. Screen, insertion point and text, as in the public facts (3.2).',
    send('PUT', '/prompts/login/partials', { login: { 'form-content-start': 'a' } }, 200),
    send('PUT', '/prompts/login/partials', { login: 'a' }, 400),
  ),

  state(
    'Not shown: states and transitions. No documented field is a state.',
    get(`${policies}?take=1`, { status: 200, keys: ['/rate_limit_policies/0', policyFields] }),
  ),
];
