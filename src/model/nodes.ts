/** Tokens about items and what is below them: see Link in kind.ts. */
import type { KindName } from './plan.generated.ts';

/** An item by its name in the files, or by `id:ID`; or what is below it, such as `scopes/read:orders`. */
export interface Node {
  readonly kind: KindName;
  readonly key: string;
  readonly below?: string | undefined;
}

const therePrefix = 'is there: ';

/** That a node is on the tenant. */
export function isThere(node: Node): string {
  return therePrefix + textOf(node);
}

/** The node of such a token; null for another token. */
export function thereNode(token: string): Node | null {
  if (!token.startsWith(therePrefix)) return null;
  const [kind, key, below] = JSON.parse(token.slice(therePrefix.length)) as [KindName, string, string?];
  return { kind, key, below };
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
