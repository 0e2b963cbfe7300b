import { expect, test } from 'vitest';
import { memoReader } from '../../src/client/memo-reader.ts';
import type { Reader } from '../../src/model/reader.ts';
import { listRoles } from '../../src/service/roles/operations.ts';
import { startFakeClock } from '../support/fake-clock.ts';

test('readers share a reading, and none uses it twice', async () => {
  let reads = 0;
  const list: Reader['list'] = async () => {
    reads += 1;
    return { ok: true, items: [] };
  };
  const clock = startFakeClock();
  const shared = memoReader({ list, get: () => expect.unreachable(), count: () => expect.unreachable() }, clock);
  const began = clock.monotonic();
  const [one, other, third] = [shared(began).reader, shared(began).reader, shared(began).reader];
  const query = { type: 'tenant' } as const;
  await Promise.all([one.list(listRoles, query), other.list(listRoles, query)]);
  expect(reads).toBe(1);
  // A second reading of the same list must be one.
  await one.list(listRoles, query);
  expect(reads).toBe(2);
  await third.list(listRoles, {});
  expect(reads).toBe(3);
  clock.advance(1);
  await shared(clock.monotonic()).reader.list(listRoles, query);
  expect(reads).toBe(4);
});

test('a reading that fails is not kept', async () => {
  const results = [Promise.reject(new Error('no')), Promise.resolve({ ok: true as const, items: [] })];
  const list = (() => results.shift()) as unknown as Reader['list'];
  const shared = memoReader(
    { list, get: () => expect.unreachable(), count: () => expect.unreachable() },
    startFakeClock(),
  );
  await expect(shared(0).reader.list(listRoles, {})).rejects.toThrow('no');
  expect(await shared(0).reader.list(listRoles, {})).toEqual({ ok: true, items: [] });
});

test('what is used is as old as the oldest of it', async () => {
  const clock = startFakeClock();
  const list: Reader['list'] = async () => {
    clock.advance(3000);
    return { ok: true, items: [], arrivedAt: clock.monotonic() - 1000 };
  };
  const shared = memoReader({ list, get: () => expect.unreachable(), count: () => expect.unreachable() }, clock);
  const start = clock.monotonic();
  const [one, other] = [shared(start), shared(start)];
  expect(one.oldest()).toEqual({ began: start, arrivedAt: start });
  await one.reader.list(listRoles, {});
  clock.advance(1500);
  await other.reader.list(listRoles, {});
  await other.reader.list(listRoles, { type: 'tenant' });
  const first = { began: start, arrivedAt: start + 2000 };
  expect([one.oldest(), other.oldest()]).toEqual([first, first]);
});
