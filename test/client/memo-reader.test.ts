import { expect, test } from 'vitest';
import { memoReader } from '../../src/client/memo-reader.ts';
import type { Reader } from '../../src/model/reader.ts';
import { listRoles } from '../../src/resources/roles/operations.ts';
import { startFakeClock } from '../support/fake-clock.ts';

test('readers share a reading, and none uses it twice', async () => {
  let reads = 0;
  const list: Reader['list'] = async () => {
    reads += 1;
    return { ok: true, items: [] };
  };
  const clock = startFakeClock();
  const shared = memoReader({ list, get: () => expect.unreachable(), count: () => expect.unreachable() }, clock, 5000);
  const [one, other, third] = [shared().reader, shared().reader, shared().reader];
  const query = { type: 'tenant' } as const;
  await Promise.all([one.list(listRoles, query), other.list(listRoles, query)]);
  expect(reads).toBe(1);
  // A second reading of the same list must be one.
  await one.list(listRoles, query);
  expect(reads).toBe(2);
  await third.list(listRoles, {});
  expect(reads).toBe(3);
  clock.advance(5001);
  await shared().reader.list(listRoles, query);
  expect(reads).toBe(4);
});

test('a reading that fails is not kept', async () => {
  const results = [Promise.reject(new Error('no')), Promise.resolve({ ok: true as const, items: [] })];
  const list = (() => results.shift()) as unknown as Reader['list'];
  const shared = memoReader(
    { list, get: () => expect.unreachable(), count: () => expect.unreachable() },
    startFakeClock(),
    5000,
  );
  await expect(shared().reader.list(listRoles, {})).rejects.toThrow('no');
  expect(await shared().reader.list(listRoles, {})).toEqual({ ok: true, items: [] });
});

test('what is taken over is as old as its response', async () => {
  const clock = startFakeClock();
  const list: Reader['list'] = async () => {
    clock.advance(3000);
    return { ok: true, items: [] };
  };
  const shared = memoReader({ list, get: () => expect.unreachable(), count: () => expect.unreachable() }, clock, 5000);
  const [one, other] = [shared(), shared()];
  await one.reader.list(listRoles, {});
  const arrived = clock.monotonic();
  clock.advance(1500);
  await other.reader.list(listRoles, {});
  expect([one.reusedAt(), other.reusedAt()]).toEqual([null, arrived]);
});
