import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import { isAvailable } from '../../src/model/operation.ts';
import { addedRules, sources } from './added-rules.ts';
import { runCheck } from './check-statement.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/internals/adr/0021-rules-beyond-the-specification.md', root), 'utf8');
const listed = [...page.matchAll(/^\| (\d+) \| (.+?) \| (.+) \|$/gm)].map(([, number, rule = '', basis = '']) => ({
  number: Number(number),
  rule,
  basis,
}));

test('every rule of the page has a basis and a check, and every check a rule', () => {
  expect(listed.map(({ number }) => number)).toEqual(Object.keys(addedRules).map(Number));
  expect(listed.filter(({ rule, basis }) => rule.trim() === '' || basis.trim() === '')).toEqual([]);
});

describe('rules beyond the specification', () => {
  test.each(listed)('$number: $rule', async ({ number }) => {
    for (const check of addedRules[number] ?? []) await runCheck(check);
  });
});

test('every constraint of the five operations comes from a section or from a rule of the page', () => {
  const operations = tenantResources
    .flatMap(({ routes }) => routes.map(({ operation }) => operation))
    .filter((operation) => isAvailable(operation, 'documented'));
  expect(operations).toHaveLength(5);
  const found = operations.flatMap((operation) =>
    (['params', 'documentedParams', 'query', 'body'] as const).flatMap((part) => {
      const shape = operation[part];
      return shape === undefined ? [] : constraintsOf(schemaAt(shape.schema), `${operation.id} ${part}`);
    }),
  );
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(sources).toSorted());
  const rules = new Set(listed.map(({ number }) => number));
  expect(Object.values(sources).filter((source) => typeof source === 'number' && !rules.has(source))).toEqual([]);
});

interface Located {
  readonly file: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** `file#/$defs/definition`, or the complete file. */
function schemaAt(reference: string, from = ''): Located {
  const [file = '', pointer = ''] = reference.split('#');
  const name = file === '' ? from : file;
  const parsed: unknown = JSON.parse(readFileSync(new URL(`schemas/${name}`, root), 'utf8'));
  const schema = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => Reflect.get(parent as object, key), parsed);
  return { file: name, schema: schema as Located['schema'] };
}

/** Every keyword that can refuse a value of the right type, with its place. Lists of values are not repeated here. */
function constraintsOf({ file, schema }: Located, place: string): readonly string[] {
  const { $ref: reference, 'x-format': format, ...written } = schema;
  // An x-format is checked by its function, and not by the pattern beside it.
  const own: Located['schema'] = format === undefined ? written : { ...written, pattern: undefined, format };
  const inherited = typeof reference === 'string' ? constraintsOf(schemaAt(reference, file), place) : [];
  const below = (child: unknown, path: string) => constraintsOf({ file, schema: child as Located['schema'] }, path);
  const {
    properties = {},
    additionalProperties,
    items,
    anyOf = [],
    oneOf = [],
  } = own as Readonly<Record<string, object>>;
  return [
    ...inherited,
    ...limits.flatMap((keyword) => (own[keyword] === undefined ? [] : [`${place} ${keyword} ${String(own[keyword])}`])),
    ...lists.flatMap((keyword) => (keyword in own ? [`${place} ${keyword}`] : [])),
    ...(own['additionalProperties'] === false ? [`${place} closed`] : []),
    ...Object.entries(properties).flatMap(([name, child]) => below(child, `${place}/${name}`)),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, `${place}/*`) : []),
    ...(items === undefined ? [] : below(items, `${place}/*`)),
    ...[...(anyOf as readonly object[]), ...(oneOf as readonly object[])].flatMap((child) => below(child, place)),
  ];
}

const limits = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'format',
  'pattern',
  'required',
];
const lists = ['enum', 'const', 'not', 'propertyNames', 'uniqueItems', 'minProperties', 'maxProperties'];
