import { describe, expect, test } from 'vitest';
import { isScalarProblem, readPlainScalar } from '../../src/config/yaml/read-plain-scalar.ts';

describe('what an unquoted text means', () => {
  const values: [text: string, value: string | number | boolean | null][] = [
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['nUll', 'nUll'],
    ['true', true],
    ['FALSE', false],
    ['tRue', 'tRue'],
    ['0', 0],
    ['7', 7],
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['yes please', 'yes please'],
    ['none', 'none'],
    ['1.2.3', '1.2.3'],
    ['12:99', '12:99'],
    ['1a', '1a'],
    ['-', '-'],
    ['.', '.'],
    ['.infinite', '.infinite'],
    ['2026-01-31', '2026-01-31'],
  ];
  for (const [text, value] of values)
    test(`${JSON.stringify(text)} is read`, () => expect(readPlainScalar(text)).toBe(value));

  const doubts: Readonly<Record<string, readonly string[]>> = {
    CONFIG_AMBIGUOUS_SCALAR: 'yes No ON off y N'.split(' '),
    CONFIG_NUMBER_FORM: [
      ...'010 0o17 0x1F 0b1 1_000 1_0.5 1:30 -1:30:00 1:30.5 .inf -.Inf .NaN 0_7'.split(' '),
      '1e3',
      '1.0',
      '1.',
      '.5',
      '+5',
      '-0',
      '1E-3',
      '9007199254740992',
      '12345678901234567890',
      '9'.repeat(100),
    ],
  };
  for (const [code, texts] of Object.entries(doubts)) {
    for (const text of texts) {
      test(`${text.slice(0, 30)} is refused with ${code}`, () => {
        const doubt = readPlainScalar(text);
        expect(isScalarProblem(doubt) && doubt.code).toBe(code);
        expect(isScalarProblem(doubt) && doubt.message).toContain(text.slice(0, 60));
      });
    }
  }
});
