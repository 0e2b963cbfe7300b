// Kinds whose items name those of others: what is read for that, how often, and what follows if it cannot be read.
import { describe, expect, test } from 'vitest';
import { underNewNames } from '../../src/engine/new-names.ts';
import { compareFiles } from '../../src/plan/file-changes.ts';
import { actionsOf, findingsOf, harbourFiles, harbourKinds, planHarbour } from '../support/harbour.ts';

const delft = { port_id: 'p1', name: 'Delft' };
const reports = { undeclared: { moorings: 'report' } } as never;

describe('what items name', () => {
  test('is created before them, in one plan', async () => {
    const { plan, requests } = await planHarbour({
      files: { ships: [{ name: 'Ada', port: 'Delft', quays: ['a'] }], ports: [{ name: 'Delft', quays: ['a'] }] },
    });
    expect(actionsOf(plan)).toEqual([
      'create ports/Delft {"name":"Delft","quays":["a"]}',
      'create ships/Ada needs ports/Delft {"name":"Ada","port":"{result:ports/Delft:port_id}","quays":["a"]}',
    ]);
    expect(requests.toSorted()).toEqual(['list_ports', 'list_ships']);
  });

  test('is read without a section, and not decided', async () => {
    const { plan, requests } = await planHarbour({
      files: { ships: [{ name: 'Ada', port: 'Delft' }] },
      lists: { ports: [delft, { port_id: 'p2', name: 'Oz' }] },
    });
    expect(actionsOf(plan)).toEqual(['create ships/Ada {"name":"Ada","port":"p1"}']);
    expect([findingsOf(plan), plan.left_out, requests.toSorted()]).toEqual([[], [], ['list_ports', 'list_ships']]);
    expect(plan.scopes.plan).toEqual(['read:ports', 'read:ships']);
  });

  test('is read although it is not selected, and is not created', async () => {
    const { plan } = await planHarbour({
      files: {
        ships: [
          { name: 'Ada', port: 'Delft' },
          { name: 'Bea', port: 'Oz' },
        ],
        ports: [{ name: 'Delft' }, { name: 'Oz' }],
      },
      lists: { ports: [{ port_id: 'p2', name: 'Oz' }] },
      selection: { except: ['ports'] },
    });
    expect(actionsOf(plan)).toEqual(['create ships/Bea {"name":"Bea","port":"p2"}']);
    expect(findingsOf(plan)).toEqual(['LIVE_NOT_FOUND ships/Ada']);
    expect(plan.left_out).toEqual([{ kind: 'ports', key: '*', what: 'not_read' }]);
  });

  test('is not read for what is not selected', async () => {
    const files = { ships: [{ name: 'Ada', port: 'Delft' }], ports: [] };
    const { requests } = await planHarbour({ files, selection: { except: ['ships', 'ports'] } });
    expect(requests).toEqual([]);
  });

  test('keeps its items when it gets another name', async () => {
    const { plan } = await planHarbour({
      files: {
        ports: [{ name: 'Gouda', renamedFrom: 'Delft' }],
        moorings: [{ port: 'Gouda', quay: 'a' }],
        ships: [{ name: 'Ada', port: 'Gouda' }],
      },
      lists: {
        ports: [delft],
        moorings: [{ id: 'm1', port: 'p1', quay: 'a' }],
        ships: [{ id: 's1', name: 'Ada', port: 'p1' }],
      },
    });
    expect(actionsOf(plan)).toEqual(['update ports/Gouda /ports/p1 {"name":"Gouda"}']);
    expect(findingsOf(plan)).toEqual([]);
  });
});

describe('what cannot be read', () => {
  const files = {
    ports: [{ name: 'Delft' }],
    ships: [{ name: 'Ada', port: 'Delft' }, { name: 'Bea' }],
    moorings: [{ port: 'Delft', quay: 'a' }],
  };
  const lists = {
    ports: 'forbidden',
    ships: [{ id: 's9', name: 'Old' }],
    moorings: [{ id: 'm9', port: 'p9', quay: 'z' }],
  } as const;

  test('leaves out the items that name it, and a kind that is known by its names', async () => {
    const { plan } = await planHarbour({ files, lists });
    expect(actionsOf(plan)).toEqual(['create ships/Bea {"name":"Bea"}', 'delete ships/Old /ships/s9']);
    expect(findingsOf(plan)).toEqual([
      'LIVE_FORBIDDEN ports/*',
      'LIVE_FORBIDDEN ships/Ada',
      'LIVE_FORBIDDEN moorings/*',
    ]);
    expect(plan.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('status 403'),
      'not changed, because it names the port "Delft" and ports could not be read: status 403',
      expect.stringContaining('moorings are known by names of ports, which could not be read: status 403'),
    ]);
    expect([plan.complete, plan.summary.unreadable]).toEqual([false, ['ports', 'moorings']]);
  });

  test('stops a kind that is known by its names also where it has no section', async () => {
    const { plan, requests } = await planHarbour({ files: { moorings: files.moorings }, lists });
    expect([actionsOf(plan), findingsOf(plan)]).toEqual([[], ['LIVE_FORBIDDEN moorings/*']]);
    expect(requests).toEqual(['list_ports']);
  });
});

describe('a list of several pages', () => {
  test('is read again if it lacks a name of the files', async () => {
    const { plan, requests } = await planHarbour({
      files: { ships: [{ name: 'Ada', port: 'Delft' }] },
      lists: { ports: { passes: [[], [delft], [delft]] } },
    });
    expect(actionsOf(plan)).toEqual(['create ships/Ada {"name":"Ada","port":"p1"}']);
    expect(requests.filter((id) => id === 'list_ports')).toHaveLength(2);
  });

  test('is read again if it lacks an id of a live item', async () => {
    const files = { moorings: [] };
    const live = { moorings: [{ id: 'm1', port: 'p1', quay: 'a' }] };
    const tenant = { protect: { moorings: ['Delft/*'] } } as never;
    const passes = [[{ port_id: 'p2', name: 'Oz' }], [delft, { port_id: 'p2', name: 'Oz' }]];
    const { plan, requests } = await planHarbour({ files, tenant, lists: { ...live, ports: { passes } } });
    expect([actionsOf(plan), findingsOf(plan)]).toEqual([[], ['LIVE_PROTECTED moorings/Delft/a']]);
    expect(requests).toEqual(['list_ports', 'list_moorings', 'list_ports']);
    const gone = await planHarbour({ files, tenant: reports, lists: { ...live, ports: { passes: [[], []] } } });
    expect(findingsOf(gone.plan)).toEqual(['LIVE_UNDECLARED moorings/id:p1/a']);
    expect(gone.requests).toEqual(['list_ports', 'list_moorings', 'list_ports']);
  });

  test('that fails when it is read again stops a kind that is known by its names', async () => {
    const moorings = [{ id: 'm1', port: 'p1', quay: 'a' }];
    const { plan } = await planHarbour({
      files: { moorings: [{ port: 'Oz', quay: 'a' }] },
      lists: { moorings, ports: { passes: [[{ port_id: 'p2', name: 'Oz' }], 'forbidden'] } },
    });
    expect([actionsOf(plan), findingsOf(plan)]).toEqual([[], ['LIVE_FORBIDDEN moorings/*']]);
  });
});

test('the base of a three-way plan has names of its own, on the same lists', async () => {
  const files = { ports: [{ name: 'Delft' }], ships: [{ name: 'Ada', port: 'Delft', crew: 3 }] };
  const [now, then] = [harbourFiles(files), harbourFiles({ ...files, ports: [] })];
  const base = {
    ...{ ref: 'main', commit: '0'.repeat(40), isBehind: false },
    state: { desired: then, changes: compareFiles(now, then) },
  };
  const lists = { ports: [delft], ships: [{ id: 's1', name: 'Ada', port: 'p1', crew: 2 }] };
  const { plan, requests } = await planHarbour({ files, lists, parts: { base } });
  // The port goes by the base, so nothing of it is known of the ship.
  expect(actionsOf(plan)).toEqual(['update ships/Ada /ships/s1 {"crew":3}']);
  expect(plan.actions[0]?.origin).toBe('drift');
  expect(requests.toSorted()).toEqual(['list_ports', 'list_ships']);
});

test('what names a renamed item in the base names it still', async () => {
  const written = (name: string) => ({
    moorings: [{ port: name, quay: 'a', length: 9 }],
    ships: [{ name: 'Ada', port: name, quays: ['a'] }],
  });
  const files = { ports: [{ name: 'Gouda', renamedFrom: 'Delft' }], ...written('Gouda') };
  const [now, before] = [harbourFiles(files), harbourFiles({ ports: [{ name: 'Delft' }], ...written('Delft') })];
  const then = underNewNames(before, now, harbourKinds);
  const changes = compareFiles(now, then);
  const keys = ['ports', 'moorings', 'ships'].map((kind) => changes.changedKeys(kind));
  expect(keys).toEqual([['Delft', 'Gouda'], [], []]);
  const lists = {
    ports: [{ ...delft, quays: ['a'] }],
    moorings: [{ id: 'm1', port: 'p1', quay: 'a', length: 8 }],
    ships: [{ id: 's1', name: 'Ada', port: 'p1', quays: ['a'] }],
  };
  const base = { ref: 'main', commit: '0'.repeat(40), isBehind: false, state: { desired: then, changes } };
  const { plan } = await planHarbour({ files, lists, parts: { base } });
  expect(plan.actions.map(({ id, origin }) => [id, origin])).toEqual([
    ['ports/Gouda', 'change'],
    ['moorings/Gouda/a', 'drift'],
  ]);
});
