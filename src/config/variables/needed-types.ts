import type { SchemaError } from '../../model/operation.ts';
import { pointerPath, valueAt } from '../../values/json-pointer.ts';
import { readPlainScalar } from '../yaml/read-plain-scalar.ts';
import { nodeAt, type YamlFile } from '../yaml/yaml-file.ts';
import { isReference, splitReferences } from './references.ts';

/**
 * The value of a reference is a text. Gives each one that is exactly one reference the type that its field needs, whether
 * the reference is in quotes or not. True if one of these errors is corrected by it.
 *
 *   { action: log, limit: "${var:LIMIT}" }    where LIMIT is 100   ->   limit is the number 100
 */
export function takeNeededTypes(file: YamlFile, errors: readonly SchemaError[]): boolean {
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
