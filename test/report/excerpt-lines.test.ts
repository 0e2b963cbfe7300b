import { describe, expect, test } from 'vitest';
import { excerptLines } from '../../src/report/render-diagnostics.ts';
import { displayWidth } from '../../src/report/terminal.ts';

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
});
