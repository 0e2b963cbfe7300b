import { describe, expect, test } from 'vitest';
import { characterBoundary, cutName, cutSentence, cutText, inlineValue } from '../../src/report/cut-text.ts';
import { displayWidth, excerptLines } from '../../src/report/excerpt-lines.ts';
import { quantity, thousands } from '../../src/report/quantity.ts';

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

describe('width', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['顧客', 4],
    ['ｆ', 2],
    ['👋', 2],
    ['한', 2],
  ])('%j', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('excerpts', () => {
  const excerpt = (text: string, column: number, width: number) => excerptLines({ line: 8, column, width, text });

  test.each([
    ['a fault within', '  limitt: 3', 3, 6, ['8 |   limitt: 3', '  |   ^^^^^^']],
    ['tabs before', '\t\tx: 1', 3, 1, ['8 | \\t\\tx: 1', '  |     ^']],
    ['a tab itself', '  \tx', 3, 1, ['8 |   \\tx', '  |   ^^']],
    ['wide characters before', '顧客: x', 5, 1, ['8 | 顧客: x', '  |       ^']],
    ['wide characters themselves', 'a: 顧客', 4, 2, ['8 | a: 顧客', '  |    ^^^^']],
    ['escapes before', 'a\u202e\x1b: x', 6, 1, ['8 | a\\u202e\\x1b: x', '  |              ^']],
    ['combining marks before', 'e\u0301: x', 5, 1, ['8 | e\u0301: x', '  |    ^']],
    ['no width', 'a:', 3, 0, ['8 | a:', '  |   ^']],
    ['beyond the end', 'a', 9, 4, ['8 | a', '  |  ^']],
    ['an empty line', '', 1, 1, ['8 |', '  | ^']],
  ])('%s', (_name, text, column, width, expected) => {
    expect(excerpt(text, column, width)).toEqual(expected);
  });

  test('a long line is shown around its fault', () => {
    const [line = '', carets = ''] = excerpt(`${'a'.repeat(300)}FAULT${'b'.repeat(300)}`, 301, 5);
    expect(line).toBe(`8 | …${'a'.repeat(80)}FAULT${'b'.repeat(80)}…`);
    expect(carets).toBe(`  |  ${' '.repeat(80)}^^^^^`);
  });

  test('a long fault is cut', () => {
    expect(excerpt('x'.repeat(500), 1, 500)).toEqual([`8 | ${'x'.repeat(160)}…`, `  | ${'^'.repeat(80)}`]);
  });

  test('cuts between characters', () => {
    const [line = ''] = excerpt(`${'👋'.repeat(100)}x${'👋'.repeat(100)}`, 201, 1);
    expect(line).toBe(`8 | …${'👋'.repeat(40)}x${'👋'.repeat(40)}…`);
    expect(excerpt(`a${'👋'.repeat(100)}x`, 202, 1)[0]).toBe(`8 | …${'👋'.repeat(40)}x`);
  });
});
