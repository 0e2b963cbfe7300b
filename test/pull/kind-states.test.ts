// What is known of a kind before its files change, where its items name others and have sets of their own.
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/engine/connected.ts';
import { describedKind } from '../../src/items/described-kind.ts';
import { noNames } from '../../src/model/names.ts';
import type { Reader } from '../../src/model/reader.ts';
import type { Resource, ResourceOperations } from '../../src/model/resource.ts';
import { everything } from '../../src/plan/selection.ts';
import { kindStates } from '../../src/pull/kind-states.ts';
import { forbidden, type HarbourList, harbourFiles } from '../support/harbour.ts';
import { ports } from '../support/ports-and-ships.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

const row = (id: string, path: string, identity: string) => ({
  list: { id, method: 'GET', path, api: 'full', paging: { style: 'cursor', identity: [identity] } },
});

const pilots: Resource = {
  ...{ at: 'set', key: ['port'], scalar: 'port', id: 'id', resources: {} },
  fields: { port: { ref: { to: 'ports' } } },
  operations: row('list_pilots', '/ferries/{id}/pilots', 'port') as unknown as ResourceOperations,
};

/** Ferries are known by their port and their line, and have pilots, each from a port. */
const ferries = describedKind({
  ...{ at: 'list', name: 'ferries', title: 'Ferries', noun: { one: 'ferry', many: 'ferries' }, undeclared: 'report' },
  ...{ key: ['port', 'line'], id: 'id', resources: { pilots } },
  fields: { port: { identity: true, ref: { to: 'ports' } }, line: { identity: true } },
  operations: row('list_ferries', '/ferries', 'id') as unknown as ResourceOperations,
  skip: [{ when: { retired: true }, why: 'retired' }],
});

const lists: Readonly<Record<string, HarbourList>> = {
  list_ports: [
    { port_id: 'p1', name: 'Delft' },
    { port_id: 'p2', name: 'Leiden' },
    { port_id: 'p3', name: 'Leiden' },
  ],
  list_ferries: [
    { id: 'f1', port: 'p1', line: 'a' },
    { id: 'f2', port: 'p2', line: 'a' },
    { id: 'f3', port: 'p2', line: 'old', retired: true },
  ],
};

interface Given {
  readonly files?: Parameters<typeof harbourFiles>[0];
  readonly pilots?: readonly object[] | 'forbidden';
  readonly wants?: boolean;
}

async function statesOf({ files = {}, pilots: list = [{ port: 'p3' }], wants = true }: Given) {
  const requests: string[] = [];
  const kinds = [ports, ferries];
  const reader = {
    list: async ({ id }: { readonly id: string }, _query: object, params?: { readonly id: string }) => {
      requests.push([id, params?.id].filter(Boolean).join(' '));
      const items = id === 'list_pilots' ? list : lists[id];
      return items === 'forbidden' ? forbidden : { ok: true, items };
    },
  };
  const desired = harbourFiles(files, {}, kinds);
  const snapshot = snapshotOf(reader as unknown as Reader);
  const session = {
    options: { kinds },
    loaded: { desired, selection: { ...everything, only: ['ferries'] }, written: { items: [] } },
  } as unknown as Session;
  const live = await ferries.reading.read(snapshot, {
    ...{ desired: { items: [], source: { file: '', line: 1, column: 1 } }, only: null, names: noNames },
    keep: { undeclared: 'report', keepsParts: false, patterns: [], isProtected: () => false },
  });
  const known = await kindStates({
    ...{ session, snapshot, lives: new Map([['ferries', live]]) },
    wants: () => wants,
    reports: () => false,
  });
  const newNames = { secret: () => '' };
  return {
    ...{
      complete: known.complete,
      warnings: known.warnings.map(({ code, message }) => `${code} ${message}`),
      requests,
    },
    written: known.states.flatMap(({ rules, reading, undeclared }) =>
      undeclared.map((one) => rules.declare(one, newNames, reading)),
    ),
  };
}

const leftAlone = 'PULL_LEFT_OUT ferries: 1 ferry left alone: retired.';

describe('items that are undeclared', () => {
  test('have names of others, also in their keys, and the elements of their sets', async () => {
    expect(await statesOf({})).toMatchObject({
      complete: true,
      warnings: [leftAlone],
      written: [
        { written: { port: 'Delft', line: 'a', pilots: [{ id: 'p3' }] } },
        { written: { port: { id: 'p2' }, line: 'a', pilots: [{ id: 'p3' }] } },
      ],
    });
  });

  test('are written without sets that could not be read', async () => {
    const message = 'PULL_NOT_READ ferries: pilots of 2 ferries could not be read: status 403.';
    const kept = `${message} What the files have of it is not changed.`;
    expect(await statesOf({ pilots: 'forbidden' })).toMatchObject({
      complete: true,
      warnings: [leftAlone, kept],
      written: [{ written: { port: 'Delft', line: 'a' } }, { written: { port: { id: 'p2' }, line: 'a' } }],
    });
    expect(await statesOf({ files: { ferries: [] }, pilots: 'forbidden' })).toMatchObject({
      complete: false,
      warnings: [leftAlone, kept],
    });
  });

  test('are not read and not counted where nothing is added', async () => {
    const { warnings, requests } = await statesOf({ files: { ferries: [] }, wants: false });
    expect(warnings).toEqual([]);
    expect(requests).toEqual(['list_ferries', 'list_ports']);
  });
});
