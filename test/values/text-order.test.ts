import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNaturally, inNaturalOrder } from '../../src/values/text-order.ts';
import { propertyRuns } from '../support/thorough.ts';

test('digits in names are compared as numbers', () => {
  const names = ['item-10', 'item-9', 'item', 'a', 'item-9b', 'item-09', '12', '9', 'item-9007199254740993', ''];
  expect(names.sort(compareNaturally)).toEqual([
    '',
    '9',
    '12',
    'a',
    'item',
    'item-09',
    'item-9',
    'item-9b',
    'item-10',
    'item-9007199254740993',
  ]);
});

test('the order is total, and only equal texts are equal in it', () => {
  const name = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', '-', 'é', '😀'), maxLength: 5 });
  fc.assert(
    fc.property(name, name, name, (one, two, three) => {
      expect(compareNaturally(one, two) === 0).toBe(one === two);
      expect(Math.sign(compareNaturally(one, two))).toBe(-Math.sign(compareNaturally(two, one)) + 0);
      const sorted = [one, two, three].sort(compareNaturally);
      expect([three, one, two].sort(compareNaturally)).toEqual(sorted);
    }),
    propertyRuns(2_000),
  );
});

test('lists are sorted as their names are compared', () => {
  const plain = fc.string({
    unit: fc.constantFrom('a', 'b', '-', ' ', '.', 'é', '\ue000'),
    minLength: 1,
    maxLength: 3,
  });
  const numbered = fc
    .tuple(plain, fc.constantFrom('', '0', '1', '9', '10', '99', '100'))
    .map((parts) => parts.join(''));
  const other = fc.string({ unit: fc.constantFrom('0', '1', 'a', '-', '\t', '\ue000', '😀'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 30, arbitrary: numbered }, other), { maxLength: 8 }), (names) => {
      expect(inNaturalOrder(names, (name) => name)).toEqual(names.toSorted(compareNaturally));
    }),
    propertyRuns(2_000),
  );
});
