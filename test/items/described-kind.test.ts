// What follows from the marks of a schema, for a kind that has each of them: complete values, with a nested object, lists
// of every sort, two secrets and forms that a tag names.
import { describe, expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import type { Fields } from '../../src/model/field.ts';
import type { DecideInput, NewNames } from '../../src/model/kind.ts';
import type { ItemOperations, Operation } from '../../src/model/operation.ts';
import type { KindDescription } from '../../src/model/resource.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const fields: Fields = {
  port: { identity: true, none: 'north' },
  name: { required: true, identity: true },
  state: { values: ['on', 'off'], summary: true },
  code: { secret: 'hidden', omitted: 'kept' },
  light: {
    required: true,
    fields: { colour: { required: true }, reach: {}, pin: { secret: 'hidden', omitted: 'kept' } },
  },
  tags: { list: 'set', items: {} },
  steps: { list: 'ordered', items: {} },
  signals: {
    list: 'key',
    key: 'code',
    items: { fields: { code: { required: true }, seconds: {}, note: { none: '' } } },
  },
  link: {
    replace: true,
    forms: {
      by: 'type',
      of: {
        radio: { type: { required: true }, band: { required: true }, key: { secret: 'hidden', omitted: 'kept' } },
        wire: { type: { required: true }, port: {}, speed: {}, token: { secret: 'hidden', omitted: 'kept' } },
      },
    },
  },
};

type Item = Readonly<Record<string, unknown>>;
type Live = Item & { readonly id: string };

const row = { api: 'full', path: '/lamps', lifecycle: 'not shown' } as const;
const one = { ...row, path: '/lamps/{id}' };
const operations = {
  list: { ...row, id: 'list', method: 'GET' },
  create: { ...row, id: 'create', method: 'POST' },
  update: { ...one, id: 'update', method: 'PATCH' },
  delete: { ...one, id: 'delete', method: 'DELETE' },
} as unknown as ItemOperations<Live> & Readonly<Record<string, Operation>>;

const description: KindDescription = {
  at: 'list',
  name: 'event_streams',
  title: 'Lamps',
  noun: { one: 'lamp', many: 'lamps' },
  undeclared: 'delete',
  key: ['port', 'name'],
  id: 'id',
  fields,
  operations,
  resources: {},
};

const lamps = describedKind<Item, Live>(description, {
  isSame: (field, live, declared) =>
    field === 'light.colour' && String(live).toLowerCase() === String(declared).toLowerCase(),
});

const base = { port: 'north', name: 'a', light: { colour: 'red' } };

function decide(declared: Item, live: Item | null, about: Partial<DecideInput<Item, Live>> = {}) {
  return lamps.decide({
    desired: desiredSection([[lamps.keyOf(declared), declared]]),
    live: { readable: true, items: live === null ? [] : [{ id: 'lmp_1', ...live }], filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
    ...about,
  });
}

test('the identity, with what can be left out', () => {
  const written = [{ name: 'a' }, { port: 'south', name: 'b/c' }];
  expect(written.map((lamp) => lamps.keyOf(lamp))).toEqual(['north/a', 'south/b/c']);
  expect(lamps.canonical?.({ light: {}, name: 'a' }).value).toEqual({ port: 'north', name: 'a', light: {} });
});

describe('no difference', () => {
  test.each<[string, Item, Item]>([
    ['a field that is not declared', {}, { state: 'off', tags: ['x'], more: 1 }],
    ['a field of an object that is not declared', {}, { light: { colour: 'red', reach: 5 } }],
    ['another spelling', {}, { light: { colour: 'RED' } }],
    ['a secret of the item', { code: '${env:CODE}' }, {}],
    ['a secret', { light: { colour: 'red', pin: '${env:PIN}' } }, {}],
    ['the order of a set, and repetition', { tags: ['b', 'a', 'b'] }, { tags: ['a', 'b'] }],
    [
      'the order of a list by key, and what an element does not declare',
      { signals: [{ code: 'fog' }, { code: 'storm', seconds: 2 }] },
      {
        signals: [
          { code: 'storm', seconds: 2, note: 'n' },
          { code: 'fog', seconds: 9 },
        ],
      },
    ],
    ['an empty list that the tenant does not return', { tags: [], signals: [] }, {}],
  ])('%s', (_name, declared, live) => {
    expect(decide({ ...base, ...declared }, { ...base, ...live }).actions).toEqual([]);
  });
});

describe('an update sends what differs', () => {
  test.each<[string, Item, Item, readonly string[], Item]>([
    [
      'of an object that it merges, the field',
      { light: { colour: 'blue', reach: 5 } },
      { light: { colour: 'red', reach: 5 } },
      ['light.colour'],
      { light: { colour: 'blue' } },
    ],
    ['a first object', { light: { colour: 'blue' } }, { light: undefined }, ['light'], { light: { colour: 'blue' } }],
    [
      'of an object that it replaces, everything that is known',
      { link: { type: 'wire', port: 'b' } },
      { link: { type: 'wire', port: 'c', extra: 1, speed: 9 } },
      ['link.port'],
      { link: { type: 'wire', port: 'b', speed: 9 } },
    ],
    [
      'of another form, what is declared',
      { link: { type: 'radio', band: 'b' } },
      { link: { type: 'wire', port: 'c', speed: 9 } },
      ['link.type', 'link.band'],
      { link: { type: 'radio', band: 'b' } },
    ],
    ['a list, as it is written', { tags: ['b', 'a'] }, { tags: ['a'] }, ['tags'], { tags: ['b', 'a'] }],
    ['the order of steps', { steps: [1, 2] }, { steps: [2, 1] }, ['steps'], { steps: [1, 2] }],
    [
      'a field of an element',
      { signals: [{ code: 'fog', seconds: 2 }] },
      { signals: [{ code: 'fog', seconds: 3 }] },
      ['signals'],
      { signals: [{ code: 'fog', seconds: 2 }] },
    ],
    [
      'not an element that is not declared, and of the others what the files leave out',
      { signals: [{ code: 'fog' }] },
      { signals: [{ code: 'hail' }, { code: 'fog', seconds: 4, extra: 1 }] },
      ['signals'],
      { signals: [{ code: 'fog', seconds: 4 }] },
    ],
  ])('%s', (_name, declared, live, changed, body) => {
    const [action] = decide({ ...base, ...declared }, { ...base, ...live }).actions;
    expect(action?.changes?.map(({ field }) => field)).toEqual(changed);
    expect(action?.request).toEqual({ operation: 'update', method: 'PATCH', path: '/lamps/lmp_1', body });
  });
});

describe('secrets', () => {
  const declared = {
    ...base,
    light: { colour: 'red', pin: '${env:PIN}' },
    link: { type: 'wire', token: '${env:TOKEN}' },
  };
  const live = { ...base, link: { type: 'wire', token: 'echoed' } };
  const places = [
    { pointer: '/light/pin', env: 'PIN' },
    { pointer: '/link/token', env: 'TOKEN' },
  ];

  test('a create sends all of them', () => {
    const [action] = decide(declared, null).actions;
    expect(action?.request.secrets).toEqual(places);
    expect(action?.notes).toEqual(['sends the secrets from PIN, TOKEN']);
  });

  test('in sync, each of them is reported', () => {
    const { actions, findings } = decide(declared, live);
    expect(actions).toEqual([]);
    expect(findings.map(({ code, message }) => [code, message.split(' cannot')[0]])).toEqual([
      ['LIVE_SECRET_NOT_COMPARED', 'its pin'],
      ['LIVE_SECRET_NOT_COMPARED', 'its token'],
    ]);
  });

  test('a rotation sends all of them, and nothing else', () => {
    const [action] = decide(declared, live, { rotate: new Set(['north/a']) }).actions;
    expect(action?.request).toMatchObject({ body: { light: declared.light, link: declared.link }, secrets: places });
  });

  test('a text that is no reference never gets into a plan', () => {
    expect(() => decide({ ...base, light: { colour: 'red', pin: 'planted' } }, null)).toThrow('not a reference');
  });

  test('a description shows none', () => {
    const [action] = decide(declared, null).actions;
    const shown = describedKind<Item, Live>({
      ...description,
      fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, summary: true }])),
    });
    expect(action && shown.describe(action)).toEqual({ summary: 'north, a, colour red, type wire' });
  });
});

test('a description: what is marked for the summary', () => {
  const [action] = decide(
    { ...base, state: 'on', tags: ['b', 'a'], signals: [{ code: 'fog', seconds: 2 }] },
    null,
  ).actions;
  expect(action && lamps.describe(action)).toEqual({
    summary: 'on',
  });
});

test('an element that is listed twice is an error at its key', () => {
  const [item] = desiredSection([['a', { ...base, signals: [{ code: 'fog' }, { code: 'fog', seconds: 2 }] }]]).items;
  const codes: string[] = [];
  if (item !== undefined) lamps.check?.(item, ({ code, message }) => codes.push(`${code}: ${message}`), 'full');
  expect(codes).toEqual([
    expect.stringMatching(/^CONFIG_DUPLICATE_ELEMENT: This element is listed twice in signals, first at /),
  ]);
});

describe('pull', () => {
  const names: NewNames = { secret: (...words) => `\${env:NEW_${words.join('_')}}` };

  test('a new item: in the short form, with new secrets, and without what this version does not know', () => {
    const live = {
      id: 'lmp_1',
      ...base,
      state: 'dimmed',
      tags: ['b', 'a'],
      signals: [
        { code: 'storm', note: '' },
        { code: 'fog', seconds: 2, extra: 1 },
      ],
      link: { type: 'wire', port: 'p', extra: 1 },
      more: 1,
    };
    expect(lamps.pull.declare(live, names)).toEqual({
      written: {
        name: 'a',
        code: '${env:NEW_north/a_code}',
        light: { colour: 'red', pin: '${env:NEW_north/a_pin}' },
        tags: ['a', 'b'],
        signals: [{ code: 'storm' }, { code: 'fog', seconds: 2 }],
        link: { type: 'wire', port: 'p', token: '${env:NEW_north/a_token}' },
      },
    });
  });

  test.each<[string, Item, Item, Item]>([
    ['the same fields with live values', { state: 'on' }, { state: 'off', tags: ['x'] }, { state: 'off' }],
    ['what is equal as it is written', { light: { colour: 'Red' } }, {}, { light: { colour: 'Red' } }],
    ['secrets', { light: { pin: '${env:P}', colour: 'blue' } }, {}, { light: { pin: '${env:P}', colour: 'red' } }],
    ['not what the tenant does not have', { state: 'on', tags: ['a'] }, { state: 'off' }, { state: 'off', tags: [] }],
    [
      'elements in their order, and then the others',
      { signals: [{ code: 'z', seconds: 1 }, { code: 'gone' }, { code: 'b', note: '' }] },
      { signals: [{ code: 'y' }, { code: 'b', note: '' }, { code: 'z', seconds: 3 }, { code: 'c' }] },
      { signals: [{ code: 'z', seconds: 3 }, { code: 'b', note: '' }, { code: 'y' }, { code: 'c' }] },
    ],
    ['steps in the order of the tenant', { steps: [1, 2] }, { steps: [2, 1, 3] }, { steps: [2, 1, 3] }],
    [
      'another form, with a new secret where the old one was declared',
      { link: { type: 'radio', band: 'b', key: '${env:K}' } },
      { link: { type: 'wire', port: 'p' } },
      { link: { type: 'wire', port: 'p', token: '${env:NEW_north/a_token}' } },
    ],
    [
      'another form, without one where it was not',
      { link: { type: 'radio', band: 'b' } },
      { link: { type: 'wire', port: 'p' } },
      { link: { type: 'wire', port: 'p' } },
    ],
  ])('a declared item keeps %s', (_name, declared, live, written) => {
    const item = { name: 'a', ...declared };
    expect(lamps.pull.adopt(item, { id: 'lmp_1', ...base, ...live }, names)).toEqual({
      written: { name: 'a', ...written },
    });
  });

  test.each<[Item, Item, string]>([
    [{ state: 'on' }, { state: 'dimmed' }, 'this version does not know its state "dimmed"'],
    [{ link: { type: 'wire' } }, { link: { type: 'laser' } }, 'this version does not know its link "laser"'],
  ])('%j cannot become %j', (declared, live, inexpressible) => {
    expect(lamps.pull.adopt({ name: 'a', ...declared }, { id: 'lmp_1', ...base, ...live }, names)).toEqual({
      inexpressible,
    });
  });
});
