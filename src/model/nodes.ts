/** Tokens about items and what is below them: see Link in kind.ts. */
import type { KindName } from './plan.generated.ts';

/** An item by its name in the files, or by `id:ID`; or what is below it, such as `scopes/read:orders`. */
export interface Node {
  readonly kind: KindName;
  readonly key: string;
  readonly below?: string | undefined;
}

/** That a node is on the tenant. */
export function isThere(node: Node): string {
  return `is there: ${textOf(node)}`;
}

/** That an item which named a node does so no more. `by`: the item. Without it, that some item does so no more. */
export function isReleased(node: Node, by?: Node): string {
  return `is released: ${textOf(node)}${by === undefined ? '' : ` by ${textOf(by)}`}`;
}

/** That an item does not exist any more, because an action of its own kind has deleted it. */
export function isGone(node: Node): string {
  return `is gone: ${textOf(node)}`;
}

function textOf({ kind, key, below }: Node): string {
  return JSON.stringify(below === undefined ? [kind, key] : [kind, key, below]);
}
