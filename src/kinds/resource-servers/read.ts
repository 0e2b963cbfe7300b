import type { ReadAsk, Reading } from '../../model/kind.ts';
import { type LiveState, liveState, type OddField, type Readable, type Unreadable } from '../../model/reader.ts';
import type { Doubt, DoubtsOf, ItemSource, Snapshot } from '../../model/snapshot.ts';
import { listResourceServers } from '../../service/resource-servers/operations.ts';
import type { DeclaredScope, LiveResourceServer } from '../../service/resource-servers/types.generated.ts';
import { listRolePermissions, listRoles } from '../../service/roles/operations.ts';
import { isDefined } from '../../service/roles/permissions.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import { itemDoubts } from '../../snapshot/item-doubts.ts';
import { groupBy } from '../../values/group-by.ts';
import { compareText } from '../../values/text-order.ts';
import type { DesiredApi, Held, Holder, Holders, LiveApi } from './scopes.ts';

const source: ItemSource<LiveResourceServer> = { list: listResourceServers, nameOf: ({ identifier }) => identifier };

export const reading: Reading<DesiredApi, LiveApi> = {
  operations: [listResourceServers],
  optional: [listRoles, listRolePermissions],
  source,
  each: false,
  rereads: ['remove'],
  read,
};

/** All APIs. The permissions of all roles are read only if the files remove a permission of an API. */
async function read(snapshot: Snapshot, ask: ReadAsk<DesiredApi>): Promise<LiveState<LiveApi>> {
  const live = await readApis(snapshot, itemDoubts(source, ask));
  return live.readable ? withHolders(snapshot, live, ask) : live;
}

/** Every API, without the roles that have its permissions. */
export async function readApis(
  snapshot: Snapshot,
  doubtsOf?: DoubtsOf<LiveResourceServer>,
): Promise<LiveState<LiveApi>> {
  const live = liveState(await snapshot.list(listResourceServers, {}, {}, doubtsOf), false);
  if (!live.readable) return live;
  const items = live.items.map((server) => liveApi(server, live.odd?.get(server)));
  // An API without scopes has nothing that files could declare.
  const listed = items.map(({ id, identifier: name, isSystem, scopes }) => {
    return { id, name, isDeclarable: !isSystem && scopes.length > 0 };
  });
  return { readable: true, filtered: false, items, listed };
}

/** Fields beside the scopes are neither compared nor sent, whatever they are like. */
function liveApi(
  { id, identifier, is_system: isSystem, scopes }: LiveResourceServer,
  fields: readonly OddField[] = [],
): LiveApi {
  const odd = fields.filter(({ field }) => field.startsWith('scopes'));
  const managed = { id, identifier, isSystem: isSystem === true, scopes: (scopes ?? []).map(liveScope) };
  return { ...managed, holders: null, ...(odd.length > 0 && { odd }) };
}

/** An absent description stays absent: a PATCH sends back what it does not change. */
function liveScope({ value, description }: NonNullable<LiveResourceServer['scopes']>[number]): DeclaredScope {
  return { value, ...(typeof description === 'string' && { description }) };
}

/** The APIs that have permissions which the files remove. */
function identifiersWithRemovals(
  apis: readonly LiveApi[],
  { desired, only, keep }: ReadAsk<DesiredApi>,
): ReadonlySet<string> {
  const declared = new Map(
    desired.items
      .filter(({ key, state }) => state === 'present' && (only === null || only.includes(key)))
      .map(({ key, value }) => [key, new Set(value.scopes.map((scope) => scope.value))]),
  );
  const loses = ({ identifier, isSystem, scopes }: LiveApi) => {
    const values = declared.get(identifier);
    if (values === undefined || isSystem || keep.isProtected(identifier)) return false;
    return scopes.some(({ value }) => !values.has(value));
  };
  return new Set(apis.filter(loses).map(({ identifier }) => identifier));
}

async function withHolders(
  snapshot: Snapshot,
  live: Readable<LiveApi>,
  ask: ReadAsk<DesiredApi>,
): Promise<LiveState<LiveApi>> {
  const removing = identifiersWithRemovals(live.items, ask);
  if (removing.size === 0) return live;
  const holders = await readHolders(snapshot, removing);
  const items = live.items.map((api) => ({ ...api, holders: removing.has(api.identifier) ? holders : null }));
  return { ...live, items };
}

/**
 * Roles of the tenant and of its organizations, with what they have of these APIs. One role that cannot be read may have
 * any of it.
 */
async function readHolders(snapshot: Snapshot, identifiers: ReadonlySet<string>): Promise<Holders | Unreadable> {
  const listing = await snapshot.list(listRoles, {}, {}, (roles) => counted(roles.map(({ id }) => id)));
  if (!listing.ok) return listing.why;
  const names = new Map(listing.items.map(({ id, name }) => [id, name]));
  const found = await Promise.all(
    [...names].map(async ([id, name]) => ({ id, name, role: await readRole(snapshot, id, identifiers) })),
  );
  const read = new Map<string, Holder>();
  for (const { id, name, role } of found) {
    if ('readable' in role) return role;
    read.set(id, { ...role, id, name });
  }
  return { readable: true, read };
}

async function readRole(snapshot: Snapshot, id: string, identifiers: ReadonlySet<string>): Promise<Held | Unreadable> {
  const ofApis = (pairs: readonly PermissionPair[]) =>
    pairs.filter((pair) => identifiers.has(pair.resource_server_identifier));
  const listing = await snapshot.list(listRolePermissions, {}, { id }, (pairs) =>
    counted(ofApis(pairs).map(isDefined)),
  );
  if (!listing.ok) return listing.gone ? { scopes: new Map(), permissions: 0 } : listing.why;
  const byApi = groupBy(ofApis(listing.items), (pair) => pair.resource_server_identifier);
  const scopes = new Map([...byApi].map(([api, ofApi]) => [api, new Set(ofApi.map((pair) => pair.permission_name))]));
  return { scopes, permissions: listing.items.length };
}

/** A role that moves between two pages is missed, and so is a permission: both count, whether they are there or not. */
function counted(ids: readonly string[]): Doubt[] {
  return [{ name: '', what: 'counted', ids: ids.toSorted(compareText) }];
}
