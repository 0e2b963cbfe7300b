import type { KindName } from '../model/kind.ts';
import type { Selection } from '../model/plan.generated.ts';
import { matchesWildcard } from '../values/wildcard.ts';

/** One `KIND[/KEY]` of --only or --except; a key of null is the whole kind. Keys may hold slashes, kinds do not. */
export interface Selector {
  readonly text: string;
  readonly kind: string;
  readonly key: string | null;
}

export function parseSelector(text: string): Selector {
  const slash = text.indexOf('/');
  return slash < 0 ? { text, kind: text, key: null } : { text, kind: text.slice(0, slash), key: text.slice(slash + 1) };
}

/** Nothing left out. */
export const everything: Selection = { only: [], except: [], rotate: [] };

/** Whether a kind has to be read at all. */
export function selectsKind(selection: Selection, kind: KindName): boolean {
  const only = selectorsOf(selection.only);
  if (only.length > 0 && !only.some((selector) => selector.kind === kind)) return false;
  return !selectorsOf(selection.except).some(
    (selector) => selector.kind === kind && (selector.key === null || selector.key === '*'),
  );
}

export function selectsItem(selection: Selection, kind: KindName, key: string): boolean {
  const only = selectorsOf(selection.only);
  if (only.length > 0 && !only.some((selector) => covers(selector, kind, key))) return false;
  return !selectorsOf(selection.except).some((selector) => covers(selector, kind, key));
}

/** Whether --rotate asks for the secrets of an item. */
export function selectsRotation(selection: Selection, kind: KindName, key: string): boolean {
  return selectorsOf(selection.rotate).some((selector) => covers(selector, kind, key));
}

/** The one whole key that --only asks for in a kind, or null: then a listing may be asked for it alone. */
export function onlyWholeKey(selection: Selection, kind: KindName): string | null {
  const [first, ...rest] = selectorsOf(selection.only).filter((selector) => selector.kind === kind);
  if (first === undefined || rest.length > 0 || first.key === null || first.key.includes('*')) return null;
  return first.key;
}

/** Selectors that name none of the given items. */
export function unmatchedSelectors(
  texts: readonly string[],
  items: Iterable<{ readonly kind: KindName; readonly key: string }>,
): Selector[] {
  const unmatched = new Set(selectorsOf(texts));
  for (const { kind, key } of items) {
    if (unmatched.size === 0) break;
    for (const selector of unmatched) if (covers(selector, kind, key)) unmatched.delete(selector);
  }
  return [...unmatched];
}

function covers(selector: Selector, kind: KindName, key: string): boolean {
  return selector.kind === kind && (selector.key === null || matchesWildcard(selector.key, key));
}

function selectorsOf(texts: readonly string[]): Selector[] {
  return texts.map(parseSelector);
}
