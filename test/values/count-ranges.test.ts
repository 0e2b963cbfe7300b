import { expect, test } from 'vitest';
import { withCountRanges } from '../../src/values/count-ranges.ts';

test.each<[string, readonly string[]]>([
  ['would delete 5 of 40 items', ['would delete 5 of 40 items', 'would delete 5 of 40 items']],
  [
    'would delete 5 to 7 of 9 to 120 items',
    ['would delete 7 of 40 items', 'would delete 5 of 120 items', 'would delete 6 of 9 items'],
  ],
  ['2 of 3 items', ['2 of 3 items', 'none of 4 items']],
  ['no counts', ['no counts', 'other words']],
  ['', []],
])('%s', (ranges, texts) => {
  expect(withCountRanges(texts)).toBe(ranges);
});
