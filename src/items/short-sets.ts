// Sets of which files write the elements by one field of their key, such as the permissions of a role by API, or as a list.
import type { Resource } from '../model/resource.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer } from '../values/json-pointer.ts';
import { compareText, withItems } from '../values/text-order.ts';

export type SetElement = Readonly<Record<string, unknown>>;

/** A set with the two fields of its key: the one by which files group elements, and the other one. */
export interface ShortSet {
  readonly by: string;
  readonly other: string;
  readonly set: Resource;
}

/** The lists of such elements that an item can have: of those that are there, and of those that must not be there. */
export function shortLists({ resources }: Pick<Resource, 'resources'>): ReadonlyMap<string, ShortSet> {
  return new Map(
    Object.entries(resources).flatMap(([name, set]): [string, ShortSet][] => {
      const { short: by, absent = [], key } = set;
      if (by === undefined) return [];
      const [other = ''] = key.filter((one) => one !== by);
      return [name, absent].flat().map((list) => [list, { by, other, set }]);
    }),
  );
}

/** An element with the place where it is written, of which a file may have only one field. */
interface WrittenElement {
  readonly element: SetElement;
  readonly pointer: string;
  readonly isShort: boolean;
}

/**
 * The elements of a written list, sorted: neither their order nor their form has a meaning.
 *
 *   permissions: { https://orders.example/: [write, read] }
 *   ->  /permissions/0 is read, which is written at /permissions/https:~1~1orders.example~1/1
 */
export function writtenElements(list: string, short: ShortSet, written: unknown): readonly WrittenElement[] {
  const elements: WrittenElement[] = Array.isArray(written)
    ? written.map((element, index) => ({ element, pointer: jsonPointer(list, index), isShort: false }))
    : groupsIn(written).flatMap(([owner, names]) =>
        names.map((name, index) => ({
          element: { [short.by]: owner, [short.other]: name },
          pointer: jsonPointer(list, owner, index),
          isShort: true,
        })),
      );
  return elements.sort((one, other) => compareElements(short)(one.element, other.element));
}

function groupsIn(written: unknown): (readonly [string, readonly unknown[]])[] {
  return Object.entries(written as Readonly<Record<string, readonly unknown[]>>);
}

/** The service promises no order. */
export function compareElements({ by, other }: ShortSet): (one: SetElement, two: SetElement) => number {
  const textOf = (element: SetElement, name: string) => String(element[name]);
  return (one, two) =>
    compareText(textOf(one, by), textOf(two, by)) || compareText(textOf(one, other), textOf(two, other));
}

/** Equal for the same element. */
export function elementKey({ by, other }: ShortSet): (element: SetElement) => string {
  return (element) => canonicalJson([element[by], element[other]]);
}

/** The short form, in the order of the elements; a list if a key of a file cannot name one of the groups. */
export function shortForm(short: ShortSet, elements: readonly SetElement[]): unknown {
  const sorted = elements.toSorted(compareElements(short));
  if (sorted.length === 0 || !sorted.every(canBeKey(short))) return sorted.map(keyOnly(short));
  return Object.fromEntries([...namesBy(short, sorted)]);
}

function namesBy({ by, other }: ShortSet, elements: readonly SetElement[]): ReadonlyMap<string, unknown[]> {
  const groups = groupBy(elements, (element) => String(element[by]));
  return new Map([...groups].map(([owner, all]) => [owner, all.map((element) => element[other])]));
}

/** Keys take no references, and some names of objects are refused. */
function canBeKey({ by }: ShortSet): (element: SetElement) => boolean {
  return (element) => {
    const owner = String(element[by]);
    return !owner.includes('${') && !['__proto__', 'constructor', 'prototype'].includes(owner);
  };
}

function keyOnly({ by, other }: ShortSet): (element: SetElement) => SetElement {
  return (element) => ({ [by]: element[by], [other]: element[other] });
}

/** Live elements in the form of the written ones: those that are in both stay in their places. */
export function likeWritten(short: ShortSet, written: unknown, live: readonly SetElement[]): unknown {
  const sorted = live.toSorted(compareElements(short));
  if (Array.isArray(written)) {
    const kept = sorted.map(keyOnly(short));
    return written.length === 0
      ? shortForm(short, live)
      : merged<SetElement>(written, kept, elementKey(short), compareElements(short));
  }
  if (!sorted.every(canBeKey(short))) return shortForm(short, live);
  const [before, now] = [new Map(groupsIn(written)), namesBy(short, sorted)];
  const owners = merged([...before.keys()], [...now.keys()], String, compareText);
  const namesOf = (owner: string) =>
    merged(before.get(owner) ?? [], now.get(owner) ?? [], String, (one, two) => compareText(String(one), String(two)));
  return Object.fromEntries(owners.map((owner) => [owner, namesOf(owner)]));
}

/** The written values that are live, with those that are new. */
function merged<Value>(
  written: readonly Value[],
  live: readonly Value[],
  keyOf: (value: Value) => string,
  compare: (one: Value, other: Value) => number,
): Value[] {
  const [before, now] = [new Set(written.map(keyOf)), new Set(live.map(keyOf))];
  const kept = written.filter((value) => now.has(keyOf(value)));
  const added = live.filter((value) => !before.has(keyOf(value)));
  return withItems(kept, added, compare);
}
