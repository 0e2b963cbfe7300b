import {
  accepts,
  type Expected,
  get,
  pair,
  policies,
  type RequestCheck,
  refuses,
  row,
  type ScopeCheck,
  type Statement,
  section,
  send,
  streams,
  support,
} from './statement.ts';

const auth = section('5');
const events = section('6');
const errors = section('7');
const limits = section('8');
const versions = section('9');

const credentials = 'grant_type=client_credentials&client_id=test-client&client_secret=planted-secret-of-test-client';
const token = (body: string, expected: Expected, path = '/oauth/token/'): RequestCheck =>
  send('POST', path, body, expected, { from: 'origin', token: 'none' });

const verbs = { c: 'create', r: 'read', u: 'update', d: 'delete' };
type Letter = keyof typeof verbs;

/** A row of the catalogue: these verbs are scopes of every resource, and the others are of none. */
function catalogue(letters: string, names: string): Statement {
  const scopesOf = (given: readonly string[]) =>
    names.split(' ').flatMap((name) => given.map((letter) => `${verbs[letter as Letter]}:${name}`));
  const others = ['c', 'r', 'u', 'd'].filter((letter) => !letters.includes(letter));
  const accepted: ScopeCheck = { scopes: scopesOf([...letters]), valid: true };
  const refused: ScopeCheck = { scopes: scopesOf(others), valid: false };
  return auth(
    `Verbs ${[...letters].map((letter) => verbs[letter as Letter]).join(', ')}: ${names.replaceAll(' ', ', ')}.`,
    accepted,
    ...(others.length === 0 ? [] : [refused]),
  );
}

export const access: readonly Statement[] = [
  auth(
    'A request has a bearer token in the header Authorization.',
    get(policies, 200),
    get(policies, 401, { token: 'none' }),
    get(policies, 401, { token: 'none', headers: { Authorization: 'Basic dXNlcjpwYXNzd29yZA==' } }),
  ),
  auth(
    'The token is a JSON Web Token.',
    get(policies, 401, { token: 'none', headers: { Authorization: 'Bearer abc' } }),
  ),
  auth(
    'A token comes from the flow of client credentials.',
    token(`${credentials}&audience=/api/v2/`, { status: 200, has: ['access_token'], body: { token_type: 'Bearer' } }),
    token(credentials.replace('client_credentials', 'password').concat('&audience=/api/v2/'), { status: 400 }),
    ...accepts('token request', {
      grant_type: 'client_credentials',
      client_id: 'a',
      client_secret: 'b',
      audience: '/api/v2/',
    }),
  ),
  auth(
    'The token is requested at /oauth/token/.',
    token(`${credentials}&audience=/api/v2/`, { status: 200 }),
    get('/oauth/token/', 405, { from: 'origin', token: 'none' }),
  ),
  auth(
    'The request is a form with the parameter audience.',
    token(credentials, { status: 400 }),
    token(`${credentials}&audience=https://other.example/`, { status: 403 }),
    ...refuses('token request', { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
  ),
  auth('The audience may be the base path /api/v2/.', token(`${credentials}&audience=/api/v2/`, { status: 200 })),
  auth(
    'Scopes are the permissions of a token.',
    get(policies, 200, { token: 'only read:rate_limit_policies' }),
    send('DELETE', `${policies}/rlp_1007`, undefined, 403, { token: 'only read:rate_limit_policies' }),
  ),
  auth(
    'A scope is a verb, a colon and a resource.',
    { scopes: ['read:rate_limit_policies'], valid: true },
    { scopes: ['rate_limit_policies', 'rate_limit_policies:read', 'list:rate_limit_policies', ''], valid: false },
  ),
  auth(
    'The flow grants the scopes of the catalogue.',
    token(`${credentials}&audience=/api/v2/`, { status: 200, has: ['scope'] }),
    { scopes: ['create:actions'], valid: true },
    { scopes: ['create:everything'], valid: false },
  ),
  auth(
    'Listing policies needs read:rate_limit_policies.',
    get(policies, 403, { token: 'without read:rate_limit_policies' }),
    row('list_rate_limit_policies', { scope: 'read:rate_limit_policies' }),
  ),
  auth('A missing scope is a 403.', get(policies, 403, { token: 'no-scopes' })),
  auth('An invalid token is a 401.', get(policies, 401, { token: 'forged' }), get(policies, 401, { token: 'expired' })),
  auth(
    'Not shown: the scope that deletes a policy. delete:rate_limit_policies.',
    send('DELETE', `${policies}/rlp_1007`, undefined, 403, { token: 'without delete:rate_limit_policies' }),
    row('delete_rate_limit_policy', { scope: 'delete:rate_limit_policies' }),
  ),
  auth(
    'Not shown: the scope that removes permissions. update:roles.',
    send('DELETE', support, { permissions: [pair('x')] }, 403, { token: 'without update:roles' }),
    row('remove_role_permissions', { scope: 'update:roles' }),
  ),
  auth(
    'Not shown: the scope that sets partials. update:prompts.',
    send('PUT', '/prompts/login/partials', {}, 403, { token: 'without update:prompts' }),
    row('set_prompt_partials', { scope: 'update:prompts' }),
  ),
  auth(
    'Not shown: the scope that lists streams. read:event_streams.',
    get(streams, 403, { token: 'without read:event_streams' }),
    row('list_event_streams', { scope: 'read:event_streams' }),
  ),
  auth(
    'Not shown: the lifetime of a token. One day.',
    token(`${credentials}&audience=/api/v2/`, { status: 200, body: { expires_in: 86_400 } }),
  ),
  catalogue(
    'crud',
    'actions agents authentication_methods client_credentials client_grants clients connection_profiles connections custom_domains custom_signing_keys directory_provisionings email_provider encryption_keys event_streams experimentation flows flows_vault_connections forms hooks log_streams network_acls organization_connections organization_discovery_domains organizations phone_providers phone_templates rate_limit_policies resource_servers roles rules scim_config self_service_profiles token_exchange_profiles user_attribute_profiles users vdcs_templates organization_clients',
  ),
  catalogue('rd', 'anomaly_blocks current_user device_credentials flows_executions grants groups guardian_enrollments'),
  catalogue('rud', 'refresh_tokens sessions branding rules_configs'),
  catalogue(
    'ru',
    'attack_protection client_keys event_deliveries guardian_factors mfa_policies prompts self_service_profile_custom_texts tenant_settings',
  ),
  catalogue('cru', 'connections_keys email_templates signing_keys'),
  catalogue(
    'crd',
    'group_roles organization_client_grants organization_group_roles organization_invitations organization_member_roles organization_members role_members scim_token',
  ),
  catalogue('cd', 'current_user_device_credentials sso_access_tickets'),
  catalogue(
    'r',
    'client_summary events group_members logs logs_users organization_groups organization_member_effective_roles organization_member_role_source_groups organizations_summary stats user_effective_permissions user_effective_roles user_idp_tokens user_permission_source_roles user_role_source_groups',
  ),
  catalogue(
    'u',
    'client_token_vault_privileged_access current_user_identities current_user_metadata users_app_metadata',
  ),
  catalogue('c', 'guardian_enrollment_tickets user_tickets network_acl_keys'),

  events(
    'A stream subscribes event types to a destination.',
    get(`${streams}?take=1`, {
      status: 200,
      body: { eventStreams: [{ subscriptions: [{ event_type: 'user.created' }], destination: { type: 'webhook' } }] },
    }),
  ),
  events(
    'The destination that is shown is a webhook with basic authorization.',
    get(`${streams}?take=1`, {
      status: 200,
      body: {
        eventStreams: [
          { destination: { type: 'webhook', configuration: { webhook_authorization: { method: 'basic' } } } },
        ],
      },
    }),
  ),
  events(
    'Not shown: kinds of events. Any text is one.',
    ...accepts('live stream', { subscriptions: [{ event_type: 'anything.at-all' }] }),
  ),

  errors('400: the query is invalid.', get(`${policies}?take=0`, 400), get(`${policies}?from=%zz`, 400)),
  errors(
    'The message of a 400 varies with the cause.',
    get(`${policies}?take=0`, { status: 400, message: 'Value must be >= 1' }),
    get(`${policies}?take=1&take=2`, { status: 400, message: 'more than once' }),
  ),
  errors(
    '401: the signature of the token is invalid.',
    get(policies, { status: 401, message: 'signature' }, { token: 'forged' }),
  ),
  errors('401: the client is not global.', get(policies, { status: 401, message: 'not global' }, { token: 'local' })),
  errors(
    '403: the message names the expected scope.',
    get(policies, { status: 403, message: 'read:rate_limit_policies' }, { token: 'no-scopes' }),
  ),
  errors(
    'A 429 has the header X-RateLimit-Limit.',
    get(policies, { status: 429, headers: ['X-RateLimit-Limit'] }, { times: 2 }),
  ),
  errors(
    'A 429 has the header X-RateLimit-Remaining.',
    get(policies, { status: 429, headers: ['X-RateLimit-Remaining'] }, { times: 2 }),
  ),
  errors(
    'A 429 has the header X-RateLimit-Reset.',
    get(policies, { status: 429, headers: ['X-RateLimit-Reset'] }, { times: 2 }),
  ),
  errors(
    'Not shown: the body of an error. statusCode, error and message, as in the public facts (6.1).',
    get(`${policies}?take=0`, { status: 400, has: ['statusCode', 'error', 'message'] }),
    ...accepts('error', { statusCode: 400, error: 'Bad Request', message: 'text' }),
  ),
  errors(
    'Not shown: errors of the other operations. The same statuses.',
    send('DELETE', `${policies}/rlp_1007`, undefined, 429, { times: 2 }),
    send('PUT', '/prompts/login/partials', {}, 401, { token: 'forged' }),
  ),

  limits(
    'take: 1 to 100, by default 50, of policies.',
    row('list_rate_limit_policies', { paging: { maxTake: 100, defaultTake: 50 } }),
  ),
  limits(
    'take: 1 to 100, by default 50, of streams.',
    row('list_event_streams', { paging: { maxTake: 100, defaultTake: 50 } }),
  ),
  limits('from of policies: at most 1,000 characters.', get(`${policies}?from=${'x'.repeat(1001)}`, 400)),
  limits(
    'consumer_selector: at most 255 characters, in a policy and in a filter.',
    get(`${policies}?consumer_selector=client_id:${'x'.repeat(246)}`, 400),
    ...accepts('policies query', { consumer_selector: `client_id:${'é'.repeat(245)}` }),
  ),
  limits(
    'id of a policy: at most 26 characters, in a policy and in a path.',
    send('DELETE', `${policies}/${'x'.repeat(27)}`, undefined, 400),
  ),
  limits(
    'limit: an integer from 0 to 10,000, for block, log and redirect.',
    ...['block', 'log', 'redirect'].flatMap((action) => {
      const uri = action === 'redirect' ? { redirect_uri: 'https://acme.example/' } : {};
      const limited = (limit: number) => ({ configuration: { action, limit, ...uri } });
      return [
        { policy: limited(0), valid: true },
        { policy: limited(10_000), valid: true },
        { policy: limited(10_001), valid: false },
        { policy: limited(0.5), valid: false },
      ];
    }),
  ),
  limits('permissions: at least one element.', send('DELETE', support, { permissions: [] }, 400)),
  limits(
    'A 429 has the three headers of the rate limit.',
    get(
      policies,
      { status: 429, headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] },
      { times: 2 },
    ),
  ),
  limits('Not shown: quotas and their windows. Without --rate there is none.', get(policies, 200)),

  versions(
    'The version is 2, and the base path ends in /api/v2.',
    get('/api/v2/event-streams', 200, { from: 'origin' }),
    get('/api/v1/event-streams', 404, { from: 'origin' }),
    get('/api/v3/event-streams', 404, { from: 'origin' }),
  ),
  versions('Listing policies is in early access.', row('list_rate_limit_policies', { lifecycle: 'early access' })),
  versions(
    'There are five values of the lifecycle.',
    ...accepts('lifecycle', 'early access', 'generally available', 'deprecated', 'planned', 'beta'),
    ...refuses('lifecycle', 'retired', ''),
  ),
  versions(
    'Not shown: the lifecycle of the other four operations.',
    row('delete_rate_limit_policy', { lifecycle: 'not shown' }),
    row('remove_role_permissions', { lifecycle: 'not shown' }),
    row('set_prompt_partials', { lifecycle: 'not shown' }),
    row('list_event_streams', { lifecycle: 'not shown' }),
  ),
];
