import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../src/diagnostics/find-secrets.ts';
import { isSecretField } from '../../src/secrets/secret-spellings.ts';

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
      { seed: 1, numRuns: 2000 },
    );
  });

  test('without quotes a key counts from its own column', () => {
    const text = '  -_token: a\n   deeper\n  b: 1\n';
    const [range] = findSecrets(text);
    expect(text.slice(range?.start, range?.end)).toBe('a\n   deeper');
    expect(findSecrets('client\nname: a\nclient\nsecret: b\n').map(({ start }) => start)).toEqual([30]);
  });
});

describe('a secret is hidden wherever its value may be', () => {
  test.each([
    ['below a comment at the column of its key', '  token:\n  # rotated in May\n    "hunter2: 9\n'],
    ['below a comment at the first column', '  token:\n# rotated in May\n    hunter2: [\n'],
    ['a block below a comment', '  password: |\n  # rotated in May\n    hunter2\n'],
    ['an item of a list below a comment', '  password:\n  # why\n  - hunter2: [\n'],
    ['behind a colon below comments', '  ? token\n  # vault\n  # again\n  : hunter2: [\n'],
    ['behind a colon below a long comment', `  ? token # ${'x'.repeat(300)}\n  : hunter2: [\n`],
    ['in a quote below its key', 'password:\n   "x: y\n  hunter2: 3\n  "\nuser: b\n'],
    ['in brackets below its key', 'password:\n   [x,\nhunter2: 3]\nuser: b\n'],
  ])('%s', (_name, text) => {
    const at = text.indexOf('hunter2');
    expect(findSecrets(text).some(({ start, end }) => start <= at && at + 7 <= end)).toBe(true);
  });

  test('and what follows is shown', () => {
    const text = 'password:\n# why\n  "x"\nuser: crm\n';
    const at = text.indexOf('user');
    expect(findSecrets(text).some(({ start, end }) => start <= at && at < end)).toBe(false);
  });
});
