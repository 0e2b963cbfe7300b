// Written values with hostile strings in every position.
import fc from 'fast-check';
import { ReferenceText, type WrittenValue } from '../../src/edit/written-value.ts';

const hostile = [
  ...['on', 'Yes', 'n', '1e3', '0x1F', '0o7', '~', '', 'null', 'TRUE', '1_000', '12:30:45', '2024-01-01', '.inf', '<<'],
  ...[
    '=',
    '-',
    '- a',
    '? a',
    ': a',
    'a: b',
    'a:',
    '# a',
    'a # b',
    '&a b',
    '*a',
    '!t',
    '|',
    '>',
    '|-\n a',
    '%A',
    '@',
    '`',
  ],
  ...[
    "'",
    '"',
    "it's",
    '"a" \'b\'',
    '\\',
    '\\n',
    ' a',
    'a ',
    '\t',
    'a\tb',
    '\n',
    'a\nb',
    'a\nb\n',
    'a\n\n',
    '\n\na',
    ' a\nb',
  ],
  ...[
    'a \nb',
    'a\r\nb',
    'a\rb',
    'a\n b\n  c\n',
    'a\n\tb',
    '---',
    '--- a',
    '...',
    'a\n---\nb',
    'a\n...\n',
    '[',
    ']',
    '{',
    '}',
    ',',
  ],
  ...[
    'a, b',
    '{ a: b }',
    '[a]',
    '${',
    '$${',
    '${env:A}',
    '$',
    '$$',
    '${var:x} y',
    '\u0000',
    '\u001b',
    '\u0085',
    '\u00a0',
    '\u2028',
  ],
  ...[
    '\ufeff',
    '\ud800',
    '😀',
    '👩‍👩‍👧',
    'é',
    'e\u0301',
    '\u202e',
    'x'.repeat(3000),
    'a b '.repeat(60),
    '+.5',
    '-.5',
    '1.',
    '0',
    '-0',
  ],
  ...['a\n\n\nb\n\n\n', '#', ' ', '  ', '\n ', 'a\n ', 'a\n\u00a0b', 'key', 'a:b', 'a\u00a0', '\u3000a'],
];

export const hostileText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...hostile, 'a', ' ', '\n'), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.stringMatching(/^[a-z]{1,8}$/),
);

const reference = fc.constantFrom(
  new ReferenceText('${env:A}'),
  new ReferenceText('${var:b_1}'),
  new ReferenceText('a ${var:b_1} $${ c'),
  new ReferenceText('a: ${env:A}\n'),
  new ReferenceText(' ${env:A}\n\n'),
);

const safeNumber = fc.maxSafeInteger().map((number) => (number === 0 ? 0 : number));

export const anyScalar: fc.Arbitrary<WrittenValue> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  safeNumber,
  fc.boolean(),
  fc.constant(null),
  reference,
);

export const anyKey = hostileText.filter(
  (key) => !key.includes('${') && !['__proto__', 'constructor', 'prototype'].includes(key),
);

export const anyWritten: fc.Arbitrary<WrittenValue> = fc.letrec<{ value: WrittenValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyScalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
