// The schemas as texts, and what a part of them says about a value. A compiled validator does not know what would be valid.
import { readFileSync } from 'node:fs';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { memberOf, valueAt } from '../../values/json-pointer.ts';
import { memoized, memoizedByObject } from '../../values/memoized.ts';

/** A part of a schema; its references are followed. */
export type SchemaPart = Readonly<Record<string, unknown>>;

export function discriminatorOf(part: SchemaPart): string | null {
  return textIn(memberOf(part, 'discriminator'), 'propertyName') ?? null;
}

/** Values that the discriminator may have. */
export function tagValues(part: SchemaPart): readonly string[] {
  return branchesOf(part).flatMap((branch) => tagsOf(part, branch));
}

/**
 * The branch that a mapping has chosen with its discriminator, or was probably meant to choose. `near`: its discriminator is
 * misspelt. `likely`: its fields only suggest which was meant.
 */
export interface Choice {
  /** The name of the discriminator, and its value. */
  readonly name: string;
  readonly tag: string;
  readonly branch: SchemaPart;
  readonly how: 'exact' | 'near' | 'likely';
}

/** Null if the part is no choice, or nothing suggests a branch. */
export function choiceOf(part: SchemaPart, value: object): Choice | null {
  const name = discriminatorOf(part);
  if (name === null) return null;
  const written = memberOf(value, name);
  const tags = tagValues(part);
  const chosen = (tag: unknown, how: Choice['how']): Choice | null => {
    const branch = branchesOf(part).find((one) => typeof tag === 'string' && tagsOf(part, one).includes(tag));
    return branch === undefined ? null : { name, tag: String(tag), branch, how };
  };
  const near = typeof written === 'string' ? nearestWord(written, tags) : undefined;
  return chosen(written, 'exact') ?? chosen(near, 'near') ?? chosen(likelyTag(part, value), 'likely');
}

/** The tag of the branch that allows most of the fields of a mapping; undefined if several do. */
function likelyTag(part: SchemaPart, value: object): string | undefined {
  const known = (branch: SchemaPart) => fieldsOf(branch).filter((name) => Object.hasOwn(value, name)).length;
  const [first, second] = branchesOf(part)
    .flatMap((branch) => tagsOf(part, branch).map((tag) => ({ tag, known: known(branch) })))
    .toSorted((one, other) => other.known - one.known);
  return first === undefined || first.known === second?.known ? undefined : first.tag;
}

/** A text that the schema itself has for messages; undefined without it. */
export function textIn(part: unknown, name: string): string | undefined {
  const text = memberOf(part, name);
  return typeof text === 'string' ? text : undefined;
}

export const typesOf = memoizedByObject((part: SchemaPart): readonly unknown[] => [part['type'] ?? []].flat());

/** The value of a part that allows only one. */
export function onlyValueOf({ enum: values, const: value }: SchemaPart): unknown {
  return Array.isArray(values) && values.length === 1 ? values[0] : value;
}

/** Fields that an object may have, in any branch, without those that only an earlier file may have. */
export function fieldsOf(part: SchemaPart): readonly string[] {
  const own = Object.entries(part['properties'] ?? {}).filter(([, field]) => memberOf(field, 'deprecated') !== true);
  return [...new Set([...own.map(([name]) => name), ...branchesOf(part).flatMap(fieldsOf)])];
}

/** The part for a field of a mapping; in a choice, that of the first branch that has the field. */
export function memberPart(part: SchemaPart, field: string): SchemaPart | null {
  const own = partAt(part['properties'], field) ?? partAt(part, 'additionalProperties');
  return own ?? branchesOf(part).reduce<SchemaPart | null>((found, branch) => found ?? memberPart(branch, field), null);
}

/** The fields that the branches of a choice without discriminator require. */
export function requiredByBranch(part: SchemaPart): readonly string[] {
  return branchesOf(part).flatMap(requiredIn);
}

/** Those of which a mapping can have only one. */
export function exclusiveFields(part: SchemaPart): readonly string[] {
  const isOne = (branch: SchemaPart) => requiredIn(branch).length === 1 && branch['not'] === undefined;
  return branchesOf(part).every(isOne) ? requiredByBranch(part) : [];
}

export function requiredIn(part: SchemaPart | null): readonly string[] {
  return asList(part?.['required']).map(String);
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function branchesOf({ oneOf }: SchemaPart): readonly SchemaPart[] {
  return asList(oneOf).map((branch) => resolved(branch as SchemaPart));
}

function tagsOf(part: SchemaPart, branch: SchemaPart): readonly string[] {
  const tag = memberOf(branch['properties'], discriminatorOf(part) ?? '');
  const only = memberOf(tag, 'const');
  return (only === undefined ? asList(memberOf(tag, 'enum')) : [only]).map(String);
}

/** The part under a keyword; null if there is none, or the keyword says yes or no. */
export function partAt(owner: unknown, name: string): SchemaPart | null {
  const part = memberOf(owner, name);
  return typeof part === 'object' ? resolved(part as SchemaPart) : null;
}

export function resolved(part: SchemaPart): SchemaPart {
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
