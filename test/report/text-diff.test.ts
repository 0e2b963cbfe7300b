import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextChange } from '../../src/model/kind.ts';
import { openTextDiffs } from '../../src/report/text-diff.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns } from '../support/thorough.ts';

const source = { file: 'partials/notice.liquid', line: 1, column: 1 };
const diffOf = (about: Partial<TextChange>, most = 200) =>
  openTextDiffs()({ label: 'login / form-content-start', before: 'a', after: 'b', source, ...about }, most);

describe('a changed text', () => {
  test('has the lines that change, with their signs', () => {
    const before = '<div>\n  one\n  two\n  three\n  four\n</div>\n';
    const diff = diffOf({ before, after: before.replace('three', 'drei') });
    expect(diff).toEqual({ isSpaceOnly: false, shown: ['-  three', '+  drei'], rest: 0 });
  });

  test.each<[string, Partial<TextChange>, boolean]>([
    ['new', { before: null, after: 'x' }, false],
    ['gone', { before: 'x', after: null, source: null }, false],
    ['only white space', { before: 'a  b\n', after: 'a b' }, true],
    ['words', { before: 'a b', after: 'a c' }, false],
  ])('is known to change white space alone: %s', (_name, about, isSpaceOnly) => {
    expect(diffOf(about).isSpaceOnly).toBe(isSpaceOnly);
  });

  test('a carriage return at the end of a line is visible', () => {
    expect(diffOf({ before: 'a\n', after: 'a\r\n' }).shown).toContain('+a␍');
  });

  test('a long line is shown around the word that changed', () => {
    const long = (word: string) => `${'<b>x</b>'.repeat(200)}${word}${'<i>y</i>'.repeat(200)}`;
    const [gone = '', come = ''] = diffOf({ before: long('terms'), after: long('prices') }).shown;
    expect(gone).toMatch(/^-….{40}terms/);
    expect(come).toMatch(/^\+….{40}prices/);
    expect(come.length).toBeLessThan(220);
  });

  test('in a few lines: the first ones, and the number of the others', () => {
    const change = { before: 'a\nb\nc\n', after: 'a\nx\ny\nc\n' };
    expect(diffOf(change, 1)).toMatchObject({ shown: ['-b'], rest: 2 });
    expect(diffOf(change, 2)).toMatchObject({ shown: ['-b', '+x', '+y'], rest: 0 });
    expect(diffOf({ before: 'a\n'.repeat(300), after: 'b\n'.repeat(300) }, 4)).toMatchObject({ rest: 596 });
  });

  test('law: every added or removed line is shown up to the limit', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '  d'), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { shown } = diffOf({ before, after });
        const count = (sign: string) => shown.filter((line) => line.startsWith(sign)).length;
        const length = (value: string) => value.split('\n').length - 1;
        expect(count('+') - count('-')).toBe(length(after) - length(before));
        expect(shown.length === 0).toBe(before === after);
      }),
      propertyRuns(100),
    );
  });
});

test('a text of some megabytes is not compared line by line, which would take minutes', () => {
  const spent = startProcessorTime();
  const diff = diffOf({ before: 'a\n'.repeat(2_000_000), after: 'b\n' });
  expect(diff.shown).toEqual(['too much text to compare it here; see both texts with --format json']);
  expect(diff.rest).toBe(0);
  expect(spent()).toBeLessThan(1500);
});

test('lines that all differ are one change, without minutes of comparing them', () => {
  const spent = startProcessorTime();
  const diff = diffOf({ before: 'a\n'.repeat(5000), after: 'b\n'.repeat(5000) }, 4);
  expect(diff).toMatchObject({ shown: ['-a', '-a', '-a', '-a'], rest: 9_996 });
  expect(spent()).toBeLessThan(1500);
});

test('many changed texts share a bound of work', () => {
  const text = (mark: string) => Array.from({ length: 300 }, (_none, index) => `${mark} ${index}\n`).join('');
  const sharing = openTextDiffs();
  const spent = startProcessorTime();
  const shown = Array.from({ length: 400 }, () =>
    sharing({ label: 't', before: text('a'), after: text('b'), source: null }, 8),
  );
  expect(spent()).toBeLessThan(4000);
  const isCompared = ({ shown: [first] }: (typeof shown)[number]) => first?.startsWith('-') ?? false;
  expect(shown.findIndex((diff) => !isCompared(diff))).toBeGreaterThan(0);
  expect(shown.at(-1)?.shown[0]).toBe('too much text to compare it here; see both texts with --format json');
});
