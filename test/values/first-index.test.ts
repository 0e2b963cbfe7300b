import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIndex } from '../../src/values/first-index.ts';
import { propertyRuns } from '../support/thorough.ts';

test('the first index that matches is the one that a search from the beginning finds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.nat(10), (numbers, least) => {
      const ordered = numbers.toSorted((left, right) => left - right);
      const found = ordered.findIndex((number) => number >= least);
      expect(firstIndex(ordered, (number) => number >= least)).toBe(found === -1 ? ordered.length : found);
    }),
    propertyRuns(100),
  );
});
