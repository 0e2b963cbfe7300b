import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The fields that a schema names. `fields` is null where any field may stand. */
export interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownFields> | null;
  readonly items: KnownFields | null;
}

/** The part of a schema that says which fields there are. */
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

const folder = join(import.meta.dirname, '..', '..', 'schemas');

/** Reads the texts of the schema and of all that it refers to. `reference`: file#/$defs/name, as operation rows write it. */
export async function knownFields(reference: string): Promise<KnownFields> {
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
  const whole = JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown;
  const steps = pointer.split('/').slice(1);
  const schema = steps.reduce((part, step) => (part as Readonly<Record<string, unknown>>)[step], whole) as Schema;
  return { schema, file };
}
