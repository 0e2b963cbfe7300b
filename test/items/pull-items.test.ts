// What pull writes of live items, by the marks of a description that has each of them.
import { describe, expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import type { LiveParts, Unreadable } from '../../src/model/reader.ts';
import { type Boat, description, newNames, reading } from '../support/boats.ts';
import { desiredSection } from '../support/desired-section.ts';

const { pull, fileReferences, canonical } = describedKind<Boat, Boat>(description);

const boat = { boat_id: 'b1', name: 'Sloop' };

function declare(live: Boat, parts: Partial<LiveParts> = {}) {
  const item = { ...boat, ...live };
  return pull.declare(item, newNames, reading([item], [[item, parts]]));
}

const always = { urls: [], code: '', token: '${env:NEW_Sloop_token}' };

describe('a new item has', () => {
  test.each<[string, Boat, Boat]>([
    ['a live value', { draft: 'x', steps: [2, 1] }, { draft: 'x', steps: [2, 1] }],
    ['no value that is not set', { note: null, steps: null, light: null, speed: null, page: null }, {}],
    ['no value that is as much as nothing', { note: '' }, {}],
    ['no value that the service fills in', { title: 'Sloop', aliases: ['boat', 'Sloop'] }, {}],
    ['another one', { title: 'x', aliases: ['Sloop'] }, { title: 'x', aliases: ['Sloop'] }],
    ['that of a class, also where it is filled in', { speed: 'slow' }, { speed: 'slow' }],
    ['no value that only the service sets', { made_at: 'today', more: 1 }, {}],
    ['no value that this version does not know', { state: 'dimmed' }, {}],
    ['sets and lists by key in order', { urls: ['b', 'a', 'b'], crew: [] }, { urls: ['a', 'b'], crew: [] }],
    ['maps, without keys that are not set', { labels: { b: '1', a: null } }, { labels: { b: '1' } }],
    ['JSON as it is', { page: { b: [1, { a: '' }] } }, { page: { b: [1, { a: '' }] } }],
    ['no object with nothing to write', { light: { lamp: 'led' } }, {}],
    ['an object', { light: { lamp: 'led', reach: 5 } }, { light: { reach: 5 } }],
    ['no object that the service fills in', { engine: { power: 5 } }, {}],
    [
      'such an object with a field of a class',
      { engine: { power: 5, fuel: 'oil' } },
      { engine: { power: 5, fuel: 'oil' } },
    ],
    ['another such object', { engine: { power: 6 } }, { engine: { power: 6 } }],
    ['names of other items', { owner: 'c1', port: 'urn:x' }, { owner: 'Ann', port: 'urn:x' }],
    [
      'their ids where no name is theirs alone',
      { owner: 'c2', crew: ['c2', 'c1'], light: { owner: 'c3' } },
      { owner: { id: 'c2' }, crew: ['Ann', { id: 'c2' }], light: { owner: { id: 'c3' } } },
    ],
    [
      'elements that are a field of it',
      {
        bunks: [
          { value: 'b', note: '', more: 1 },
          { value: 'a', note: 'x' },
        ],
      },
      { bunks: [{ value: 'b' }, { value: 'a', note: 'x' }] },
    ],
    [
      'the form that a field beside it names',
      { model: 'sail', options: { masts: 2, more: 1 } },
      { model: 'sail', options: { masts: 2 } },
    ],
    [
      'the form that a field in it names',
      { anchor: { type: 'plow', weight: 5 } },
      { anchor: { type: 'plow', weight: 5 } },
    ],
  ])('%s', (_name, live, written) => {
    expect(declare(live)).toEqual({ written: { name: 'Sloop', ...always, ...written } });
  });

  test('no set that was not read, and each element of one that was', () => {
    const items = [{ client_id: 'c2' }, { client_id: 'c1' }];
    expect(declare({}, { nested: { guests: { readable: true, items } } })).toEqual({
      written: { name: 'Sloop', ...always, guests: ['Ann', { id: 'c2' }] },
    });
    expect(declare({}, { nested: { guests: { readable: true, items: [] } } })).toEqual({
      written: { name: 'Sloop', ...always, guests: [] },
    });
    expect(declare({}, { nested: { guests: forbidden } })).toEqual({ written: { name: 'Sloop', ...always } });
  });

  test.each<[string, Boat, readonly string[], Boat]>([
    ['one that the service has and a create can send', {}, ['/pin', '/old_pin'], { pin: '${env:NEW_Sloop_pin}' }],
    ['none that nobody has set', {}, ['/more'], {}],
    [
      'one for each key of a map',
      {},
      ['/settings/a', '/settings/b~1c'],
      { settings: { a: '${env:NEW_Sloop_settings_a}', 'b/c': '${env:NEW_Sloop_settings_b/c}' } },
    ],
    [
      'one in a form',
      { model: 'sail', options: { masts: 2 } },
      ['/options/secret'],
      { model: 'sail', options: { masts: 2, secret: '${env:NEW_Sloop_secret}' } },
    ],
    [
      'one in an object that someone has filled in',
      { radio: { site: 'x', open: false } },
      [],
      { radio: { site: 'x', key: '${env:NEW_Sloop_radio_key}', open: false } },
    ],
    ['none in an object that nobody has filled in', { radio: { site: '', open: false } }, [], {}],
  ])('secrets: %s', (_name, live, others, written) => {
    expect(declare(live, { others })).toEqual({ written: { name: 'Sloop', ...always, ...written } });
  });

  test.each<[string, Boat, readonly string[], string]>([
    [
      'a form that is not described',
      { model: 'motor' },
      ['/options/power'],
      'options of model motor left out, because this version does not support that model',
    ],
    [
      'one in the object',
      { anchor: { type: 'hook' } },
      [],
      'anchor of type hook left out, because this version does not support that type',
    ],
    [
      'a value of a list',
      { flags: ['red', 'black'] },
      [],
      'flags left out, because this version does not know "black"',
    ],
    [
      'what the service does not return',
      { lock: { alg: 'x' } },
      [],
      'lock left out, because the service does not return its pem',
    ],
  ])('a note in place of %s', (_name, live, others, note) => {
    const { anchor: _anchor, flags: _flags, lock: _lock, ...written } = live;
    expect(declare(live, { others })).toEqual({ written: { name: 'Sloop', ...always, ...written }, notes: [note] });
  });

  test('its id, if others have its name', () => {
    const [first, second] = [boat, { ...boat, boat_id: 'b2' }];
    const read = reading([first, second]);
    expect([first, second].map((live) => pull.keyOf(live, read))).toEqual(['id:b1', 'id:b2']);
    expect(pull.declare(second, newNames, read)).toMatchObject({ written: { id: 'b2', name: 'Sloop' } });
  });
});

const forbidden: Unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'no access.' };

test('items that files cannot manage are counted, and lists that could not be read', () => {
  const [museum, navy] = [
    { ...boat, name: 'Old', museum: true },
    { ...boat, boat_id: 'b2', name: 'Gray', navy: true },
  ];
  const sloop = { ...boat, boat_id: 'b3' };
  const unread = { nested: { guests: forbidden } };
  const read = reading(
    [museum, navy, sloop],
    [
      [navy, unread],
      [sloop, unread],
    ],
  );
  expect([museum, navy].map((live) => pull.keyOf(live, read))).toEqual([null, null]);
  expect(pull.leftAlone?.(read)).toEqual([
    { message: '1 boat left alone: in a museum' },
    { message: 'guests of 1 boat could not be read: no access.', why: forbidden },
  ]);
  const declared = { ...read, items: desiredSection([['Gray', { name: 'Gray' }]]).items };
  expect([museum, navy].map((live) => pull.keyOf(live, declared))).toEqual([null, 'Gray']);
});

function adopt(written: Boat, live: Boat, parts: Partial<LiveParts> = {}) {
  const item = { ...boat, ...live };
  return pull.adopt({ name: 'Sloop', ...written }, item, newNames, reading([item], [[item, parts]]));
}

describe('a declared item', () => {
  test.each<[string, Boat, Boat]>([
    ['a set in its order', { urls: ['b', 'a'] }, { urls: ['a', 'b', 'a'] }],
    ['what is as much as nothing', { note: '', urls: [], code: '' }, {}],
    ['names of other items', { owner: 'Ann', crew: [{ id: 'c2' }, 'Ann'] }, { owner: 'c1', crew: ['c1', 'c2'] }],
    ['their ids', { owner: { id: 'c1' }, light: { owner: { id: 'c1' } } }, { owner: 'c1', light: { owner: 'c1' } }],
    ['secrets', { token: '${env:T}', settings: { a: '${env:A}' } }, {}],
    ['what the service never returns', { seen: 'x' }, {}],
    ['its id', { id: 'b1' }, {}],
    ['an object without what others have set', { light: { reach: 5 } }, { light: { reach: 5, lamp: 'gas' } }],
    ['JSON', { page: { a: 1, b: [2] } }, { page: { b: [2], a: 1 } }],
  ])('keeps %s', (_name, written, live) => {
    expect(adopt(written, live)).toEqual({ written: { name: 'Sloop', ...written } });
  });

  test.each<[string, Boat, Boat, Boat]>([
    ['a value', { draft: 'x', title: 'x' }, { draft: 'y', title: 'Sloop' }, { draft: 'y', title: 'Sloop' }],
    ['nothing', { note: 'x', draft: 'x', light: { reach: 5 } }, { note: '', light: null }, {}],
    ['nothing of a class, which stays', { code: 'x', speed: 'fast' }, {}, { code: '' }],
    ['another name', { name: 'Old' }, {}, { name: 'Sloop' }],
    [
      'other items',
      { owner: 'Ann', crew: ['Ann', { id: 'c2' }] },
      { owner: 'c3', crew: ['c3', 'c2'] },
      { owner: { id: 'c3' }, crew: [{ id: 'c2' }, { id: 'c3' }] },
    ],
    [
      'keys of a map',
      { labels: { z: '1', b: '2' } },
      { labels: { a: '4', b: '3', c: null } },
      { labels: { b: '3', a: '4' } },
    ],
    ['JSON', { page: { a: 1, b: 2 } }, { page: { b: 3 } }, { page: { b: 3 } }],
    [
      'an element, also to a value that is filled in',
      { bunks: [{ value: 'a', note: 'x' }] },
      { bunks: [{ value: 'b' }, { value: 'a', note: 'y' }] },
      { bunks: [{ value: 'a', note: 'y' }, { value: 'b' }] },
    ],
    [
      'another model, with its options',
      { model: 'motor', options: { power: 5 } },
      { model: 'sail', options: { masts: 2 } },
      { model: 'sail', options: { masts: 2 } },
    ],
    [
      'options of a model that it does not declare',
      { options: { masts: 1 } },
      { model: 'sail', options: { masts: 2 } },
      { options: { masts: 2 } },
    ],
  ])('gets %s', (_name, written, live, expected) => {
    expect(adopt(written, live)).toEqual({ written: { name: 'Sloop', ...expected } });
  });

  test('gets the elements of a set, and keeps a set that could not be read', () => {
    const items = [{ client_id: 'c2' }, { client_id: 'c3' }];
    const guests = [{ id: 'c3' }, 'Ann'];
    expect(adopt({ guests }, {}, { nested: { guests: { readable: true, items } } })).toEqual({
      written: { name: 'Sloop', guests: [{ id: 'c3' }, { id: 'c2' }] },
    });
    expect(adopt({ guests }, {}, { nested: { guests: forbidden } })).toEqual({ written: { name: 'Sloop', guests } });
  });
});

describe('texts in files of their own', () => {
  test('are those that a file can have', () => {
    const texts = { code: 'return;\n', options: { chart: '<svg/>' }, model: 'sail' };
    expect(pull.files?.({ name: 'Sloop', ...texts }, 'a/b')).toEqual([
      { pointer: '/code', path: 'event-streams/a-b/code.js' },
      { pointer: '/options/chart', path: 'event-streams/a-b/chart.svg' },
    ]);
    for (const code of ['', '\uFEFFx', 'a\uD800']) expect(pull.files?.({ name: 'Sloop', code }, 'a')).toEqual([]);
  });

  test('are referred to by their paths', () => {
    const item = { model: 'sail', code: { file: 'a.js' }, options: { chart: { file: 'b.svg' } }, page: { file: 'c' } };
    expect(fileReferences?.(item)).toEqual(['/code', '/options/chart']);
  });
});

test('references are texts in the canonical form, at any depth', () => {
  const written = {
    name: 'a',
    owner: { id: 'c1' },
    crew: ['Ann', { id: 'c2' }],
    light: { owner: { id: 'c3' }, reach: 1 },
  };
  expect(canonical?.(written).value).toEqual({
    name: 'a',
    owner: 'id:c1',
    crew: ['Ann', 'id:c2'],
    light: { owner: 'id:c3', reach: 1 },
  });
});

test('secrets of written items', () => {
  const written = { name: 'a', token: '${env:T}', settings: { a: '${env:A}' }, radio: { key: '${env:K}' } };
  expect(pull.secrets?.(written)).toEqual(['/token', '/settings/a', '/radio/key']);
});
