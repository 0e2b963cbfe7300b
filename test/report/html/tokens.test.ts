import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../../../src/report/html/tokens.ts';
import { startProcessorTime } from '../../support/processor-time.ts';
import { propertyRuns } from '../../support/thorough.ts';

/** Each token as its name and its text. */
function named(text: string): readonly string[] {
  return tokensOf(text).map(({ name, start, end }) => `${name} ${text.slice(start, end)}`);
}

describe('tokens of HTML with Liquid', () => {
  test.each([
    ['<p class="a">x</p>', ['tag <p', 'attribute class', 'string "a"', 'tag >', 'tag </p', 'tag >']],
    ['a {{ b }} c {% if d %}', ['liquid {{ b }}', 'liquid {% if d %}']],
    [
      '<a href="x{{ y }}z" {% if b %}hidden{% endif %}/>',
      [
        'tag <a',
        'attribute href',
        'string "x',
        'liquid {{ y }}',
        'string z"',
        'liquid {% if b %}',
        'attribute hidden',
        'liquid {% endif %}',
        'tag >',
      ],
    ],
    ['<!-- {{ a }} <b> -->&amp;&#38;&nosemi', ['comment <!-- {{ a }} <b> -->', 'reference &amp;', 'reference &#38;']],
    ['<!-- open', ['comment <!-- open']],
    ['1 < 2 {{ open <b', ['tag <b']],
    ["<b title='open", ['tag <b', 'attribute title', "string 'open"]],
    [
      '<script>if (a<b) "{{ c }}"</SCRIPT><i>',
      ['tag <script', 'tag >', 'liquid {{ c }}', 'tag </SCRIPT', 'tag >', 'tag <i', 'tag >'],
    ],
    ['<style>a{{', ['tag <style', 'tag >']],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  test('are in their order and have no character twice', () => {
    const text = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '{{',
        '}}',
        '{%',
        '%}',
        '"',
        "'",
        '<a',
        '</',
        '<!--',
        '-->',
        '<script',
        '&amp;',
        ' ',
        'x',
        '\n',
        '=',
      ),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join('');
        let done = 0;
        for (const { start, end } of tokensOf(source)) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(end).toBeGreaterThan(start);
          done = end;
        }
        expect(done).toBeLessThanOrEqual(source.length);
      }),
      propertyRuns(100),
    );
  });

  test.each(['{{', '{%', '<!--', '<a ', '"', '<a "', '<script>', '<style', '&amp', '<a {{', '{'])(
    'take linear time for many %s',
    (mark) => {
      const spent = startProcessorTime();
      tokensOf(mark.repeat(100_000));
      // A search for each of them would take minutes.
      expect(spent()).toBeLessThan(2_000);
    },
  );
});
