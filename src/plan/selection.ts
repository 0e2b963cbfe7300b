import type { Selection } from '../model/plan.generated.ts';
import { literalText, matchesWildcard, parseSelector, type Selector } from '../values/selector.ts';

/** Selects everything. */
export const everything: Selection = { only: [], except: [], rotate: [] };

/** Whether nothing is left out. */
export function isEverything({ only, except, changed = false }: Selection): boolean {
  return only.length + except.length === 0 && !changed;
}

/** Whether any item of a kind is selected. */
export function selectsKind(selection: Selection, kind: string): boolean {
  const only = selectorsOf(selection.only);
  if (only.length > 0 && !only.some((selector) => selector.kind === kind)) return false;
  return !selectorsOf(selection.except).some(
    (selector) => selector.kind === kind && (selector.key === null || selector.key === '*'),
  );
}

export function selectsItem(selection: Selection, kind: string, key: string): boolean {
  const only = selectorsOf(selection.only);
  if (only.length > 0 && !only.some((selector) => covers(selector, kind, key))) return false;
  return !selectorsOf(selection.except).some((selector) => covers(selector, kind, key));
}

/** Whether --rotate names an item. */
export function selectsRotation(selection: Selection, kind: string, key: string): boolean {
  return selectorsOf(selection.rotate).some((selector) => covers(selector, kind, key));
}

/** The one complete key that --only names in a kind, or null: then a listing may be filtered by it. */
export function onlyWholeKey(selection: Selection, kind: string): string | null {
  const [first, ...rest] = selectorsOf(selection.only).filter((selector) => selector.kind === kind);
  if (first === undefined || rest.length > 0 || first.key === null) return null;
  return literalText(first.key);
}

/** Whether --only names items of a kind, each by its complete key. */
export function onlyCompleteKeys(selection: Selection, kind: string): boolean {
  const keys = selectorsOf(selection.only)
    .filter((selector) => selector.kind === kind)
    .map(({ key }) => key);
  return keys.length > 0 && keys.every((key) => key !== null && literalText(key) !== null);
}

/** Selectors that name none of the given items. */
export function unmatchedSelectors(
  texts: readonly string[],
  items: Iterable<{ readonly kind: string; readonly key: string }>,
): Selector[] {
  const unmatched = new Set(selectorsOf(texts));
  for (const { kind, key } of items) {
    if (unmatched.size === 0) break;
    for (const selector of unmatched) if (covers(selector, kind, key)) unmatched.delete(selector);
  }
  return [...unmatched];
}

function covers(selector: Selector, kind: string, key: string): boolean {
  return selector.kind === kind && (selector.key === null || matchesWildcard(selector.key, key));
}

function selectorsOf(texts: readonly string[]): Selector[] {
  return texts.map(parseSelector);
}
