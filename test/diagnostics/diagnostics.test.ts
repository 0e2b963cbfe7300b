import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../src/diagnostics/find-secrets.ts';
import { makeExcerpt, tokenEnd } from '../../src/diagnostics/make-excerpt.ts';
import { nearestWord } from '../../src/diagnostics/nearest-word.ts';
import { sortDiagnostics } from '../../src/diagnostics/sort-diagnostics.ts';
import { offsetOf, sourceAt, sourceText } from '../../src/diagnostics/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { isSecretField } from '../../src/values/secret-spellings.ts';
import { compareText } from '../../src/values/text-order.ts';
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

  test('cut a long line around the caret', () => {
    const text = `${'a'.repeat(300)}WORD${'b'.repeat(300)}`;
    const { column, width, text: cut } = excerptOf(text, 'WORD');
    expect(cut).toBe(`…${'a'.repeat(40)}WORD${'b'.repeat(76)}…`);
    expect(cut.slice(column - 1, column - 1 + width)).toBe('WORD');
  });

  test('cut at one end only when the caret is near the other', () => {
    const line = `x: ${'a'.repeat(300)}`;
    expect(excerptOf(line, 'x').text).toBe(`${line.slice(0, 120)}…`);
    expect(makeExcerpt(sourceText('a', line), line.length - 1, line.length)).toEqual({
      line: 1,
      column: 121,
      width: 1,
      text: `…${'a'.repeat(120)}`,
    });
  });

  test('leave control characters to the report', () =>
    expect(excerptOf('a: \u001b[1mx', 'x').text).toBe('a: \u001b[1mx'));

  const masked: [what: string, text: string, word: string, line: string, underlined: string][] = [
    ['a value', 'password: hunter2\n', 'password', 'password: ***', 'password'],
    ['the value itself', 'password: hunter2\n', 'hunter2', 'password: ***', '***'],
    ['a part of the value', 'password: hunter2\n', 'ter2', 'password: ***', '***'],
    ['a list item', '- token: hunter2\n', 'token', '- token: ***', 'token'],
    ['any spelling', 'Client-Secret: hunter2\n', 'Client', 'Client-Secret: ***', 'Client'],
    ['a value in a flow mapping', '{ a: 1, secret: hunter2, b: 2 }\n', 'b: 2', '{ a: 1, secret: ***, b: 2 }', 'b: 2'],
    [
      'two values of one line',
      '{ token: "x, y", b: 2, "password":\'it\'\'s\', c: 3 }\n',
      'c: 3',
      '{ token: ***, b: 2, "password":***, c: 3 }',
      'c: 3',
    ],
    ['a value in brackets', '{ secret: [x, "]", { a: y }], b: 2 }\n', 'b: 2', '{ secret: ***, b: 2 }', 'b: 2'],
    ['an unclosed quote', 'password: "hunter2\nb: 2\n', 'b: 2', '***', '***'],
    ['an unclosed bracket', 'password: [hunter2\nb: 2\n', 'b: 2', '***', '***'],
    ['an unclosed flow mapping', '{ password: hunter2\n b: 2\n', 'b: 2', ' ***', '***'],
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
    expect(makeExcerpt(source, 0, 1).text).toBe('a: *** # b');
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
    ]) {
      const start = performance.now();
      makeExcerpt(sourceText('a.yaml', piece.repeat(100_000)), 0, 1);
      expect(performance.now() - start).toBeLessThan(2000);
    }
  });
});

describe('names of secret fields', () => {
  test('are known in any spelling', () => {
    const names = ['password', 'TOKEN', 'header_value', 'headerValue', 'client secret', 'client-secret'];
    expect(names.filter((name) => !isSecretField(name))).toEqual([]);
    expect(['passwords', 'tokens', 'client_id', 'secret_name', `${'-'.repeat(40)}token`].filter(isSecretField)).toEqual(
      [],
    );
  });

  test('are the same to the parser of a file and to the search in a text that no parser could read', () => {
    const words = fc.constantFrom(
      'password',
      'token',
      'header value',
      'secret',
      'client secret',
      'api key',
      'tokens',
      'name',
    );
    const separator = fc.constantFrom('', '-', '_', ' ', '\t', '--', '\u00a0');
    const spelled = fc
      .tuple(
        words,
        fc.array(separator, { minLength: 15, maxLength: 15 }),
        fc.array(fc.boolean(), { minLength: 15, maxLength: 15 }),
      )
      .map(([name, separators, capital]) =>
        [...name.replace(' ', '')]
          .map((letter, at) => (separators[at] ?? '') + (capital[at] === true ? letter.toUpperCase() : letter))
          .join(''),
      );
    const quote = fc.constantFrom('"', "'");
    fc.assert(
      fc.property(fc.oneof(spelled, words, fc.constantFrom('to\u212aen', 'to\u017fen')), quote, (name, mark) => {
        const text = `a: 1\n${mark}${name}${mark}: hunter2\n`;
        const isHidden = findSecrets(text).some(({ start }) => start === text.indexOf('hunter2'));
        if (isSecretField(name)) expect(isHidden, name).toBe(true);
        else if (name.length <= 32 && /^[a-z]*$/i.test(name)) expect(isHidden, name).toBe(false);
      }),
      propertyRuns(2000),
    );
  });

  test('without quotes a key counts from its own column', () => {
    const text = '  -_token: a\n   deeper\n  b: 1\n';
    const [range] = findSecrets(text);
    expect(text.slice(range?.start, range?.end)).toBe('a\n   deeper');
    expect(findSecrets('client\nname: a\nclient\nsecret: b\n').map(({ start }) => start)).toEqual([30]);
  });
});

test('the nearest word is near', () => {
  const known = ['limit', 'action', 'redirect_uri'];
  expect(nearestWord('limitt', known)).toBe('limit');
  expect(nearestWord('LIMIT', known)).toBe('limit');
  expect(nearestWord('redirectUri', known)).toBe('redirect_uri');
  expect(nearestWord('colour', known)).toBeUndefined();
  expect(nearestWord('x'.repeat(65), [`${'x'.repeat(65)}y`])).toBeUndefined();
  expect(nearestWord('ab', ['cd', 'ac', 'ad'])).toBe('ac');
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

describe('order', () => {
  test('is that of code points', () => {
    expect(['\u{1f600}', '\uff5e', 'b', 'a', 'ab', ''].sort(compareText)).toEqual([
      '',
      'a',
      'ab',
      'b',
      '\uff5e',
      '\u{1f600}',
    ]);
  });

  test('code points of any two texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const points = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0);
        const [one, other] = [points(left), points(right)];
        const index = one.findIndex((point, at) => point !== other[at]);
        const expected = index < 0 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -1);
        expect(Math.sign(compareText(left, right))).toBe(Math.sign(expected));
      }),
      propertyRuns(100),
    );
  });

  test('faults without a place first, then file, line, column, code; the same fault once', () => {
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
