// One schema error, the places in its file that a message may point to, and the names and rules that messages mention.
import type { Place } from '../../diagnostics/source-text.ts';
import { jsonPointer } from '../../values/json-pointer.ts';
import { listed } from '../../values/list-of.ts';
import { asWritten, keyPlace, locate, type YamlFile } from '../yaml/yaml-file.ts';
import { quoted } from './problem.ts';
import { type Choice, type SchemaPart, textIn } from './schema-lookup.ts';

/** A value, the part of the schema for it, and the parts for what is around it, from the root of the file. */
export interface Case {
  readonly file: YamlFile;
  readonly segments: readonly string[];
  readonly value: unknown;
  readonly part: SchemaPart;
  readonly around: readonly SchemaPart[];
}

/** A mapping. `branch` is the part for its fields: of a choice, the one that it has chosen. */
export interface MappingCase extends Case {
  readonly choice: Choice | null;
  readonly branch: SchemaPart;
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

/** The name of a mapping: of a choice, by the value of its discriminator. */
export function ownerOf({ file, segments, choice }: MappingCase): string {
  if (choice === null) return mappingName(segments);
  const { tag, name, how } = choice;
  const written = how === 'exact' ? String(asWritten(file, jsonPointer(...segments, name), tag)) : tag;
  return `${/^[aeiou]/i.test(written) ? 'an' : 'a'} ${quoted(written)} ${segments.at(-1) ?? 'form'}`;
}

export function mappingName(segments: readonly string[]): string {
  return segments.length === 0 ? 'a tenant file' : nameOf(segments);
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
  null: 'null',
};

export function typeName(types: unknown): string {
  return listed(
    [types].flat().map((name) => typeNames[String(name)] ?? name),
    'or',
  );
}

export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
}

export function isIndex(segment: string): boolean {
  return /^\d+$/.test(segment);
}
