// The evidence for the marks of a kind's writes: test/kinds/<kind>/fixtures.yaml (docs/internals/descriptions.md).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Fields } from '../../src/model/field.ts';
import { isRecord } from '../../src/values/is-record.ts';
import { pointerPath } from '../../src/values/json-pointer.ts';

type Values = Readonly<Record<string, unknown>>;

/** A state before, one request, and what is true afterwards. */
export interface Fixture {
  /** A JSON pointer into kind.yaml, a blank, and the name of the mark. */
  readonly mark: string;
  readonly source: string;
  readonly before?: Values;
  readonly request?: unknown;
  readonly create?: Values;
  readonly delete?: string;
  readonly status?: number;
  readonly refused?: number;
  readonly after?: Values | null;
}

/** A kind as it is written in kind.yaml. */
export interface WrittenKind extends WrittenResource {
  readonly key?: readonly string[];
  readonly unique?: boolean;
  readonly id?: string | { readonly field?: string };
  readonly writable?: object;
}

interface WrittenResource extends Values {
  readonly at: string;
  readonly path: string;
  readonly scalar?: string;
  readonly operations?: Readonly<
    Record<string, { readonly method?: string; readonly query?: Readonly<Record<string, string>> } | null>
  >;
  readonly resources?: Readonly<Record<string, WrittenResource>>;
}

export interface KindFixtures {
  readonly folder: string;
  readonly name: string;
  readonly kind: WrittenKind;
  readonly given: Readonly<Record<string, readonly Values[]>>;
  readonly fixtures: readonly Fixture[];
  readonly assumed: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');

export const kindsWithFixtures: readonly KindFixtures[] = readdirSync(join(root, 'test/kinds'))
  .filter((folder) => existsSync(join(root, 'test/kinds', folder, 'fixtures.yaml')))
  .map((folder) => {
    const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'), { merge: true });
    const { given = {}, fixtures = [], assumed = {} } = read(`test/kinds/${folder}/fixtures.yaml`);
    const kind: WrittenKind = read(`src/kinds/${folder}/kind.yaml`);
    return { folder, name: folder.replaceAll('-', '_'), kind, given, fixtures, assumed };
  });

/** A claim about a write: the pointer into kind.yaml, and the name of the mark. */
export interface Mark {
  readonly pointer: string;
  readonly name: string;
}

const ofFields = [
  'sides',
  'shape',
  'omitted',
  'replace',
  'with',
  'without',
  'secret',
  'clear',
  'clearAs',
  'twin',
  'filled',
];
const ofOperations = ['async', 'gone', 'batch', 'element'];

/** Every mark of a write that the description has. */
export function marksOf(kind: WrittenKind): readonly Mark[] {
  return [
    ...(kind.key === undefined ? [] : [{ pointer: kind.unique === false ? '/unique' : '/key', name: '' }]),
    ...(kind.writable === undefined ? [] : [{ pointer: '/writable', name: 'only' }]),
    ...marksBelow(kind, ''),
  ];
}

function marksBelow(node: Values, at: string): readonly Mark[] {
  const each = (member: string, marks: (value: Values, pointer: string) => readonly Mark[]) =>
    Object.entries(objectAt(node, member)).flatMap(([name, value]) =>
      isRecord(value) ? marks(value, `${at}/${member}/${name}`) : [],
    );
  return [
    ...named(node, ofFields, at),
    ...(isRecord(node['ref']) && node['ref']['gone'] !== undefined ? [{ pointer: at, name: 'ref gone' }] : []),
    ...(node['in'] === true ? [{ pointer: at, name: 'in' }] : []),
    ...each('operations', (operation, pointer) => named(operation, ofOperations, pointer)),
    ...each('fields', marksBelow),
    ...each('resources', marksBelow),
    ...each('forms', (form, pointer) =>
      Object.entries(form).flatMap(([name, field]) => (isRecord(field) ? marksBelow(field, `${pointer}/${name}`) : [])),
    ),
    ...(isRecord(node['of']) ? marksBelow(node['of'], `${at}/of`) : []),
  ];
}

function named(node: Values, names: readonly string[], pointer: string): readonly Mark[] {
  return names.filter((name) => node[name] !== undefined).map((name) => ({ pointer, name }));
}

function objectAt(node: Values, name: string): Values {
  const value = node[name];
  return isRecord(value) ? value : {};
}

/** What shows a mark: the fixture or the assumption nearest to it; an assumption where there are both. */
export function evidenceOf({ pointer, name }: Mark, kind: KindFixtures): 'fixture' | 'assumed' | 'none' {
  const covering = (marks: readonly string[]) =>
    Math.max(
      -1,
      ...marks
        .map(splitMark)
        .filter((one) => one.name === name && `${pointer}/`.startsWith(`${one.pointer}/`))
        .map((one) => one.pointer.length),
    );
  const shown = covering(kind.fixtures.map(({ mark }) => mark));
  const assumed = covering(Object.keys(kind.assumed));
  if (shown < 0 && assumed < 0) return 'none';
  return shown > assumed ? 'fixture' : 'assumed';
}

/** `/fields/client ref gone` is the mark `ref gone` of `/fields/client`. */
export function splitMark(mark: string): Mark {
  const [pointer = '', ...words] = mark.split(' ');
  return { pointer, name: words.join(' ') };
}

/** Whether kind.yaml has the place of a mark. */
export function hasPlace({ pointer }: Mark, kind: Values): boolean {
  let value: unknown = kind;
  for (const name of pointerPath(pointer)) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return true;
}

/** A null that files can have is a claim as well: it clears the field. */
export function nullsOf(fields: Fields, at = '/fields'): readonly Mark[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const pointer = `${at}/${name}`;
    const { nullable, clear, fields: below = {}, forms, items, map } = field;
    const own = nullable === true && clear === undefined ? [{ pointer, name: 'clear' }] : [];
    const ofForms = Object.entries(forms?.of ?? {}).flatMap(([form, inner]) =>
      nullsOf(inner, `${pointer}/forms/${form}`),
    );
    const element = items ?? map ?? {};
    return [
      ...own,
      ...nullsOf(below, `${pointer}/fields`),
      ...ofForms,
      ...nullsOf(element.fields ?? {}, `${pointer}/of/fields`),
    ];
  });
}
