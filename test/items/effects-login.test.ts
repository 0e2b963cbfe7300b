// Settings that make logins weaker, in each direction: what an update of them leads to.
import { describe, expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import { groupKind } from '../../src/items/group-kind.ts';
import type { Field, Login } from '../../src/model/field.ts';
import { description as attackProtection } from '../../src/service/attack-protection/description.generated.ts';
import { effectsOf } from '../support/effects-of.ts';
import { operationsOf } from '../support/ports-and-ships.ts';

const about = { at: 'list', title: 'Gates', noun: { one: 'gate', many: 'gates' }, undeclared: 'report' } as const;

function gatesKind(field: Field) {
  return describedKind({
    ...about,
    ...{ name: 'gates', key: ['name'], id: 'id', resources: {}, operations: operationsOf('gates', 'id') },
    fields: { name: { identity: true }, lock: { fields: { rule: field, note: {} } } },
  });
}

/** What happens to the item when a rule is `before` on the tenant and `after` in the files; undefined is absent. */
function weaker(field: Field, before: unknown, after: unknown): string[] {
  const live = before === undefined ? {} : { rule: before };
  const found = effectsOf(
    gatesKind(field),
    [['north', { name: 'north', lock: { rule: after, note: 'b' } }]],
    [{ id: 'g1', name: 'north', lock: { ...live, note: 'a' } }],
  );
  return found.map(({ code, severity, message }) => `${code} ${severity}: ${message}`);
}

const set = { list: 'set', items: {} } as const;
const order = ['none', 'low', 'high'];
const weakens = (change: string) => [`LOGIN_WEAKER warning: weakens logins: lock.rule ${change}`];
const changes = (change: string) => [`LOGIN_CHANGED warning: changes logins: lock.rule ${change}`];
const gone = (before: string) => weakens(`from ${before} to not set`);

describe.each<[string, Login, Field, readonly (readonly [unknown, unknown, readonly string[]])[]]>([
  [
    'weaker if it is false',
    { weaker: false },
    {},
    [
      [true, false, weakens('from true to false')],
      [false, true, []],
      [true, true, []],
      [undefined, false, weakens('from not set to false')],
      [undefined, true, []],
      [true, null, gone('true')],
      [false, null, []],
    ],
  ],
  [
    'weaker if it is true',
    { weaker: true },
    {},
    [
      [false, true, weakens('from false to true')],
      [true, false, []],
      [undefined, true, weakens('from not set to true')],
      [undefined, false, []],
      [false, null, gone('false')],
      [true, null, []],
    ],
  ],
  [
    'weaker if it is higher',
    { weaker: 'higher' },
    {},
    [
      [10, 11, weakens('from 10 to 11')],
      [10, 9, []],
      [undefined, 9, weakens('from not set to 9')],
      [10, null, gone('10')],
    ],
  ],
  [
    'weaker if it is lower',
    { weaker: 'lower' },
    {},
    [
      [10, 9, weakens('from 10 to 9')],
      [10, 11, []],
      [undefined, 9, []],
      [10, null, gone('10')],
    ],
  ],
  [
    'weaker with more elements',
    { weaker: 'more' },
    set,
    [
      [['a', 'b'], ['b', 'd', 'a', 'c'], weakens('gains c, d')],
      [['a', 'b'], ['a'], []],
      [['a', 'b'], ['c'], weakens('gains c')],
      [undefined, ['a'], weakens('gains a')],
      [['a', 'b'], ['b', 'a'], []],
      [['a'], null, gone('a')],
      [[], null, []],
    ],
  ],
  [
    'weaker with fewer elements',
    { weaker: 'fewer' },
    set,
    [
      [['a', 'b', 'c'], ['b'], weakens('loses a, c')],
      [['a'], ['a', 'b'], []],
      [['a'], ['b'], weakens('loses a')],
      [undefined, ['a'], []],
      [['a'], [], weakens('loses a')],
      [['b', 'a'], null, gone('a, b')],
    ],
  ],
  [
    'an order of values',
    { order },
    {},
    [
      ['high', 'low', weakens('from high to low')],
      ['high', 'none', weakens('from high to none')],
      ['low', 'high', []],
      ['none', 'low', []],
      [undefined, 'low', weakens('from not set to low')],
      [undefined, 'high', []],
      ['low', null, gone('low')],
      ['none', null, []],
      ['medium', 'low', weakens('from medium to low')],
      ['medium', 'high', []],
      ['none', 'medium', []],
      ['low', 'medium', weakens('from low to medium')],
    ],
  ],
  [
    'no direction',
    {},
    {},
    [
      [1, 2, changes('from 1 to 2')],
      [2, 1, changes('from 2 to 1')],
      [undefined, 1, changes('from not set to 1')],
      [1, null, changes('from 1 to not set')],
      [1, 1, []],
    ],
  ],
  ['no direction of a set', {}, set, [[['a', 'b'], ['b', 'c'], changes('gains c and loses a')]]],
  [
    'absent is the same as a value',
    { weaker: false },
    { none: false },
    [
      [true, null, weakens('from true to false')],
      [undefined, true, []],
      [undefined, false, []],
    ],
  ],
  ['absent is the same as no element', { weaker: 'more' }, { ...set, none: [] }, [[['a'], null, []]]],
])('%s', (_name, login, field, rows) => {
  test.each(rows)('%j to %j', (before, after, expected) => {
    expect(weaker({ nullable: true, ...field, login }, before, after)).toEqual(expected);
  });
});

const rule: Field = { login: { weaker: false }, nullable: true };

test('an object that is not set any more takes its rules with it', () => {
  const kind = gatesKind({ nullable: true, fields: { deep: rule, other: {} } });
  const live = { id: 'g1', name: 'north', lock: { rule: { deep: true } } };
  const found = effectsOf(kind, [['north', { name: 'north', lock: { rule: null } }]], [live]);
  expect(found.map(({ message }) => message)).toEqual(['weakens logins: lock.rule.deep from true to not set']);
});

test('elements of a list are compared by what names them', () => {
  const kind = gatesKind({ list: 'key', key: 'name', items: { fields: { name: {}, on: rule } } });
  const live = {
    id: 'g1',
    name: 'north',
    lock: {
      rule: [
        { name: 'a', on: true },
        { name: 'b', on: false },
      ],
    },
  };
  const declared = {
    name: 'north',
    lock: {
      rule: [
        { name: 'b', on: false },
        { name: 'a', on: false },
      ],
    },
  };
  expect(effectsOf(kind, [['north', declared]], [live]).map(({ message }) => message)).toEqual([
    'weakens logins: lock.rule.a.on from true to false',
  ]);
});

test('the form of an object decides which rules it has', () => {
  const kind = gatesKind({ forms: { by: 'type', of: { bolt: { type: {}, on: rule }, bar: { type: {}, on: {} } } } });
  const effects = (type: string) =>
    effectsOf(
      kind,
      [['north', { name: 'north', lock: { rule: { type, on: false } } }]],
      [{ id: 'g1', name: 'north', lock: { rule: { type, on: true } } }],
    );
  expect(effects('bolt')).toHaveLength(1);
  expect(effects('bar')).toEqual([]);
});

test('a new item weakens nothing, and neither does one that is deleted', () => {
  const live = { id: 'g1', name: 'north', lock: { rule: true } };
  expect(effectsOf(gatesKind(rule), [['south', { name: 'south', lock: { rule: false } }]], [])).toEqual([]);
  const absent = { keep: { undeclared: 'delete', keepsParts: false, patterns: [], isProtected: () => false } } as const;
  expect(effectsOf(gatesKind(rule), [], [live], absent)).toEqual([]);
});

test('each single of a group has its own rules', () => {
  const single = (key: string, value: object) => ({ key, state: { readable: true, filtered: false, items: [value] } });
  const effects = effectsOf(
    groupKind(attackProtection),
    [
      ['brute_force_protection', { enabled: false, max_attempts: 5, shields: ['block'] }],
      ['suspicious_ip_throttling', { stage: { 'pre-login': { max_attempts: 200, rate: 864000 } } }],
    ],
    [
      single('brute_force_protection', { enabled: true, max_attempts: 10, shields: ['user_notification', 'block'] }),
      single('suspicious_ip_throttling', { stage: { 'pre-login': { max_attempts: 100, rate: 864000 } } }),
    ],
  );
  expect(effects.map(({ kind, key, message }) => `${kind}/${key} ${message}`)).toEqual([
    'attack_protection/brute_force_protection weakens logins: enabled from true to false',
    'attack_protection/brute_force_protection weakens logins: shields loses user_notification',
    'attack_protection/suspicious_ip_throttling weakens logins: stage.pre-login.max_attempts from 100 to 200',
  ]);
});
