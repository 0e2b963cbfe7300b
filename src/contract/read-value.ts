import type { ReadShape, SchemaError, Shape } from '../model/operation.ts';
import type { OddField } from '../model/reader.ts';
import { memberOf, pointerPath } from '../values/json-pointer.ts';

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T; readonly odd: readonly OddField[] }
  | { readonly ok: false; readonly error: SchemaError | undefined };

const none: readonly OddField[] = [];

/**
 * Reads a value that the service returned: strict about what makes it usable, tolerant about everything else
 * (docs/adr/0020-tolerant-reading.md).
 *
 *   { id, name, colour: 5, region: 'eu' }    where colour is optional text, and region is not known
 *   ->  { id, name }                         odd: [{ field: 'colour', what: 'form' }, { field: 'region', what: 'unknown' }]
 *
 * The result has known fields of known types only, so nothing that a schema does not describe gets into a plan. A field
 * of the right type is kept as it is, whatever its format.
 */
export function readValue<T>(shape: Shape<T> | ReadShape<T>, value: unknown): ReadResult<T> {
  if (!('tolerant' in shape)) {
    return shape.validate(value) ? { ok: true, value, odd: none } : { ok: false, error: shape.validate.errors?.[0] };
  }
  if (!shape.tolerant(value)) return { ok: false, error: shape.tolerant.errors?.[0] };
  if (shape.exact(value)) return { ok: true, value, odd: none };
  const errors = shape.exact.errors ?? [];
  const dropped = errors.filter(({ keyword }) => keyword === 'additionalProperties' || keyword === 'type');
  return {
    ok: true,
    value: dropped.length === 0 ? value : without(value, dropped.map(pathOf)),
    odd: oddFields(errors),
  };
}

function oddFields(errors: readonly SchemaError[]): OddField[] {
  const byName = new Map<string, OddField>();
  for (const error of errors) {
    const field = fieldName(pathOf(error));
    const what = error.keyword === 'additionalProperties' ? 'unknown' : 'form';
    if (!byName.has(field)) byName.set(field, { field, what });
  }
  // Alternatives report their container as well as the field in it.
  const names = [...byName.keys()];
  return [...byName.values()].filter(({ field }) => !names.some((name) => name.startsWith(`${field}.`)));
}

/** The names that lead to the field that an error is about. */
function pathOf({ instancePath, keyword, params }: SchemaError): string[] {
  const path = pointerPath(instancePath);
  const below = { additionalProperties: 'additionalProperty', required: 'missingProperty', discriminator: 'tag' }[
    keyword
  ];
  return below === undefined ? path : [...path, String(params[below])];
}

/** `destination.configuration.region`, `subscriptions[].id`. */
function fieldName(path: readonly string[]): string {
  return path.map((name, index) => (/^\d+$/.test(name) ? '[]' : `${index === 0 ? '' : '.'}${name}`)).join('');
}

function without<T>(value: T, paths: readonly (readonly string[])[]): T {
  const copy = structuredClone(value);
  for (const path of paths) {
    const parent = path.slice(0, -1).reduce<unknown>(memberOf, copy);
    if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, path.at(-1) ?? '');
  }
  return copy;
}
