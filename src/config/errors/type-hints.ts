// How to correct a value of the wrong type: with the value itself in the right form where that is known, otherwise with
// an example of the schema.
import { stringify } from 'yaml';
import { asList, fieldsOf, partAt, textIn, typesOf } from './schema-lookup.ts';
import { type Case, isIndex, typeName, writtenValue } from './wording.ts';

export function typeHint(found: Case, types: readonly unknown[]): string {
  const { value, segments, part } = found;
  const expected = types.length === 1 ? types[0] : null;
  const written = writtenValue(found);
  const name = segments.at(-1) ?? '';
  const key = isIndex(name) ? '' : `${name}: `;
  if (types.includes('string') && typeof value !== 'object') return `put it in quotes: ${key}"${String(written)}"`;
  if (expected === 'integer' && typeof value === 'string') return integerHint(value, written, key);
  if (expected === 'object' && typeof value === 'string' && !isIndex(name)) {
    const [, field, text] = /^([\w-]+):(\S.*)$/.exec(String(written)) ?? [];
    if (field !== undefined) return `write a space after the colon: ${field}: ${text}`;
  }
  return (
    (expected === 'array' ? listHint(found, key) : undefined) ??
    textIn(part, 'x-hint') ??
    exampleHint(found) ??
    `replace it with ${typeName(types)}`
  );
}

function integerHint(value: string, written: unknown, key: string): string {
  if (written !== value) return 'set the value of the reference to plain digits, without other text';
  return /^\d+$/.test(value) ? `remove the quotes: ${key}${value}` : 'write plain digits without quotes';
}

function listHint(found: Case, key: string): string | undefined {
  const { value, part, around, segments } = found;
  const isFieldOfItem = fieldsOf(partAt(around.at(-1), 'items') ?? {}).includes(segments.at(-1) ?? '');
  if (!isFieldOfItem && typeof value === 'string' && typesOf(partAt(part, 'items') ?? {}).includes('string'))
    return `write ${key}${inYaml([writtenValue(found)])}`;
  const [first] = typeof value === 'object' ? Object.keys(value ?? {}) : [];
  if (first !== undefined && /^-\S/.test(first)) return `write a space after the dash: - ${first.slice(1)}`;
  const depth = segments.length - (isFieldOfItem ? 1 : 0);
  return exampleHint(found, depth) ?? (first && `write a dash before the first key of each item: - ${first}`);
}

/** The example of the value, or of the mapping or list around it. */
function exampleHint({ segments, around, part }: Case, nearest = segments.length): string | undefined {
  for (const depth of [nearest, segments.length - 1]) {
    const example = asList([...around, part][depth]?.['examples']).find((one) => typeof one === 'object');
    if (example !== undefined) return `write it as in ${segments[depth - 1] ?? ''}: ${inYaml(example)}`;
  }
  return undefined;
}

function inYaml(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
