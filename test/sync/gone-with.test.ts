// What the service does to items when the item that they name is deleted: they go along, lose a field, or keep it from going.
import { describe, expect, test } from 'vitest';
import { actionsOf, findingsOf, type Harbour, planHarbour } from '../support/harbour.ts';
import { moorings, ports, shipsKind } from '../support/ports-and-ships.ts';

const delft = { port_id: 'p1', name: 'Delft' };
const oz = { port_id: 'p2', name: 'Oz' };
const lists = {
  ports: [delft, oz],
  moorings: [
    { id: 'm1', port: 'p1', quay: 'a' },
    { id: 'm2', port: 'p1', quay: 'b' },
    { id: 'm3', port: 'p2', quay: 'a' },
  ],
  ships: [
    { id: 's1', name: 'Ada', port: 'p1' },
    { id: 's2', name: 'Bea' },
  ],
};
const files = { ports: [{ name: 'Delft', state: 'absent' }, { name: 'Oz' }] } as const;

async function shown(harbour: Partial<Harbour>) {
  const { plan, requests } = await planHarbour({ files, lists, kinds: [ports, shipsKind(), moorings], ...harbour });
  return {
    actions: actionsOf(plan),
    findings: findingsOf(plan),
    notes: plan.actions.flatMap(({ notes = [] }) => notes),
    effects: plan.actions.flatMap(({ effects = [] }) =>
      effects.map(({ code, kind, key, message }) => `${code} ${kind}/${key} ${message}`),
    ),
    refusals: plan.refusals.map(({ code, message, items }) => [code, message, ...items]),
    messages: plan.findings.map(({ message }) => message),
    complete: plan.complete,
    requests: requests.toSorted(),
    scopes: plan.scopes.plan,
  };
}

describe('an item that goes along', () => {
  test('is read without a section, named, and counted by guards', async () => {
    const guards = { max_delete_count: 1, max_delete_percent: 0 };
    const plan = await shown({ tenant: { guards } as never });
    expect(plan).toMatchObject({
      actions: ['delete ports/Delft /ports/p1'],
      findings: [],
      notes: [],
      effects: [
        'ACCESS_LOST moorings/Delft/a is deleted by the service with the port Delft',
        'ACCESS_LOST moorings/Delft/b is deleted by the service with the port Delft',
      ],
      refusals: [
        [
          'GUARD_TOO_MANY_DELETES',
          'would delete 1 of 2 live items, with 2 losses of other items; the limit is 1',
          'moorings/Delft/a#m1',
          'moorings/Delft/b#m2',
          'ports/Delft#p1',
        ],
      ],
      requests: ['list_moorings', 'list_ports'],
      scopes: ['read:moorings', 'read:ports'],
    });
  });

  test('is not read for what is not deleted', async () => {
    const { requests } = await shown({ files: { ports: [{ name: 'Delft' }, { name: 'Oz' }] } });
    expect(requests).toEqual(['list_ports']);
  });

  test('is deleted first, and is no loss of the other one, if the files delete it as well', async () => {
    const all = [
      { port: 'Delft', quay: 'a', state: 'absent' },
      { port: 'Delft', quay: 'b', state: 'absent' },
      { port: 'Oz', quay: 'a' },
    ] as const;
    expect(await shown({ files: { ...files, moorings: all } })).toMatchObject({
      actions: [
        'delete moorings/Delft/a /moorings/m1',
        'delete moorings/Delft/b /moorings/m2',
        'delete ports/Delft needs moorings/Delft/a,moorings/Delft/b /ports/p1',
      ],
      notes: [],
      refusals: [],
      requests: ['list_moorings', 'list_ports'],
    });
  });

  test('keeps the other one if it is protected', async () => {
    const tenant = { protect: { moorings: ['Delft/b'] } } as never;
    expect(await shown({ tenant })).toMatchObject({
      actions: [],
      findings: ['LIVE_PROTECTED ports/Delft'],
      messages: ['declared absent; kept because moorings/Delft/b, which the service deletes with it, is protected'],
    });
  });

  test('keeps the other one if it cannot be read', async () => {
    expect(await shown({ lists: { ...lists, moorings: 'forbidden' } })).toMatchObject({
      actions: [],
      findings: ['LIVE_FORBIDDEN ports/*'],
      messages: ['status 403; no port is deleted, because it is not known which moorings the service deletes with it'],
      complete: false,
    });
  });
});

test('an item that loses the field is named', async () => {
  const kinds = [ports, shipsKind('dropped')];
  expect(await shown({ kinds })).toMatchObject({
    actions: ['delete ports/Delft /ports/p1'],
    notes: ['is removed from ships/Ada by the service'],
    refusals: [],
  });
});

describe('an item whose field the service keeps', () => {
  const kinds = [ports, shipsKind('refused')];

  test('keeps the other one', async () => {
    expect(await shown({ kinds })).toMatchObject({
      actions: [],
      findings: ['LIVE_UNDELETABLE ports/Delft'],
      messages: ['declared absent; the service refuses to delete it while ships/Ada names it'],
    });
  });

  test('is changed first', async () => {
    const ships = [{ name: 'Ada', port: 'Oz' }, { name: 'Bea' }];
    expect(await shown({ kinds, files: { ...files, ships } })).toMatchObject({
      actions: ['update ships/Ada /ships/s1 {"port":"p2"}', 'delete ports/Delft needs ships/Ada /ports/p1'],
      findings: [],
    });
    // Unless it is not selected.
    const only = await shown({ kinds, files: { ...files, ships }, selection: { except: ['ships'] } });
    expect([only.actions, only.findings]).toEqual([[], ['LIVE_UNDELETABLE ports/Delft']]);
  });
});
