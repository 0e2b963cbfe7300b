// Texts of prompts as people write them into files: what stays as it is written, and in which order new ones come.
import { describe, expect, test } from 'vitest';
import { pull } from '../../src/kinds/prompts/pull.ts';
import type { Partials } from '../../src/service/prompts/types.generated.ts';

const names = { secret: () => expect.unreachable() };
/** Pairs, because the order of keys matters. */
const ordered = (partials: unknown) => JSON.stringify(partials);

test('a new prompt has its texts in a fixed order, with a last line that ends', () => {
  const partials = {
    'login-id': { 'form-content-start': 'one\r\ntwo' },
    login: { 'form-footer-start': 'three\n', 'form-content-end': '' },
  };
  expect(ordered(pull.declare({ prompt: 'login', partials }, names))).toBe(
    ordered({
      written: {
        partials: {
          login: { 'form-content-end': '', 'form-footer-start': 'three\n' },
          'login-id': { 'form-content-start': 'one\ntwo\n' },
        },
      },
    }),
  );
  expect(pull.keyOf({ prompt: 'login', partials })).toBe('login');
});

describe('a declared prompt', () => {
  test.each<readonly [string, Partials, Partials, Partials]>([
    ['an equal text stays as it is written', { login: { a: 'x\n' } }, { login: { a: 'x' } }, { login: { a: 'x\n' } }],
    [
      'other line ends are no difference',
      { login: { a: 'x\r\ny' } },
      { login: { a: 'x\ny\n' } },
      { login: { a: 'x\r\ny' } },
    ],
    [
      'a changed text has the line ends of the written one',
      { login: { a: 'x\r\n' } },
      { login: { a: 'y\nz' } },
      { login: { a: 'y\r\nz\r\n' } },
    ],
    ['a changed text without a last line end', { login: { a: 'x' } }, { login: { a: 'y\n' } }, { login: { a: 'y' } }],
    [
      'texts keep the order of the file',
      { login: { b: '1\n', a: '2\n' } },
      { login: { a: '2', b: '3' } },
      { login: { b: '3\n', a: '2\n' } },
    ],
    ['one that is gone goes', { login: { a: '1\n', b: '2\n' } }, { login: { b: '2' } }, { login: { b: '2\n' } }],
    [
      'a new one comes last in its screen',
      { login: { b: '1\n' } },
      { login: { a: '2', b: '1' } },
      { login: { b: '1\n', a: '2\n' } },
    ],
    [
      'new ones come in a fixed order',
      { s: { a: '1\n' } },
      { s: { a: '1' }, r: { d: '2', c: '3\n' } },
      { s: { a: '1\n' }, r: { c: '3\n', d: '2\n' } },
    ],
    ['an empty screen stays', { login: {}, s: { a: '1\n' } }, { s: { a: '1' } }, { s: { a: '1\n' }, login: {} }],
    ['a screen that was empty is filled', { login: {} }, { login: { a: '1' } }, { login: { a: '1\n' } }],
    ['a screen that loses its last text goes', { login: { a: '1\n' } }, {}, {}],
  ])('%s', (_name, written, live, expected) => {
    expect(ordered(pull.adopt({ partials: written }, { prompt: 'login', partials: live }, names))).toBe(
      ordered({ written: { partials: expected } }),
    );
  });

  test('stays without partials, because they are not managed', () => {
    expect(pull.adopt({}, { prompt: 'login', partials: { login: { a: '1' } } }, names)).toEqual({ written: {} });
  });
});

test('texts become files, except for those that a file would change', () => {
  const partials = {
    login: { 'form-content-start': 'one', bom: '\uFEFFtwo', half: 'three\uD800', whole: '\u{1F600}\uFEFF' },
    'a/b': { 'c/d/e': 'four' },
  };
  expect(pull.files?.({ partials }, 'login')).toEqual([
    { pointer: '/partials/login/form-content-start', path: 'partials/login/login-form-content-start.liquid' },
    { pointer: '/partials/login/whole', path: 'partials/login/login-whole.liquid' },
    { pointer: '/partials/a~1b/c~1d~1e', path: 'partials/login/a-b-c-d-e.liquid' },
  ]);
  expect(pull.files?.({}, 'login')).toEqual([]);
});
