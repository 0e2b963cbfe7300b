import { itemId } from '../../model/action-identity.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { cutName } from '../cut-text.ts';

/** How an item is named in a list. */
export interface ItemName {
  readonly noun: string;
  readonly name: string;
}

/** `policy`, `client_id:app`. Findings about the header and the options have the kind `tenant`. */
export function itemName(kind: string, key: string, kinds: readonly AnyKind[]): ItemName {
  const found = kinds.find(({ name }) => name === kind);
  return { noun: labelOf(kind, found), name: cutName(found?.shortKey?.(key) ?? key) };
}

/**
 * The kinds, which then name the items of these actions as people know them, also where the files have an id:
 * `Auditor (rol_Vd7aLp20x)`. Items of a refusal have their parts behind `#`.
 */
export function namingKinds(kinds: readonly AnyKind[], actions: readonly Action[]): readonly AnyKind[] {
  const names = new Map(
    actions.flatMap((action) => (action.name === undefined ? [] : [[itemId(action), action.name]])),
  );
  if (names.size === 0) return kinds;
  return kinds.map((kind) => ({
    ...kind,
    shortKey: (key) => {
      const [own = key, ...parts] = key.split(/(?=#)/);
      const name = names.get(itemId({ kind: kind.name, key: own }));
      return name === undefined ? (kind.shortKey?.(key) ?? key) : `${name} (${own})${parts.join('')}`;
    },
  }));
}

/** An entire kind: `role`, `all roles`. */
export function kindItem(kind: string, kinds: readonly AnyKind[]): ItemName {
  return { noun: itemName(kind, '', kinds).noun, name: `all ${nounOf(kind, kinds)}` };
}

function labelOf(kind: string, found: AnyKind | undefined): string {
  if (kind === 'tenant') return 'header';
  return found?.label ?? found?.noun?.one ?? found?.title ?? kind;
}

/** `rate limit policies`: several items of a kind, inside a sentence. */
export function nounOf(name: string, kinds: readonly AnyKind[]): string {
  const kind = kinds.find((candidate) => candidate.name === name);
  return kind?.noun?.many ?? kind?.title ?? name;
}

/** The position of a kind in reports; unknown ones come last. */
export function kindRank(kinds: readonly AnyKind[]): (kind: string) => number {
  const ranks = new Map<string, number>(kinds.map(({ name }, index) => [name, index]));
  return (kind) => ranks.get(kind) ?? kinds.length;
}
