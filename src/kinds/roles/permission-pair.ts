import type { PermissionPair } from '../../resources/roles/types.generated.ts';
import { compareText } from '../../values/text-order.ts';

/** Equal for two pairs that are the same permission. */
export function pairKey(pair: PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}

export function pairKeys(pairs: readonly PermissionPair[]): ReadonlySet<string> {
  return new Set(pairs.map(pairKey));
}

/** `read:orders of https://orders.example/` */
export function pairText({ resource_server_identifier: api, permission_name: permission }: PermissionPair): string {
  return `${permission} of ${api}`;
}

const listedAtMost = 10;

/** The pairs in one line; of many only the first ones, and how many there are beside them. */
export function pairList(pairs: readonly PermissionPair[]): string {
  const listed = pairs.slice(0, listedAtMost).map(pairText).join(', ');
  return pairs.length > listedAtMost ? `${listed} and ${pairs.length - listedAtMost} more` : listed;
}

/** By API, then by permission: an order of our own, because the service promises none (public facts 2.4). */
export function comparePairs(left: PermissionPair, right: PermissionPair): number {
  return (
    compareText(left.resource_server_identifier, right.resource_server_identifier) ||
    compareText(left.permission_name, right.permission_name)
  );
}
