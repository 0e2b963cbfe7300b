// Which key a live item has: that under which files declare it, or would declare it.
import { expect, test } from 'vitest';
import { describedKind } from '../../src/items/described-kind.ts';
import { openKeys } from '../../src/items/keys.ts';
import type { KindDescription } from '../../src/model/resource.ts';
import { type Boat, description as boats, newNames, reading } from '../support/boats.ts';
import { desiredSection } from '../support/desired-section.ts';

/** Known by the name of an owner, and by its berth. Ann is c1, Ann/1 is c2. */
const description: KindDescription = {
  ...boats,
  ...{ name: 'event_streams', key: ['owner', 'berth'], fields: { owner: { ref: { to: 'clients' } }, berth: {} } },
  ...{ resources: {} },
};
const { unique: _unique, ...byOwner } = description;
const { pull, keyOf } = describedKind<Boat, Boat>(byOwner);
const names = {
  ...reading([]).names,
  nameOf: (_to: string, id: string) => ({ c1: 'Ann', c2: 'Ann/1' })[id] ?? `id:${id}`,
};

const [first, second] = [
  { boat_id: 'b1', owner: 'c1', berth: '1/x' },
  { boat_id: 'b2', owner: 'c2', berth: 'x' },
];

test.each<[string, readonly string[], readonly Boat[], readonly string[]]>([
  ['not declared', [], [first], ['Ann/1/x']],
  ['declared, and another one with the same text', ['Ann'], [first, second], ['Ann/1/x', 'id:c2/x']],
  ['another one with the same text as a declared one', ['Ann'], [second], ['id:c2/x']],
  ['two with one text', [], [first, second], ['id:c1/1/x', 'id:c2/x']],
  ['declared by the id of its owner', ['id:c1'], [first, second], ['id:c1/1/x', 'id:c2/x']],
])('%s', (_name, owners, live, keys) => {
  const { items } = desiredSection(owners.map((owner) => [`${owner}/1/x`, { owner, berth: '1/x' }]));
  expect(live.map(openKeys(byOwner, { items, live, names }))).toEqual(keys);
});

/** Known by a mooring, which files can name by the client that has it. */
const byMooring: KindDescription = {
  ...byOwner,
  key: ['mooring'],
  fields: { mooring: { ref: { to: 'clients', as: { field: 'client', prefix: 'of:' } } } },
};

test.each<[string, readonly object[], readonly string[], readonly string[]]>([
  ['not declared', [], ['of:c1', 'of:c3', 'east'], ['client:Ann', 'of:c3', 'east']],
  ['declared by a name', [{ client: 'Ann' }], ['of:c1', 'of:c2'], ['client:Ann', 'client:Ann/1']],
  ['declared by an id', [{ client: { id: 'c1' } }], ['of:c1'], ['client:id:c1']],
  ['declared as the service has it', [{ mooring: 'of:c1' }], ['of:c1', 'of:c2'], ['of:c1', 'client:Ann/1']],
  [
    'declared as the service has it, beside one that has a name',
    [{ mooring: 'of:c1' }, { client: 'Ann/1' }],
    ['of:c1', 'of:c2'],
    ['of:c1', 'client:Ann/1'],
  ],
  ['a name that another one has in the files', [{ client: 'Bob' }], ['of:c4'], ['of:c4']],
])('what files name in another field, %s', (_name, written, moorings, keys) => {
  const kind = describedKind<Boat, Boat>(byMooring);
  const { items } = desiredSection(
    written.map((one) => [kind.keyOf(one), kind.canonical?.(one).value ?? one] as const),
  );
  const ids = new Map([
    ['Ann', 'c1'],
    ['Ann/1', 'c2'],
  ]);
  const known = {
    ...names,
    nameOf: (to: string, id: string) => (id === 'c4' ? 'Bob' : names.nameOf(to, id)),
    find: (_to: string, name: string) => ({ is: 'live', id: ids.get(name) ?? 'c5' }) as const,
  };
  const live = moorings.map((mooring, index) => ({ boat_id: `b${index}`, mooring }));
  expect(live.map(openKeys<object>(byMooring, { items, live, names: known }))).toEqual(keys);
});

test('what files name in another field has its place there', () => {
  const canonical = describedKind<Boat, Boat>(byMooring).canonical?.({ client: { id: 'c1' }, absent: true });
  expect(canonical?.value).toEqual({ mooring: 'client:id:c1', absent: true });
  expect(['/mooring', '/absent', ''].map((pointer) => canonical?.writtenAt(pointer))).toEqual([
    '/client',
    '/absent',
    '',
  ]);
});

test('a name that looks like an id is none', () => {
  const live = [
    { boat_id: 'b1', name: 'id:b2' },
    { boat_id: 'b2', name: 'Sloop' },
  ];
  const keysOf = (items: readonly string[]) =>
    live.map(openKeys(boats, { items: desiredSection(items.map((id) => [`id:${id}`, { id }])).items, live }));
  expect([keysOf([]), keysOf(['b2'])]).toEqual([
    ['id:b1', 'Sloop'],
    ['id:b1', 'id:b2'],
  ]);
});

test('pull writes the item of the key', () => {
  const read = { ...reading([first, second]), names };
  const pulled = [first, second].map((live) => pull.declare(live, newNames, read));
  const written = pulled.map((one) => ('written' in one ? one.written : null));
  expect(written).toEqual([
    { owner: { id: 'c1' }, berth: '1/x' },
    { owner: { id: 'c2' }, berth: 'x' },
  ]);
  expect(written.map(keyOf)).toEqual(['id:c1/1/x', 'id:c2/x']);
});
