// The smallest edits between two written values. Lists are sets: the order alone is no difference, because the service
// does not keep it.
import { firstIndex } from '../values/first-index.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import type { Edit } from './edits.ts';
import {
  isList,
  isMapping,
  isSameWritten,
  textOfWritten,
  type WrittenMapping,
  type WrittenValue,
} from './written-value.ts';

export interface DiffOptions {
  /** Where the value is in its file. */
  readonly pointer?: string;
  /** What names an item of the list at a pointer; items without a name are matched by value. */
  readonly identity?: (item: WrittenValue, listPointer: string) => string | undefined;
}

/** Edits that lead from one value to the other, with pointers into the first. */
export function diffValues(before: WrittenValue, after: WrittenValue, options: DiffOptions = {}): Edit[] {
  const { pointer = '', identity = () => undefined } = options;
  const edits: Edit[] = [];
  diff(before, after, pointer);
  return edits;

  function diff(old: WrittenValue, next: WrittenValue, at: string): void {
    if (isList(old) && isList(next)) diffLists(old, next, at);
    else if (isMapping(old) && isMapping(next)) diffMappings(old, next, at);
    else if (!isSameWritten(old, next)) edits.push({ op: 'set', pointer: at, value: next });
  }

  function diffMappings(old: WrittenMapping, next: WrittenMapping, at: string): void {
    for (const [key, value] of Object.entries(old)) {
      const other = Object.hasOwn(next, key) ? next[key] : undefined;
      const below = at + jsonPointer(key);
      if (other === undefined) edits.push({ op: 'delete', pointer: below });
      else diff(value, other, below);
    }
    const end = Object.keys(old).at(-1) ?? null;
    let previous: string | null = null;
    for (const [key, value] of Object.entries(next)) {
      if (Object.hasOwn(old, key)) previous = key;
      else edits.push({ op: 'insert', pointer: at, key, after: previous ?? end, value });
    }
  }

  function diffLists(old: readonly WrittenValue[], next: readonly WrittenValue[], at: string): void {
    const keys = old.map((item) => nameOf(item, at));
    // The same item may be in a list several times.
    const places = groupBy([...keys.keys()], (index) => keys[index] ?? '');
    const added: { readonly key: string; readonly value: WrittenValue; readonly previous: number | null }[] = [];
    const matched = new Map<number, WrittenValue>();
    let previous: number | null = null;
    for (const value of next) {
      const key = nameOf(value, at);
      const index = places.get(key)?.shift();
      if (index === undefined) added.push({ key, value, previous });
      else {
        matched.set(index, value);
        previous = index;
      }
    }
    for (const [index, item] of old.entries()) {
      const other = matched.get(index);
      const below = at + jsonPointer(index);
      if (other === undefined) edits.push({ op: 'delete', pointer: below });
      else diff(item, other, below);
    }
    const end = old.length === 0 ? null : old.length - 1;
    if (isSorted(keys)) {
      const sorted = [...added].sort((left, right) => compareText(left.key, right.key));
      for (const { key, value } of sorted)
        edits.push({ op: 'insert', pointer: at, after: lastNotAbove(keys, key), value });
    } else {
      for (const { value, previous: before } of added)
        edits.push({ op: 'insert', pointer: at, after: before ?? end, value });
    }
  }

  function nameOf(item: WrittenValue, listPointer: string): string {
    const name = identity(item, listPointer);
    return name === undefined ? `=${textOfWritten(item)}` : `#${name}`;
  }
}

/** One item alone shows no order. */
function isSorted(keys: readonly string[]): boolean {
  return keys.length > 1 && keys.every((key, index) => index === 0 || compareText(keys[index - 1] ?? '', key) <= 0);
}

function lastNotAbove(keys: readonly string[], key: string): number | null {
  const above = firstIndex(keys, (each) => compareText(each, key) > 0);
  return above === 0 ? null : above - 1;
}
