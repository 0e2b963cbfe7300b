// Where the files of a tenant declare each field of an item.

import type { WrittenItem } from '../model/desired.ts';
import type { Source } from '../model/diagnostic.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, pointerPath, valueAt } from '../values/json-pointer.ts';

/** A field, or a text of a prompt. */
export interface Origin {
  /** JSON pointer below the item. */
  readonly field: string;
  readonly source: Source;
  /** Where earlier layers declare it, the last one first. */
  readonly overrides: readonly Source[];
}

/** The fields that count, in the order of the layers: of an item that is not present, only what identifies it. */
export function originsOf({ kind, item, places }: WrittenItem): readonly Origin[] {
  const fields = new Set(places.flatMap(({ value }) => fieldsOf(value, kind.layerDepth ?? 1)));
  const counts = (field: string) =>
    item.state === 'present' || [item.state, ...kind.identity].includes(pointerPath(field)[0] ?? '');
  return [...fields].filter(counts).flatMap((field) => {
    const declaring = places.filter(({ value }) => valueAt(value, field) !== undefined);
    const [source, ...overrides] = declaring.map((place) => place.at(field)).reverse();
    return source === undefined ? [] : [{ field, source, overrides }];
  });
}

function fieldsOf(value: unknown, depth: number, pointer = ''): readonly string[] {
  if (depth === 0 || !isRecord(value)) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => fieldsOf(member, depth - 1, pointer + jsonPointer(name)));
}
