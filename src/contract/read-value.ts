import type { ReadShape, SchemaError, Shape } from '../model/operation.ts';
import type { OddField } from '../model/reader.ts';
import { fieldPath, jsonPointer, memberOf, pointerPath } from '../values/json-pointer.ts';
import { withoutUserInfo } from '../values/short-url.ts';

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T; readonly odd: readonly OddField[] }
  | { readonly ok: false; readonly error: SchemaError | undefined };

const none: readonly OddField[] = [];

/** An item with more odd fields is not a later version of what is known. */
const mostOddFields = 1000;

/**
 * Reads a value that the service returned: strict about what makes it usable, tolerant about everything else
 * (docs/internals/adr/0020-tolerant-reading.md).
 *
 *   { id, name, colour: 5, region: 'eu' }    where colour is optional text, and region is not known
 *   ->  { id, name }                         odd: [{ field: 'colour', what: 'form' }, { field: 'region', what: 'unknown' }]
 *
 * The result has known fields of known types only, so nothing that a schema does not describe gets into a plan. A field
 * of the right type is kept as it is, whatever its format; only an address loses its user info.
 */
export function readValue<T>(shape: Shape<T> | ReadShape<T>, value: unknown): ReadResult<T> {
  if (!('tolerant' in shape)) {
    return shape.validate(value) ? { ok: true, value, odd: none } : { ok: false, error: shape.validate.errors?.[0] };
  }
  if (!shape.tolerant(value)) return { ok: false, error: shape.tolerant.errors?.[0] };
  if (shape.exact(value)) return { ok: true, value, odd: none };
  const errors = shape.exact.errors ?? [];
  if (errors.length > mostOddFields) return { ok: false, error: tooManyOddFields };
  return { ok: true, value: asShown(value, errors), odd: oddFields(errors) };
}

const tooManyOddFields: SchemaError = {
  instancePath: '',
  schemaPath: '',
  keyword: 'unexpected fields',
  params: { limit: mostOddFields },
};

function oddFields(errors: readonly SchemaError[]): OddField[] {
  const byName = new Map<string, OddField>();
  const containers = new Set<string>();
  for (const error of errors) {
    const path = pathOf(error);
    const field = joined(path, error.keyword in namedBelow);
    const what = error.keyword === 'additionalProperties' ? 'unknown' : 'form';
    if (!byName.has(field)) byName.set(field, { field, what, pointer: jsonPointer(...path) });
    for (let length = 1; length < path.length; length += 1) containers.add(joined(path.slice(0, length)));
  }
  // Alternatives report their container as well as the field in it.
  return [...byName.values()].filter(({ field }) => !containers.has(field));
}

/** By keyword: the parameter that names the field in the object at the place of an error. Other errors are about the place. */
const namedBelow: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  required: 'missingProperty',
  discriminator: 'tag',
};

/** The names that lead to the field that an error is about. */
function pathOf({ instancePath, keyword, params }: SchemaError): string[] {
  const below = namedBelow[keyword];
  return [...pointerPath(instancePath), ...(below === undefined ? [] : [String(params[below])])];
}

/** `endsInName`: its last part is no index. */
function joined(path: readonly string[], endsInName = false): string {
  const isIndex = (name: string, index: number) => /^\d+$/.test(name) && !(endsInName && index === path.length - 1);
  return fieldPath(path.map((name, index) => (isIndex(name, index) ? Number(name) : name)));
}

/** Without what cannot be used, and without the user info of addresses: it is not shown, planned or written anywhere. */
function asShown<T>(value: T, errors: readonly SchemaError[]): T {
  const copy = structuredClone(value);
  for (const error of errors) {
    const path = pathOf(error);
    const parent = path.slice(0, -1).reduce<unknown>(memberOf, copy);
    const name = path.at(-1) ?? '';
    if (typeof parent !== 'object' || parent === null) continue;
    if (error.keyword === 'additionalProperties' || error.keyword === 'type') Reflect.deleteProperty(parent, name);
    else if (error.params['format'] === 'strict-https-uri')
      Reflect.set(parent, name, withoutUserInfo(String(memberOf(parent, name))));
  }
  return copy;
}
