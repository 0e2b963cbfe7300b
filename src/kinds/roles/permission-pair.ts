import type { Access, CanonicalItem } from '../../model/kind.ts';
import type { Action } from '../../model/plan.generated.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole, PermissionPair, RolePermissions } from '../../service/roles/types.generated.ts';
import { jsonPointer, memberOf, pointerPath } from '../../values/json-pointer.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';

/** `read:orders of https://orders.example/` */
export function pairText({ resource_server_identifier: api, permission_name: permission }: PermissionPair): string {
  return `${permission} of ${api}`;
}

/** The pairs in one line: the first ones, and the number of the others. */
export function pairList(pairs: readonly PermissionPair[]): string {
  return listOf(pairs.map(pairText));
}

/** By API, then by permission: the service promises no order (public facts 2.4). */
export function comparePairs(left: PermissionPair, right: PermissionPair): number {
  return (
    compareText(left.resource_server_identifier, right.resource_server_identifier) ||
    compareText(left.permission_name, right.permission_name)
  );
}

/** The pairs that an action of this kind adds or removes. */
export function pairsOf({ request }: Action): readonly PermissionPair[] {
  return (memberOf(request.body, 'permissions') ?? []) as readonly PermissionPair[];
}

/** Permissions that an action grants to a role or revokes from it. */
export function access(action: Action): Access {
  const { permissions = [] } = (action.before ?? {}) as { readonly permissions?: readonly PermissionPair[] };
  switch (action.action) {
    case 'add':
      return { grants: pairsOf(action).map(pairKey) };
    case 'remove':
      return { revokes: pairsOf(action).map(pairKey) };
    case 'delete':
      return { revokes: permissions.map(pairKey) };
    default:
      return {};
  }
}

const lists = ['permissions', 'absent_permissions'] as const;

/**
 * Permissions as sorted lists of pairs: files may also write them by API, and neither their order nor their form has a
 * meaning.
 *
 *   permissions: { https://orders.example/: [write, read] }
 *   ->  /permissions/0, the pair of read, is written at /permissions/https:~1~1orders.example~1/1
 */
export function canonical(item: unknown): CanonicalItem<DeclaredRole> {
  const role = item as Partial<Readonly<Record<(typeof lists)[number], RolePermissions>>>;
  const pairs = new Map(
    lists.flatMap((list) => {
      const written = role[list];
      return written === undefined ? [] : [[list, sortedPairs(list, written)] as const];
    }),
  );
  const value = {
    ...role,
    ...Object.fromEntries([...pairs].map(([list, found]) => [list, found.map(({ pair }) => pair)])),
  };
  return {
    // The lists have replaced the permissions of the entry.
    value: value as DeclaredRole,
    writtenAt: (pointer) => {
      const [list, index, field] = pointerPath(pointer);
      const pair = [...pairs].find(([name]) => name === list)?.[1][Number(index)];
      if (index === undefined || pair === undefined) return pointer;
      return pair.isName || field === undefined ? pair.pointer : pair.pointer + jsonPointer(field);
    },
  };
}

interface WrittenPair {
  readonly pair: PermissionPair;
  readonly pointer: string;
  /** True if the place has the name of the permission alone. */
  readonly isName: boolean;
}

function sortedPairs(list: string, written: RolePermissions): readonly WrittenPair[] {
  const pairs: WrittenPair[] = Array.isArray(written)
    ? written.map((pair, index) => ({ pair, pointer: jsonPointer(list, index), isName: false }))
    : Object.entries(written).flatMap(([api, names]) =>
        names.map((name, index) => ({
          pair: { resource_server_identifier: api, permission_name: name },
          pointer: jsonPointer(list, api, index),
          isName: true,
        })),
      );
  return pairs.sort((one, other) => comparePairs(one.pair, other.pair));
}
