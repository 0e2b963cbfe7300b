import { validateConfig } from '../contract/config.generated.ts';
import { shape } from '../contract/shape.ts';
import type { ConfigFile } from '../model/config.generated.ts';
import type { SchemaError } from '../model/operation.ts';
import { pointerPath } from '../values/json-pointer.ts';
import type { YamlFile } from './yaml/yaml-file.ts';

const { validate } = shape<ConfigFile>('config.schema.json', validateConfig);

export interface ValidatedFile {
  readonly file: YamlFile;
  readonly errors: readonly SchemaError[];
}

export function validateFile(file: YamlFile): ValidatedFile {
  return { file, errors: schemaErrors(file.value) };
}

export function schemaErrors(value: unknown): readonly SchemaError[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

/** A section without its invalid members. */
export interface ValidSection {
  readonly value: unknown;
  /** From an index in `value` to the index in the file; null if nothing was left out or members have names. */
  readonly indexes: readonly number[] | null;
}

/**
 * Errors of one item must not hide those between the others. Null if there is no such section, or none of it is valid.
 */
export function validSection({ file, errors }: ValidatedFile, section: string): ValidSection | null {
  if (!Object.hasOwn(file.value, section)) return null;
  const value = file.value[section];
  const invalid = invalidMembers(errors, section);
  if (invalid.has('') || typeof value !== 'object' || value === null) return null;
  if (invalid.size === 0) return { value, indexes: null };
  if (!Array.isArray(value))
    return { value: Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(name))), indexes: null };
  const indexes = [...value.keys()].filter((index) => !invalid.has(String(index)));
  return { value: indexes.map((index) => value[index] as unknown), indexes };
}

/** Names of members with errors; '' is the section itself. */
function invalidMembers(errors: readonly SchemaError[], section: string): ReadonlySet<string> {
  const invalid = new Set<string>();
  for (const error of errors) {
    const [first, member] = pointerPath(error.instancePath);
    // A field that no item has is ignored by all further checks of its item.
    if (first !== section || (member !== undefined && error.keyword === 'additionalProperties')) continue;
    const name =
      error.params['propertyName'] ??
      error.params['additionalProperty'] ??
      ('propertyName' in error ? error.propertyName : undefined);
    invalid.add(member ?? String(name ?? ''));
  }
  return invalid;
}
