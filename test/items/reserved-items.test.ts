import { expect, test } from 'vitest';
import { separate, whyFixed } from '../../src/items/reserved-items.ts';
import type { DecideInput } from '../../src/model/kind.ts';
import { noNames } from '../../src/model/names.ts';
import type { KindDescription } from '../../src/model/resource.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';

const description: KindDescription = {
  ...{ at: 'list', name: 'lamps', title: 'Lamps', noun: { one: 'lamp', many: 'lamps' }, undeclared: 'report' },
  ...{ key: ['name'], id: 'id', operations: {}, resources: {} },
  fields: { name: {}, owner: { ref: { to: 'clients' } }, color: {}, reach: {} },
  skip: [
    { when: { built_in: true }, why: 'built in' },
    { when: { owner: { is_first_party: false } }, unless: 'declared', why: 'a lamp of a third party' },
  ],
  writable: { when: { is_system: true }, only: ['color'], why: 'a lamp of the service itself' },
};

const names = {
  ...noNames,
  itemOf: (_to: string, id: string) => (id === 'c1' ? { is_first_party: false } : undefined),
};

function separated(
  declared: readonly string[],
  live: readonly object[],
  state: 'present' | 'absent' = 'present',
  more: Partial<KindDescription> = {},
) {
  const section = desiredSection(declared.map((name) => [name, { name }]));
  const input: DecideInput<object, object> = {
    desired: { ...section, items: section.items.map((item) => ({ ...item, state })) },
    live: { readable: true, filtered: false, items: live },
    keep: { ...keepNothing, undeclared: 'report' },
    ...{ api: 'full', rotate: new Set(), names },
  };
  const { input: left, findings } = separate({ ...description, ...more }, input);
  return {
    live: left.live.readable ? left.live.items : [],
    declared: left.desired.items.map(({ key }) => key),
    findings: findings.map(({ code, key, message }) => `${code} ${key}: ${message}`),
  };
}

const [builtIn, ofOthers, ofService] = [
  { id: '1', name: 'a', built_in: true },
  { id: '2', name: 'b', owner: 'c1' },
  { id: '3', name: 'c', is_system: true },
];
const own = { id: '4', name: 'd', owner: 'c2' };

test('what files cannot manage is counted, by the reason', () => {
  expect(separated([], [builtIn, { ...builtIn, id: '9' }, ofOthers, ofService, own])).toEqual({
    live: [own],
    declared: [],
    findings: [
      'LIVE_UNDECLARABLE *: 2 lamps left alone: built in',
      'LIVE_UNDECLARABLE *: 1 lamp left alone: a lamp of a third party',
    ],
  });
});

test('declaring it is an error, and nothing is created under its name', () => {
  expect(separated(['a', 'd'], [builtIn, own])).toEqual({
    live: [own],
    declared: ['d'],
    findings: [
      'LIVE_RESERVED a: the item on the tenant is built in, so files cannot manage it; delete it from the files',
      'LIVE_UNDECLARABLE *: 1 lamp left alone: built in',
    ],
  });
});

test('what others registered is managed where the files declare it', () => {
  expect(separated(['b'], [ofOthers])).toEqual({ live: [ofOthers], declared: ['b'], findings: [] });
});

test('where several can have a name, one that is left alone is known by its id', () => {
  const more = { unique: false } as const;
  expect(separated(['a', 'b'], [builtIn, ofOthers], 'present', more)).toMatchObject({ live: [], declared: ['a', 'b'] });
  const { findings, ...left } = separated(['id:1', 'id:2'], [builtIn, ofOthers], 'present', more);
  expect(left).toEqual({ live: [ofOthers], declared: ['id:2'] });
  expect(findings[0]).toMatch(/^LIVE_RESERVED id:1: /);
});

test('an item of the service itself can be declared, and not deleted', () => {
  expect(separated(['c'], [ofService])).toEqual({ live: [ofService], declared: ['c'], findings: [] });
  expect(separated(['c'], [ofService], 'absent').findings[0]).toMatch(/^LIVE_RESERVED c: /);
});

test('of an item of the service itself, only some fields change', () => {
  expect([whyFixed(description, ofService, 'color'), whyFixed(description, ofService, 'reach')]).toEqual([
    null,
    'a lamp of the service itself',
  ]);
  expect(whyFixed(description, own, 'reach')).toBeNull();
});
