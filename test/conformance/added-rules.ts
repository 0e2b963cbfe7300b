/** A request or a value for every rule of docs/internals/adr/0021-rules-beyond-the-specification.md, by its number. */
import {
  type Check,
  formPair,
  get,
  noPolicy,
  pair,
  policies,
  policy,
  refuses,
  row,
  send,
  streams,
  support,
} from './statement.ts';

const login = '/prompts/login/partials';
const redirect = (redirect_uri: string) => ({ configuration: { action: 'redirect', limit: 1, redirect_uri } });
const typed = (type: string) => ({ headers: { 'Content-Type': type } });
const tokenForm = (fields: string) => send('POST', '/oauth/token/', fields, 400, { from: 'origin', token: 'none' });
const client = 'client_id=test-client&client_secret=planted-secret-of-test-client';

export const addedRules: Readonly<Record<number, readonly Check[]>> = {
  1: [
    send('DELETE', `${policies}/rlp.1~a_b-C`, undefined, 404),
    send('DELETE', `${policies}/rlp%201`, undefined, 400),
    send('DELETE', `${policies}/rlp%2F1`, undefined, 400),
    send('DELETE', `${policies}/%2E%2E`, undefined, 404),
    ...refuses('live policy', { id: '..' }),
  ],
  2: [
    send('DELETE', '/roles/any:id/permissions', { permissions: [pair('a')] }, 404),
    send('DELETE', '/roles/%20/permissions', { permissions: [pair('a')] }, 400),
    send('DELETE', '/roles/%5C/permissions', { permissions: [pair('a')] }, 400),
    send('DELETE', `/roles/${'x'.repeat(256)}/permissions`, { permissions: [pair('a')] }, 400),
  ],
  3: [
    policy({ consumer_selector: 'client_id:any-Ïd' }),
    noPolicy({ consumer_selector: 'client_id:' }),
    noPolicy({ consumer_selector: 'client_id:a b' }),
    noPolicy({ consumer_selector: 'client_id:a\u0001' }),
  ],
  4: [
    policy({ consumer_selector: 'client_id:HTTPS://new.example/' }),
    noPolicy({ consumer_selector: 'client_id:https://' }),
    noPolicy({ consumer_selector: 'client_id:https:new.example' }),
  ],
  5: [noPolicy(redirect('https://user@acme.example/')), noPolicy(redirect('https://user:secret@acme.example/'))],
  6: [
    policy(redirect('https://acme.example./')),
    noPolicy(redirect('https:///busy')),
    noPolicy(redirect('https://acme..example/')),
    noPolicy(redirect('https://acme.example:0/')),
  ],
  7: [noPolicy(redirect('https://256.1.1.1/')), noPolicy(redirect('https://acme.example:65536/'))],
  8: [get(`${policies}?from=`, 400), get(`${streams}?from=`, 400)],
  9: [get(`${policies}?take=01`, 400), get(`${policies}?take=1e1`, 400), get(`${streams}?take=%2B1`, 400)],
  10: [
    get(`${policies}?per_page=5`, 400),
    get(`${streams}?name=crm`, 400),
    send('PUT', `${login}?force=true`, {}, 400),
  ],
  11: [get(`${policies}?take=1&take=1`, 400), get(`${streams}?from=est_1&from=est_2`, 400)],
  12: [
    send('DELETE', `${policies}/%zz`, undefined, 400),
    get(`${policies}?consumer_selector=%`, 400),
    get(`${streams}?from=%FF`, 400),
    send('PUT', login, 'login[a]=%zz', 400),
  ],
  13: [send('DELETE', `${policies}/rlp_1007`, {}, 400), row('list_rate_limit_policies', { body: undefined })],
  14: [
    send('PUT', login, 'a', 400, typed('text/plain')),
    send('PUT', login, '{', 400, typed('application/json')),
    send('PUT', login, '{}', 415, typed('application/json; charset=iso-8859-1')),
  ],
  15: [send('PUT', login, { login: { a: 'x'.repeat(1_048_576) } }, 413)],
  16: [
    send('DELETE', support, { permissions: [pair('a')], force: true }, 400),
    send('DELETE', support, { permissions: [{ ...pair('a'), id: 'a' }] }, 400),
  ],
  17: [
    send('DELETE', support, { permissions: [pair('')] }, 400),
    send('DELETE', support, { permissions: [{ ...pair('a'), resource_server_identifier: '' }] }, 400),
  ],
  18: [
    send('DELETE', support, formPair(0, 'delete:orders').replaceAll('[0]', '[]'), {
      status: 400,
      state: ['/roles/0/permissions', [pair('read:orders'), pair('delete:orders')]],
    }),
    send('DELETE', support, formPair(1, 'delete:orders'), 400),
    send('PUT', login, 'login[a]=b&login[a]=c', 400),
  ],
  19: [
    send('PUT', login, { login: 'text' }, 400),
    send('PUT', login, { login: { a: 'x'.repeat(10_000) } }, 200),
    send('PUT', login, { login: { a: 'x'.repeat(10_001) } }, 400),
  ],
  20: [
    send('DELETE', `${policies}/rlp_none`, undefined, 404),
    send('DELETE', '/roles/rol_none/permissions', { permissions: [pair('a')] }, 404),
  ],
  21: [get(`${policies}/`, 404), get('/Rate-Limit-Policies', 404)],
  22: [send('PUT', policies, {}, 405), get(login, 405)],
  23: [
    get(policies, 401, { token: 'expired' }),
    get(policies, 401, { token: 'of another audience' }),
    get(policies, 401, { token: 'signed with HS256' }),
  ],
  24: [get(policies, { status: 401, message: 'signature' }, { token: 'spelled in another way' })],
  25: [
    tokenForm(`${client}&audience=/api/v2/`),
    tokenForm(`grant_type=client_credentials&audience=/api/v2/`),
    tokenForm(`grant_type=client_credentials&${client}`),
  ],
};

/** Where each constraint of the schemas of the five operations comes from: a section, or the number of a rule. */
export const sources: Readonly<Record<string, string | number>> = {
  'list_rate_limit_policies query closed': 10,
  'list_rate_limit_policies query/resource enum': '4.1',
  'list_rate_limit_policies query/consumer enum': '4.1',
  'list_rate_limit_policies query/consumer_selector maxLength 255': '4.1',
  'list_rate_limit_policies query/consumer_selector enum': '2.1',
  'list_rate_limit_policies query/consumer_selector format client-selector': 3,
  'list_rate_limit_policies query/take minimum 1': '4.1',
  'list_rate_limit_policies query/take maximum 100': '4.1',
  'list_rate_limit_policies query/from minLength 1': 8,
  'list_rate_limit_policies query/from maxLength 1000': '4.1',
  'delete_rate_limit_policy params required id': '4.2',
  'delete_rate_limit_policy params closed': '4.2',
  'delete_rate_limit_policy params/id maxLength 26': '4.2',
  'delete_rate_limit_policy params/id format rate-limit-policy-id': 1,
  'remove_role_permissions params required id': '4.3',
  'remove_role_permissions params closed': '4.3',
  'remove_role_permissions params/id minLength 1': 2,
  'remove_role_permissions params/id maxLength 255': 2,
  'remove_role_permissions params/id format path-segment': 2,
  'remove_role_permissions body required permissions': '4.3',
  'remove_role_permissions body closed': 16,
  'remove_role_permissions body/permissions minItems 1': '4.3',
  'remove_role_permissions body/permissions/* required resource_server_identifier,permission_name': '4.3',
  'remove_role_permissions body/permissions/* closed': 16,
  'remove_role_permissions body/permissions/*/resource_server_identifier minLength 1': 17,
  'remove_role_permissions body/permissions/*/permission_name minLength 1': 17,
  'set_prompt_partials params required prompt': '4.4',
  'set_prompt_partials params closed': '4.4',
  'set_prompt_partials params/prompt enum': '4.4',
  'set_prompt_partials documentedParams/prompt enum': '4.4',
  'set_prompt_partials body/*/* maxLength 10000': 19,
  'list_event_streams query closed': 10,
  'list_event_streams query/from minLength 1': 8,
  'list_event_streams query/take minimum 1': '4.5',
  'list_event_streams query/take maximum 100': '4.5',
};
