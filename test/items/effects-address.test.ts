// Addresses: who gets codes, secrets or data that did not get any before.
import { describe, expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import type { Fields } from '../../src/model/field.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import { description as ofClients } from '../../src/service/clients/description.generated.ts';
import { description } from '../../src/service/connections/description.generated.ts';
import { effectsOf } from '../support/effects-of.ts';
import { operationsOf } from '../support/ports-and-ships.ts';

type Item = Readonly<Record<string, unknown>>;

const clients = describedKind(ofClients);
const connections = describedKind(description);

function effects(kind: AnyKind, live: Item | null, declared: Item): string[] {
  const item = { name: 'shop', ...declared };
  return effectsOf(
    kind,
    [['shop', item]],
    live === null ? [] : [{ id: 'i1', client_id: 'c1', name: 'shop', ...live }],
  ).map(({ code, severity, message }) => `${code} ${severity}: ${message}`);
}

const codes = (hosts: string, field = 'callbacks') =>
  `HOST_ADDED critical: sends codes or tokens of logins to ${hosts} (${field})`;
const added = (hosts: string, field: string) => `HOST_ADDED warning: uses a new host: ${hosts} (${field})`;
const removed = (hosts: string, field: string) => `HOST_REMOVED note: no longer uses ${hosts} (${field})`;
const secret = (what: string, host: string, field: string) =>
  `HOST_ADDED critical: sends ${what} to a new host: ${host} (${field})`;

describe('addresses of clients', () => {
  const shop = 'https://shop.example/callback';
  test.each<[string, Item | null, Item, readonly string[]]>([
    ['another path', { callbacks: [shop] }, { callbacks: ['https://shop.example/other'] }, []],
    [
      'another host in a list',
      { callbacks: [shop] },
      { callbacks: [shop, 'https://b.example/x', 'https://a.example/y', 'https://a.example/z'] },
      [codes('a.example, b.example')],
    ],
    [
      'another host in place of one',
      { callbacks: [shop] },
      { callbacks: ['https://new.example/callback'] },
      [codes('new.example'), removed('shop.example', 'callbacks')],
    ],
    [
      'without encryption',
      { callbacks: [shop] },
      { callbacks: [shop, 'http://shop.example/'] },
      [codes('http://shop.example')],
    ],
    [
      'of a pattern',
      { callbacks: ['https://*.shop.example/'] },
      { callbacks: ['https://*.shop.example/', 'https://a.shop.example/'] },
      [],
    ],
    [
      'a pattern in place of a host',
      { callbacks: ['https://a.shop.example/'] },
      { callbacks: ['https://*.shop.example/'] },
      [codes('*.shop.example'), removed('a.shop.example', 'callbacks')],
    ],
    [
      'of an application',
      { callbacks: [shop] },
      { callbacks: [shop, 'com.shop.app:/callback'] },
      [codes('com.shop.app:')],
    ],
    [
      'a host of logouts now gets codes',
      { allowed_logout_urls: [shop], callbacks: [] },
      { callbacks: [shop] },
      [codes('shop.example')],
    ],
    ['a host that gets codes is one of logouts as well', { callbacks: [shop] }, { allowed_logout_urls: [shop] }, []],
    [
      'of logouts, and of a web origin',
      {},
      { allowed_logout_urls: [shop], web_origins: ['https://a.example'] },
      [added('shop.example', 'allowed_logout_urls'), added('a.example', 'web_origins')],
    ],
    [
      'that is not set any more',
      { initiate_login_uri: shop },
      { initiate_login_uri: null },
      [removed('shop.example', 'initiate_login_uri')],
    ],
    ['of a new client', null, { callbacks: [shop], initiate_login_uri: shop }, [codes('shop.example')]],
    [
      'of a new client with a secret of its own',
      null,
      { client_secret: '${env:S}', web_origins: [shop] },
      [added('shop.example', 'web_origins')],
    ],
    [
      'deep in an object',
      { addons: { samlp: { recipient: shop } } },
      { addons: { samlp: { recipient: 'https://b.example/saml' } } },
      [codes('b.example', 'addons.samlp.recipient'), removed('shop.example', 'addons.samlp.recipient')],
    ],
  ])('%s', (_name, live, declared, expected) => {
    expect(effects(clients, live, declared)).toEqual(expected);
  });
});

describe('addresses beside a secret', () => {
  const staff = (options: Item) => ({ strategy: 'oidc', options });
  const issuer = 'https://id.example/';

  test.each<[string, Item | null, Item, readonly string[]]>([
    [
      'one that is declared',
      null,
      staff({ client_secret: '${env:TENANT_VAR_S}', token_endpoint: 'https://id.example/token' }),
      [secret('the secret TENANT_VAR_S', 'id.example', 'options.token_endpoint')],
    ],
    [
      'one that is declared, and that the service returns: it goes back as it is',
      staff({ token_endpoint: 'https://id.example/token' }),
      staff({ client_secret: '${env:TENANT_VAR_S}', token_endpoint: 'https://evil.example/token' }),
      [
        secret('its stored secret', 'evil.example', 'options.token_endpoint'),
        removed('id.example', 'options.token_endpoint'),
      ],
    ],
    ['none that is declared, of a new item', null, staff({ issuer }), [added('id.example', 'options.issuer')]],
    [
      'one that the service may have',
      staff({ issuer, token_endpoint: 'https://id.example/token' }),
      staff({ token_endpoint: 'https://evil.example/token' }),
      [
        secret('its stored secret', 'evil.example', 'options.token_endpoint'),
        removed('id.example', 'options.token_endpoint'),
      ],
    ],
    ['at a host that is known', staff({ issuer }), staff({ jwks_uri: 'https://id.example/keys' }), []],
  ])('%s', (_name, live, declared, expected) => {
    expect(effects(connections, live, declared)).toEqual(expected);
  });
});

test('addresses in elements, and in an object of a form', () => {
  const fields: Fields = {
    name: { identity: true },
    sinks: { list: 'key', key: 'id', items: { fields: { id: {}, url: { address: true }, key: { secret: 'hidden' } } } },
    target: { forms: { by: 'type', of: { web: { type: {}, url: { address: true } }, file: { type: {}, path: {} } } } },
  };
  const kind = describedKind({
    ...{ at: 'list', name: 'relays', title: 'Relays', noun: { one: 'relay', many: 'relays' }, undeclared: 'report' },
    ...{ key: ['name'], id: 'id', fields, resources: {}, operations: operationsOf('relays', 'id') },
  });
  const live = { sinks: [{ id: 'a', url: 'https://a.example' }], target: { type: 'file', path: 'x' } };
  const declared = {
    sinks: [
      { id: 'b', url: 'https://b.example', key: '${env:KEY}' },
      { id: 'a', url: 'https://a.example/x', key: '${env:KEY}' },
    ],
    target: { type: 'web', url: 'https://c.example' },
  };
  expect(effects(kind, live, declared)).toEqual([
    secret('the secret KEY', 'b.example', 'sinks.b.url'),
    added('c.example', 'target.url'),
  ]);
});
