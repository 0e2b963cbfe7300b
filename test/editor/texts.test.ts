// The texts that editors show for everything that people write: the schema of files, followed through its references.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

type Schema = Readonly<Record<string, unknown>>;

interface Part {
  /** The keys that lead to it, such as `roles/[]/name`. */
  readonly path: string;
  /** True for the value of a key that people write. */
  readonly isField: boolean;
  readonly schema: Schema;
  /** Where the schema is: a file and a JSON pointer. */
  readonly place: string;
}

const files = new Map<string, Schema>();
const fileOf = (id: string): Schema => {
  const text = files.get(id) ?? JSON.parse(readFileSync(new URL(`../../schemas/${id}`, import.meta.url), 'utf8'));
  files.set(id, text as Schema);
  return text as Schema;
};
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const membersOf = (value: unknown) => (isSchema(value) ? value : {});

const parts = partsOf('config.schema.json#', '', false);
const fields = parts.filter(({ isField }) => isField);

/** Of a kind that is described as data, the title follows from the name, and other texts are only where that does not say it. */
const isDescribed = ({ place }: Part) => String(fileOf(place.split('#')[0] ?? '')['$comment']).includes('src/kinds/');

describe('every key that people write', () => {
  test('is found', () => {
    const paths = fields.map(({ path }) => path);
    expect(paths).toContain('event_streams/[]/destination/configuration/webhook_authorization/header_key');
    expect(paths).toContain('prompts/*/partials/*/*/file');
    expect(paths.length).toBeGreaterThan(40);
  });

  test('has a title and a description', () => {
    expect(lacking(({ schema }) => /^.{2,}$/.test(String(schema['title'])))).toEqual([]);
    expect(lacking((part) => isDescribed(part) || isText(part.schema['description']))).toEqual([]);
  });

  test('has examples where neither a list of values nor its own keys show what to write', () => {
    const isOpen = ({ type, items }: Schema) =>
      type === 'string' || type === 'integer' || (type === 'array' && (items as Schema)['type'] === 'string');
    const found = fields.filter(({ schema }) => isOpen(schema) && !('enum' in schema) && !('const' in schema));
    expect(found.length).toBeGreaterThan(20);
    const without = found.filter((part) => !isDescribed(part) && !Array.isArray(part.schema['examples']));
    expect(without.map(({ path }) => path)).toEqual([]);
  });
});

test('titles are words and not names of types', () => {
  const titles = parts.map(({ schema }) => schema['title']).filter((title) => title !== undefined);
  expect(
    titles.filter(
      (title) => !/^([A-Z][\w-]*|iOS)( [\w,-]+)*$/.test(String(title)) || /[a-z]{2}[A-Z]/.test(String(title)),
    ),
  ).toEqual([]);
});

test('every value of an enumeration has a description', () => {
  const enumerations = parts.filter(({ schema }) => Array.isArray(schema['enum']));
  expect(enumerations.length).toBeGreaterThan(5);
  const wrong = enumerations.filter((part) => {
    const { schema } = part;
    const texts = schema['enumDescriptions'];
    if (texts === undefined && isDescribed(part)) return false;
    return !Array.isArray(texts) || texts.length !== (schema['enum'] as unknown[]).length || !texts.every(isText);
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('a choice lists the values of its discriminator for editors, and they are those of its branches', () => {
  const choices = parts.filter(({ schema }) => isSchema(schema['discriminator']));
  expect(choices.length).toBeGreaterThan(2);
  for (const { path, schema, place } of choices) {
    const name = String((schema['discriminator'] as Schema)['propertyName']);
    const tagOf = (branch: number) => {
      const found = resolved(`${place}/oneOf/${branch}`);
      return resolved(`${found.place}/properties/${name}`).schema;
    };
    const tags = (schema['oneOf'] as unknown[]).flatMap((_branch, index) => {
      const tag = tagOf(index);
      return 'const' in tag ? [tag['const']] : (tag['enum'] as unknown[]);
    });
    expect(resolved(`${place}/properties/${name}`).schema['enum'], path).toEqual(tags);
  }
});

test('every example is valid', () => {
  const ajv = new Ajv2020.default({ strict: false });
  for (const file of files.values()) ajv.addSchema(file);
  const wrong = parts.flatMap(({ path, schema, place }) =>
    ((schema['examples'] as unknown[] | undefined) ?? [])
      .filter((example) => !ajv.validate({ $ref: place }, example))
      .map((example) => `${path}: ${JSON.stringify(example)}`),
  );
  expect(wrong).toEqual([]);
});

function isText(text: unknown): boolean {
  return typeof text === 'string' && text.length > 3;
}

/** Fields whose schema does not pass. */
function lacking(passes: (part: Part) => boolean): readonly string[] {
  return fields.filter((part) => !passes(part)).map(({ path }) => path);
}

/** The part at a place, and all parts below it. `path` is for messages. */
function partsOf(at: string, path: string, isField: boolean): readonly Part[] {
  const { schema, place } = resolved(at);
  const below = (key: string, name: string) => partsOf(`${place}/${key}`, `${path}/${name}`.replace(/^\//, ''), true);
  const same = (key: string) => partsOf(`${place}/${key}`, path, false);
  return [
    { path, isField, schema, place },
    ...Object.keys(membersOf(schema['properties'])).flatMap((name) => below(`properties/${name}`, name)),
    ...(isSchema(schema['additionalProperties']) ? below('additionalProperties', '*') : []),
    ...(isSchema(schema['items']) ? partsOf(`${place}/items`, `${path}/[]`, false) : []),
    ...(isSchema(schema['propertyNames']) ? same('propertyNames') : []),
    ...['oneOf', 'anyOf'].flatMap((word) =>
      Object.keys(membersOf(schema[word])).flatMap((index) => same(`${word}/${index}`)),
    ),
  ];
}

/** A schema without its references. */
function resolved(place: string): Pick<Part, 'schema' | 'place'> {
  const [id = '', pointer = ''] = place.split('#');
  const steps = pointer.split('/').slice(1);
  const schema = steps.reduce((part, step) => part[step] as Schema, fileOf(id));
  const { $ref } = schema;
  if (typeof $ref !== 'string') return { schema, place };
  return resolved($ref.startsWith('#') ? `${id}${$ref}` : $ref.includes('#') ? $ref : `${$ref}#`);
}
