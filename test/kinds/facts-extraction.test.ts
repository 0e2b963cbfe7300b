// How facts follow from the sources of a package, on invented ones.
import { describe, expect, test } from 'vitest';
import { entitiesOf, factsOf, packageOf } from '../../scripts/facts/index.mjs';

interface Call {
  readonly signature: string;
  readonly request: string;
  readonly code?: string;
}

/** A client as the package has them: its code requests, its declarations have the types. */
function packageWith(types: string, ...calls: readonly Call[]) {
  const methods = calls.map(({ signature, request, code = '' }) => {
    const [method, path] = request.split(' ');
    const end = `return (0, status_js.handleNonStatusCodeError)(error, response, "${method}", "${path}");`;
    return `__${/^\w+/.exec(signature)?.[0]}() { ${code} ${end} }`;
  });
  const sources = {
    'types/types.d.ts': types,
    'notes/Client.js': `class Notes { get others() { return this._others; } ${methods.join('\n')} }`,
    'notes/Client.d.ts': `declare class Notes { get others(): Others; private __list;
      ${calls.map(({ signature }) => `${signature};`).join('\n')} }`,
  };
  return packageOf(
    Object.entries(sources).map(([name, text]) => ({ name, text })),
    '1.0.0',
  );
}

const sends = 'fetch({ requestType: "json", body: request });';
const create: Call = {
  signature: 'create(request: Management.CreateNote): core.HttpResponsePromise<Management.Note>',
  request: 'POST /notes',
  code: sends,
};
const update: Call = {
  signature: 'update(id: string, request?: Management.UpdateNote): core.HttpResponsePromise<void>',
  request: 'PATCH /notes/{id}',
  code: sends,
};
const get: Call = {
  signature: 'get(id: string): core.HttpResponsePromise<Management.Note>',
  request: 'GET /notes/{id}',
};
const list = (style: string): Call => ({
  signature: 'list(request?: Management.ListNotes): Promise<core.Page<Management.Note, Management.Notes>>',
  request: 'GET /notes',
  code: `const _queryParams = { take, per_page: perPage, kind: kind !== undefined ? kind : undefined };
    switch (status) { case 400: throw new Bad(); case 429: throw new Later(); default: throw new Other(); }
    return new core.Page({ getItems: (response) => { var _a; return (_a = response?.notes) ?? []; },
      loadPage: () => list(core.setObjectProperty(request, "${style}", next)) });`,
});

function notesOf(types: string, ...calls: readonly Call[]) {
  const { operations, declarations } = packageWith(types, ...calls);
  return entitiesOf(operations, declarations)['/notes'];
}

describe('types', () => {
  test.each<[string, string, object]>([
    [
      'null and undefined through aliases',
      `type Text = string | null; type Texts = Text[] | undefined;
       interface UpdateNote { a?: Text | undefined; b: (Text) | undefined; c: Text; d?: string; e: Texts }`,
      {
        a: { type: 'string', is: 'optional null' },
        b: { type: 'string', is: 'optional null' },
        c: { type: 'string', is: 'required null' },
        d: { type: 'string' },
        e: { type: 'string', array: 1, item_null: true },
      },
    ],
    [
      'an enum is a const and a type of one name, and the innermost one counts',
      `declare const Status: { readonly A: "a"; readonly B: "b" }; type Status = (typeof Status)[keyof typeof Status];
       interface UpdateNote { status?: Management.Status; own?: UpdateNote.Status; both?: UpdateNote.Status | Status }
       declare namespace UpdateNote {
         const Status: { readonly C: "c" }; type Status = (typeof Status)[keyof typeof Status];
       }`,
      {
        status: { type: 'string', enum: ['a', 'b'] },
        own: { type: 'string', enum: ['c'] },
        both: { type: 'string', enum: ['c', 'a', 'b'] },
      },
    ],
    [
      'maps and open objects',
      `interface Bag { [key: string]: any } interface Open { x?: number; [key: string]: any }
       interface UpdateNote { a?: Record<string, string | null>; b?: Bag; c?: Open; d?: {} }`,
      {
        a: { type: 'map', of: { type: 'string', null: true } },
        b: { type: 'map', of: { type: 'any' } },
        c: { type: 'object', open: true, fields: { x: { type: 'number' } } },
        d: { type: 'object', fields: {} },
      },
    ],
    [
      'inherited fields, one of them replaced',
      `interface Base { a: string; b?: unknown } interface UpdateNote extends Management.Base { 'b'?: boolean[][] }`,
      { a: { type: 'string', is: 'required' }, b: { type: 'boolean', array: 2 } },
    ],
    [
      'a type within itself',
      `interface Tree { below?: Management.Tree[] } interface UpdateNote { tree?: Tree }`,
      { tree: { type: 'object', fields: { below: { type: 'again', array: 1, of: 'Tree' } } } },
    ],
  ])('%s', (_, types, fields) => {
    expect(notesOf(types, update)?.fields).toEqual(fields);
  });
});

describe('unions', () => {
  const x = { type: 'string', is: 'required' };
  test.each<[string, string, string, object]>([
    [
      'by the values of a field',
      `{ to: "a" | "b" } | { to: "c"; x: string }`,
      'to',
      {
        'a|b': { type: 'object', fields: { to: { type: 'string', enum: ['a', 'b'], is: 'required' } } },
        c: { type: 'object', fields: { to: { type: 'string', enum: ['c'], is: 'required' }, x } },
      },
    ],
    [
      'by the values of a field further down',
      `{ to?: { type?: "a" } } | { to?: { type?: "b" } }`,
      'to.type',
      Object.fromEntries(
        ['a', 'b'].map((tag) => [
          tag,
          {
            type: 'object',
            fields: { to: { type: 'object', fields: { type: { type: 'string', enum: [tag] } } } },
          },
        ]),
      ),
    ],
    [
      'by a key that one form requires',
      `{ x: string } | { y?: string }`,
      'key',
      { x: { type: 'object', fields: { x } }, '-': { type: 'object', fields: { y: { type: 'string' } } } },
    ],
    [
      'by a key',
      `{ y?: string; a?: string } | { y?: string; b?: string } | { c?: string }`,
      'optional key',
      {
        a: { type: 'object', fields: { y: { type: 'string' }, a: { type: 'string' } } },
        b: { type: 'object', fields: { y: { type: 'string' }, b: { type: 'string' } } },
        c: { type: 'object', fields: { c: { type: 'string' } } },
      },
    ],
    [
      'by the type of the value',
      `string | "a"[] | { x: string }`,
      'value',
      {
        string: { type: 'string' },
        'list of enum': { type: 'string', array: 1, enum: ['a'] },
        object: { type: 'object', fields: { x } },
      },
    ],
    [
      'by nothing',
      `string[] | string[][]`,
      'none',
      { 1: { type: 'string', array: 1 }, 2: { type: 'string', array: 2 } },
    ],
  ])('%s', (_, type, by, forms) => {
    const types = `type Either = ${type}; interface UpdateNote { a: Either | null; b?: Either | Either }`;
    expect(notesOf(types, update)?.fields).toEqual({
      a: { type: 'union', by, forms, is: 'required null' },
      b: { type: 'union', by, forms },
    });
  });
});

describe('sides', () => {
  test('what they have in common, and what only some have', () => {
    const types = `
      interface CreateNote { name: string; size?: number; kind?: "a"; tags?: string[] }
      interface UpdateNote { name?: string; size?: number; kind?: "a" | "b"; tags?: string[] | null }
      interface Note { id: string; name?: string; size?: number; kind?: string; tags?: Record<string, string> }`;
    expect(notesOf(types, create, update)?.fields).toEqual({
      name: { type: 'string', on: { create: 'required', update: 'optional', response: 'optional' } },
      size: { type: 'number' },
      kind: { type: 'string', enum: ['a', 'b'], free: ['response'], lacks: { create: ['b'] } },
      tags: {
        type: 'differs',
        sides: { 'create update': { type: 'string', array: 1 }, response: { type: 'map', of: { type: 'string' } } },
        on: { create: 'optional', update: 'optional null', response: 'optional' },
      },
      id: { type: 'string', on: { response: 'required' } },
    });
  });

  test('a create is a union, an update an object', () => {
    const types = `type Note = { to: "a" } | { to: "b" }; type CreateNote = { to: "a" }; interface UpdateNote { to?: "a" }`;
    const form = (tag: string) => ({ type: 'object', fields: { to: { type: 'string', enum: [tag], is: 'required' } } });
    expect(notesOf(types.replace('CreateNote = ', 'CreateNote = { to: "c" } | '), create, update)?.body).toEqual({
      type: 'differs',
      sides: {
        'create response': {
          type: 'union',
          by: 'to',
          forms: {
            c: { ...form('c'), on: 'create' },
            a: form('a'),
            b: { ...form('b'), on: 'response' },
          },
        },
        update: { type: 'object', fields: { to: { type: 'string', enum: ['a'] } } },
      },
    });
  });

  test('a union whose forms differ in one object beside the tag has forms of that object', () => {
    const types = `
      interface CreateA { type: "a"; name: string; sink: { url: string } }
      interface CreateB { type: "b"; name: string; sink: { key: string; region?: string } }
      type CreateNote = CreateA | CreateB
      interface NoteA { id: string; type: "a"; sink: { url: string } }
      interface NoteB { id: string; type: "b"; sink: { key: string } }
      type Note = NoteA | NoteB
      interface SinkB { key: string }
      interface UpdateNote { name?: string; sink?: SinkB }`;
    const text = { type: 'string' };
    expect(notesOf(types, create, update, get)).toMatchObject({
      fields: {
        name: { on: { create: 'required', update: 'optional' } },
        type: { enum: ['a', 'b'], on: { create: 'required', response: 'required' } },
        sink: { type: 'object', fields: {} },
        id: { on: { response: 'required' } },
      },
      by: 'type',
      forms: {
        a: { sink: { fields: { url: { ...text, on: { create: 'required', response: 'required' } } } } },
        b: { sink: { fields: { key: { ...text, is: 'required' }, region: { ...text, on: { create: 'optional' } } } } },
      },
    });
  });

  test('a field that only one of several responses has', () => {
    const types = `interface ListNotes { take?: number; per_page: number; kind?: ("a" | "b")[] }
      interface Note { id: string; name: string | null } interface Full extends Note { name: string; text: string }`;
    const full = { ...get, signature: get.signature.replace('Note>', 'Full>') };
    expect(notesOf(types, list('from'), full)).toEqual({
      operations: [
        {
          op: 'GET /notes',
          query: { take: 'number', per_page: 'number, required', kind: 'a|b[]' },
          paging: { style: 'checkpoint', items: 'notes' },
          errors: [400, 429],
        },
        { op: 'GET /notes/{id}', errors: [] },
      ],
      fields: {
        id: { type: 'string', is: 'required' },
        name: { type: 'string', is: 'required null' },
        text: { type: 'string', only: ['get'] },
      },
    });
  });
});

describe('lists', () => {
  test.each<[string, Call, object]>([
    ['numbered pages', list('page'), { style: 'page', items: 'notes' }],
    [
      'a list',
      { ...get, request: 'GET /notes', signature: 'get(): core.HttpResponsePromise<Management.Note[]>' },
      { style: 'none', items: '' },
    ],
    [
      'an object with nothing but a list',
      { ...get, request: 'GET /notes', signature: 'get(): core.HttpResponsePromise<Management.Notes>' },
      { style: 'none', items: 'notes' },
    ],
  ])('%s', (_, call, paging) => {
    const types = `interface ListNotes { take?: number; per_page?: number; kind?: string }
      interface Note { id: string } interface Notes { notes?: Note[] }`;
    const notes = notesOf(types, call);
    expect(notes?.operations).toMatchObject([{ paging }]);
    expect(notes?.fields).toEqual({ id: { type: 'string', is: 'required' } });
  });
});

test('a response with a list and more, and one of a change, are no lists', () => {
  const types = 'interface Note { tags: { x: string }[]; total: number } interface Changed { tags: { x: string }[] }';
  const change: Call = {
    signature: 'change(): core.HttpResponsePromise<Management.Changed>',
    request: 'PATCH /notes/{id}',
  };
  expect(notesOf(types, get, change)).toEqual({
    operations: [
      { op: 'GET /notes/{id}', errors: [] },
      { op: 'PATCH /notes/{id}', errors: [] },
    ],
    fields: {
      tags: { type: 'object', array: 1, fields: { x: { type: 'string', is: 'required' } }, is: 'required' },
      total: { type: 'number', only: ['get'] },
    },
  });
});

const strategies = `
  interface CreateConnectionRequestContentA { strategy: "a"; name: string; options?: { x: string } }
  interface UpdateConnectionRequestContentA { options?: { x?: string } | null; only_a?: string }
  interface ConnectionResponseContentA { strategy?: "a" }
  interface ConnectionResponseContentB { strategy: "b"; options: {} }
  interface CreateConnectionRequestContent { strategy: "a" | "b"; name: string; options?: Record<string, unknown> }`;

function connectionsOf(types: string) {
  const one = { ...create, request: 'POST /connections' };
  const { operations, declarations } = packageWith(
    `interface Note {} interface CreateNote { name: string; options?: {} } ${types}`,
    one,
  );
  return entitiesOf(operations, declarations)['/connections'];
}

test('the options of a connection by its strategy, of types that no operation names', () => {
  const connections = connectionsOf(strategies);
  expect({ by: connections?.by, forms: connections?.forms }).toEqual({
    by: 'strategy',
    forms: {
      a: {
        options: {
          type: 'object',
          fields: { x: { type: 'string', on: { create: 'required', update: 'optional' } } },
          on: { create: 'optional', update: 'optional null' },
        },
        only_a: { type: 'string', on: { update: 'optional' } },
      },
      b: { options: { type: 'object', fields: {}, is: 'required' } },
    },
  });
});

describe('what is not understood is an error', () => {
  test.each<[string, string, RegExp]>([
    ['a type of another package', 'interface UpdateNote { a: Other }', /no declaration of Other/],
    ['an unknown way to write a type', 'interface UpdateNote { a: keyof Note }', /no shape for TSTypeOperator/],
    ['one name, two types', 'interface UpdateNote {} interface UpdateNote {}', /two declarations of UpdateNote/],
    ['no TypeScript', 'interface UpdateNote {', /types\.d\.ts/],
  ])('%s', (_, types, message) => {
    expect(() => notesOf(types, update)).toThrow(message);
  });

  test('a method that sends in another way', () => {
    const code = { ...update, request: ' ', code: 'return send(); ' };
    const sources = packageWith('', update);
    expect(sources.operations).toHaveLength(1);
    expect(() =>
      packageWith('', { ...code, signature: 'send(): core.HttpResponsePromise<void>; other(): void' }),
    ).toThrow(/not understood/);
  });

  test('responses of one side of several types', () => {
    const other = { ...get, request: 'GET /notes', signature: 'find(): core.HttpResponsePromise<string>' };
    expect(() => notesOf('interface Note { id: string }', get, other)).toThrow(/several types/);
  });

  test('a kind whose paths are gone', () => {
    expect(() => factsOf('roles', packageWith('interface Note {}', get))).toThrow(
      'no operation of roles begins with /roles',
    );
  });

  test.each<[string, string, RegExp]>([
    ['of no type', '', /no type is called CreateConnectionRequestContent/],
    [
      'of a type without strategy',
      `${strategies} interface CreateConnectionRequestContentC { name: string }`,
      /…C are not/,
    ],
    [
      'of two types',
      `${strategies} interface ConnectionResponseContentC { strategy: "a" }`,
      /…C are not of one strategy of their own/,
    ],
  ])('the options of a strategy are %s', (_, types, message) => {
    expect(() => connectionsOf(types)).toThrow(message);
  });
});
