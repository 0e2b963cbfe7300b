import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openMasker } from '../../src/secrets/masker.ts';
import { encodings } from '../support/encodings.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { propertyRuns } from '../support/thorough.ts';

const secret = 'p<anted Secret/+"\\&é-%41😀';
const masker = maskerOf(secret);

function maskerOf(...secrets: readonly string[]) {
  const opened = openMasker({ shortest: 4 });
  for (const each of secrets) opened.hide(each);
  return opened;
}

/** What of the text is still there, at least a part of 6 characters. */
function remainder(masked: string, encoded: string): string | undefined {
  const parts = [...encoded].map((_each, index) => encoded.slice(index, index + 8)).filter((part) => part.length === 8);
  return parts.find((part) => masked.includes(part));
}

describe('a secret', () => {
  test.each(Object.entries(encodings))('%s is masked', (_name, encode) => {
    const encoded = encode(secret);
    const masked = masker.mask(`before ${encoded} after`);
    expect(masked).toMatch(/^before .*\*\*\*.* after$/s);
    expect(remainder(masked, encoded)).toBeUndefined();
    expect(masker.contains(encoded)).toBe(true);
  });

  test.each(Object.entries(encodings))('%s: its first 12 characters are masked', (_name, encode) => {
    // The encodings of base64 are cut themselves: a prefix of the secret ends within a group.
    const masked = masker.mask(`before ${encode(secret.slice(0, 12))} after`);
    expect(masked).toContain('***');
    expect(remainder(masked.replaceAll(/^before | after$/g, ''), encode(secret.slice(0, 10)))).toBeUndefined();
  });

  test('is masked in small letters, as the host of an address has it, unless it is short', () => {
    const { mask } = maskerOf('Planted-Host', 'Short');
    expect(mask('https://planted-host.example, short')).toBe('https://***.example, short');
  });

  test('is masked by generated texts in every form', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }).filter((each) => each.trim().length >= 8);
    const encode = fc.constantFrom(...Object.entries(encodings));
    fc.assert(
      fc.property(text, encode, fc.string({ maxLength: 5 }), (value, [name, encoded], around) => {
        const written = encoded(value);
        const masked = maskerOf(value).mask(`${around}<${written}>${around}`);
        expect(masked, name).toContain('***');
        expect(masked, name).not.toContain(written);
      }),
      { seed: 1, numRuns: 600 },
    );
  });

  test('is masked line by line', () => {
    const lines = ['abcdefghijklmnop', 'qrstuvwxyz012345', 'short', 'another-line'];
    expect(maskerOf(lines.join('\n')).mask(lines.map((line) => `    + ${line}`).join('\n'))).toBe(
      '    + ***\n    + ***\n    + short\n    + ***',
    );
  });

  describe('in PEM', () => {
    const body = [
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC+',
      'qrstuvwxyz0123456789/+ABCDEFGHIJKLMNOP==',
      'c2hvcnQ=',
    ];
    const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
    const pem = [begin, ...body, end].join('\n');
    const masked = [begin, '***', '***', '***', end].join('\n');

    test.each<[string, (text: string) => string]>([
      ['with line breaks', (text) => text],
      ['with \\n', (text) => text.replaceAll('\n', '\\n')],
      ['with \\r\\n', (text) => text.replaceAll('\n', '\\r\\n')],
      ['with CRLF', (text) => text.replaceAll('\n', '\r\n')],
    ])('%s is masked however its lines end, and its first and last line are no secret', (_name, written) => {
      const masker = maskerOf(written(pem));
      expect(masker.mask(pem)).toBe(masked);
      expect(masker.mask(JSON.stringify(pem))).toBe(JSON.stringify(masked));
      expect(masker.mask(`x${body.join('')}x`)).toBe('x***x');
      expect(masker.mask('-----BEGIN PUBLIC KEY-----')).toBe('-----BEGIN PUBLIC KEY-----');
      const encoded = masker.mask(Buffer.from(pem).toString('base64'));
      expect(encoded).not.toContain(Buffer.from(pem).toString('base64').slice(60, 72));
    });

    test('is a credential with any of its lines', () => {
      const masker = openMasker({ shortest: 8, prefixes: false });
      masker.hide(pem);
      expect(body.map((line) => masker.contains(`x ${line}`))).toEqual([true, true, true]);
      expect([begin, end, pem.slice(0, 40)].map(masker.contains)).toEqual([false, false, false]);
    });
  });

  test('is one of the tokens of very many tenants, in a short text and in a long one', () => {
    const tokens = Array.from({ length: 200 }, (_, index) => `eyJhbGciOiJSUzI1NiJ9.${String(index).repeat(300)}`);
    const { mask } = maskerOf('another-secret', ...tokens);
    for (const around of ['short', 'long '.repeat(2_500)])
      for (const [name, encode] of Object.entries(encodings)) {
        const encoded = encode(tokens[121] ?? '');
        expect(remainder(mask(`${around} ${encoded}`).slice(around.length), encoded), name).toBeUndefined();
        expect(mask(`${around} another-secret`)).toBe(`${around} ***`);
      }
  });

  test('that overlaps another one is masked completely', () => {
    expect(maskerOf('abcdefgh', 'efghijkl').mask('xabcdefghijklx')).toBe('x***x');
    expect(maskerOf('aaaaaaaaaaaaaaaabcdef').mask(`x${'a'.repeat(20)}bcdefx`)).toBe('x***x');
    expect(maskerOf('abcd', 'abcdefgh').mask('abcdefgh abcd')).toBe('*** ***');
  });

  test('that is too short is shown', () => {
    expect(maskerOf('abc', '').mask('abc')).toBe('abc');
    const every = openMasker({ shortest: 1 });
    every.hide('x');
    expect([every.mask('axb'), every.mask('x'), every.mask('ax')]).toEqual(['a***b', '***', 'a***']);
  });
});

describe('other texts', () => {
  test('stay as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(masker.mask(text)).toBe(text);
      }),
      { seed: 1, numRuns: 200 },
    );
    const almost = ['p<anted Sec', 'planted Secret', '%7', '%', '\\', '\\u00', '&', '&#', '&amp;', 'p\\'];
    for (const text of almost) expect(masker.mask(text)).toBe(text);
  });

  test('and secrets of any bytes are read without an error', () => {
    const escapes = fc.constantFrom(
      '\\',
      '\\u',
      '\\ud83d',
      '\\u{',
      '&#',
      '&amp;',
      '%',
      '%25',
      '%f0%9f',
      '\ud83d',
      '\ude00',
      'aB',
      '+',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(escapes).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, fc.nat(40), (value, around, from) => {
        const opened = maskerOf(value);
        const masked = opened.mask(around + value + around);
        if (value.length >= 4) expect(masked).toContain('***');
        expect(typeof opened.mask(value.slice(from) + around)).toBe('string');
      }),
      propertyRuns(1000),
    );
  });

  test('with a beginning are no match where only complete secrets count', () => {
    const complete = openMasker({ shortest: 4, prefixes: false });
    complete.hide('acme-ci-local-only');
    expect([complete.contains('acme-ci-local-onl'), complete.contains('x-acme-ci-local-only-x')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('a text that is made to be slow', () => {
  test.each([
    ['a plan', JSON.stringify({ key: 'oauth/client/default', body: 'a "text"' })],
    ['backslashes', '\\\\\\\\\\\\\\\\\\'],
    ['percent signs', '%25%25%25'],
    ['entities', '&amp;amp;amp;'],
    ['the beginning of the secret', 'aaaaaaaaaaaaaaaa'],
  ])('takes no longer than its length: %s', (_name, part) => {
    const each = maskerOf(`${'a'.repeat(2000)}b`, '\\"\\\\%25%2525&amp;&', secret);
    const text = part.repeat(300_000 / part.length);
    const spent = startProcessorTime();
    each.mask(text);
    expect(spent()).toBeLessThan(2000);
  });
});
