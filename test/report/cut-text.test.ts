import { describe, expect, test } from 'vitest';
import { cutName, cutSentence, cutText, inlineValue, quantity, thousands } from '../../src/report/wording.ts';
import { characterBoundary } from '../../src/values/character-boundary.ts';

describe('cutting', () => {
  test.each([
    ['', 5, ''],
    ['abcde', 5, 'abcde'],
    ['abcdef', 5, 'abcde … 1 more character'],
    ['x'.repeat(1245), 5, 'xxxxx … 1,240 more characters'],
    ['abcd👋f', 5, 'abcd … 3 more characters'],
    ['abc👋ef', 5, 'abc👋 … 2 more characters'],
  ])('%j at %i', (text, length, expected) => {
    expect(cutText(text, length)).toBe(expected);
  });

  test.each([
    ['a value', cutText, 160],
    ['a name', cutName, 400],
    ['a sentence', cutSentence, 600],
  ])('%s', (_name, cut, length) => {
    expect(cut('x'.repeat(length))).toBe('x'.repeat(length));
    expect(cut('x'.repeat(length + 2))).toBe(`${'x'.repeat(length)} … 2 more characters`);
  });

  test.each([
    [undefined, '(absent)'],
    [null, 'null'],
    [100, '100'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    [{ action: 'block', limits: [1, 2] }, '{"action":"block","limits":[1,2]}'],
    ['y'.repeat(161), `"${'y'.repeat(160)}" … 1 more character`],
    [['y'.repeat(161)], `["${'y'.repeat(158)} … 5 more characters`],
  ])('value %j', (value, expected) => {
    expect(inlineValue(value)).toBe(expected);
  });

  test('does not split a character', () => {
    expect(['a', 'a👋', 'a👋'].map((text, index) => characterBoundary(text, index + 1))).toEqual([1, 1, 3]);
  });
});

describe('quantities', () => {
  test.each([
    [0, '0 items'],
    [1, '1 item'],
    [999, '999 items'],
    [1240, '1,240 items'],
    [1234567, '1,234,567 items'],
  ])('%i', (count, expected) => {
    expect(quantity(count, 'item')).toBe(expected);
    expect(thousands(count)).toBe(expected.split(' ')[0]);
  });
});
