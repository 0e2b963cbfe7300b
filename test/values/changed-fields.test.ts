import { expect, test } from 'vitest';
import { changedFields } from '../../src/values/changed-fields.ts';

test('the fields that changed, and no others', () => {
  const [before, now] = [
    { b: { c: 1, d: [1] }, a: 1 },
    { b: { c: 2, d: [1] }, e: 1, f: { g: 1 } },
  ];
  expect(changedFields(before, now)).toEqual([
    { path: ['b', 'c'], before: 1, now: 2 },
    { path: ['a'], before: 1, now: undefined },
    { path: ['e'], before: undefined, now: 1 },
    { path: ['f', 'g'], before: undefined, now: 1 },
  ]);
  expect(changedFields(null, 1)).toEqual([{ path: [], before: null, now: 1 }]);
});
