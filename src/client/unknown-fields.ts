import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientEvent } from '../model/client.ts';
import type { GetOperation, ListOperation } from '../model/operation.ts';

/** The fields that a schema names. `fields` is null where any field is allowed. */
interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownFields> | null;
  readonly items: KnownFields | null;
}

/** The part of a schema that names fields. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A schema together with the file that its own references are relative to. */
interface Located {
  readonly schema: Schema;
  readonly file: string;
}

// The bundler keeps this file two folders below the package root, so this works in src/ and in dist/.
const folder = join(import.meta.dirname, '..', '..', 'schemas');

/**
 * Reports fields of a response that its schema does not name, at the debug level: the service has something new. An
 * unknown field is reported once, without the fields in it.
 *
 *   eventStreams[].destination.region    for  { "eventStreams": [{ …, "destination": { "type": …, "region": … } }] }
 *
 * The schema file is read when the first page arrives, and only at the debug level.
 */
export function unknownFieldsReporter(
  emit: (event: ClientEvent) => void,
): (operation: ListOperation | GetOperation, page: unknown) => Promise<void> {
  const schemas = new Map<string, Promise<KnownFields>>();
  const reported = new Set<string>();
  return async ({ id, response }, page) => {
    const schema = schemas.get(response.schema) ?? knownFields(response.schema);
    schemas.set(response.schema, schema);
    const fields = [...unknownFields(await schema, page)].filter((field) => !reported.has(`${id} ${field}`));
    for (const field of fields) reported.add(`${id} ${field}`);
    if (fields.length > 0) emit({ type: 'unknown_fields', operation: id, fields });
  };
}

function unknownFields(schema: KnownFields, value: unknown, path = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value) && schema.items !== null) {
    for (const item of value) unknownFields(schema.items, item, `${path}[]`, found);
  } else if (value !== null && typeof value === 'object' && !Array.isArray(value) && schema.fields !== null) {
    for (const [name, below] of Object.entries(value)) {
      const field = path === '' ? name : `${path}.${name}`;
      const known = schema.fields.get(name);
      if (known === undefined) found.add(field);
      else unknownFields(known, below, field, found);
    }
  }
  return found;
}

/** Reads the schema and all that it refers to. `reference`: file#/$defs/name, as in operation rows. */
async function knownFields(reference: string): Promise<KnownFields> {
  return collect(await flatten(await follow(reference)));
}

async function collect(branches: readonly Located[]): Promise<KnownFields> {
  const named = branches.flatMap(({ schema, file }) =>
    Object.entries(schema.properties ?? {}).map(([name, below]) => ({ name, schema: below, file })),
  );
  const byName = new Map<string, KnownFields>();
  for (const name of new Set(named.map((field) => field.name)))
    byName.set(name, await collectAll(named.filter((field) => field.name === name)));
  const items = branches.flatMap(({ schema, file }) =>
    schema.items === undefined ? [] : [{ schema: schema.items, file }],
  );
  return { fields: byName.size === 0 ? null : byName, items: items.length === 0 ? null : await collectAll(items) };
}

async function collectAll(branches: readonly Located[]): Promise<KnownFields> {
  return collect((await Promise.all(branches.map(flatten))).flat());
}

/** The schema, what it refers to and its alternatives: a field that any of them names is known. */
async function flatten({ schema, file }: Located): Promise<readonly Located[]> {
  const referred =
    schema.$ref === undefined ? [] : [await follow(schema.$ref.startsWith('#') ? file + schema.$ref : schema.$ref)];
  const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((branch) => ({
    schema: branch,
    file,
  }));
  const below = await Promise.all([...referred, ...alternatives].map(flatten));
  return [{ schema, file }, ...below.flat()];
}

async function follow(reference: string): Promise<Located> {
  const [file = '', pointer = ''] = reference.split('#');
  const document = JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown;
  const steps = pointer.split('/').slice(1);
  const schema = steps.reduce((part, step) => (part as Readonly<Record<string, unknown>>)[step], document) as Schema;
  return { schema, file };
}
