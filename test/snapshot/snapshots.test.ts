// Readings that are shared, and how old they are.
import { describe, expect, test } from 'vitest';
import type { Reader } from '../../src/model/reader.ts';
import type { ItemSource } from '../../src/model/snapshot.ts';
import { operations as apis } from '../../src/service/resource-servers/description.generated.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { getRole, listRolePermissions, listRoles } from '../support/role-operations.ts';
import { snapshotsOf } from '../support/snapshot-of.ts';

test('those who ask for the same reading share it, unless it is too old for one of them', async () => {
  let reads = 0;
  const list: Reader['list'] = async () => {
    reads += 1;
    return { ok: true, items: [] };
  };
  const clock = startFakeClock();
  const snapshots = snapshotsOf({ list }, { clock });
  const readings = snapshots.share();
  const query = { type: 'tenant' } as const;
  await Promise.all([readings.since().list(listRoles, query), readings.since().list(listRoles, query)]);
  expect(reads).toBe(1);
  await readings.since().list(listRoles, {});
  expect(reads).toBe(2);
  clock.advance(1);
  await readings.since(clock.monotonic()).list(listRoles, query);
  expect(reads).toBe(3);
  // What is read now serves whoever is content with an older reading.
  await readings.since().list(listRoles, query);
  expect(reads).toBe(3);
  await snapshots.share().since().list(listRoles, query);
  expect(reads).toBe(4);
});

test('one item is shared as well, unless it has to confirm what another response has shown', async () => {
  const asked: string[] = [];
  const get = (async (_operation, { id = '' }) => {
    asked.push(id);
    return { ok: true, value: { id } };
  }) as Reader['get'];
  const snapshot = snapshotsOf({ get }).share().since();
  await Promise.all([1, 2].map(() => snapshot.get(apis.get, { id: 'a' })));
  expect([asked, snapshot.isRepeated()]).toEqual([['a'], false]);
  await snapshot.getAgain(apis.get, { id: 'a' });
  expect([asked, snapshot.isRepeated()]).toEqual([['a', 'a'], true]);
});

test('a reading that fails is not kept', async () => {
  const results = [Promise.reject(new Error('no')), Promise.resolve({ ok: true as const, items: [] })];
  const readings = snapshotsOf({ list: (() => results.shift()) as unknown as Reader['list'] }).share();
  await expect(readings.since().list(listRoles, {})).rejects.toThrow('no');
  expect(await readings.since().list(listRoles, {})).toEqual({ ok: true, items: [] });
});

test('a snapshot is as old as the oldest of what was used', async () => {
  const clock = startFakeClock();
  const list: Reader['list'] = async () => {
    clock.advance(3000);
    return { ok: true, items: [], arrivedAt: clock.monotonic() - 1000 };
  };
  const readings = snapshotsOf({ list }, { clock }).share();
  const start = clock.monotonic();
  const [one, other] = [readings.since(start), readings.since(start)];
  expect(one.oldest()).toEqual({ began: start, arrivedAt: start });
  await one.list(listRoles, {});
  clock.advance(1500);
  await other.list(listRoles, {});
  await other.list(listRoles, { type: 'tenant' });
  const first = { began: start, arrivedAt: start + 2000 };
  expect([one.oldest(), other.oldest()]).toEqual([first, first]);
});

describe('the list of a kind is preferred', () => {
  const single = { list: listRoles, query: { type: 'tenant' }, get: getRole, nameOf: () => '' };
  const { get: _get, ...listed } = single;

  async function preferring(items: number, read: object, ms = 0, source: object = single) {
    const clock = startFakeClock();
    const list = async () => {
      const arrivedAt = clock.monotonic();
      clock.advance(ms);
      return { ok: true, items: [], arrivedAt, ...read };
    };
    const snapshots = snapshotsOf({ list: list as unknown as Reader['list'] }, { clock, slowMs: 5000 });
    await snapshots.share().since().list(listRoles, { type: 'tenant' });
    return snapshots.prefersList(source as ItemSource<unknown>, items);
  }

  test('if it takes no more requests than its items', async () => {
    expect(await preferring(3, { pages: 3 })).toBe(true);
    expect(await preferring(2, { pages: 3 })).toBe(false);
    expect(await preferring(100, { pages: 16 })).toBe(true);
    expect(await preferring(100, { pages: 17 })).toBe(false);
    expect(snapshotsOf({}).prefersList(single as ItemSource<unknown>, 1)).toBe(true);
  });

  test('unless it takes so long that it serves few, or others keep changing it', async () => {
    expect(await preferring(3, {}, 5000)).toBe(true);
    expect(await preferring(3, {}, 5001)).toBe(false);
    let pass = 0;
    const list = async () => {
      pass += 1;
      return { ok: true, items: [{ id: String(pass) }], pages: 2, changed: 'page 2: moved' };
    };
    const snapshots = snapshotsOf({ list: list as unknown as Reader['list'] });
    const { ok } = await snapshots.share().since().list(listRoles, { type: 'tenant' });
    expect([ok, snapshots.prefersList(single as ItemSource<unknown>, 9)]).toEqual([false, false]);
  });

  test('always, if nothing reads an item by itself', async () => {
    expect(await preferring(1, { pages: 99 }, 9000, listed)).toBe(true);
  });
});

test('which items lists had by a moment, by their ids; a permission has none', async () => {
  const pages: object[][] = [
    [{ id: 'rol_1' }],
    [{ resource_server_identifier: 'roles' }],
    [{ id: 'rol_1' }, { id: 'rol_2' }],
  ];
  const list = async () => ({ ok: true, items: pages.shift() ?? [] });
  const snapshots = snapshotsOf({ list: list as unknown as Reader['list'] });
  await snapshots.share().since().list(listRoles, {});
  await snapshots.share().since().list(listRolePermissions, {}, { id: 'rol_1' });
  const wasThere = snapshots.seenByNow();
  await snapshots.share().since().list(listRoles, {});
  expect(['rol_1', 'rol_2', 'rol_3', 'roles'].map(wasThere)).toEqual([true, false, false, false]);
  expect(snapshots.seenByNow()('rol_2')).toBe(true);
});
