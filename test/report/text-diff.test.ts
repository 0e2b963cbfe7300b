import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextChange } from '../../src/model/kind.ts';
import { changedLines, openTextDiffs, textDetails } from '../../src/report/text-diff.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns, thorough } from '../support/thorough.ts';

const source = { file: 'partials/notice.liquid', line: 1, column: 1 };
const linesOf = (about: Partial<TextChange>) => {
  const change = { label: 'login / form-content-start', before: 'a', after: 'b', source, ...about };
  return textDetails(change, openTextDiffs()(change)).map(({ label, text }) => `${label}|${text}`);
};

describe('a changed text', () => {
  test('is shown line by line, with the line numbers of its file', () => {
    const before = '<div>\n  one\n  two\n  three\n  four\n</div>\n';
    expect(linesOf({ before, after: before.replace('three', 'drei') })).toEqual([
      'text|login / form-content-start, in partials/notice.liquid:1:1',
      '|@@ -2,5 +2,5 @@',
      '|   one',
      '|   two',
      '|-  three',
      '|+  drei',
      '|   four',
      '| </div>',
    ]);
  });

  test.each<[string, Partial<TextChange>, string]>([
    ['new', { before: null, after: 'x' }, ' (new)'],
    ['gone', { before: 'x', after: null, source: null }, ' (deleted)'],
    ['only white space', { before: 'a  b\n', after: 'a b' }, ' (whitespace changes only)'],
    ['words', { before: 'a b', after: 'a c' }, ''],
  ])('says so: %s', (_name, about, remark) => {
    const place = about.source === null ? '' : ', in partials/notice.liquid:1:1';
    expect(linesOf(about)[0]).toBe(`text|login / form-content-start${place}${remark}`);
  });

  test('a carriage return at the end of a line is visible', () => {
    expect(linesOf({ before: 'a\n', after: 'a\r\n' })).toContain('|+a␍');
  });

  test('a long line is shown around the word that changed', () => {
    const long = (word: string) => `${'<b>x</b>'.repeat(200)}${word}${'<i>y</i>'.repeat(200)}`;
    const [, , gone = '', come = ''] = linesOf({ before: long('terms'), after: long('prices') });
    expect(gone).toMatch(/^\|-….{40}terms/);
    expect(come).toMatch(/^\|\+….{40}prices/);
    expect(come.length).toBeLessThan(220);
  });

  test('many lines are cut, with a count', () => {
    const details = linesOf({ before: 'a\n'.repeat(300), after: 'b\n'.repeat(300) });
    expect(details).toHaveLength(122);
    expect(details.at(-1)).toBe('|… and 481 more lines; see both texts with --format json');
  });

  test('in a few lines: only those that change', () => {
    const diffOf = openTextDiffs();
    const change = { label: 't', before: 'a\nb\nc\n', after: 'a\nx\ny\nc\n', source };
    expect(changedLines(diffOf(change))).toEqual(['-b', '+x', '+y']);
    const long = { label: 't', before: 'a\n'.repeat(300), after: 'b\n'.repeat(300), source };
    expect(changedLines(diffOf(long))).toHaveLength(600);
  });

  test('law: every added or removed line is shown up to the limit', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '  d'), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const shown = linesOf({ before, after });
        const count = (lines: readonly string[], sign: string) =>
          lines.filter((line) => line.startsWith(`|${sign}`)).length;
        const length = (value: string) => value.split('\n').length - 1;
        expect(count(shown, '+') - count(shown, '-')).toBe(length(after) - length(before));
        expect(shown.length === 1).toBe(before === after);
      }),
      propertyRuns(100),
    );
  });
});

test('a text of some megabytes is not compared line by line, which would take minutes', () => {
  const spent = startProcessorTime();
  const diff = openTextDiffs()({ label: 'text', before: 'a\n'.repeat(2_000_000), after: 'b\n', source: null });
  expect(diff.lines).toEqual(['too much text to compare it here; see both texts with --format json']);
  expect(changedLines(diff)).toEqual(diff.lines);
  expect(spent()).toBeLessThan(1500);
});

test('lines that all differ are one change, without minutes of comparing them', () => {
  const spent = startProcessorTime();
  const diff = openTextDiffs()({ label: 'text', before: 'a\n'.repeat(5000), after: 'b\n'.repeat(5000), source: null });
  expect(diff.lines).toHaveLength(10_001);
  expect(diff.lines.slice(0, 2)).toEqual(['@@ -1,5000 +1,5000 @@', '-a']);
  expect(spent()).toBeLessThan(1500);
});

test('many changed texts share a bound of work', () => {
  // Short lines take the most time for their length.
  const [texts, end] = thorough ? [4_000, '\n'] : [60, `${' '.repeat(60)}\n`];
  const text = (mark: string) => Array.from({ length: 300 }, (_none, index) => `${mark} ${index}${end}`).join('');
  const [before, after] = [text('a'), text('b')];
  const diffOf = openTextDiffs();
  const spent = startProcessorTime();
  const shown = Array.from({ length: texts }, () => diffOf({ label: 't', before, after, source: null }));
  expect(spent()).toBeLessThan(7_000);
  const compared = shown.filter(({ lines }) => lines[0]?.startsWith('@@')).length;
  expect(compared).toBe(Math.floor(1_000_000 / (before.length + after.length)));
  expect(shown.at(-1)?.lines[0]).toBe('too much text to compare it here; see both texts with --format json');
});
