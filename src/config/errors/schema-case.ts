// One schema error and the places in its file that a message may point to.

import type { Place } from '../../diagnostics/source-text.ts';
import type { SchemaError } from '../../model/operation.ts';
import { jsonPointer, memberOf } from '../../values/json-pointer.ts';
import { asWritten, keyPlace, locate, type YamlFile } from '../yaml/yaml-file.ts';
import { discriminatorOf, type SchemaPart, tagValues, typesOf } from './schema-lookup.ts';
import { isIndex } from './wording.ts';

/** One error, with its value and the part of the schema that the value violates. */
export interface Case {
  readonly file: YamlFile;
  readonly error: SchemaError;
  readonly segments: readonly string[];
  readonly value: unknown;
  readonly parts: readonly SchemaPart[];
  readonly part: SchemaPart;
}

/** A value as messages need it: what it is, how the file writes it, and where. */
export interface Placed {
  readonly value: unknown;
  readonly written: unknown;
  readonly segments: readonly string[];
  readonly at: Place;
}

export function placed({ file, segments, value }: Pick<Case, 'file' | 'segments' | 'value'>): Placed {
  const pointer = jsonPointer(...segments);
  // A mapping or a list is never quoted, and may be large.
  const written = typeof value === 'object' ? value : asWritten(file, pointer, value);
  return { value, written, segments, at: locate(file, pointer).value };
}

/** The value of the discriminator of a mapping, as the file writes it; undefined if it is wrong. */
export function tagOf({ file, error, part, value }: Case): unknown {
  const name = discriminatorOf(part);
  return name === null || !tagValues(part).includes(memberOf(value, name))
    ? undefined
    : asWritten(file, error.instancePath + jsonPointer(name), memberOf(value, name));
}

/** No message about a value points to a place before this one. An alias may lead to an earlier value. */
export function earliestPlace(file: YamlFile, pointer: string): Place {
  const { key, value, target } = locate(file, pointer);
  const place = key ?? value;
  return target.start < place.start ? target : place;
}

export function valuePlace(found: Case): Place {
  return locate(found.file, found.error.instancePath).value;
}

export function memberKey(found: Case, name: string): Place {
  return keyPlace(found.file, found.error.instancePath + jsonPointer(name));
}

/** The key of a mapping, or for an item of a list its first key. */
export function ownerPlace(found: Case): Place {
  const own = locate(found.file, found.error.instancePath);
  if (own.key !== null && !isIndex(found.segments.at(-1) ?? '')) return own.key;
  const first = Object.keys(typeof found.value === 'object' && found.value !== null ? found.value : {})[0];
  return first === undefined ? own.value : memberKey(found, first);
}

/** True for a member of the mapping that the list around an item could be instead: then only its dash is wrong. */
export function isMappingKey(parts: readonly SchemaPart[], value: unknown, name: string): boolean {
  const around = parts.at(-2);
  const types = around === undefined ? [] : typesOf(around);
  return types.includes('object') && types.includes('array') && Array.isArray(memberOf(value, name));
}

/** The key that no schema names. */
export function unknownName({ params }: SchemaError): string {
  return String(params['additionalProperty']);
}
