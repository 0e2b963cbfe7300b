// A validator chooses the branch of a mapping by its discriminator. If that is wrong, it reports this alone, although
// other fields of the mapping may be wrong as well.
import { nearestWord } from '../../diagnostics/near-names.ts';
import type { SchemaError } from '../../model/operation.ts';
import { memberOf, pointerPath, valueAt } from '../../values/json-pointer.ts';
import { discriminatorOf, likelyTags, schemaParts, tagValues } from './schema-lookup.ts';

/** A mapping with a wrong discriminator, and the values that it may have been meant to have. */
interface Choice {
  readonly path: string;
  readonly mapping: Record<string, unknown>;
  readonly field: string;
  readonly tags: readonly string[];
}

/**
 * Errors in mappings with a wrong discriminator: those with the value that it was probably meant to have, or else those
 * with every value that allows the fields. The file is validated once for each, whatever the number of such mappings.
 */
export function errorsBehindTags(
  file: unknown,
  errors: readonly SchemaError[],
  validate: (file: unknown) => readonly SchemaError[],
): readonly SchemaError[] {
  const choices = errors.filter(({ keyword }) => keyword === 'discriminator').flatMap((error) => choiceOf(file, error));
  if (choices.length === 0) return [];
  const byPath = new Map(choices.map((choice) => [choice.path, choice]));
  const found = new Map<string, { readonly error: SchemaError; readonly choice: Choice; tags: number }>();
  for (let round = 0; round < Math.max(...choices.map(({ tags }) => tags.length)); round++) {
    for (const error of withTags(choices, round, () => validate(file))) {
      const choice = choiceAround(error, byPath);
      if (choice === undefined || round >= choice.tags.length) continue;
      const key = `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { error, choice, tags: 1 });
      else known.tags++;
    }
  }
  return [...found.values()].filter(({ choice, tags }) => tags === choice.tags.length).map(({ error }) => error);
}

function choiceOf(file: unknown, { instancePath }: SchemaError): Choice[] {
  const mapping = valueAt(file, instancePath);
  const part = schemaParts(file, pointerPath(instancePath)).at(-1);
  const field = part === undefined ? null : discriminatorOf(part);
  if (part === undefined || field === null || typeof mapping !== 'object' || mapping === null) return [];
  const tag = memberOf(mapping, field);
  const near = typeof tag === 'string' ? nearestWord(tag, tagValues(part).map(String)) : undefined;
  return [
    {
      path: instancePath,
      mapping: mapping as Record<string, unknown>,
      field,
      tags: near === undefined ? likelyTags(part, mapping) : [near],
    },
  ];
}

/** Changes the values for as long as `use` runs: a copy of the file for each mapping would take quadratic time. */
function withTags<Result>(choices: readonly Choice[], round: number, use: () => Result): Result {
  const before = choices.map(({ mapping, field }) => Object.getOwnPropertyDescriptor(mapping, field));
  for (const { mapping, field, tags } of choices) mapping[field] = tags[round % tags.length];
  try {
    return use();
  } finally {
    for (const [index, { mapping, field }] of choices.entries()) {
      const was = before[index];
      if (was === undefined) delete mapping[field];
      else Object.defineProperty(mapping, field, was);
    }
  }
}

function choiceAround({ instancePath }: SchemaError, choices: ReadonlyMap<string, Choice>): Choice | undefined {
  for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const choice = choices.get(path);
    if (choice !== undefined || path === '') return choice;
  }
}
