// Code that runs for logins: that it changes, and the origins that it names for the first time.

import { expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import { description as ofClients } from '../../src/service/clients/description.generated.ts';
import { description } from '../../src/service/connections/description.generated.ts';
import { effectsOf } from '../support/effects-of.ts';

const clients = describedKind(ofClients);
const connections = describedKind(description);

type Scripts = Readonly<Record<string, string>>;

function effects(before: Scripts | null, after: Scripts): string[] {
  const item = (customScripts: Scripts) => ({ name: 'users', strategy: 'auth0', options: { customScripts } });
  const live = before === null ? [] : [{ id: 'con_1', ...item(before) }];
  return effectsOf(connections, [['users', item(after)]], live).map(
    ({ code, severity, message }) => `${code} ${severity}: ${message}`,
  );
}

const name = 'options.customScripts.login';
const changed = (message: string) => [`SCRIPT_CHANGED warning: ${message}`];
const origin = (message: string) => [`SCRIPT_CHANGED critical: ${message}`];
const get = (host: string) => `fetch('https://${host}/users')`;

test.each<[string, Scripts | null, Scripts, readonly string[]]>([
  ['the same code', { login: get('a.example') }, { login: get('a.example') }, []],
  ['other code', { login: 'a' }, { login: 'b' }, changed(`changes code of logins: ${name}`)],
  ['first code', {}, { login: 'b' }, changed(`adds code to logins: ${name}`)],
  ['no code any more', { login: 'a' }, { login: '' }, changed(`removes code of logins: ${name}`)],
  ['code that is not declared', { login: 'a' }, {}, []],
  [
    'other code with the same origin',
    { login: get('a.example') },
    { login: `await ${get('a.example')}` },
    changed(`changes code of logins: ${name}`),
  ],
  [
    'an origin that another script has',
    { login: 'a', create: get('a.example') },
    { login: get('a.example') },
    changed(`changes code of logins: ${name}`),
  ],
  [
    'new origins',
    { login: get('a.example') },
    { login: [get('c.example'), get('a.example'), get('b.example'), get('b.example')].join(';') },
    origin(`changes code of logins, with addresses of a new origin: https://b.example, https://c.example (${name})`),
  ],
  [
    'a new item',
    null,
    { login: get('a.example'), create: 'a' },
    [
      ...origin(`adds code to logins, with addresses of a new origin: https://a.example (${name})`),
      ...changed('adds code to logins: options.customScripts.create'),
    ],
  ],
])('%s', (_name, before, after, expected) => {
  expect(effects(before, after)).toEqual(expected);
});

test('a page', () => {
  const client = (custom_login_page: string | null) => ({ name: 'shop', custom_login_page });
  const page = '<script src="//cdn.example/x.js"></script>';
  const messages = effectsOf(clients, [['shop', client(page)]], [{ client_id: 'c1', ...client('<p>') }]);
  expect(messages.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'critical: changes code of logins, with addresses of a new origin: https://cdn.example (custom_login_page)',
  ]);
  const gone = effectsOf(clients, [['shop', client(null)]], [{ client_id: 'c1', ...client(page) }]);
  expect(gone.map(({ message }) => message)).toEqual(['removes code of logins: custom_login_page']);
});
