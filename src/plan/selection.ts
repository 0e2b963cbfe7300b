import type { Selection } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { literalText, matcherOfAny, parseSelector, type Selector } from '../values/selector.ts';

/** Selects everything. */
export const everything: Selection = { only: [], except: [], rotate: [] };

/** Whether nothing is left out. */
export function isEverything({ only, except, changed = false }: Selection): boolean {
  return only.length + except.length === 0 && !changed;
}

/** Whether any item of a kind is selected. */
export function selectsKind(selection: Selection, kind: string): boolean {
  if (isLimited(selection) && selectorsOf(selection.only).ofKind(kind).length === 0) return false;
  return !selectorsOf(selection.except)
    .ofKind(kind)
    .some(({ key }) => key === null || key === '*');
}

/** Whether selectors name items of a kind, so that others of it may be left out. */
export function selectsPart(selection: Selection, kind: string): boolean {
  const only = selectorsOf(selection.only).ofKind(kind);
  const isNamed = only.length > 0 && only.every(({ key }) => key !== null && key !== '*');
  return selectsKind(selection, kind) && (isNamed || selectorsOf(selection.except).ofKind(kind).length > 0);
}

export function selectsItem(selection: Selection, kind: string, key: string): boolean {
  if (isEverything(selection)) return true;
  if (isLimited(selection) && !selectorsOf(selection.only).covers(kind, key)) return false;
  return !selectorsOf(selection.except).covers(kind, key);
}

/** Whether only what `only` names is selected. */
export function isLimited({ only, changed = false }: Selection): boolean {
  return only.length > 0 || changed;
}

/** Whether --rotate names an item. */
export function selectsRotation(selection: Selection, kind: string, key: string): boolean {
  return selectorsOf(selection.rotate).covers(kind, key);
}

/** The complete keys that --only names in a kind, or null if it names none, or anything else: then a part is read. */
export function onlyCompleteKeys(selection: Selection, kind: string): readonly string[] | null {
  const keys = selectorsOf(selection.only)
    .ofKind(kind)
    .map(({ key }) => (key === null ? null : literalText(key)));
  return keys.length > 0 && keys.every((key) => key !== null) ? [...new Set(keys)] : null;
}

/** Selectors that name none of the given items. */
export function unmatchedSelectors(
  texts: readonly string[],
  items: readonly { readonly kind: string; readonly key: string }[],
): Selector[] {
  const isUnmatched = ({ text }: Selector) => {
    const { covers } = selectorsOf([text]);
    return !items.some(({ kind, key }) => covers(kind, key));
  };
  return texts.map(parseSelector).filter(isUnmatched);
}

/** Selectors that were parsed once: a list can name thousands of items, and is asked about each item of a tenant. */
interface Selectors {
  ofKind(kind: string): readonly Selector[];
  covers(kind: string, key: string): boolean;
}

const selectorsOf = memoizedByObject((texts: readonly string[]): Selectors => {
  const byKind = groupBy(texts.map(parseSelector), ({ kind }) => kind);
  const matchers = new Map([...byKind].map(([kind, some]) => [kind, matcherOfAny(some.map(({ key }) => key ?? '*'))]));
  return {
    ofKind: (kind) => byKind.get(kind) ?? [],
    covers: (kind, key) => matchers.get(kind)?.(key) === true,
  };
});
