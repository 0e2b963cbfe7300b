// What an action that takes something away relies on, seen by readings that are too old together.
import { expect, test } from 'vitest';
import { openProofs } from '../../src/apply/proofs.ts';
import { openRecords } from '../../src/apply/records.ts';
import { buildAction } from '../support/build-action.ts';

test('what two readings never show at one time is given up after some rounds, and until then waits', () => {
  const grants = ['one', 'two'].map((key) => buildAction({ kind: 'roles', key, action: 'add' }));
  const removal = buildAction({ kind: 'roles', key: 'three', action: 'remove' });
  const { records } = openRecords([...grants, removal], 0);
  let now = 100_000;
  const ids = grants.map(({ id }) => id);
  const proofs = openProofs({
    records,
    relied: () => [ids],
    now: () => now,
    isOld: (at) => now - at > 10_000,
    isOverdue: () => false,
  });
  const read = (id: string, began: number, arrivedAt: number) => {
    const record = records.get(id);
    if (record === undefined) throw new Error(id);
    record.respondedAt = 0;
    const comparison = { state: 'reached' } as const;
    record.seen = { comparison, began, arrivedAt, readings: 1, lastBegan: began };
    proofs.forget();
  };
  const whys = Array.from({ length: 6 }, (_none, round) => {
    // Each reading takes half a minute, and they take turns.
    read(ids[round % 2] ?? '', now + 1, now + 30_000);
    read(ids[(round + 1) % 2] ?? '', now - 60_000 + 2, now - 30_000);
    const began = now + 30_001;
    now += 35_000;
    return proofs.whyNot(removal, began);
  });
  expect(whys.slice(0, 5).map((why) => why?.waits)).toEqual(Array(5).fill(true));
  expect(whys[5]).toMatchObject({ outcome: 'not_attempted', not_shown: true });
  expect(whys[5]).not.toHaveProperty('waits');
});
