import { describe, expect, test } from 'vitest';
import { openEdits } from '../../src/edit/edit-yaml.ts';
import { envReference, ReferenceText, type WrittenValue } from '../../src/edit/written-value.ts';
import { type Edit, editedYaml } from './edits.ts';

const set = (pointer: string, value: WrittenValue): Edit => ({ op: 'set', pointer, value });
const remove = (pointer: string): Edit => ({ op: 'delete', pointer });
const item = (pointer: string, after: number | null, value: WrittenValue): Edit => ({
  op: 'insert',
  pointer,
  after,
  value,
});
const key = (pointer: string, after: string | null, name: string, value: WrittenValue): Edit => ({
  op: 'insert',
  pointer,
  after,
  key: name,
  value,
});

interface Case {
  readonly name: string;
  readonly before: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

function check(cases: readonly Case[]): void {
  test.each(cases)('$name', ({ before, edits, after }) => {
    expect(editedYaml(before, edits)).toBe(after);
  });
}

describe('a scalar', () => {
  check([
    { name: 'keeps its comment', before: 'a: 1 # why\nb: 2\n', edits: [set('/a', 3)], after: 'a: 3 # why\nb: 2\n' },
    { name: 'keeps double quotes', before: 'a: "x"\n', edits: [set('/a', 'k')], after: 'a: "k"\n' },
    { name: 'keeps single quotes', before: "a: 'x'\n", edits: [set('/a', "it's")], after: "a: 'it''s'\n" },
    { name: 'gets quotes', before: 'a: x\n', edits: [set('/a', 'on')], after: 'a: "on"\n' },
    {
      name: 'gets the quotes of the file',
      before: "a: x\nb: 'k'\n",
      edits: [set('/a', 'on')],
      after: "a: 'on'\nb: 'k'\n",
    },
    { name: 'loses quotes as a number', before: 'a: "x"\n', edits: [set('/a', 7)], after: 'a: 7\n' },
    {
      name: 'as a reference',
      before: 'a: "x" # b\n',
      edits: [set('/a', envReference('B'))],
      after: 'a: "${env:B}" # b\n',
    },
    {
      name: 'stays a block',
      before: 'a: | # why\n    x\n\nb: 1\n',
      edits: [set('/a', 'k\nz\n')],
      after: 'a: | # why\n    k\n    z\n\nb: 1\n',
    },
    {
      name: 'becomes a block',
      before: 'a: x # why\nb: 1\n',
      edits: [set('/a', 'k\nz')],
      after: 'a: |- # why\n  k\n  z\nb: 1\n',
    },
    {
      name: 'of several lines',
      before: 'a: x\n  k # why\nb: 1\n',
      edits: [set('/a', 'z')],
      after: 'a: z # why\nb: 1\n',
    },
    {
      name: 'between brackets',
      before: 'a: [x, k] # why\n',
      edits: [set('/a/1', 'z, u')],
      after: 'a: [x, "z, u"] # why\n',
    },
    { name: 'with an anchor', before: 'a: &b x\n', edits: [set('/a', 'k')], after: 'a: &b k\n' },
    { name: 'on the next line', before: 'a:\n  "x"\nb: 1\n', edits: [set('/a', 'k')], after: 'a:\n  "k"\nb: 1\n' },
    { name: 'with an indicator', before: 'a: |2\n   x\nb: 1\n', edits: [set('/a', 'k\n')], after: 'a: |\n  k\nb: 1\n' },
    {
      name: 'of a question mark',
      before: '? a\n: x # why\n? b\n: k\n',
      edits: [set('/a', 'z')],
      after: '? a\n: z # why\n? b\n: k\n',
    },
    {
      name: 'becomes a mapping',
      before: 'a: x # why\nb: 1\n',
      edits: [set('/a', { c: { d: 1, e: 2, f: 3 } })],
      after: 'a: # why\n  c:\n    d: 1\n    e: 2\n    f: 3\nb: 1\n',
    },
    {
      name: 'becomes a mapping in a list',
      before: 'a:\n  - x\n  - k\n',
      edits: [set('/a/0', { c: 1, d: 2, e: 3 })],
      after: 'a:\n  - c: 1\n    d: 2\n    e: 3\n  - k\n',
    },
    {
      name: 'replaces a mapping',
      before: 'a:\n  # about b\n  b: 1\n  c: 2\n# about d\nd: 1\n',
      edits: [set('/a', 'x')],
      after: 'a: x\n# about d\nd: 1\n',
    },
    {
      name: 'keeps comments below the value that it replaces',
      before: 'a:\n  - b\n    # c\n  # d\ne: 1\n',
      edits: [set('/a', 'x\ny')],
      after: 'a: |-\n  x\n  y\n# c\n  # d\ne: 1\n',
    },
    {
      name: 'replaces a folded text',
      before: 'a: >-\n  x\n  k\nb: 1\n',
      edits: [set('/a', 'z')],
      after: 'a: z\nb: 1\n',
    },
  ]);
});

describe('deleting', () => {
  check([
    {
      name: 'takes the comments of the item',
      before: 'a:\n  # one\n  - x # its own\n  # two\n  # of two\n  - k # two\n  # three\n  - z\n',
      edits: [remove('/a/1')],
      after: 'a:\n  # one\n  - x # its own\n  # three\n  - z\n',
    },
    {
      name: 'leaves comments after a blank line',
      before: 'a:\n  - x\n  # free\n\n  # of k\n  - k\n',
      edits: [remove('/a/1')],
      after: 'a:\n  - x\n  # free\n',
    },
    {
      name: 'leaves one blank line',
      before: 'a:\n  - x\n\n  - k\n\n  - z\n',
      edits: [remove('/a/1')],
      after: 'a:\n  - x\n\n  - z\n',
    },
    {
      name: 'leaves no blank line at the start',
      before: 'a:\n  - x\n\n  - k\n',
      edits: [remove('/a/0')],
      after: 'a:\n  - k\n',
    },
    {
      name: 'leaves a blank line before the next section',
      before: 'a:\n  - x\n\n  - k\n\nb: 1\n',
      edits: [remove('/a/1')],
      after: 'a:\n  - x\n\nb: 1\n',
    },
    {
      name: 'leaves an empty list',
      before: 'a: # why\n  # one\n  - x\n  # two\n  - k\n\n# about b\nb: 1\n',
      edits: [remove('/a/0'), remove('/a/1')],
      after: 'a: [] # why\n\n# about b\nb: 1\n',
    },
    { name: 'leaves an empty mapping', before: 'a:\n  b: 1', edits: [remove('/a/b')], after: 'a: {}' },
    {
      name: 'leaves an empty list in a list',
      before: 'a:\n  - - x\n  - - k\n    - z\n',
      edits: [remove('/a/0/0'), remove('/a/1/0')],
      after: 'a:\n  - []\n  - - z\n',
    },
    {
      name: 'moves the next key to the dash',
      before: 'a:\n  - b: 1 # one\n    c: 2\n    d: 3\n  - e: 1\n',
      edits: [remove('/a/0/b')],
      after: 'a:\n  - c: 2\n    d: 3\n  - e: 1\n',
    },
    {
      name: 'moves the next key to the dash where nothing is left between',
      before: 'a:\n  - b: 1\n    # two\n    c: 2\n\n    d: 3\n',
      edits: [remove('/a/0/b'), remove('/a/0/c')],
      after: 'a:\n  - d: 3\n',
    },
    {
      name: 'keeps a comment below the dash',
      before: 'a:\n  - b: 1 # one\n    # two\n    c: 2\n',
      edits: [remove('/a/0/b')],
      after: 'a:\n  -\n    # two\n    c: 2\n',
    },
    {
      name: 'of all keys after a dash',
      before: 'a:\n  - b: 1 # one\n    c: 2\n',
      edits: [remove('/a/0/b'), remove('/a/0/c')],
      after: 'a:\n  - {}\n',
    },
    {
      name: 'of a key with a value in lines',
      before: 'a:\n  b:\n    - x\n  c: |+\n    k\n\n  d: 1\n',
      edits: [remove('/a/c')],
      after: 'a:\n  b:\n    - x\n  d: 1\n',
    },
    {
      name: 'does not take blank lines of a text',
      before: 'a: |+\n  x\n\nb: 1\n\nc: 2\n',
      edits: [remove('/b')],
      after: 'a: |+\n  x\n\nc: 2\n',
    },
    {
      name: 'keeps comments that are indented more',
      before: 'a:\n  - b: 1\n    # c: 2\n  - d: 1\n',
      edits: [remove('/a/1')],
      after: 'a:\n  - b: 1\n    # c: 2\n',
    },
    {
      name: 'keeps comments below that are indented more',
      before: 'a:\n  - b\n    # c\n  # d\ne:\n  - f\n',
      edits: [remove('/a')],
      after: '    # c\n  # d\ne:\n  - f\n',
    },
    {
      name: 'keeps the first comment of the file',
      before: '# yaml-language-server: $schema=x\na: 1\nb: 2\n',
      edits: [remove('/a')],
      after: '# yaml-language-server: $schema=x\nb: 2\n',
    },
    {
      name: 'between brackets',
      before: 'a: [x, k, z]\nb: { c: 1, d: 2 }\n',
      edits: [remove('/a/1'), remove('/b/d')],
      after: 'a: [x, z]\nb: { c: 1 }\n',
    },
    {
      name: 'at both ends between brackets',
      before: 'a: [x, k, z, ]\n',
      edits: [remove('/a/0'), remove('/a/2')],
      after: 'a: [k, ]\n',
    },
    {
      name: 'all between brackets',
      before: 'a: [x, k]\nb: { c: 1 }\n',
      edits: [remove('/a/0'), remove('/a/1'), remove('/b/c')],
      after: 'a: []\nb: {}\n',
    },
    {
      name: 'all between brackets leaves comments that belong to no item',
      before:
        'a: [ # about a\n  x, # of x\n  # free\n\n  # of k\n  k # of k\n  # end\n]\nb: { c: 1,\n  # free\n\n  d: 2 }\n',
      edits: [remove('/a/0'), remove('/a/1'), remove('/b/c'), remove('/b/d')],
      after: 'a: [ # about a\n  # free\n  # end\n]\nb: {\n  # free\n  }\n',
    },
    {
      name: 'of lines between brackets',
      before: 'a: [\n  x, # one\n  # two\n  k, # of k\n  z # three\n]\n',
      edits: [remove('/a/1')],
      after: 'a: [\n  x, # one\n  z # three\n]\n',
    },
    {
      name: 'of the last line between brackets',
      before: 'a: [\n  x, # one\n  k # two\n]\n',
      edits: [remove('/a/1')],
      after: 'a: [\n  x # one\n]\n',
    },
    {
      name: 'between brackets keeps the text, comments and references of the others',
      before:
        'a: [\n  # free\n\n  # of x\n  x, # x\n  &k \'k\', # k\n  { b: "${var:c}",\n    d: 1 }, # of d\n  *k, # again\n  # end\n]\n',
      edits: [remove('/a/0'), set('/a/2/d', 2), item('/a', 1, 'z')],
      after:
        "a: [\n  # free\n\n  &k 'k', # k\n  'z',\n  { b: \"${var:c}\",\n    d: 2 }, # of d\n  *k, # again\n  # end\n]\n",
    },
    {
      name: 'of lines with several items',
      before: 'a: [x, # one\n  k, z]\n',
      edits: [remove('/a/0'), remove('/a/2')],
      after: 'a: [k]\n',
    },
    {
      name: 'before the bracket ends a line that has a comment',
      before: 'a: [\n  x,\n  # free\n\n  k ]\nb: [\n  x,\n    # of x\n  k ]\n',
      edits: [remove('/a/1'), remove('/b/1')],
      after: 'a: [\n  x\n  # free\n  ]\nb: [\n  x\n    # of x\n  ]\n',
    },
    {
      name: 'between comments of lines with several items',
      before: 'a: [\n  x,\n  # free\n\n  k, z ]\n',
      edits: [remove('/a/1')],
      after: 'a: [\n  x,\n  # free\n  z ]\n',
    },
    {
      name: 'below a blank line keeps the indentation',
      before: 'a:\n  b: [\n\n    # of x\n    x, k ]\nc: [\n\n  x, k ]\n',
      edits: [remove('/a/b/0'), remove('/c/0')],
      after: 'a:\n  b: [\n\n    k ]\nc: [\n\n  k ]\n',
    },
    {
      name: 'in a file without a final line end',
      before: 'a:\n  - x\n  - k',
      edits: [remove('/a/1')],
      after: 'a:\n  - x',
    },
    {
      name: 'of a section',
      before: 'a:\n  - x\n\n# about b\nb:\n  - k\n\nc: 1\n',
      edits: [remove('/b')],
      after: 'a:\n  - x\n\nc: 1\n',
    },
  ]);
});

describe('inserting', () => {
  check([
    {
      name: 'after an item',
      before: 'a:\n  - x # one\n  # two\n  - k\n',
      edits: [item('/a', 0, 'z')],
      after: 'a:\n  - x # one\n  - z\n  # two\n  - k\n',
    },
    {
      name: 'at the start',
      before: 'a:\n  # one\n  - x\n',
      edits: [item('/a', null, 'z')],
      after: 'a:\n  - z\n  # one\n  - x\n',
    },
    {
      name: 'at the end, in order',
      before: 'a:\n- x',
      edits: [item('/a', 0, 'k'), item('/a', 0, 'z')],
      after: 'a:\n- x\n- k\n- z',
    },
    {
      name: 'with blank lines',
      before: 'a:\n  - x\n\n  - k\n\nb: 1\n',
      edits: [item('/a', 1, 'z')],
      after: 'a:\n  - x\n\n  - k\n\n  - z\n\nb: 1\n',
    },
    {
      name: 'with the indentation of the list',
      before: 'a:\n    -   b: 1\n        c:\n            d: 1\n',
      edits: [item('/a', 0, { b: 2, c: { d: 2, e: 1 } })],
      after: 'a:\n    -   b: 1\n        c:\n            d: 1\n    - b: 2\n      c:\n          d: 2\n          e: 1\n',
    },
    {
      name: 'with the style of its neighbour',
      before: 'a:\n  - { b: "x", c: [d] }\n',
      edits: [item('/a', 0, { b: 'k', c: ['e'] })],
      after: 'a:\n  - { b: "x", c: [d] }\n  - { b: "k", c: [e] }\n',
    },
    {
      name: 'into JSON',
      before: '{ "a": [\n  { "b": "x" }\n] }\n',
      edits: [item('/a', 0, { b: 'z' }), key('', 'a', 'c', 1)],
      after: '{ "a": [\n  { "b": "x" },\n  { b: "z" }\n], c: 1 }\n',
    },
    {
      name: 'into an empty list',
      before: 'a: [] # none\nb: 1\n',
      edits: [item('/a', null, { c: 1, d: { e: 1 } })],
      after: 'a: # none\n  - c: 1\n    d: { e: 1 }\nb: 1\n',
    },
    {
      name: 'into an empty mapping',
      before: 'a: {}\n',
      edits: [key('/a', null, 'b', { c: 1 })],
      after: 'a:\n  b: { c: 1 }\n',
    },
    {
      name: 'into an empty list that has comments',
      before: 'a: [\n  # none yet\n]\nb:\n  # none yet\n  []\nc: [ # none yet\n]\n',
      edits: [item('/a', null, { d: 1 }), item('/b', null, { d: 1 }), item('/c', null, { d: 1 })],
      after: 'a:\n  # none yet\n  - d: 1\nb:\n  # none yet\n  - d: 1\nc: # none yet\n  - d: 1\n',
    },
    {
      name: 'in the place of all between brackets, with comments that belong to no item',
      before: 'a: [\n  # free\n\n  x, # of x\n  # end\n]\n',
      edits: [remove('/a/0'), item('/a', null, 'k')],
      after: 'a: [\n  # free\n\n  k,\n  # end\n]\n',
    },
    {
      name: 'into an empty list between brackets',
      before: 'a: { b: [] }\n',
      edits: [item('/a/b', null, 'x')],
      after: 'a: { b: [x] }\n',
    },
    {
      name: 'a key',
      before: 'a:\n  - b: 1 # one\n  - b: 2\n',
      edits: [key('/a/0', 'b', 'c', 'x')],
      after: 'a:\n  - b: 1 # one\n    c: x\n  - b: 2\n',
    },
    {
      name: 'a key before the first one after a dash',
      before: 'a:\n  - b: 1\n',
      edits: [key('/a/0', null, 'c', ['x', 'k', 'z'])],
      after: 'a:\n  - c:\n      - x\n      - k\n      - z\n    b: 1\n',
    },
    {
      name: 'a section',
      before: 'a:\n  - x\n# end\n',
      edits: [key('', 'a', 'b', [{ c: 1 }])],
      after: 'a:\n  - x\n\nb:\n  - c: 1\n# end\n',
    },
    {
      name: 'between brackets',
      before: 'a: [x, z] # why\nb: { c: 1 }\n',
      edits: [item('/a', 0, 'k'), item('/a', null, 'w'), key('/b', 'c', 'd', 2)],
      after: 'a: [w, x, k, z] # why\nb: { c: 1, d: 2 }\n',
    },
    {
      name: 'a line between brackets',
      before: 'a: [\n  x, # one\n  k # two\n]\n',
      edits: [item('/a', 0, 'u'), item('/a', 1, 'v'), item('/a', null, 'w')],
      after: 'a: [\n  w,\n  x, # one\n  u,\n  k, # two\n  v\n]\n',
    },
    {
      name: 'in the place of all',
      before: 'a:\n  # one\n  - x\n  - k\nb: 1\n',
      edits: [remove('/a/0'), remove('/a/1'), item('/a', 1, 'z')],
      after: 'a:\n  - z\nb: 1\n',
    },
    {
      name: 'in the place of all between brackets',
      before: 'a: [x]\n',
      edits: [remove('/a/0'), item('/a', 0, 'z')],
      after: 'a: [z]\n',
    },
    {
      name: 'in the place of the first key',
      before: 'a:\n  - b: 1 # one\n    c: 2\n',
      edits: [remove('/a/0/b'), key('/a/0', 'b', 'd', 3)],
      after: 'a:\n  - d: 3\n    c: 2\n',
    },
    {
      name: 'inside and after',
      before: 'a:\n  - b:\n      - x\n  - c: 1\n',
      edits: [item('/a/0/b', 0, 'k'), item('/a', 0, { d: 1 })],
      after: 'a:\n  - b:\n      - x\n      - k\n  - d: 1\n  - c: 1\n',
    },
    {
      name: 'after comments of the item before',
      before: 'a:\n  - b: 1\n    # c: 2\n\n  - d: 1\n',
      edits: [item('/a', 0, { e: 1 })],
      after: 'a:\n  - b: 1\n    # c: 2\n\n  - e: 1\n\n  - d: 1\n',
    },
    {
      name: 'into text with carriage returns',
      before: 'a:\r\n  - x\r\n',
      edits: [item('/a', 0, { b: 'k\nz\n', c: 1 })],
      after: 'a:\r\n  - x\r\n  - b: |\r\n      k\r\n      z\r\n    c: 1\r\n',
    },
    {
      name: 'after a byte order mark and a document start',
      before: '\ufeff--- # why\na: 1\n...\n',
      edits: [key('', 'a', 'b', 2), key('', null, 'c', 3)],
      after: '\ufeff--- # why\nc: 3\n\na: 1\n\nb: 2\n...\n',
    },
    {
      name: 'after a text that keeps its blank lines',
      before: 'a: 1\n\nb: |+\n  x\n',
      edits: [key('', 'b', 'c', 2)],
      after: 'a: 1\n\nb: |+\n  x\nc: 2\n',
    },
  ]);
});

describe('references', () => {
  const reference = envReference('B');
  check([
    {
      name: 'are in quotes between brackets',
      before: 'a: { b: 1, c: { d: [x] } } # why\n',
      edits: [set('/a/c/d/0', reference)],
      after: 'a: { b: 1, c: { d: ["${env:B}"] } } # why\n',
    },
    {
      name: 'are in the brackets of a file',
      before: '--- { a: 1 }\n',
      edits: [set('/a', reference)],
      after: '--- { a: "${env:B}" }\n',
    },
    {
      name: 'in quotes stay between brackets',
      before: 'a: { b: "x" }\n',
      edits: [set('/a/b', new ReferenceText('${var:c}'))],
      after: 'a: { b: "${var:c}" }\n',
    },
  ]);
});

describe('where lines of text would take over comments', () => {
  check([
    {
      name: 'the comments move to the left',
      before: 'a: x\n\n    # free\n\nb: 1\n',
      edits: [set('/a', 'k\nl')],
      after: 'a: |-\n  k\n  l\n\n# free\n\nb: 1\n',
    },
    {
      name: 'also those that lose what is above them',
      before: 'a: |\n  x\nb:\n  c: 1\n  # free\nd: 1\n',
      edits: [remove('/b')],
      after: 'a: |\n  x\n # free\nd: 1\n',
    },
  ]);
});

describe('editYaml refuses', () => {
  test.each([
    ['an edit of a place that is not there', 'a: 1\n', [set('/b', 1)], 'An edit has a place that is not in the file.'],
    ['a key that is there', 'a: 1\n', [key('', 'a', 'a', 2)], 'do not have the expected result'],
    ['an edit below a scalar', 'a: 1\n', [remove('/a/b')], 'An edit has a place that is not in the file.'],
    ['a key that no file can have', 'a: 1\n', [key('', 'a', '__proto__', 2)], 'do not have the expected result'],
    ['a value that no file can have', 'a: 1\n', [set('/a', 1.5)], 'do not have the expected result'],
  ] as const)('%s', (_name, text, edits, message) => {
    expect(() => editedYaml(text, edits)).toThrow(message);
  });

  test('a file that is not valid', () => {
    expect(() => openEdits(new Map([['a.yaml', 'a: [']])).tree('a.yaml')).toThrow('a.yaml cannot be edited');
  });

  test('nothing without edits', () => {
    const edits = openEdits(new Map([['a.yaml', 'a: 1']]));
    edits.at('a.yaml', '/a');
    expect(edits.texts()).toEqual(new Map());
  });
});

describe('anchors', () => {
  const shared = 'a: &x\n  b: 1\nc: *x # one\nd: *x # two\n';
  check([
    {
      name: 'an edit of all users is one of the anchor',
      before: shared,
      edits: [set('/a/b', 2), set('/c/b', 2), set('/d/b', 2)],
      after: 'a: &x\n  b: 2\nc: *x # one\nd: *x # two\n',
    },
    {
      name: 'an alias that differs gets a copy',
      before: shared,
      edits: [set('/c/b', 2)],
      after: 'a: &x\n  b: 1\nc: # one\n  b: 2\nd: *x # two\n',
    },
    {
      name: 'an anchor that differs leaves copies',
      before: shared,
      edits: [set('/a/b', 2)],
      after: 'a: &x\n  b: 2\nc: # one\n  b: 1\nd: # two\n  b: 1\n',
    },
    {
      name: 'the last user needs no anchor',
      before: 'a: &x\n  b: 1\nc: *x\n',
      edits: [remove('/a')],
      after: 'c:\n  b: 1\n',
    },
    {
      name: 'an anchor that is deleted leaves copies',
      before: shared,
      edits: [remove('/a')],
      after: 'c: # one\n  b: 1\nd: # two\n  b: 1\n',
    },
    { name: 'between brackets', before: 'a: [&x b, *x, *x]\n', edits: [set('/a/0', 'c')], after: 'a: [&x c, b, b]\n' },
    {
      name: 'edits of some users',
      before: shared,
      edits: [set('/a/b', 2), set('/c/b', 2)],
      after: 'a: &x\n  b: 2\nc: *x # one\nd: # two\n  b: 1\n',
    },
    {
      name: 'all differ',
      before: shared,
      edits: [set('/a/b', 2), set('/c/b', 3), remove('/d')],
      after: 'a: &x\n  b: 2\nc: # one\n  b: 3\n',
    },
    {
      name: 'an anchor of a key',
      before: 'a:\n  - &x b: 1\n    c: *x\n',
      edits: [remove('/a/0/b')],
      after: 'a:\n  - c: b\n',
    },
    {
      name: 'of brackets that get a reference',
      before: 'a: &x 1\nb: { c: *x, d: 1, e: &y 2 }\nf: *y\n',
      edits: [set('/a', 2), set('/b/c', 2), set('/b/d', envReference('B'))],
      after: 'a: &x 2\nb: { c: *x, d: "${env:B}", e: &y 2 }\nf: *y\n',
    },
    {
      name: 'an item of a list',
      before: 'a:\n  - &x\n    b: 1\n    c: 2\n  - *x # one\n',
      edits: [set('/a/1/b', 2)],
      after: 'a:\n  - &x\n    b: 1\n    c: 2\n  - # one\n    b: 2\n    c: 2\n',
    },
  ]);
});
