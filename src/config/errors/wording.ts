// One schema error, the places in its file that a message may point to, and the names and rules that messages mention.
import type { Place } from '../../diagnostics/source-text.ts';
import type { ApiLevel, SchemaError } from '../../model/operation.ts';
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { listed } from '../../values/list-of.ts';
import { asWritten, keyPlace, locate, type YamlFile } from '../yaml/yaml-file.ts';
import { quoted } from './problem.ts';
import { discriminatorOf, type SchemaPart, tagValues, textIn } from './schema-lookup.ts';

/** A value with an error, and the parts of the schema for it and what is around it. */
export interface Case {
  readonly file: YamlFile;
  /** The operations that the files may use, known once all of them are read. */
  readonly api: () => ApiLevel;
  readonly error: SchemaError;
  readonly segments: readonly string[];
  readonly value: unknown;
  readonly parts: readonly SchemaPart[];
  readonly part: SchemaPart;
}

/** The value as the file writes it. A mapping or a list is never quoted, and may be large. */
export function writtenValue({ file, segments, value }: Case): unknown {
  return typeof value === 'object' ? value : asWritten(file, jsonPointer(...segments), value);
}

export function valuePlace({ file, segments }: Case): Place {
  return locate(file, jsonPointer(...segments)).value;
}

export function memberKey({ file, segments }: Case, name: string): Place {
  return keyPlace(file, jsonPointer(...segments, name));
}

/** The key of a mapping, or for an item of a list its first key. */
export function ownerPlace(found: Case): Place {
  const { key, value } = locate(found.file, jsonPointer(...found.segments));
  if (key !== null && !isIndex(found.segments.at(-1) ?? '')) return key;
  const [first] = Object.keys(found.value ?? {});
  return first === undefined ? value : memberKey(found, first);
}

/** The name of a value: its key, or the list that it is an item of. */
export function nameOf(segments: readonly string[]): string {
  const last = segments.at(-1);
  if (last === undefined) return 'the file';
  if (!isIndex(last)) return quoted(last);
  const list = segments.findLast((segment) => !isIndex(segment));
  return `an item of ${quoted(list ?? 'the list')}`;
}

/** The name of a mapping, by its discriminator if that has a valid value. */
export function ownerOf({ file, segments, part, value }: Omit<Case, 'error' | 'api'>): string {
  const name = discriminatorOf(part) ?? '';
  const tag = memberOf(value, name);
  if (typeof tag !== 'string' || !tagValues(part).includes(tag))
    return segments.length === 0 ? 'a tenant file' : nameOf(segments);
  const written = asWritten(file, jsonPointer(...segments, name), tag);
  return `${/^[aeiou]/i.test(String(written)) ? 'an' : 'a'} ${quoted(written)} ${segments.at(-1) ?? 'form'}`;
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** A description for the middle of a sentence, without its own mention of the section. */
export function descriptionOf(part: SchemaPart): string | undefined {
  const text = textIn(part, 'description')
    ?.replace(/\s*\((?:service specification|public facts)[^)]*\)/i, '')
    .replace(/\.$/, '');
  return text?.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

export function typeName(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',');
  return listed(
    types.map((name) => typeNames[name] ?? name),
    'or',
  );
}

export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}

export function isIndex(segment: string): boolean {
  return /^\d+$/.test(segment);
}
