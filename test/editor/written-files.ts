// Files on both sides of every rule that a schema can state, one rule each. Every validator decides them in the same way.

const policy = (selector: string, configuration = '{ action: allow }') =>
  `rate_limit_policies: [{ consumer_selector: ${JSON.stringify(selector)}, configuration: ${configuration} }]\n`;
const redirect = (uri: string) =>
  policy('default', `{ action: redirect, limit: 1, redirect_uri: ${JSON.stringify(uri)} }`);
const role = (id: string) => `roles: [{ id: ${JSON.stringify(id)}, permissions: {} }]\n`;
const hook = (endpoint: string, authorization = '{ method: basic, username: crm }') =>
  `event_streams: [{ name: a, subscriptions: [{ event_type: user.created }], destination: { type: webhook, configuration: ` +
  `{ webhook_endpoint: ${JSON.stringify(endpoint)}, webhook_authorization: ${authorization} } } }]\n`;
const secret = (text: string) =>
  hook('https://crm.example/', `{ method: basic, username: crm, password: ${JSON.stringify(text)} }`);
const bearer = (text: string) => hook('https://crm.example/', `{ method: bearer, token: ${JSON.stringify(text)} }`);
const header = (text: string) => `tenant: ${text}\nroles: []\n`;

export type WrittenFile = readonly [name: string, text: string];

export const acceptedFiles: readonly WrittenFile[] = [
  ['a group of clients', policy('third_party_clients')],
  ['a client by its id', policy('client_id:web-storefront')],
  ['a client by its URI', policy('client_id:https://agents.example/client.json')],
  ['a redirect', redirect('https://www.example.com:8443/slow?a=b#c')],
  ['a redirect to an address', redirect('https://[2001:db8::1]/')],
  ['the id of a role', role('rol_Zx1')],
  ['a webhook', hook('https://crm.example/%C3%A9')],
  ['a secret', secret('${env:TENANT_VAR_CRM}')],
  ['a header', header('{ name: acme, base_url: "https://login.acme.example/api/v2", api: full }')],
  ['a header of loopback', header('{ base_url: "http://127.0.0.1:4010/api/v2" }')],
  ['an approval', header('{ approvals: [3f2a9c0d1e4b5a6978c0d1e2] }')],
  ['a role that is absent', 'roles: [{ name: Old, absent: true }]\n'],
  ['scopes', 'resource_servers: [{ identifier: urn:a, scopes: [{ value: "read:a" }] }]\n'],
];

export const refusedFiles: readonly WrittenFile[] = [
  ['an unknown selector', policy('everybody')],
  ['a selector without a client', policy('client_id:')],
  ['a selector with a space', policy('client_id:a b')],
  ['a selector with a URI without a host', policy('client_id:https://')],
  ['a selector with a URI in capitals without a host', policy('client_id:HTTPS:///a')],
  ['a selector with a URI with credentials', policy('client_id:https://u:p@agents.example/')],
  ['a selector that is too long', policy(`client_id:${'x'.repeat(246)}`)],
  ['a redirect without a limit', policy('default', '{ action: redirect, redirect_uri: "https://a.example/" }')],
  ['a redirect without https', redirect('http://www.example.com/')],
  ['a redirect with a letter that is not escaped', redirect('https://www.example.com/é')],
  ['a redirect with a broken escape', redirect('https://www.example.com/%zz')],
  ['a redirect to port 0', redirect('https://www.example.com:0/')],
  ['a redirect to a number', redirect('https://0177.1/')],
  ['a redirect to an empty label', redirect('https://www..example.com/')],
  ['a limit of an allowed client', policy('default', '{ action: allow, limit: 1 }')],
  ['a limit that is too large', policy('default', '{ action: block, limit: 10001 }')],
  ['a limit as text', policy('default', '{ action: block, limit: "ten" }')],
  ['an id with a slash', role('rol/1')],
  ['an id of two dots', role('..')],
  ['an id with a space', role('rol 1')],
  ['an empty id', role('')],
  ['a webhook without https', hook('http://crm.example/')],
  ['a webhook in capitals', hook('HTTPS://crm.example/')],
  ['a webhook with credentials', hook('https://u:p@crm.example/')],
  ['a secret in clear', secret('hunter2')],
  ['a secret after other text', secret('Basic ${env:TENANT_VAR_CRM}')],
  ['a secret from a variable', secret('${var:crm}')],
  ['a token in clear', bearer('abc')],
  ['a username with a colon', hook('https://crm.example/', '{ method: basic, username: "a:b" }')],
  ['a base URL of another path', header('{ base_url: "https://login.acme.example/api/v1" }')],
  ['a base URL without https', header('{ base_url: "http://login.acme.example/api/v2" }')],
  ['a base URL with credentials', header('{ base_url: "https://u:p@login.acme.example/api/v2" }')],
  ['another level of operations', header('{ api: some }')],
  ['an approval that is too short', header('{ approvals: [3f2a] }')],
  ['an unknown key', header('{ nam: acme }')],
  ['an unknown section', 'policies: []\n'],
  ['a role without a name', 'roles: [{ permissions: {} }]\n'],
  ['a stream without subscriptions', hook('https://crm.example/').replace('[{ event_type: user.created }]', '[]')],
  ['an unknown prompt', 'prompts: { logout: { partials: {} } }\n'],
  ['a list instead of a mapping', 'prompts: []\n'],
];
