import type { HolderReading } from '../../items/read-holders.ts';
import type { ElementHolder, Unreadable } from '../../model/reader.ts';
import type { Doubt, Snapshot } from '../../model/snapshot.ts';
import { description as roles } from '../../service/roles/description.generated.ts';
import type { PermissionPair } from '../../service/roles/permissions.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import { groupBy } from '../../values/group-by.ts';
import { compareText } from '../../values/text-order.ts';

const listRoles = roles.operations.list;
const listRolePermissions = roles.resources.permissions.operations.list;

/** Roles of the tenant and of its organizations. One that cannot be read may have any scope. */
export const holders: HolderReading = {
  noun: { one: 'role', many: 'roles' },
  note: 'what users have directly, and grants of applications, are not read',
  operations: [listRoles, listRolePermissions],
  async read(snapshot, identifiers) {
    const listing = await snapshot.list(listRoles, {}, {}, (roles) => counted(roles.map(({ id }) => id)));
    if (!listing.ok) return listing.why;
    const names = new Map(listing.items.map(({ id, name }) => [id, name]));
    const roles = await Promise.all(
      [...names].map(async ([id, name]) => ({ id, name, held: await readRole(snapshot, id, identifiers) })),
    );
    const byApi = new Map([...identifiers].map((api) => [api, [] as ElementHolder[]]));
    for (const { id, name, held } of roles) {
      if ('readable' in held) return held;
      for (const [api, all] of byApi)
        all.push({ kind: 'roles', id, name, elements: held.scopes.get(api) ?? none, parts: held.parts });
    }
    return byApi;
  },
};

const none: ReadonlySet<string> = new Set();

/** What a role has of some APIs, by identifier, and how many permissions it has in all. */
interface Held {
  readonly scopes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly parts: number;
}

async function readRole(snapshot: Snapshot, id: string, identifiers: ReadonlySet<string>): Promise<Held | Unreadable> {
  const ofApis = (pairs: readonly PermissionPair[]) =>
    pairs.filter((pair) => identifiers.has(pair.resource_server_identifier));
  const listing = await snapshot.list(listRolePermissions, {}, { id }, (pairs) => counted(ofApis(pairs).map(pairKey)));
  if (!listing.ok) return listing.gone ? { scopes: new Map(), parts: 0 } : listing.why;
  const byApi = groupBy(ofApis(listing.items), (pair) => pair.resource_server_identifier);
  const scopes = new Map([...byApi].map(([api, ofApi]) => [api, new Set(ofApi.map((pair) => pair.permission_name))]));
  return { scopes, parts: listing.items.length };
}

/** A role that moves between two pages is missed, and so is a permission: both count, whether they are there or not. */
function counted(ids: readonly string[]): Doubt[] {
  return [{ name: '', what: 'counted', ids: ids.toSorted(compareText) }];
}
