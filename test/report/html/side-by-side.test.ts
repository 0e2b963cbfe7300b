import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleText } from '../../../src/report/escape.ts';
import { openSideBySide } from '../../../src/report/html/side-by-side.ts';
import { propertyRuns } from '../../support/thorough.ts';

interface Cell {
  readonly className: string;
  readonly text: string;
}

/** The rows of a difference. `[x]` is marked. */
function rowsOf(before: string | null, after: string | null): readonly string[] {
  return tableOf(before, after).map((cells) => cells.map(({ text }) => text).join(' | '));
}

function tableOf(before: string | null, after: string | null): readonly (readonly Cell[])[] {
  const { text } = openSideBySide()('login / start', { before, after });
  return [...text.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td(?: class="([^"]*)")?[^>]*>(.*?)<\/td>/g)].map(([, className = '', cell = '']) => ({
      className,
      text: read(cell.replaceAll('<mark>', '[').replaceAll('</mark>', ']')),
    })),
  );
}

function read(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('a difference in two columns', () => {
  test('marks what differs in a line, and counts lines from the first', () => {
    expect(rowsOf('<p>\nLog out now\n</p>\n', '<p>\nSign out now\n</p>\n')).toEqual([
      '1 | <p> | 1 | <p>',
      '2 | [Log] out now | 2 | [Sign] out now',
      '3 | </p> | 3 | </p>',
    ]);
  });

  test('leaves out lines far from a change', () => {
    const lines = Array.from({ length: 20 }, (_empty, index) => `line ${index + 1}`);
    expect(rowsOf(lines.join('\n'), lines.toSpliced(9, 1).join('\n'))).toEqual([
      '6 unchanged lines',
      '7 | line 7 | 7 | line 7',
      '8 | line 8 | 8 | line 8',
      '9 | line 9 | 9 | line 9',
      '10 | line 10 |  | ',
      '11 | line 11 | 10 | line 11',
      '12 | line 12 | 11 | line 12',
      '13 | line 13 | 12 | line 13',
      '7 unchanged lines',
    ]);
  });

  test('has one column where there is one text', () => {
    expect(rowsOf(null, 'a\nb\n')).toEqual(['1 | a', '2 | b']);
    expect(rowsOf('a', null)).toEqual(['1 | a']);
    expect(rowsOf('', null)).toEqual([]);
  });

  test('shows every line of both texts that is not left out, as text', () => {
    const line = fc.oneof(
      fc.constantFrom('a', 'b', '<b>', '{{ c }}', '"', '<!--', '-->', '<a href="', '&lt;', '😀', ''),
      fc
        .string({ unit: 'grapheme', maxLength: 4 })
        .filter((text) => !/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\]]/u.test(text)),
    );
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const sides: [Map<number, string>, Map<number, string>] = [new Map(), new Map()];
        for (const cells of tableOf(before, after)) {
          if (cells.length !== 4) continue;
          for (const [side, map] of sides.entries()) {
            const number = cells[2 * side]?.text ?? '';
            if (number !== '') map.set(Number(number), (cells[2 * side + 1]?.text ?? '').replaceAll(/[[\]]/g, ''));
          }
        }
        for (const [side, source] of [before, after].entries())
          for (const [number, shown] of sides[side] ?? [])
            expect(shown).toBe(visibleText(source.split('\n')[number - 1] ?? ''));
      }),
      propertyRuns(100),
    );
  });

  test('shows invisible characters as escapes, and the end of a line with CR', () => {
    expect(rowsOf('a\u2028b\r\n', 'a\u202eb\r\n')).toEqual(['1 | a[\\u2028]b␍ | 1 | a[\\u202e]b␍']);
  });

  test('is bounded for all texts of a page', () => {
    const sideBySide = openSideBySide();
    const long = (word: string) => Array.from({ length: 5_000 }, (_empty, index) => `${word} ${index}`).join('\n');
    const first = sideBySide('x', { before: long('a'), after: long('b') }).text;
    expect(first.match(/<tr/g)).toHaveLength(2_000);
    expect(first).toContain('and 3,000 more lines');
    for (let index = 0; index < 9; index++) sideBySide('x', { before: long('a'), after: long('b') });
    expect(sideBySide('x', { before: 'a', after: 'b' }).text).toContain('Too much text');
    expect(openSideBySide()('x', { before: 'a'.repeat(4_000_000), after: 'b' }).text).toContain('Too much text');
    expect(openSideBySide()('x', { before: 'a', after: 'a\n' }).text).toContain(
      'Only the end of the last line differs',
    );
  });
});
