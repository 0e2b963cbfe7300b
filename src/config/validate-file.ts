import { validateConfig } from '../contract/config.generated.ts';
import { shape } from '../contract/shape.ts';
import type { ConfigFile } from '../model/config.generated.ts';
import type { ApiLevel, SchemaError } from '../model/operation.ts';
import { pointerPath } from '../values/json-pointer.ts';
import type { Report } from './errors/problem.ts';
import type { YamlFile } from './yaml/yaml-file.ts';

const { validate } = shape<ConfigFile>('config.schema.json', validateConfig);

/** The texts of schema errors, and the schemas themselves, are loaded only when there is an error. */
let explanations: Promise<typeof import('./errors/explain-schema-errors.ts')> | undefined;

export interface ValidatedFile {
  /** The index of its layer. */
  readonly layer: number;
  readonly file: YamlFile;
  /** Members with errors, by section; '' is the section itself. */
  readonly invalid: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Validates a file by the schema, and reports its errors. `api` is called when their texts are made. */
export async function validateFile(
  file: YamlFile,
  report: Report,
  api: () => ApiLevel,
): Promise<Omit<ValidatedFile, 'layer'>> {
  if (validate(file.value) || (await isValidWithTypes(file))) return { file, invalid: new Map() };
  const errors = validate.errors ?? [];
  const invalid = invalidMembers(errors);
  explanations ??= import('./errors/explain-schema-errors.ts');
  const { explainSchemaErrors } = await explanations;
  explainSchemaErrors({ file, api }, errors, report, () => (validate(file.value) ? [] : (validate.errors ?? [])));
  return { file, invalid };
}

/** The errors are those of the file with the types that its references take. */
async function isValidWithTypes(file: YamlFile): Promise<boolean> {
  if (file.written.size === 0) return false;
  const { takeNeededTypes } = await import('./variables/needed-types.ts');
  const errors = validate.errors ?? [];
  return takeNeededTypes(file, errors) && validate(file.value);
}

function invalidMembers(errors: readonly SchemaError[]): ReadonlyMap<string, ReadonlySet<string>> {
  const invalid = new Map<string, Set<string>>();
  for (const error of errors) {
    const [section, member] = pointerPath(error.instancePath);
    // A field that no item has is ignored by all further checks of its item.
    if (section === undefined || (member !== undefined && error.keyword === 'additionalProperties')) continue;
    const name =
      error.params['propertyName'] ??
      error.params['additionalProperty'] ??
      ('propertyName' in error ? error.propertyName : undefined);
    const members = invalid.get(section) ?? new Set();
    invalid.set(section, members.add(member ?? String(name ?? '')));
  }
  return invalid;
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
export function validSection({ file, invalid: bySection }: ValidatedFile, section: string): ValidSection | null {
  if (!Object.hasOwn(file.value, section)) return null;
  const value = file.value[section];
  const invalid = bySection.get(section) ?? new Set();
  if (invalid.has('') || typeof value !== 'object' || value === null) return null;
  if (invalid.size === 0) return { value, indexes: null };
  if (!Array.isArray(value))
    return { value: Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(name))), indexes: null };
  const indexes = [...value.keys()].filter((index) => !invalid.has(String(index)));
  return { value: indexes.map((index) => value[index] as unknown), indexes };
}
