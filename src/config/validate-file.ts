import { validateConfig } from '../contract/config.generated.ts';
import { shape } from '../contract/shape.ts';
import type { ConfigFile } from '../model/config.generated.ts';
import type { SchemaError } from '../model/operation.ts';
import { pointerPath } from '../values/json-pointer.ts';
import type { Report } from './errors/problem.ts';
import type { YamlFile } from './yaml/yaml-file.ts';

const { validate } = shape<ConfigFile>('config.schema.json', validateConfig);

/** Items of a list that are validated together: a compiled validator copies all errors so far for each item with one. */
const sliceLength = 500;

/** The texts of schema errors, and the schemas themselves, are loaded only when there is an error. */
let explanations: Promise<typeof import('./errors/explain-schema-errors.ts')> | undefined;

export interface ValidatedFile {
  readonly file: YamlFile;
  /** Members with errors, by section; '' is the section itself. */
  readonly invalid: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Validates a file by the schema, slice by slice, and reports its errors. */
export async function validateFile(file: YamlFile, report: Report): Promise<ValidatedFile> {
  const invalid = new Map<string, Set<string>>();
  for (const slice of slicesOf(file.value)) {
    const errors = errorsIn(slice);
    if (errors.length > 0) {
      explanations ??= import('./errors/explain-schema-errors.ts');
      const { explainSchemaErrors } = await explanations;
      explainSchemaErrors(file, errors, report, () => errorsIn(slice));
      addInvalidMembers(errors, invalid);
    }
  }
  return { file, invalid };
}

/** A part of a file that can be validated alone. In `list`, the first item is the item `first` of the file. */
interface Slice {
  readonly value: Readonly<Record<string, unknown>>;
  readonly list: string | null;
  readonly first: number;
}

/** Long lists are cut into slices; everything else comes first. */
function* slicesOf(value: YamlFile['value']): Generator<Slice> {
  const long = Object.entries(value).filter(([, member]) => Array.isArray(member) && member.length > sliceLength);
  yield { value: { ...value, ...Object.fromEntries(long.map(([name]) => [name, []])) }, list: null, first: 0 };
  for (const [name, list] of long as [string, readonly unknown[]][]) {
    for (let first = 0; first < list.length; first += sliceLength)
      yield { value: { [name]: list.slice(first, first + sliceLength) }, list: name, first };
  }
}

function errorsIn({ value, list, first }: Slice): readonly SchemaError[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  if (list === null || first === 0) return errors;
  const start = `/${list}/`;
  return errors.map((error) => {
    if (!error.instancePath.startsWith(start)) return error;
    const [, index = '', rest = ''] = /^(\d+)(.*)$/s.exec(error.instancePath.slice(start.length)) ?? [];
    return { ...error, instancePath: `${start}${Number(index) + first}${rest}` };
  });
}

function addInvalidMembers(errors: readonly SchemaError[], invalid: Map<string, Set<string>>): void {
  for (const error of errors) {
    const [section, member] = memberPath(error.instancePath);
    // A field that no item has is ignored by all further checks of its item.
    if (section === undefined || (member !== undefined && error.keyword === 'additionalProperties')) continue;
    const name =
      error.params['propertyName'] ??
      error.params['additionalProperty'] ??
      ('propertyName' in error ? error.propertyName : undefined);
    const members = invalid.get(section) ?? new Set();
    invalid.set(section, members.add(member ?? String(name ?? '')));
  }
}

/** The first two names of a pointer. A file can have hundreds of thousands of errors. */
function memberPath(pointer: string): string[] {
  const end = pointer.indexOf('/', pointer.indexOf('/', 1) + 1);
  return pointerPath(end > 0 ? pointer.slice(0, end) : pointer);
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
