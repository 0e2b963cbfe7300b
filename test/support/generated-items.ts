// Values that a published schema accepts, for laws over every kind: nothing here knows a kind, or what a mark means.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

// biome-ignore lint/suspicious/noExplicitAny: a schema is JSON of many forms
type Schema = any;

const folder = join(import.meta.dirname, '..', '..', 'schemas');

/** A published schema by the name of its file. */
export function publishedSchema(name: string): Schema {
  return JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'));
}

/** Names of fields that say what becomes of an item, and are no part of it. */
const flags = ['absent', 'unmanaged', 'renamed_from', 'id'];

export interface GeneratedOptions {
  /** No value is null. */
  readonly isPresent?: boolean;
  /** Values of fields that have to name something that exists, by the name of the field. */
  readonly given?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

/** Items of the section of a schema: those of its list, or its members by name. */
export function itemsOf(document: Schema, options: GeneratedOptions = {}): fc.Arbitrary<object> {
  const item = document.items ?? document;
  return arbitraryOf(resolved(item, document), document, options) as fc.Arbitrary<object>;
}

/** The fields that an item of the section needs, or its member of this name. */
export function requiredFields(document: Schema, name: string): readonly string[] {
  const item = resolved(document.items ?? document.properties?.[name] ?? document, document);
  return [...(item.required ?? []), ...(item.then?.required ?? [])];
}

function arbitraryOf(schema: Schema, document: Schema, options: GeneratedOptions): fc.Arbitrary<unknown> {
  const { type: types, enum: values, const: only, oneOf, anyOf, examples, pattern, format, 'x-format': named } = schema;
  const type = [types].flat().find((one) => one !== 'null');
  if ([types].flat().includes('null') && !options.isPresent)
    return fc.oneof(
      { arbitrary: fc.constant(null), weight: 1 },
      { arbitrary: arbitraryOf({ ...schema, type }, document, options), weight: 5 },
    );
  if (only !== undefined) return fc.constant(only);
  if (values !== undefined) return fc.constantFrom(...values);
  if (oneOf?.every((one: Schema) => one.required === undefined || one.properties !== undefined))
    return fc.oneof(...oneOf.map((one: Schema) => arbitraryOf(resolved(one, document), document, options)));
  if (type === 'object') return objectOf(schema, document, options);
  if (type === 'array') return listOf(schema, document, options);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (anyOf !== undefined && examples === undefined && type === undefined)
    return fc.oneof(...anyOf.map((one: Schema) => arbitraryOf(resolved(one, document), document, options)));
  if (String(pattern).startsWith('^\\$\\{env:'))
    return fc.constantFrom('${env:TENANT_VAR_ONE}', '${env:TENANT_VAR_TWO}');
  if (examples !== undefined) return fc.constantFrom(...examples);
  if (pattern !== undefined && format === undefined && named === undefined)
    return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.length <= (schema.maxLength ?? 20));
  return fc.constantFrom('alpha', 'beta', 'gamma delta').map((text) => text.slice(0, schema.maxLength ?? 20));
}

function numberOf({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
}

function listOf(
  { items = {}, minItems = 0, maxItems = 3 }: Schema,
  document: Schema,
  options: GeneratedOptions,
): fc.Arbitrary<unknown> {
  const element = arbitraryOf(resolved(items, document), document, options);
  const selector = (one: unknown) => JSON.stringify(one);
  return fc.uniqueArray(element, { minLength: minItems, maxLength: Math.min(maxItems, 3), selector });
}

function objectOf(schema: Schema, document: Schema, options: GeneratedOptions): fc.Arbitrary<object> {
  const { properties = {}, required = [], then = {}, additionalProperties, oneOf, ...rest } = schema;
  // Exactly one of some fields.
  if (oneOf?.every(({ required, not }: Schema) => required?.length === 1 && not === undefined)) {
    const exclusive = oneOf.flatMap((one: Schema) => one.required);
    const withOne = (name: string) => {
      const own = Object.entries(properties).filter(([other]) => other === name || !exclusive.includes(other));
      const fields = { properties: Object.fromEntries(own), required: [...required, name] };
      return objectOf({ ...rest, then, additionalProperties, ...fields }, document, options);
    };
    return fc.constantFrom<string>(...exclusive).chain(withOne);
  }
  const names = Object.keys(properties).filter((name) => !flags.includes(name));
  const values = Object.fromEntries(
    names.map((name) => [
      name,
      options.given?.[name] ?? arbitraryOf(resolved(properties[name], document), document, options),
    ]),
  );
  const alternatives = (schema.oneOf ?? []).flatMap((one: Schema) => one.required ?? []);
  const needed = [...required, ...(then.required ?? []), ...alternatives].filter((name) => names.includes(name));
  const plain = fc.record(values, { requiredKeys: needed as never[] });
  const isTagged = schema.allOf?.some(({ then: { properties } }: Schema) => needed.some((name) => properties?.[name]));
  const members = isTagged ? plain.chain((item) => besideTags(item, needed, schema, document, options)) : plain;
  if (typeof additionalProperties !== 'object') return members;
  const map = fc.dictionary(
    fc.constantFrom('one', 'two', 'th.ree'),
    arbitraryOf(resolved(additionalProperties, document), document, options),
    { maxKeys: 2 },
  );
  return fc.tuple(map, members).map(([free, fixed]) => ({ ...free, ...fixed }));
}

/** Objects that an item needs, and whose fields follow from a value beside them. */
function besideTags(
  item: object,
  needed: readonly string[],
  { allOf = [] }: Schema,
  document: Schema,
  options: GeneratedOptions,
) {
  const isMet = ({ if: { properties = {} } }: Schema) =>
    Object.entries<Schema>(properties).every(([name, { enum: values }]) => values?.includes((item as Schema)[name]));
  const [found] = allOf.filter((one: Schema) => one.if?.properties && isMet(one));
  const then = Object.entries<Schema>(found?.then.properties ?? {}).filter(([name]) => needed.includes(name));
  const own = then.map(([name, one]) => [name, arbitraryOf(resolved(one, document), document, options)]);
  return fc.record(Object.fromEntries(own)).map((members) => ({ ...item, ...members }));
}

function resolved(schema: Schema, document: Schema): Schema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const [file, pointer = ''] = String($ref).split('#');
  const root = file === '' || file === undefined ? document : publishedSchema(file.replace('.schema.json', ''));
  const found = pointer
    .split('/')
    .slice(1)
    .reduce((value: Schema, step: string) => value?.[step], root);
  return { ...resolved(found, root), ...own };
}
