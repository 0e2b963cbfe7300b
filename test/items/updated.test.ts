import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesOf } from '../../src/items/compare.ts';
import { type Body, created, lateFields, updated } from '../../src/items/updated.ts';
import type { Fields } from '../../src/model/field.ts';
import { propertyRuns } from '../support/thorough.ts';

const fields: Fields = {
  name: { identity: true, sides: 'CR' },
  title: { omitted: 'lost' },
  note: { none: '', clear: '' },
  expires: { nullable: true },
  logout: { nullable: true, clearAs: 'old_logout' },
  all: { with: { false: ['parts'] } },
  parts: { list: 'set', items: {} },
  labels: { map: {} },
  tags: { map: {}, replace: true },
  owner: { wire: 'owner_id', ref: { to: 'clients' } },
  web_age: { sides: 'UR' },
  code: { secret: 'clear' },
  light: { fields: { color: {}, reach: {}, lamp: { fields: { watts: {} } } } },
  provider: { fields: { site: { omitted: 'refused' }, key: { secret: 'hidden', omitted: 'refused' }, mode: {} } },
  options: {
    replace: true,
    fields: {
      type: {},
      scope: { omitted: 'kept' },
      issuer: { without: ['endpoint'] },
      endpoint: {},
      made: { sides: 'R' },
      code: { secret: 'clear' },
      pin: { secret: 'hidden' },
      stored: { secret: 'hidden', omitted: 'kept' },
      settings: { map: { secret: 'changed' } },
      lamp: { fields: { watts: {}, color: {} } },
      keys: { list: 'set', items: { fields: { id: {}, pem: { secret: 'clear' } } } },
      ports: { list: 'set', items: { ref: { to: 'clients' } } },
      signals: { list: 'key', key: 'code', items: { fields: { code: {}, seconds: {} } } },
      steps: { list: 'ordered', items: {} },
    },
  },
};

interface Given {
  readonly others?: readonly string[];
  readonly rotates?: boolean;
  readonly readsAgain?: boolean;
}

function update(declared: Body, live: Body, { others = [], rotates = false, readsAgain = true }: Given = {}) {
  const [sentBack, undeclared, lacking]: [string[], string[], string[]] = [[], [], []];
  const [excluded, unknown]: [string[], string[]] = [[], []];
  const changed = changesOf(fields, declared, live).map(({ path }) => path);
  const resolve = (name: string) => `id of ${name}`;
  const updating = { changed, others, readsAgain, rotates, resolve, sentBack, undeclared, excluded, unknown, lacking };
  const body = updated(updating, fields, { declared, live });
  const told = Object.entries({ sentBack, undeclared, excluded, unknown, lacking }).filter(
    ([, pointers]) => pointers.length > 0,
  );
  return { body, ...Object.fromEntries(told) };
}

const title = { title: 'a' };
const pin = { pin: '${env:PIN}' };

describe('the body of an update', () => {
  test.each<[string, Body, Body, Given, unknown]>([
    [
      'what differs, and what is lost without',
      { note: 'b', expires: 1 },
      { ...title, expires: 1 },
      {},
      { body: { note: 'b', title: 'a' } },
    ],
    [
      'what the files declare of that',
      { ...title, note: 'b' },
      { title: 'a' },
      {},
      { body: { title: 'a', note: 'b' } },
    ],
    ['null', { expires: null }, { expires: 1 }, {}, { body: { expires: null } }],
    ['another value for null', { note: null }, { note: 'a' }, {}, { body: { note: '' } }],
    ['null under another name', { logout: null }, { logout: {} }, {}, { body: { old_logout: null } }],
    [
      'a reference, under its name on the service',
      { owner: 'Web' },
      { owner: 'c1' },
      {},
      { body: { owner_id: 'id of Web' } },
    ],
    [
      'what travels with a value',
      { all: false, parts: ['a'] },
      { all: true, parts: ['a'] },
      {},
      { body: { all: false, parts: ['a'] } },
    ],
    [
      'what travels with it as it is live',
      { all: false },
      { all: true, parts: ['a'] },
      {},
      { body: { all: false, parts: ['a'] } },
    ],
    [
      'what should travel with it and is unknown',
      { all: false },
      { all: true },
      {},
      { body: { all: false }, lacking: ['/parts'] },
    ],
    [
      'a map: what differs, and null for what goes',
      { labels: { a: '1', 'b.c': '2' } },
      { labels: { a: '1', d: '3' } },
      {},
      { body: { labels: { 'b.c': '2', d: null } } },
    ],
    [
      'a map that is replaced',
      { tags: { a: '1', b: '2' } },
      { tags: { a: '1', d: '3' } },
      {},
      { body: { tags: { a: '1', b: '2' } } },
    ],
    [
      'of a merged object, what differs',
      { light: { color: 'red', lamp: { watts: 5 } } },
      { light: { color: 'blue', reach: 1, lamp: { watts: 5 } } },
      {},
      { body: { light: { color: 'red' } } },
    ],
    [
      'what the service refuses to miss',
      { provider: { site: 'b', key: '${env:K}' } },
      { provider: { site: 'a', mode: 'x' } },
      {},
      { body: { provider: { site: 'b', key: '${env:K}' } } },
    ],
    [
      'a secret that it refuses to miss and nobody declares',
      { provider: { mode: 'y' } },
      { provider: { site: 'a', mode: 'x' } },
      {},
      { body: { provider: { mode: 'y', site: 'a' } }, undeclared: ['/provider/key'] },
    ],
    [
      'a replaced object: everything that is live, but for what is kept and what the service sets',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a', scope: 's', endpoint: 'e', made: 'm', lamp: { watts: 5, color: 'red' } } },
      {},
      { body: { options: { type: 'b', ...pin, endpoint: 'e', lamp: { watts: 5, color: 'red' } } } },
    ],
    [
      'an object in it',
      { options: { lamp: { watts: 6 }, ...pin } },
      { options: { type: 'a', lamp: { watts: 5, color: 'red' } } },
      {},
      { body: { options: { lamp: { watts: 6, color: 'red' }, ...pin, type: 'a' } } },
    ],
    [
      'what elements of a list have and is not described is lost',
      { options: { signals: [{ code: 'a', seconds: 2 }], ...pin } },
      { options: { signals: [{ code: 'a', seconds: 1 }] } },
      { others: ['/options/signals/0/newer', '/options/signals/1/newer', '/name/0/newer'] },
      { body: { options: { signals: [{ code: 'a', seconds: 2 }], ...pin } }, unknown: ['options.signals[].newer'] },
    ],
    [
      'without what another field excludes',
      { options: { issuer: 'b', ...pin } },
      { options: { issuer: 'a', endpoint: 'e' } },
      {},
      { body: { options: { issuer: 'b', ...pin } }, excluded: ['/options/endpoint'] },
    ],
    [
      'null, where leaving it out clears it',
      { options: { endpoint: null, ...pin } },
      { options: { endpoint: 'e' } },
      {},
      { body: { options: { ...pin } } },
    ],
    [
      'a secret that is returned and what is not described go back as they are',
      { options: { type: 'b', code: '${env:C}', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/code', '/options/new', '/other'] },
      { body: { options: { type: 'b', ...pin } }, sentBack: ['/options/code', '/options/new'] },
    ],
    [
      'so does what is described and has another form on the tenant',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/endpoint', '/options/lamp'] },
      { body: { options: { type: 'b', ...pin } }, sentBack: ['/options/endpoint', '/options/lamp'] },
    ],
    [
      'also under a name that every object has',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/constructor', '/options/__proto__', '/options/toString'] },
      {
        body: { options: { type: 'b', ...pin } },
        sentBack: ['/options/constructor', '/options/__proto__', '/options/toString'],
      },
    ],
    [
      'nothing of it where the item cannot be read again: a declared secret is sent',
      { options: { type: 'b', code: '${env:C}', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/code', '/options/new'], readsAgain: false },
      { body: { options: { type: 'b', code: '${env:C}', ...pin } } },
    ],
    [
      'a secret that is returned, where the item cannot be read again and nobody declares it',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/code'], readsAgain: false },
      { body: { options: { type: 'b', ...pin } }, undeclared: ['/options/code'] },
    ],
    [
      'a list of which a plan knows a part goes back as it is',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a', keys: [{ id: 'k1' }, { id: 'k2' }] } },
      { others: ['/options/keys/0/pem', '/options/keys/1/pem'] },
      { body: { options: { type: 'b', ...pin } }, sentBack: ['/options/keys'] },
    ],
    [
      'of live lists, those whose order has no meaning are always in the same one, with the ids that they have',
      { options: { type: 'b', ...pin } },
      {
        options: {
          ports: ['p2', 'p1'],
          signals: [{ code: 'storm' }, { code: 'fog', seconds: 1 }],
          steps: ['b', 'a'],
        },
      },
      {},
      {
        body: {
          options: {
            type: 'b',
            ...pin,
            ports: ['p1', 'p2'],
            signals: [{ code: 'fog', seconds: 1 }, { code: 'storm' }],
            steps: ['b', 'a'],
          },
        },
      },
    ],
    [
      'such a list that is declared is sent as it is declared',
      { options: { keys: [{ id: 'k3', pem: '${env:K}' }], ...pin } },
      { options: { keys: [{ id: 'k1' }] } },
      { others: ['/options/keys/0/pem'] },
      { body: { options: { keys: [{ id: 'k3', pem: '${env:K}' }], ...pin } } },
    ],
    [
      'a secret that is rotated',
      { options: { type: 'b', code: '${env:C}', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/code'], rotates: true },
      { body: { options: { type: 'b', code: '${env:C}', ...pin } } },
    ],
    [
      'a hidden secret that nobody declares',
      { options: { type: 'b' } },
      { options: { type: 'a' } },
      {},
      { body: { options: { type: 'b' } }, undeclared: ['/options/pin'] },
    ],
    [
      'secrets in a map that are returned as something else',
      { options: { type: 'b', ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/settings/url'] },
      { body: { options: { type: 'b', ...pin } }, undeclared: ['/options/settings/url'] },
    ],
    [
      'such secrets, declared',
      { options: { type: 'b', settings: { url: '${env:URL}' }, ...pin } },
      { options: { type: 'a' } },
      { others: ['/options/settings/url'] },
      { body: { options: { type: 'b', settings: { url: '${env:URL}' }, ...pin } } },
    ],
    [
      'no secret of an object that stays',
      { note: 'b' },
      { note: 'a', options: { type: 'a' } },
      { others: ['/code', '/options/code'] },
      { body: { note: 'b' } },
    ],
  ])('%s', (_name, declared, live, given, expected) => {
    expect(update(declared, live, given)).toEqual(expected);
  });

  test('law: a service that merges and replaces as described has the declared values, and keeps the others', () => {
    const value = fc.constantFrom('a', 'b', 'c');
    const text = fc.option(value, { nil: undefined });
    const item = fc.record(
      {
        title: value,
        note: value,
        labels: fc.dictionary(fc.constantFrom('x', 'y.z'), value),
        light: fc.record({ color: text, reach: text, lamp: fc.record({ watts: value }, { requiredKeys: [] }) }),
        options: fc.record({ type: text, endpoint: text, lamp: fc.record({ watts: text, color: text }) }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(item, item, (declaredItem, liveItem) => {
        const declared = plain(declaredItem);
        const live = { title: 'a', ...plain(liveItem) };
        if (changesOf(fields, declared, live).length === 0) return;
        const options =
          declared['options'] === undefined ? {} : { options: { ...(declared['options'] as Body), ...pin } };
        const { body } = update({ ...declared, ...options }, live);
        const after = stored(live, body);
        expect(changesOf(fields, declared, after)).toEqual([]);
        expect(changesOf(fields, unmanaged(live, declared), after)).toEqual([]);
      }),
      propertyRuns(300),
    );
  });
});

/** Without what is undefined. */
function plain(value: object): Body {
  return JSON.parse(JSON.stringify(value)) as Body;
}

/** What the service stores: `title` is lost without it, `options` are replaced, and everything else is merged. */
function stored(live: Body, body: Body): Body {
  const { options, ...rest } = body;
  const { title: _title, ...kept } = live;
  return { ...(merged(kept, rest) as Body), ...(options === undefined ? {} : { options }) };
}

function merged(old: unknown, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const before = typeof old === 'object' && old !== null ? (old as Body) : {};
  const changed = Object.entries(sent).map(([name, value]) => [name, merged(before[name], value)] as const);
  const removed = changed.filter(([, value]) => value === null).map(([name]) => name);
  const all = { ...before, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !removed.includes(name)));
}

/** What is live and the files say nothing of; of a map, nothing. */
function unmanaged(live: Body, declared: Body): Body {
  return Object.fromEntries(
    Object.entries(live).flatMap(([name, value]): [string, unknown][] => {
      const want = declared[name];
      if (want === undefined) return [[name, value]];
      if (name === 'labels' || typeof value !== 'object') return [];
      return [[name, unmanaged(value as Body, want as Body)]];
    }),
  );
}

describe('the body of a create', () => {
  test('is what is declared and a create accepts', () => {
    const item = { name: 'a', owner: 'Web', expires: null, web_age: 5, light: { color: 'red', reach: null } };
    expect(created(fields, item, (name) => `id of ${name}`)).toEqual({
      name: 'a',
      owner_id: 'id of Web',
      light: { color: 'red' },
    });
  });

  test('what only an update accepts comes after it', () => {
    expect(lateFields(fields, { name: 'a', web_age: 5, title: 'b' })).toEqual([['web_age']]);
    const filled = { web_age: { ...fields['web_age'], filled: 5 } };
    expect(lateFields(filled, { web_age: 5 })).toEqual([]);
    expect(lateFields(filled, { web_age: 6 })).toEqual([['web_age']]);
  });
});

test('of an object with another form, by a field beside it, nothing of the old form goes along', () => {
  const form = { region: {}, key: { secret: 'clear' } } as const;
  const fields: Fields = {
    sender: { with: { '*': ['access'] } },
    limit: {},
    access: { replace: true, forms: { by: 'sender', beside: true, of: { one: form, two: { ...form, domain: {} } } } },
  };
  const live = { sender: 'one', limit: 1, access: { region: 'eu' } };
  const update = (declared: Body) => {
    const told = { sentBack: [], undeclared: [], lacking: [] };
    const changed = changesOf(fields, declared, live).map(({ path }) => path);
    const updating = { ...told, changed, others: ['/access/key', '/access/new'], readsAgain: true, rotates: false };
    return { body: updated({ ...updating, resolve: String }, fields, { declared, live }), ...told };
  };
  expect(update({ sender: 'two', access: { domain: 'a' } })).toEqual({
    ...{ body: { sender: 'two', access: { domain: 'a' } }, sentBack: [], undeclared: [], lacking: [] },
  });
  expect(update({ sender: 'two' })).toMatchObject({ body: { sender: 'two' }, lacking: ['/access'] });
  expect(update({ sender: 'one', limit: 2 }).body).toEqual({ limit: 2 });
});
