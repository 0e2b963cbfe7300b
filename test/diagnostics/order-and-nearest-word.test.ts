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
  test('is that of UTF-16 units', () => {
    expect(['\uff5e', '\u{1f600}', 'b', 'a', 'ab', ''].sort(compareText)).toEqual([
      '',
      'a',
      'ab',
      'b',
      '\u{1f600}',
      '\uff5e',
    ]);
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
