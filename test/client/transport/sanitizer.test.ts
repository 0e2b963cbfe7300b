import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSanitizer } from '../../../src/client/transport/sanitizer.ts';
import { propertyRuns } from '../../support/thorough.ts';

describe('texts of the service in messages', () => {
  test('hides a secret in every form in which it is sent', () => {
    const sanitizer = openSanitizer();
    sanitizer.hide('p&ss wörd/1');
    sanitizer.hide('');
    expect(sanitizer.sanitize('a p&ss wörd/1 b p%26ss%20w%C3%B6rd%2F1 c p%26ss+w%C3%B6rd%2F1 d')).toBe(
      'a *** b *** c *** d',
    );
  });

  test('hides the longer secret first', () => {
    const sanitizer = openSanitizer();
    sanitizer.hide('abc');
    sanitizer.hide('abcdef');
    expect(sanitizer.sanitize('abcdef')).toBe('***');
  });

  test.each([
    ['blanks', ' '],
    ['blanks of another kind', '\u00a0\t'],
    ['line ends', '\n'],
    ['line ends that are escaped', '\\n'],
    ['both', ' \r\n '],
  ])('shows nothing of a message in which a secret is folded by %s', (_name, fold) => {
    const secret = 'planted Kx81vQzR4mWn27Lp';
    const sanitizer = openSanitizer();
    sanitizer.hide(secret);
    for (let length = 1; length <= 12; length += 1) {
      const folded = secret.match(new RegExp(`.{1,${length}}`, 'g'))?.join(fold) ?? '';
      expect(sanitizer.sanitizeMessage(`no ${folded} here`, [])).not.toMatch(/Kx|8|1v|Qz|zR|4m|mW|n2|7L|Lp/);
    }
    expect(sanitizer.sanitizeMessage(`no${fold}such secret`, [])).toMatch(/^no such secret$/);
  });

  test('leaves one line of at most 300 characters in which no secret is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string({ maxLength: 400 }), (secret, before, after) => {
        fc.pre(!/\s|\*|…/.test(secret));
        const sanitizer = openSanitizer();
        sanitizer.hide(secret);
        const text = sanitizer.sanitize(`${before}${secret}\n${after}${secret}`);
        return !text.includes(secret) && !/[\n\r\u2028\u2029]/.test(text) && text.length <= 300;
      }),
      propertyRuns(100),
    );
  });
});
