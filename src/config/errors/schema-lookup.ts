// A compiled validator reports which rule was broken and where, but not what would be valid. This follows the pointer
// of a value through the schema texts to the part that validated it, taking the branch of a discriminated choice that
// the value names.
import { readFileSync } from 'node:fs';
import { nearestWord } from '../../diagnostics/near-names.ts';
import { packageFile } from '../../files/package-file.ts';
import { memberOf } from '../../values/json-pointer.ts';

/** A part of a schema, with the schema that its own references are relative to. */
export interface SchemaPart {
  readonly id: string;
  readonly text: SchemaText;
}

const rootSchema = 'config.schema.json';

/** The parts that validate a value and what is around it, from the root of a file down to the value. */
export function schemaParts(root: unknown, segments: readonly string[]): readonly [SchemaPart, ...SchemaPart[]] {
  const parts: [SchemaPart, ...SchemaPart[]] = [resolved({ id: rootSchema, text: schemaText(rootSchema) })];
  let value = root;
  for (const segment of segments) {
    const next = below(parts[parts.length - 1], value, segment);
    if (next === null) break;
    parts.push(next);
    value = memberOf(value, segment);
  }
  return parts;
}

/** The part itself, or the branch that a discriminated value has chosen, or was probably meant to choose. */
export function branchOf(part: SchemaPart, value: unknown): SchemaPart {
  const name = discriminatorOf(part);
  const tag = memberOf(value, name ?? '');
  const branches = branchesOf(part);
  const chosen = (wanted: unknown) => branches.find((branch) => tagsOf(branch, name).includes(wanted));
  const near = () => (typeof tag === 'string' ? nearestWord(tag, tagValues(part).map(String)) : undefined);
  return chosen(tag) ?? chosen(near() ?? null) ?? part;
}

export function discriminatorOf(part: SchemaPart): string | null {
  const name = memberOf(part.text['discriminator'], 'propertyName');
  return typeof name === 'string' ? name : null;
}

/** Values that the discriminator may have. */
export function tagValues(part: SchemaPart): readonly unknown[] {
  return branchesOf(part).flatMap((branch) => tagsOf(branch, discriminatorOf(part)));
}

/** Values of the discriminator that allow every field that a mapping has; all values if there is none. */
export function likelyTags(part: SchemaPart, value: object): readonly string[] {
  const tags = tagValues(part).map(String);
  const likely = tags.filter((tag) => {
    const fields = fieldsOf(branchOf(part, { [discriminatorOf(part) ?? '']: tag }));
    return Object.keys(value).every((name) => fields.includes(name));
  });
  return likely.length === 0 ? tags : likely;
}

/** A hint that the schema itself gives with `x-hint`. */
export function hintOf(part: SchemaPart): string | undefined {
  const hint = part.text['x-hint'];
  return typeof hint === 'string' ? hint : undefined;
}

/**
 * How a mapping is written that people write as a text, from `x-text-form`: `TEXT` is the place of that text. Undefined
 * if there is no such form.
 */
export function textFormOf(part: SchemaPart): string | undefined {
  const form = part.text['x-text-form'];
  return typeof form === 'string' ? form : undefined;
}

/** The field of a mapping that alone is enough where a part is a text, from `x-text-field`. */
export function textFieldOf(part: SchemaPart): string | undefined {
  const field = part.text['x-text-field'];
  return typeof field === 'string' ? field : undefined;
}

export function typesOf(part: SchemaPart): readonly unknown[] {
  return [part.text['type']].flat();
}

/** The part for the items of a list. */
export function itemPart(part: SchemaPart): SchemaPart | null {
  const { items } = part.text;
  return items === undefined ? null : resolved({ id: part.id, text: asText(items) });
}

/** The value of a part that allows only one. */
export function onlyValueOf(part: SchemaPart): unknown {
  const { enum: values } = part.text;
  return Array.isArray(values) && values.length === 1 ? values[0] : part.text['const'];
}

/** Fields that an object may have, in any branch, without those that only an earlier file may have. */
export function fieldsOf(part: SchemaPart): readonly string[] {
  const own = Object.entries(asText(part.text['properties'])).flatMap(([name, field]) =>
    asText(field)['deprecated'] === true ? [] : name,
  );
  return [...new Set([...own, ...branchesOf(part).flatMap(fieldsOf)])];
}

/** The part for the names of members; null if any name is valid. */
export function namePart(part: SchemaPart): SchemaPart | null {
  const names = part.text['propertyNames'];
  return names === undefined ? null : resolved({ id: part.id, text: asText(names) });
}

/** The part for a field; where no branch is chosen, that of the first one that has the field. */
export function memberPart(part: SchemaPart, field: string): SchemaPart | null {
  const text = asText(part.text['properties'])[field];
  if (text !== undefined) return resolved({ id: part.id, text: asText(text) });
  for (const branch of branchesOf(part)) {
    const member = memberPart(branch, field);
    if (member !== null) return member;
  }
  return null;
}

/** The fields that the branches of a choice without discriminator require. */
export function requiredByBranch(part: SchemaPart): readonly string[] {
  return branchesOf(part)
    .flatMap((branch) => asList(branch.text['required']))
    .filter((name) => typeof name === 'string');
}

function below(part: SchemaPart | undefined, value: unknown, segment: string): SchemaPart | null {
  if (part === undefined) return null;
  if (Array.isArray(value)) return itemPart(part);
  const branch = branchOf(part, value);
  const member = memberPart(branch, segment);
  if (member !== null) return member;
  const rest = branch.text['additionalProperties'];
  return typeof rest === 'object' ? resolved({ id: branch.id, text: asText(rest) }) : null;
}

function branchesOf(part: SchemaPart): readonly SchemaPart[] {
  return asList(part.text['oneOf']).map((text) => resolved({ id: part.id, text: asText(text) }));
}

function tagsOf(branch: SchemaPart, name: string | null): readonly unknown[] {
  const tag = asText(asText(branch.text['properties'])[name ?? '']);
  return 'const' in tag ? [tag['const']] : asList(tag['enum']);
}

function resolved(part: SchemaPart): SchemaPart {
  const reference = part.text['$ref'];
  if (typeof reference !== 'string') return part;
  const known = targets.get(part.text);
  if (known !== undefined) return known;
  const [file = '', fragment = ''] = reference.split('#');
  const id = file === '' ? part.id : file;
  const steps = fragment.split('/').slice(1);
  const target = resolved({ id, text: steps.reduce<SchemaText>((text, step) => asText(text[step]), schemaText(id)) });
  targets.set(part.text, target);
  return target;
}

function asText(value: unknown): SchemaText {
  // The schema files of this package have objects at these places.
  return typeof value === 'object' && value !== null ? (value as SchemaText) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type SchemaText = Readonly<Record<string, unknown>>;

/** What each part with a `$ref` refers to. */
const targets = new WeakMap<SchemaText, SchemaPart>();
const texts = new Map<string, SchemaText>();

/** A schema as text, by its id. Only explanations need it: validation uses the compiled form. */
function schemaText(id: string): SchemaText {
  const known = texts.get(id);
  if (known !== undefined) return known;
  const text = JSON.parse(readFileSync(packageFile(`schemas/${id}`), 'utf8')) as SchemaText;
  texts.set(id, text);
  return text;
}
