// A compiled validator reports which rule was broken and where, but not what would be valid. This follows the pointer
// of a value through the schema texts to the part that validated it, taking the branch of a discriminated choice that
// the value names.
import { readFileSync } from 'node:fs';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { memberOf, valueAt } from '../../values/json-pointer.ts';
import { memoized } from '../../values/memoized.ts';

/** A part of a schema; its references are followed. */
export type SchemaPart = Readonly<Record<string, unknown>>;

/** The parts that validate a value and what is around it, from the root of a file down to the value. */
export function schemaParts(
  root: unknown,
  segments: readonly string[],
  name = 'config.schema.json',
): readonly [SchemaPart, ...SchemaPart[]] {
  let part = schema(name);
  let value = root;
  const parts: [SchemaPart, ...SchemaPart[]] = [part];
  for (const segment of segments) {
    const next = below(part, value, segment);
    if (next === null) break;
    parts.push(next);
    part = next;
    value = memberOf(value, segment);
  }
  return parts;
}

/** The part itself, or the branch that a discriminated value has chosen, or was probably meant to choose. */
export function branchOf(part: SchemaPart, value: unknown): SchemaPart {
  const name = discriminatorOf(part) ?? '';
  const tag = memberOf(value, name);
  const chosen = (wanted: unknown) => branchesOf(part).find((branch) => tagsOf(branch, name).includes(wanted));
  return chosen(tag) ?? chosen(nearestTag(part, tag) ?? null) ?? part;
}

export function discriminatorOf(part: SchemaPart): string | null {
  return textIn(memberOf(part, 'discriminator'), 'propertyName') ?? null;
}

/** Values that the discriminator may have. */
export function tagValues(part: SchemaPart): readonly string[] {
  return branchesOf(part).flatMap((branch) => tagsOf(branch, discriminatorOf(part) ?? '').map(String));
}

export function nearestTag(part: SchemaPart, tag: unknown): string | undefined {
  return typeof tag === 'string' ? nearestWord(tag, tagValues(part)) : undefined;
}

/** The value of the discriminator that allows most of the fields that a mapping has; undefined if several do. */
export function likelyTag(part: SchemaPart, value: object): string | undefined {
  const known = (tag: string) => {
    const fields = fieldsOf(branchOf(part, { [discriminatorOf(part) ?? '']: tag }));
    return fields.filter((name) => Object.hasOwn(value, name)).length;
  };
  const [first, second] = tagValues(part).toSorted((one, other) => known(other) - known(one));
  return first === undefined || (second !== undefined && known(second) === known(first)) ? undefined : first;
}

/** A text that the schema itself has for messages; undefined without it. */
export function textIn(part: unknown, name: string): string | undefined {
  const text = memberOf(part, name);
  return typeof text === 'string' ? text : undefined;
}

export function typesOf(part: SchemaPart): readonly unknown[] {
  return [part['type']].flat();
}

/** The part for the items of a list. */
export function itemPart(part: SchemaPart): SchemaPart | null {
  return partAt(part, 'items');
}

/** The part for the names of members; null if any name is valid. */
export function namePart(part: SchemaPart): SchemaPart | null {
  return partAt(part, 'propertyNames');
}

/** The value of a part that allows only one. */
export function onlyValueOf({ enum: values, const: value }: SchemaPart): unknown {
  return Array.isArray(values) && values.length === 1 ? values[0] : value;
}

/** Fields that an object may have, in any branch, without those that only an earlier file may have. */
export function fieldsOf(part: SchemaPart): readonly string[] {
  const own = Object.entries(part['properties'] ?? {}).filter(([, field]) => memberOf(field, 'deprecated') !== true);
  return [...new Set([...own.map(([name]) => name), ...branchesOf(part).flatMap(fieldsOf)])];
}

/** The part for a field; where no branch is chosen, that of the first one that has the field. */
export function memberPart(part: SchemaPart, field: string): SchemaPart | null {
  const own = partAt(part['properties'], field);
  return own ?? branchesOf(part).reduce<SchemaPart | null>((found, branch) => found ?? memberPart(branch, field), null);
}

/** The fields that the branches of a choice without discriminator require. */
export function requiredByBranch(part: SchemaPart): readonly string[] {
  return branchesOf(part).flatMap(({ required }) => asList(required).map(String));
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function below(part: SchemaPart, value: unknown, segment: string): SchemaPart | null {
  if (Array.isArray(value)) return itemPart(part);
  const branch = branchOf(part, value);
  return memberPart(branch, segment) ?? partAt(branch, 'additionalProperties');
}

function branchesOf({ oneOf }: SchemaPart): readonly SchemaPart[] {
  return asList(oneOf).map((branch) => resolved(branch as SchemaPart));
}

function tagsOf(branch: SchemaPart, name: string): readonly unknown[] {
  const tag = memberOf(branch['properties'], name);
  const only = memberOf(tag, 'const');
  return only === undefined ? asList(memberOf(tag, 'enum')) : [only];
}

function partAt(owner: unknown, name: string): SchemaPart | null {
  const part = memberOf(owner, name);
  return typeof part === 'object' ? resolved(part as SchemaPart) : null;
}

function resolved(part: SchemaPart): SchemaPart {
  const reference = textIn(part, '$ref');
  return reference === undefined ? part : target(reference);
}

const target = memoized((reference: string): SchemaPart => {
  const [id = '', pointer = ''] = reference.split('#');
  // References in the schemas of this package lead to parts.
  return resolved(valueAt(schema(id), pointer) as SchemaPart);
});

/** A schema as text, by its id, with complete references. Only explanations need it: validation uses the compiled form. */
const schema = memoized((id: string): SchemaPart => {
  const complete = (name: string, value: unknown) =>
    name === '$ref' && String(value).startsWith('#') ? id + value : value;
  return JSON.parse(readFileSync(packageFile(`schemas/${id}`), 'utf8'), complete) as SchemaPart;
});
