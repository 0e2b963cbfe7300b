// The schemas as anybody's validator reads them: stock Ajv, without formats and keywords of this project. It refuses a file
// that the tool refuses by a schema, and no other one.
import { readdirSync, readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formats } from '../../src/contract/formats.ts';
import { kinds } from '../support/all-kinds.ts';
import { loadFiles } from '../support/load-files.ts';
import { propertyRuns } from '../support/thorough.ts';
import { acceptedFiles, refusedFiles } from './written-files.ts';

const folder = new URL('../../schemas/', import.meta.url);
const schemas = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object);
const ajv = new Ajv2020.default({
  strict: false,
  schemas,
  logger: { log, warn: log, error: log },
  validateFormats: false,
});
const validate = ajv.getSchema('config.schema.json') as (value: unknown) => boolean;

/** Anything that it has to say about the schemas is wrong. */
function log(...words: unknown[]): never {
  throw new Error(words.join(' '));
}

interface Formatted {
  readonly format: string;
  readonly pattern: string;
}

/** Every pattern with a format of the tool beside it. */
function formatted(value: unknown): readonly Formatted[] {
  if (typeof value !== 'object' || value === null) return [];
  const { 'x-format': format, pattern } = value as Readonly<Record<string, unknown>>;
  const own = typeof pattern === 'string' && typeof format === 'string' ? [{ format, pattern }] : [];
  return [...own, ...Object.values(value).flatMap(formatted)];
}

const patterns = new Map(formatted(schemas).map(({ format, pattern }) => [format, new RegExp(pattern, 'u')]));

test('no schema has a format that other validators do not know, and each format of the tool has one pattern', () => {
  const words = [...JSON.stringify(schemas).matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name);
  expect([...new Set(words)]).toEqual(['date-time']);
  expect([...patterns.keys(), 'date-time'].toSorted()).toEqual(Object.keys(formats).toSorted());
  expect(new Set(formatted(schemas).map((one) => JSON.stringify(one))).size).toBe(patterns.size);
});

/** Whether the tool finds no error in a file. */
async function isAccepted(text: string): Promise<boolean> {
  const { diagnostics } = await loadFiles({ 'a.yaml': text }, kinds);
  return diagnostics.every(({ severity }) => severity !== 'error');
}

describe('the tool and stock Ajv agree', () => {
  test.each(acceptedFiles)('%s is accepted', async (_name, text) => {
    expect([await isAccepted(text), validate(parse(text))]).toEqual([true, true]);
  });

  test.each(refusedFiles)('%s is refused', async (_name, text) => {
    expect([await isAccepted(text), validate(parse(text))]).toEqual([false, false]);
  });

  test.each([
    ['consumer_selector: "client_id:https://${var:host}/client.json", configuration: { action: allow }'],
    ['consumer_selector: default, configuration: { action: redirect, limit: 1, redirect_uri: "https://${var:host}/" }'],
    ['consumer_selector: "client_id:${var:client}", configuration: { action: allow }'],
  ])('a value with a variable is checked once the variable is known: %s', (item) => {
    expect(validate(parse(`rate_limit_policies: [{ ${item} }]`))).toBe(true);
  });
});

/** Pieces from which texts near the border between valid and invalid are made. */
const pieces = {
  scheme: ['https://', 'HTTPS://', 'hTtps://', 'http://', 'https:/', 'https:', 'ftp://', ''],
  host: [
    ...[
      'a',
      'A-b',
      'crm.example',
      'crm.example.',
      'a..b',
      '.a',
      '.',
      '',
      'a_b',
      "!$&'()*+,;=~",
      'é',
      'a%41',
      'a b',
      'u@h',
      'a\\b',
    ],
    ...[
      '1.2.3.4',
      '1.2.3.4.',
      '1.2.3',
      '01.2.3.4',
      '256.1.1.1',
      '0x1',
      'a.0x',
      'a.1',
      'a.1b',
      '1.2.3.4.5',
      '0xg',
      '127.1',
    ],
    ...[
      '[::1]',
      '[1::8]',
      '[::ffff:1.2.3.4]',
      '[::ffff:1.2.3.256]',
      '[1:2:3:4:5:6:7:8]',
      '[1:2:3:4:5:6:7::]',
      '[::2:3:4:5:6:7:8]',
    ],
    ...[
      '[1:2:3:4:5:6:7:8::]',
      '[1::2::3]',
      '[12345::]',
      '[::1',
      '::1',
      '[]',
      '[1:2:3:4:5:6:1.2.3.4]',
      '[::01.2.3.4]',
      '[v1.a]',
    ],
  ],
  port: ['', ':', ':0', ':00', ':1', ':0443', ':65535', ':65536', ':99999', ':a', ':443:1', ':000065535'],
  rest: [
    '',
    '/',
    '/a/b',
    '?',
    '?a=b&c',
    '#',
    '#a',
    '#a#b',
    '/%41',
    '/%4',
    '/%zz',
    '/é',
    '/{a}',
    '/a b',
    '/\\',
    '/[a]',
    '/a?b#c?d',
    '/\n',
    '/"',
    '/|',
  ],
} as const;
const oneOf = (texts: readonly string[]) => fc.constantFrom(...texts);
const character = fc.oneof(fc.constantFrom(...'aZ9.:/%#?[]@-_~ \\0x'), fc.string({ unit: 'binary', maxLength: 1 }));
const address = fc.oneof(
  fc
    .tuple(oneOf(pieces.scheme), oneOf(pieces.host), oneOf(pieces.port), oneOf(pieces.rest))
    .map((parts) => parts.join('')),
  fc.tuple(fc.constant('https://'), fc.array(character, { maxLength: 8 })).map(([start, end]) => start + end.join('')),
  fc
    .array(fc.constantFrom('1', 'ab', 'FFFF', ':', '::', '1.2.3.4', '.', '0'), { maxLength: 12 })
    .map((parts) => `https://[${parts.join('')}]`),
  fc
    .array(fc.constantFrom('0', '1', '25', '255', '256', '0x', 'x', '.'), { maxLength: 9 })
    .map((parts) => `https://${parts.join('')}`),
);
const shortText = fc.array(character, { maxLength: 5 }).map((parts) => parts.join(''));
const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'strict-https-uri': address,
  'client-selector': fc
    .tuple(fc.constantFrom('client_id:', 'client_id', ''), fc.oneof(address, shortText))
    .map((parts) => parts.join('')),
  'base-url': fc
    .tuple(
      oneOf(pieces.scheme),
      oneOf(['a', 'crm.example', 'localhost', '127.0.0.1', '[::1]', 'u@h', 'a b', '']),
      fc.constantFrom('', ':1'),
      fc.constantFrom('/api/v2', '/api/v2/', '/x/api/v2', '?/api/v2', ''),
    )
    .map((parts) => parts.join('')),
  'path-segment': fc.oneof(shortText, fc.constantFrom('.', '..', '...', 'rol_1', 'auth0|1', '😀', '\ud800')),
  'rate-limit-policy-id': fc.oneof(shortText, fc.constantFrom('.', '..', 'rlp_1', 'rlp_é')),
  'event-stream-id': fc.tuple(fc.constantFrom('est_', 'es_', ''), shortText).map((parts) => parts.join('')),
  'secret-reference': fc
    .tuple(
      fc.constantFrom('${env:', '${var:', '$${env:', 'x${env:'),
      fc.oneof(shortText, fc.constantFrom('A', '_1', '1A')),
      fc.constantFrom('}', '} ', ''),
    )
    .map((parts) => parts.join('')),
};

/** A pattern cannot decode punycode, and the tool refuses a name that is none. */
const hasPunycode = (text: string) => /xn--/i.test(text);

test.each([...patterns])('law: the pattern of %s accepts what its format accepts', (format, pattern) => {
  const accepted = new Set<boolean>();
  fc.assert(
    fc.property(
      (texts[format] as fc.Arbitrary<string>).filter((text) => !hasPunycode(text)),
      (text) => {
        const isValid = formats[format]?.(text);
        accepted.add(isValid === true);
        // The parser of base URLs also reads forms that nobody writes, such as https:host, and a schema need not accept them.
        if (format === 'base-url' && isValid && !pattern.test(text)) return !/^https?:\/\/[a-z[]/.test(text);
        return pattern.test(text) === isValid;
      },
    ),
    propertyRuns(2000),
  );
  expect(accepted.size).toBe(2);
});
