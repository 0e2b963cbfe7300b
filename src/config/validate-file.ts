import { shape } from '../contract/shape.ts';
import { validateTenant } from '../contract/tenant.generated.ts';
import type { AnyKind } from '../model/kind.ts';
import type { SchemaError } from '../model/operation.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, pointerPath, valueAt } from '../values/json-pointer.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { type Declared, declaredIn } from './declared.ts';
import type { Report } from './errors/problem.ts';
import { isReference, splitReferences } from './variables/references.ts';
import { readPlainScalar } from './yaml/read-plain-scalar.ts';
import { nodeAt, type YamlFile } from './yaml/yaml-file.ts';

const header = shape<TenantHeader>('tenant.schema.json', validateTenant);

export interface ValidatedFile {
  /** The index of its layer. */
  readonly layer: number;
  readonly file: YamlFile;
  /** The items without errors of their own, so that one does not hide those between the others. */
  declared(kind: AnyKind): readonly Declared[];
}

/** Validates a file by the schema, and reports its errors. `kinds`: those that it has sections of. */
export async function validateFile(
  file: YamlFile,
  kinds: readonly AnyKind[],
  report: Report,
): Promise<Omit<ValidatedFile, 'layer'>> {
  const found = schemaErrors(file.value, kinds);
  // With the types that its references take.
  const isTyped = file.written.size > 0 && takeNeededTypes(file, found);
  const errors = isTyped ? schemaErrors(file.value, kinds) : found;
  const invalid = invalidMembers(errors);
  if (errors.length > 0) {
    // The texts of schema errors, and the schemas themselves, are loaded only when there is an error.
    const { explainSchemaErrors } = await import('./errors/explain-schema-errors.ts');
    explainSchemaErrors(file, errors, report);
  }
  return { file, declared: memoizedByObject((kind) => declaredIn(file, kind, invalid)) };
}

/** The header and each section are validated by themselves: a kind that no file has is not loaded. */
export function schemaErrors(
  file: Readonly<Record<string, unknown>>,
  kinds: readonly AnyKind[],
): readonly SchemaError[] {
  const parts = new Map(kinds.map(({ name, section }) => [String(name), section])).set('tenant', header);
  return Object.entries(file).flatMap(([name, value]) => {
    const validate = parts.get(name)?.validate;
    if (validate === undefined) return unknownSection(name);
    if (validate(value)) return [];
    const at = jsonPointer(name);
    return (validate.errors ?? []).map((error) => ({ ...error, instancePath: at + error.instancePath }));
  });
}

function unknownSection(name: string): SchemaError {
  const params = { additionalProperty: name };
  return { instancePath: '', schemaPath: '#/additionalProperties', keyword: 'additionalProperties', params };
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
