import { expect, test } from 'vitest';
import { findDeepPlace } from '../../src/config/find-deep-place.ts';

/** The text from the place on. */
const from = (text: string, limit: number) => text.slice(findDeepPlace(text, limit));

test('mappings open a level at the column of their key', () => {
  expect(from('a:\n  b:\n    c: 1\n', 2)).toBe('c: 1\n');
  expect(from('a:\n  "b":\n    ? c\n    : 1\n', 2)).toBe('? c\n    : 1\n');
});

test('lists open a level at the column of their dash', () => {
  expect(from('a:\n- b:\n  - c\n', 3)).toBe('- c\n');
  expect(from('- - - x\n', 2)).toBe('- x\n');
});

test('brackets open and close', () => {
  expect(from('a: [[1], {b: [2]}]\n', 3)).toBe('[2]}]\n');
  expect(from('a: ]]]]\nb: [[[1]]]\n', 3)).toBe('[1]]]\n');
});

test('what is further left closes', () => {
  const text = 'a:\n  b: 1\nc:\n- d: 1\n- e: 1\nf:\n  g: [1]\n';
  expect(from(text, 3)).toBe(text);
  expect(from(text, 2)).toBe('d: 1\n- e: 1\nf:\n  g: [1]\n');
});
