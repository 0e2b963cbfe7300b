import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestWord } from '../../src/diagnostics/near-names.ts';
import { sortDiagnostics } from '../../src/diagnostics/problem.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { compareText } from '../../src/values/text-order.ts';

test('the nearest word is near', () => {
  const known = ['limit', 'action', 'redirect_uri'];
  expect(nearestWord('limitt', known)).toBe('limit');
  expect(nearestWord('limti', known)).toBe('limit');
  expect(nearestWord('lmiti', known)).toBeUndefined();
  expect(nearestWord('LIMIT', known)).toBe('limit');
  expect(nearestWord('redirectUri', known)).toBe('redirect_uri');
  expect(nearestWord('colour', known)).toBeUndefined();
  expect(nearestWord('ab', ['cd', 'ac', 'ad'])).toBe('ac');
});

describe('order', () => {
  test('is that of code points', () => {
    expect(['\u{1f600}', '\uff5e', 'b', 'a', 'ab', ''].sort(compareText)).toEqual([
      '',
      'a',
      'ab',
      'b',
      '\uff5e',
      '\u{1f600}',
    ]);
  });

  test('code points of any two texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const points = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0);
        const [one, other] = [points(left), points(right)];
        const index = one.findIndex((point, at) => point !== other[at]);
        const expected = index < 0 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -1);
        expect(Math.sign(compareText(left, right))).toBe(Math.sign(expected));
      }),
      { seed: 1 },
    );
  });

  test('diagnostics without a place first, then by file, line, column and code; repetitions once', () => {
    const fault = (
      file: string,
      line: number,
      column: number,
      code: Diagnostic['code'],
      message = 'm',
    ): Diagnostic => ({
      code,
      severity: 'error',
      message,
      source: { file, line, column },
    });
    const nowhere: Diagnostic = { code: 'CONFIG_EMPTY_FOLDER', severity: 'error', message: 'm' };
    const sorted = [
      nowhere,
      fault('a', 1, 2, 'CONFIG_TOO_LONG'),
      fault('a', 2, 1, 'CONFIG_NULL_VALUE'),
      fault('a', 2, 1, 'CONFIG_TOO_LONG', 'a'),
      fault('a', 2, 1, 'CONFIG_TOO_LONG', 'b'),
      fault('a', 10, 1, 'CONFIG_NULL_VALUE'),
      fault('b', 1, 1, 'CONFIG_NULL_VALUE'),
    ];
    expect(sortDiagnostics([...sorted.toReversed(), ...sorted])).toEqual(sorted);
  });
});
