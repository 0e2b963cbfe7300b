// Mistakes in a description of a kind, each with its place, the rule, and what to write.
import { readdirSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { describe as describeKinds, descriptionModule, publishedSchema } from '../../scripts/kinds/index.mjs';
import { exactSchema, tolerantSchema } from '../../scripts/read-schemas.mjs';
import { mapSchemas } from '../../scripts/schema-walk.mjs';
import { knownScopes } from '../../src/contract/known-words.ts';
import { operationsOf } from '../../src/items/described-kind.ts';
import type { Resource } from '../../src/model/resource.ts';

const text = { type: 'string' };
const facts = {
  entities: {
    '/lamps': {
      operations: [
        { op: 'GET /lamps' },
        { op: 'POST /lamps', body: 'create' },
        { op: 'PATCH /lamps/{id}', body: 'update' },
      ],
      fields: {
        name: { ...text, is: 'required' },
        colour: { ...text, enum: ['red', 'blue'] },
        room: text,
        shade: { type: 'object', fields: { form: text } },
        power: {
          type: 'union',
          by: 'source',
          forms: {
            mains: { type: 'object', fields: { source: { ...text, enum: ['mains'] }, volts: { type: 'number' } } },
            battery: { type: 'object', fields: { source: { ...text, enum: ['battery'] } } },
          },
        },
        id: { ...text, on: { response: 'required' } },
      },
    },
  },
};

const head = `title: Lamps
noun: { one: lamp, many: lamps }
description: Lamps.
undeclared: [report]
source: "1.1"
at: list
key: [name]
path: /lamps
operations: { list: cursor lamps, create: , update: }
`;
const fields = `fields:
  name:
  colour:
  room:
  shade: { fields: { form: } }
  power:
    forms: { by: source, mains: { volts: }, battery: }
`;

function mistakesIn(yaml: string): readonly string[] {
  const { mistakes } = describeKinds([{ file: 'lamps', text: yaml, facts }], ['lamps', 'rooms']);
  return mistakes.map((mistake) => mistake.replace('  src/kinds/lamps/kind.yaml:', ''));
}

const without = (line: string) => fields.replace(`  ${line}\n`, '');
const instead = (line: string, ...lines: readonly string[]) =>
  fields.replace(`  ${line}\n`, lines.map((one) => `  ${one}\n`).join(''));

test('a description without a mistake has none', () => {
  expect(mistakesIn(head + fields)).toEqual([]);
});

test.each<[string, string, string]>([
  ['a tab', `${head}\tfields:`, '10:1: Tabs are not allowed as indentation: correct the YAML'],
  ['a misspelt key', head.replace('noun:', 'nuon:') + fields, '2:1: "nuon" is no key here: write one of title, noun, '],
  ['no key', head.replace('title: Lamps\n', '') + fields, '1:1: the file has no "title": add title:'],
  [
    'another rule',
    head.replace('[report]', '[keep]') + fields,
    '4:14: 0 has another value: write one of report, delete, ignore',
  ],
  [
    'what destroys more than its item, and is deleted where nobody declares it',
    `destroys: its bulbs\n${head.replace('[report]', '[report, delete]')}${fields}`,
    '5:1: an item that destroys more than itself is deleted only where the files declare it absent: remove delete',
  ],
  ['a section that is a number', head.replace('"1.1"', '1.1') + fields, '5:1: source has the wrong type: write string'],
  [
    'paging of no kind',
    head.replace('cursor lamps', 'pages lamps') + fields,
    '9:15: list must match pattern "^(cursor|numbered) \\w+$": write cursor or numbered, and the key that has the items in a page',
  ],
  [
    'a key that is no field',
    head.replace('[name]', '[title]') + fields,
    '7:1: "title" is no field: write the name of a field under fields',
  ],
  [
    'a path of no facts',
    head.replace('path: /lamps', 'path: /lights') + fields,
    '8:1: the facts have no /lights: write a path of the facts',
  ],
  [
    'a field that is left out',
    head + without('room:'),
    '10:1: the facts have the field "room": add it under fields, or under ignore with a reason',
  ],
  [
    'a field that is not in the facts',
    head + instead('room:', 'room:', 'floor:'),
    '14:3: the facts have no field "floor": correct the name, or add its type and a source',
  ],
  [
    'a field twice',
    `${head}ignore: { room: not ours }\n${fields}`,
    '10:1: "room" is also under fields: remove one of the two',
  ],
  [
    'what is ignored and not in the facts',
    `${head}ignore: { rooms: not ours }\n${fields}`,
    '10:1: the facts have no field "rooms": remove it',
  ],
  [
    'an unknown mark',
    head + instead('room:', 'room: { secrte: clear }'),
    '13:11: "secrte" is no key here: write one of title, description, ',
  ],
  [
    'an unknown value of a mark',
    head + instead('room:', 'room: { secret: clea }'),
    '13:11: secret has another value: write one of hidden, clear, changed',
  ],
  [
    'sides in another order',
    head + instead('room:', 'room: RC'),
    '13:3: room must match pattern "^C?U?R?$": write letters of C, U and R in this order',
  ],
  ['an unknown format', head + instead('room:', 'room: { format: uri }'), '13:11: "uri" is no format: write one of '],
  ['a broken pattern', head + instead('room:', 'room: { pattern: "(" }'), '13:11: pattern must match format "regex": '],
  [
    'a reference to no kind',
    head + instead('room:', 'room: { ref: { to: houses } }'),
    '13:18: "houses" is no kind: write one of lamps, rooms',
  ],
  [
    'a reference by no field',
    head + instead('room:', 'room: { ref: { to: lamps, by: label } }'),
    '13:29: lamps have no field "label": write a field of that kind',
  ],
  [
    'another field for what is not the last field of the key',
    head + instead('room:', 'room: { ref: { to: rooms, as: { field: flat, prefix: "of:", description: Its flat. } } }'),
    '13:29: "room" is not the last field of the key: remove as',
  ],
  [
    'another field that is a field',
    head + instead('name:', 'name: { ref: { to: rooms, as: { field: room, prefix: "of:", description: Its room. } } }'),
    '11:35: "room" is also under fields: write another name',
  ],
  [
    'another field whose items look like those of the service',
    head + instead('name:', 'name: { ref: { to: rooms, as: { field: of, prefix: "of:", description: Its room. } } }'),
    '11:46: it begins with "of:": write another name of the field',
  ],
  [
    'with what is not beside it',
    head + instead('room:', 'room: { with: { hall: [shades] } }'),
    '13:11: "shades" is no field beside "room": write the name of a field beside it',
  ],
  [
    'another type without a source',
    head + instead('room:', 'room: { type: boolean }'),
    '13:3: it has another type or enum than the facts: add a source, which says why',
  ],
  [
    'a sentence for no value',
    head + instead('colour:', 'colour: { values: { red: Red., blue: Blue., green: Green. } }'),
    '12:47: "green" is no value of it: write a sentence for red, blue',
  ],
  [
    'a value without its sentence',
    head + instead('colour:', 'colour: { values: { red: Red. } }'),
    '12:13: it has no sentence for "blue": add blue: and a sentence',
  ],
  [
    'an object without fields',
    head + instead('shade: { fields: { form: } }', 'shade:'),
    '14:3: the facts have fields of this object: add fields, or shape: json',
  ],
  [
    'a field of an object that is left out',
    head + instead('shade: { fields: { form: } }', 'shade: { fields: {} }'),
    '14:12: the facts have the field "form": add it under fields',
  ],
  [
    'a form that is left out',
    `${head}${fields.replace(', battery: }', ' }')}`,
    '16:5: the facts have the form "battery": add it',
  ],
  [
    'a form that does not exist',
    `${head}${fields.replace('battery:', 'battery: , sun:')}`,
    '16:56: the facts have no form "sun": correct the name, or remove it',
  ],
  [
    'forms by another field',
    `${head}${fields.replace('by: source', 'by: volts')}`,
    '16:5: the facts have forms by "source": write by: source',
  ],
  [
    'forms of an object without any',
    head + instead('shade: { fields: { form: } }', 'shade: { forms: { by: form, round: { form: } } }'),
    '14:12: the facts do not say which fields go together: write by: ../ and the name of a field beside it',
  ],
  [
    'a client in no field',
    `${head}own: { client: owner }\n${fields}`,
    '10:8: "owner" is no field: write the name of a field, or of the id',
  ],
  [
    'a field for all elements that its item does not have',
    `${head}resources: { switches: { at: set, in: true, key: [s], access: { holder: [^name], thing: [s], all: each }, fields: { s: { type: string, source: "1.1" } } } }\n${fields}`,
    '"^each" is no field',
  ],
  [
    'access of no field',
    `${head}resources: { switches: { at: set, in: true, key: [s], access: { holder: [^nobody], thing: [^] }, fields: { s: { type: string, source: "1.1" } } } }\n${fields}`,
    '10:55: "^nobody" is no field: write a field of the element, ^ and one of the parent, or ^',
  ],
])('%s', (_name, yaml, mistake) => {
  expect(mistakesIn(yaml)).toEqual(expect.arrayContaining([expect.stringContaining(mistake)]));
});

const locks = {
  entities: {
    '/locks': {
      operations: [
        { op: 'GET /locks', query: { q: 'string', type: 'a|b' } },
        { op: 'POST /locks', body: 'create' },
        { op: 'PATCH /locks/{id}', body: 'update' },
        { op: 'DELETE /locks/{id}' },
      ],
      fields: { name: { ...text, is: 'required' }, note: text, id: { ...text, on: { response: 'required' } } },
    },
    '/locks/{}/keys': {
      operations: [
        { op: 'GET /locks/{id}/keys' },
        { op: 'POST /locks/{id}/keys', body: 'create' },
        { op: 'DELETE /locks/{id}/keys', body: 'update', answer: 'none' },
      ],
      fields: {
        keys: {
          type: 'object',
          array: 1,
          fields: { maker: { ...text, is: 'required' }, code: { ...text, is: 'required' } },
          on: { create: 'required', update: 'required' },
        },
        maker: { ...text, on: { response: 'optional' } },
        code: { ...text, on: { response: 'optional' } },
      },
    },
  },
};

const lockYaml = `title: Locks
noun: { one: lock, many: locks }
description: Locks.
undeclared: [report]
source: "1.1"
at: list
creates: fields
key: [name]
id: { key: true, hint: copy it, examples: [loc_1] }
path: /locks
operations:
  list: { pages: numbered locks, filters: [q, type], query: { type: a }, byName: q }
  get:
  create:
  update:
  delete: { response: object }
fields: { name: , note: }
resources:
  keys:
    at: set
    path: /locks/{id}/keys
    key: [maker, code]
    short: maker
    absent: absent_keys
    maxItems: 9
    operations:
      list: numbered keys
      add: { body: { keys: $elements }, response: object }
      remove: { body: { keys: $elements } }
    fields: { maker: { maxLength: 9, examples: [Acme] }, code: { examples: [a1] } }
`;

describe('items that files can name by their ids, and sets in a short form', () => {
  const describeLocks = (yaml: string) => describeKinds([{ file: 'locks', text: yaml, facts: locks }], ['locks']);

  test('the files have an id in place of the key, elements by one field, and those that must not be there', () => {
    const { kinds, mistakes } = describeLocks(lockYaml);
    expect(mistakes).toEqual([]);
    const { $defs: defs } = publishedSchema(kinds[0] ?? expect.fail('described')) as { $defs: Record<string, unknown> };
    const list = {
      type: ['object', 'array'],
      additionalProperties: { title: 'Codes', items: { $ref: '#/$defs/keys_code' }, examples: [['a1']] },
      items: { required: ['maker', 'code'] },
      examples: [{ Acme: ['a1'] }],
    };
    expect(defs).toMatchObject({
      declared: {
        properties: {
          id: { 'x-hint': 'copy it', examples: ['loc_1'], maxLength: 255 },
          keys: list,
          absent_keys: { ...list, title: 'Absent keys' },
        },
        oneOf: [{ required: ['id'] }, { required: ['name'] }],
      },
      live: { required: ['id', 'name'] },
      keys_live: { required: ['maker', 'code'], properties: { maker: { minLength: 1 } } },
      list_query: { properties: { type: { enum: ['a', 'b'] } } },
      delete_response: { type: 'object' },
      keys_add_response: { type: 'object' },
    });
    expect(defs).not.toHaveProperty('keys_remove_response');
    // Their number is counted in both forms.
    expect((defs['declared'] as { properties: { keys: object } }).properties.keys).not.toHaveProperty('maxItems');
  });

  test('the walks get the marks', () => {
    const [kind = expect.fail('described')] = describeLocks(lockYaml).kinds;
    const code = descriptionModule(kind, publishedSchema(kind));
    for (const mark of [
      '"byId": true',
      '"creates": "fields"',
      '"byName": "q"',
      '"short": "maker"',
      '"absent": "absent_keys"',
      '"maxItems": 9',
      '"of": get',
    ])
      expect(code).toContain(mark);
    expect(code).toMatch(/"selects": \{\s+"type": "a"/);
  });

  test.each<[string, string, string]>([
    ['short: maker', 'short: name', '"name" is none of the two fields of the key: write one of them'],
    ['    short: maker\n', '', 'elements that must not be there are written by one field: add short'],
    ['byName: q', 'byName: name', '"name" is no filter: write one of the filters'],
    ['key: [name]', 'key: [name, note]', 'the key has several fields: remove key: an id is in place of one name'],
  ])('%s -> %s', (before, after, mistake) => {
    expect(describeLocks(lockYaml.replace(before, after)).mistakes).toEqual([expect.stringContaining(mistake)]);
  });
});

test('facts that are no fields are one mistake', () => {
  const differs = { type: 'differs', sides: { create: { type: 'union', by: 'none', forms: {} }, update: text } };
  const { fields: _fields, ...lamps } = facts.entities['/lamps'];
  const odd = { entities: { '/lamps': { ...lamps, body: differs } } };
  const { mistakes } = describeKinds([{ file: 'lamps', text: head + fields, facts: odd }], ['lamps', 'rooms']);
  expect(mistakes).toEqual([
    '  src/kinds/lamps/kind.yaml:8:1: the facts of /lamps are no fields (differs): make them fields in scripts/facts',
  ]);
});

test('a listing without pages is one list', () => {
  const yaml = head.replace('list: cursor lamps', 'list:') + fields;
  const { kinds, mistakes } = describeKinds([{ file: 'lamps', text: yaml, facts }], ['lamps']);
  expect(mistakes).toEqual([]);
  const { $defs } = kinds.map(publishedSchema)[0] ?? { $defs: {} };
  expect($defs).toMatchObject({
    page: { type: 'array', items: { $ref: '#/$defs/live' } },
    list_query: { additionalProperties: false, properties: {} },
  });
});

test('forms by a field beside an object can be described where the facts have none, for each of its values', () => {
  const radius = 'radius: { type: number, source: "1.2" }';
  const forms = `{ source: "1.2", type: object, forms: { by: ../colour, red: { ${radius} }, blue: { ${radius}, form: { type: string, source: "1.2" } } } }`;
  const yaml = head + instead('shade: { fields: { form: } }', `shade: ${forms}`);
  const { kinds, mistakes } = describeKinds([{ file: 'lamps', text: yaml, facts }], ['lamps']);
  expect(mistakes).toEqual([]);
  const { $defs } = kinds.map(publishedSchema)[0] ?? { $defs: {} };
  const ajv = new Ajv2020.default({ strict: false });
  ajv.addSchema({ $id: 'item.schema.json', $defs: { absent: {}, unmanaged: {}, renamed_from: {}, present: {} } });
  const validate = ajv.compile({ $defs, $ref: '#/$defs/declared' });
  const isValid = (colour: string, shade: object) => validate({ name: 'a', colour, shade });
  expect(isValid('red', { radius: 1 })).toBe(true);
  expect(isValid('red', { form: 'a' })).toBe(false);
  expect(isValid('blue', { radius: 1, form: 'a' })).toBe(true);
});

test('all mistakes are found at once', () => {
  expect(mistakesIn(head + instead('room:', 'rooms:').replace('colour:', 'colour: { format: x }'))).toHaveLength(3);
});

test('the scopes of all described operations are known', async () => {
  const service = new URL('../../src/service/', import.meta.url);
  const files = readdirSync(service, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('description.generated.ts'),
  );
  const load = (file: string) => import(new URL(file, service).pathname) as Promise<{ readonly description: Resource }>;
  const descriptions = await Promise.all(files.map(load));
  const scopes = new Set(
    descriptions.flatMap(({ description }) => operationsOf(description).map(({ scope }) => scope)),
  );
  expect(scopes.size).toBeGreaterThan(10);
  expect([...scopes].filter((scope) => !knownScopes.has(scope))).toEqual([]);
});

describe('fields with the names of keywords', () => {
  const names = [
    'title',
    'default',
    'if',
    'description',
    'type',
    'properties',
    'required',
    'enum',
    'items',
    '$ref',
    'discriminator',
    'page',
    'live',
  ];
  const all = Object.fromEntries(names.map((name) => [name, text]));
  const odd = {
    entities: {
      '/lamps': {
        ...facts.entities['/lamps'],
        fields: { name: { ...text, is: 'required' }, ...all, in: { type: 'object', fields: all } },
      },
    },
  };
  const list = names.map((name) => `${name}:`).join(' , ');
  const yaml = `${head}fields: { name: , ${list} , in: { fields: { ${list} } } }\n`;

  const { kinds, mistakes } = describeKinds([{ file: 'lamps', text: yaml, facts: odd }], ['lamps']);
  const schema = kinds.map(publishedSchema)[0] ?? { $defs: {} };
  const { $defs } = schema;
  const values = Object.fromEntries(names.map((name) => [name, 'x']));
  const ajv = new Ajv2020.default({ strict: false });
  ajv.addSchema({ $id: 'item.schema.json', $defs: { absent: {}, unmanaged: {}, renamed_from: {}, present: {} } });

  test.each<[string, object, object]>([
    ['files', { $defs, $ref: '#/$defs/declared' }, {}],
    ['bodies', { $defs, $ref: '#/$defs/create_body' }, {}],
    ['responses that are read exactly', exactSchema($defs['live'] ?? {}, schema), { id: 'a' }],
    ['files without what only people read', withoutTexts({ $defs, $ref: '#/$defs/declared' }), {}],
  ])('are in %s as all others', (_name, of, id) => {
    expect(mistakes).toEqual([]);
    const validate = ajv.compile(of);
    expect(validate({ name: 'a', ...id, ...values, in: values }), JSON.stringify(validate.errors)).toBe(true);
    for (const name of names) expect(validate({ name: 'a', ...id, [name]: 1 }), name).toBe(false);
    for (const name of names) expect(validate({ name: 'a', ...id, in: { [name]: 1 } }), name).toBe(false);
    expect(validate({ name: 'a', ...id, other: 1 })).toBe(false);
  });

  test('have no rule where responses are read tolerantly', () => {
    const validate = ajv.compile(tolerantSchema($defs['live'] ?? {}, schema));
    expect(validate({ id: 'a', name: 'a', title: 1, in: { if: 1 } })).toBe(true);
    expect(validate({ id: 'a', name: 'a', in: 'x' })).toBe(false);
  });
});

/** As the generator leaves out what a validator or a type does not need. */
function withoutTexts(schema: object): object {
  return mapSchemas(schema, ({ title: _title, default: _default, if: _if, ...rest }) => rest);
}
