// References in the place of plain values of an item.
import { literal } from '../edit/edits.ts';
import { envReference, isList, isMapping, type WrittenValue } from '../edit/written-value.ts';
import type { AnyKind } from '../model/kind.ts';
import { pointerPath } from '../values/json-pointer.ts';

/** The value of an item with `${env:NAME}` in the place of texts of that form, where its kind has secrets. */
export function withSecrets({ pull }: AnyKind, value: unknown): WrittenValue {
  const pointers = pull?.secrets?.(value) ?? [];
  return pointers.reduce((result, pointer) => replacedAt(result, pointer, secretReference), literal(value));
}

function secretReference(value: WrittenValue): WrittenValue {
  const name = typeof value === 'string' ? /^\$\{env:(\w+)\}$/.exec(value)?.[1] : undefined;
  return name === undefined ? value : envReference(name);
}

/** The value with another one at a place; unchanged if there is no such place. */
export function replacedAt(
  value: WrittenValue,
  pointer: string,
  replace: (value: WrittenValue) => WrittenValue,
): WrittenValue {
  const replaced = (at: WrittenValue, [name, ...path]: readonly string[]): WrittenValue => {
    if (name === undefined) return replace(at);
    if (isList(at)) return at.map((item, index) => (String(index) === name ? replaced(item, path) : item));
    if (!isMapping(at)) return at;
    const member = Object.hasOwn(at, name) ? at[name] : undefined;
    return member === undefined ? at : { ...at, [name]: replaced(member, path) };
  };
  return replaced(value, pointerPath(pointer));
}
