import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeExcerpt, tokenEnd } from '../../src/diagnostics/make-excerpt.ts';
import { offsetOf, sourceAt, sourceText } from '../../src/diagnostics/source-text.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns } from '../support/thorough.ts';

/** The excerpt of a text at a word in it. */
function excerptOf(text: string, word: string) {
  const start = text.indexOf(word);
  return makeExcerpt(sourceText('a.yaml', text), start, start + word.length);
}

describe('places', () => {
  test('lines end at a line feed, columns are UTF-16 units', () => {
    const source = sourceText('a.yaml', 'a\r\n\u{1f600}b\n\nc');
    expect(sourceAt(source, 0)).toEqual({ file: 'a.yaml', line: 1, column: 1 });
    expect(sourceAt(source, source.text.indexOf('b'))).toEqual({ file: 'a.yaml', line: 2, column: 3 });
    expect(sourceAt(source, source.text.length)).toEqual({ file: 'a.yaml', line: 4, column: 2 });
  });

  test('an offset and its place are one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u{1f600}') }), fc.nat(), (text, seed) => {
        const source = sourceText('a.yaml', text);
        const offset = seed % (text.length + 1);
        expect(offsetOf(source, sourceAt(source, offset))).toBe(offset);
      }),
      propertyRuns(100),
    );
  });
});

describe('excerpts', () => {
  test('hold the line and what to underline', () => {
    expect(excerptOf('a: 1\r\nlimitt: 3\r\n', 'limitt')).toEqual({ line: 2, column: 1, width: 6, text: 'limitt: 3' });
  });

  test('end with the line', () => {
    expect(excerptOf('a: [1,\n2]', '[1,\n2]')).toEqual({ line: 1, column: 4, width: 3, text: 'a: [1,' });
  });

  test('have a caret behind the last character', () => {
    expect(makeExcerpt(sourceText('a.yaml', 'ab'), 2, 3)).toEqual({ line: 1, column: 3, width: 1, text: 'ab' });
  });

  test('have it there behind a carriage return as well', () => {
    const behind = { line: 1, column: 3, width: 1, text: 'ab' };
    expect([2, 3].map((offset) => makeExcerpt(sourceText('a.yaml', 'ab\r'), offset, 4))).toEqual([behind, behind]);
  });

  test('cut a long line around the caret', () => {
    const text = `${'a '.repeat(150)}WORD${'b'.repeat(300)}`;
    const { column, width, text: cut } = excerptOf(text, 'WORD');
    expect(cut).toBe(`…${' a'.repeat(19)} WORD${'b'.repeat(77)}…`);
    expect(cut.slice(column - 1, column - 1 + width)).toBe('WORD');
  });

  test('cut at one end only when the caret is near the other', () => {
    const line = `x: ${'a'.repeat(300)}`;
    expect(excerptOf(line, 'x').text).toBe(`${line.slice(0, 120)}…`);
    const spaced = `x:${' a'.repeat(150)}`;
    expect(makeExcerpt(sourceText('a', spaced), spaced.length - 1, spaced.length)).toEqual({
      line: 1,
      column: 121,
      width: 1,
      text: `…${' a'.repeat(60)}`,
    });
  });

  test('leave out a word that is cut at its start: the end of a known secret would not be recognized', () => {
    const line = `description: ${'a '.repeat(60)}known-secret-of-many-characters${'.'.repeat(10)} permision: ${'x'.repeat(200)}`;
    expect(excerptOf(line, 'permision').text).toMatch(/^… permision: /);
  });

  test('are cut between characters', () => {
    const text = `a${'👋'.repeat(100)}WORD${'👋'.repeat(100)}`;
    expect(excerptOf(text, 'WORD').text).toBe(`…WORD${'👋'.repeat(58)}…`);
  });

  test('leave control characters to the report', () =>
    expect(excerptOf('a: \u001b[1mx', 'x').text).toBe('a: \u001b[1mx'));

  const masked: [what: string, text: string, word: string, line: string, underlined: string][] = [
    ['a value', 'password: hunter2\n', 'password', 'password: ***', 'password'],
    ['the value itself', 'password: hunter2\n', 'hunter2', 'password: ***', '***'],
    ['a part of the value', 'password: hunter2\n', 'ter2', 'password: ***', '***'],
    ['a list item', '- token: hunter2\n', 'token', '- token: ***', 'token'],
    ['any spelling', 'Client-Secret: hunter2\n', 'Client', 'Client-Secret: ***', 'Client'],
    [
      'a value in a flow mapping, and what follows',
      '{ a: 1, secret: hunter2, b: 2 }\n',
      'b: 2',
      '{ a: 1, secret: ***',
      '***',
    ],
    ['not a reference', '{ secret: ${env:A}, b: 2 }\n', 'b: 2', '{ secret: ${env:A}, b: 2 }', 'b: 2'],
    ['not a quoted reference', 'secret: "${env:A}"\n', 'secret', 'secret: "${env:A}"', 'secret'],
    ['what goes on after a reference', 'secret: ${env:A}\n  hunter2\n', 'hunter2', '  ***', '***'],
    ['an unclosed quote around a reference', 'secret: "${env:A}\nb: 2\n', 'b: 2', '***', '***'],
    ['a reference and more', 'secret: ${env:A}hunter2\n', 'secret', 'secret: ***', 'secret'],
    ['a value in brackets', '{ secret: [x, "]", { a: y }], b: 2 }\n', 'b: 2', '{ secret: ***', '***'],
    ['an unclosed quote', 'password: "hunter2\nb: 2\n', 'b: 2', '***', '***'],
    ['an unclosed bracket', 'password: [hunter2\nb: 2\n', 'b: 2', '***', '***'],
    ['an unclosed flow mapping', '{ password: hunter2\n ter3 }\n', 'ter3', ' ***', '***'],
    ['an escaped quote', 'password: "a\\"hunter2"\nb: 2\n', 'password', 'password: ***', 'password'],
    ['a block text', 'password: |\n  hunter2\n\n  more\nb: 2\n', 'more', '  ***', '***'],
    ['not what follows a block text', 'password: |\n  hunter2\nb: 2\n', 'b: 2', 'b: 2', 'b: 2'],
    ['a list below', 'a:\n  token:\n  - hunter2\n  b: 2\n', 'hunter2', '  ***', '***'],
    ['not what follows a list below', 'a:\n  token:\n  - x\n  b: 2\n', 'b: 2', '  b: 2', 'b: 2'],
    ['a line that starts nothing', 'password: x\nhunter2\nb: 2\n', 'hunter2', '***', '***'],
    ['a key with an escape', '"pass\\u0077ord": hunter2\n', 'hunter2', '"pass\\u0077ord": ***', '***'],
    ['an explicit key', '? password # why\n: hunter2\n', 'hunter2', ': ***', '***'],
    ['a value with an anchor and a tag', 'password: !x &y "hunter2"\n', 'password', 'password: !x &y ***', 'password'],
    ['not a longer name', 'password_policy: hunter2\nmy-token: 1\n', 'hunter2', 'password_policy: hunter2', 'hunter2'],
    ['not an empty value', 'password:\nb: 2\n', 'password', 'password:', 'password'],
  ];
  for (const [what, text, word, line, underlined] of masked) {
    test(`mask ${what}`, () => {
      const excerpt = excerptOf(text, word);
      expect(excerpt.text).toBe(line);
      expect(excerpt.text.slice(excerpt.column - 1, excerpt.column - 1 + excerpt.width)).toBe(underlined);
    });
  }

  test('mask what a parser found', () => {
    const source = sourceText('a.yaml', 'a: hunter2 # b');
    expect(makeExcerpt(source, 0, 1).text).toBe('a: hunter2 # b');
    source.hide(3, 10);
    source.hide(5, 8);
    expect(makeExcerpt(source, 0, 1).text).toBe('a: ***');
  });

  test('take a short time for a text that is made to be slow', () => {
    for (const piece of [
      'password: ',
      'password: [',
      '{ token: ',
      '# password\n',
      '"\\',
      'password: "x\\" ',
      'token:\n',
      'password ',
      '# token\t',
      'token#',
      'secret\u00a0',
      `password${' '.repeat(10)}x`,
    ]) {
      const spent = startProcessorTime();
      makeExcerpt(sourceText('a.yaml', piece.repeat(100_000)), 0, 1);
      expect(spent()).toBeLessThan(2000);
    }
    const spent = startProcessorTime();
    makeExcerpt(sourceText('a.yaml', `# password${' '.repeat(1_000_000)}x`), 0, 1);
    expect(spent()).toBeLessThan(2000);
  });
});

test('a token ends where its text seems to end', () => {
  const tokens: [text: string, token: string][] = [
    ['"a \\" b" c', '"a \\" b"'],
    ["'it''s': x", "'it''s'"],
    ['name: a', 'name'],
    ['name:', 'name'],
    ['a b # c', 'a b'],
    ['a b , c', 'a b'],
    ['a }', 'a'],
    ['https://x/y\r\n', 'https://x/y'],
    ['"open', '"open'],
    [', x', ','],
    ['', ''],
  ];
  expect(tokens.map(([text]) => text.slice(0, tokenEnd(text, 0)))).toEqual(tokens.map(([, token]) => token));
});

test.each([
  ['slashes', `# https:${'/'.repeat(1_000_000)}`],
  ['beginnings of addresses', `# ${'https:'.repeat(200_000)}`],
  ['beginnings of any address', `# ${'a:/'.repeat(300_000)}`],
])('a line of %s takes no time', (_name, line) => {
  const started = process.cpuUsage().user;
  expect(sourceText('a.yaml', `${line}\nroles: 1\n`).secrets()).toEqual([]);
  expect((process.cpuUsage().user - started) / 1000).toBeLessThan(500);
});

test.each([
  ['https://crm:hunter2@crm.example/hook', 'crm:hunter2'],
  ['postgres://u:hunter2@db/state', 'u:hunter2'],
  ['https:///crm:hunter2@crm.example', 'crm:hunter2'],
  ['https:crm:hunter2@crm.example', 'crm:hunter2'],
  ['https://crm:hun@ter2@crm.example', 'crm:hun@ter2'],
  ['https://crm.example/a@b', null],
  ['see https://crm.example, or ask me@crm.example', null],
])('the user info of an address is hidden: %s', (text, hidden) => {
  const ranges = sourceText('a.yaml', text).secrets();
  expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual(hidden === null ? [] : [hidden]);
});
