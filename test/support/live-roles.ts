import type { Elements, Readable, Unreadable } from '../../src/model/reader.ts';
import type { PermissionPair } from '../../src/service/roles/permissions.ts';
import type { LiveRole } from '../../src/service/roles/types.generated.ts';

type NotRead = Unreadable & { readonly gone?: true };

export interface HeldRole {
  readonly id: string;
  /** Without one, only the permissions of the role were read. */
  readonly name?: string;
  readonly description?: string | null;
  /** Null if the files declare nothing about them. */
  readonly permissions: readonly PermissionPair[] | NotRead | null;
}

/** Roles as they were read. */
export function liveRoles(roles: readonly HeldRole[]): Readable<LiveRole> {
  const read = roles.map(({ permissions, ...role }) => ({ role: role as LiveRole, permissions }));
  return {
    readable: true,
    filtered: false,
    items: read.map(({ role }) => role),
    more: new Map(
      read.flatMap(({ role, permissions: items }) => {
        if (items === null) return [];
        const permissions: Elements = 'readable' in items ? items : { readable: true, items };
        return [[role, { others: [], nested: { permissions } }] as const];
      }),
    ),
  };
}
