import { validateConfig } from '../contract/config.generated.ts';
import { shape } from '../contract/shape.ts';
import type { ConfigFile } from '../model/config.generated.ts';
import type { AnyKind } from '../model/kind.ts';
import type { SchemaError } from '../model/operation.ts';
import { pointerPath, valueAt } from '../values/json-pointer.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { type Declared, declaredIn } from './declared.ts';
import type { Report } from './errors/problem.ts';
import { isReference, splitReferences } from './variables/references.ts';
import { readPlainScalar } from './yaml/read-plain-scalar.ts';
import { nodeAt, type YamlFile } from './yaml/yaml-file.ts';

const { validate } = shape<ConfigFile>('config.schema.json', validateConfig);

export interface ValidatedFile {
  /** The index of its layer. */
  readonly layer: number;
  readonly file: YamlFile;
  /** The items without errors of their own, so that one does not hide those between the others. */
  declared(kind: AnyKind): readonly Declared[];
}

/** Validates a file by the schema, and reports its errors. */
export async function validateFile(file: YamlFile, report: Report): Promise<Omit<ValidatedFile, 'layer'>> {
  const errors = validate(file.value) || isValidWithTypes(file) ? [] : (validate.errors ?? []);
  const invalid = invalidMembers(errors);
  if (errors.length > 0) {
    // The texts of schema errors, and the schemas themselves, are loaded only when there is an error.
    const { explainSchemaErrors } = await import('./errors/explain-schema-errors.ts');
    explainSchemaErrors(file, errors, report);
  }
  return { file, declared: memoizedByObject((kind) => declaredIn(file, kind, invalid)) };
}

/** The errors are those of the file with the types that its references take. */
function isValidWithTypes(file: YamlFile): boolean {
  return file.written.size > 0 && takeNeededTypes(file, validate.errors ?? []) && validate(file.value);
}

/**
 * The value of a reference is a text. Gives each one that is exactly one reference the type that its field needs, whether
 * the reference is in quotes or not. True if one of these errors is corrected by it.
 *
 *   { action: log, limit: "${var:LIMIT}" }    where LIMIT is 100   ->   limit is the number 100
 */
function takeNeededTypes(file: YamlFile, errors: readonly SchemaError[]): boolean {
  let isChanged = false;
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'type' || !isOneReference(file.written.get(nodeAt(file, instancePath)))) continue;
    const typed = asType(valueAt(file.value, instancePath), String(params['type']));
    if (typed === undefined) continue;
    setValue(file.value, pointerPath(instancePath), typed);
    isChanged = true;
  }
  return isChanged;
}

function isOneReference(written: string | undefined): boolean {
  const parts = splitReferences(written ?? '');
  return parts.length === 1 && isReference(parts[0]);
}

/** The same value as another type; undefined if it does not have one. */
function asType(value: unknown, type: string): unknown {
  const wanted = type === 'integer' ? 'number' : type;
  const plain = typeof value === 'string' && wanted !== 'object' ? readPlainScalar(value) : undefined;
  return typeof plain === wanted ? plain : undefined;
}

function setValue(root: unknown, path: readonly string[], value: unknown): void {
  const parent = path.slice(0, -1).reduce((of, name) => (of as Record<string, unknown>)[name], root);
  (parent as Record<string, unknown>)[path.at(-1) ?? ''] = value;
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
