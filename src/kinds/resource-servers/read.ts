import type { AgainAsk, ReadAsk, Reading } from '../../model/kind.ts';
import {
  type ListedItem,
  type LiveState,
  liveState,
  type OddField,
  type Readable,
  type Reader,
  type Unreadable,
} from '../../model/reader.ts';
import { listResourceServers } from '../../service/resource-servers/operations.ts';
import type { DeclaredScope, LiveResourceServer } from '../../service/resource-servers/types.generated.ts';
import { getRole, listRolePermissions, listRoles } from '../../service/roles/operations.ts';
import { groupBy } from '../../values/group-by.ts';
import type { DesiredApi, Held, Holder, Holders, LiveApi } from './scopes.ts';

export const reading: Reading<DesiredApi, LiveApi> = {
  operations: [listResourceServers],
  optional: [listRoles, listRolePermissions],
  each: false,
  rereads: ['remove'],
  read,
  readAgain,
};

/** All APIs. The permissions of all roles are read only if the files remove a permission of an API. */
async function read(reader: Reader, ask: ReadAsk<DesiredApi>): Promise<LiveState<LiveApi>> {
  const live = await readApis(reader);
  return live.readable ? withHolders(reader, live, ask) : live;
}

/** Roles are listed again. Permissions that were on one page are known: no other client can have moved any of them. */
async function readAgain(
  reader: Reader,
  { before, conclusions, ...ask }: AgainAsk<DesiredApi, LiveApi>,
): Promise<LiveState<LiveApi>> {
  if (conclusions.some(({ what }) => what === 'missing')) return read(reader, ask);
  const holders = before.items.find((api) => api.holders?.readable)?.holders;
  const known = holders?.readable ? [...holders.read].filter(([, { pages }]) => pages === 1) : [];
  return withHolders(reader, before, ask, new Map(known));
}

/** Every API, without the roles that have its permissions. */
export async function readApis(reader: Reader): Promise<LiveState<LiveApi>> {
  const live = liveState(await reader.list(listResourceServers, {}), false);
  if (!live.readable) return live;
  const items = live.items.map((server) => liveApi(server, live.odd?.get(server)));
  const pages = live.pages !== undefined && { pages: live.pages };
  return { readable: true, filtered: false, items, listed: items.map(listedApi), ...pages };
}

/** An API without scopes has nothing that files could declare. */
function listedApi({ id, identifier, isSystem, scopes }: LiveApi): ListedItem {
  return { id, name: identifier, isDeclarable: !isSystem && scopes.length > 0 };
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
  reader: Reader,
  live: Readable<LiveApi>,
  ask: ReadAsk<DesiredApi>,
  known: Holders['read'] = new Map(),
): Promise<LiveState<LiveApi>> {
  const removing = identifiersWithRemovals(live.items, ask);
  if (removing.size === 0) return live;
  const holders = await readHolders(reader, removing, known);
  const items = live.items.map((api) => ({ ...api, holders: removing.has(api.identifier) ? holders : null }));
  return { ...live, items };
}

/**
 * Roles of the tenant and of its organizations, with what they have of these APIs. One role that cannot be read may have
 * any of it.
 */
async function readHolders(
  reader: Reader,
  identifiers: ReadonlySet<string>,
  known: Holders['read'],
): Promise<Holders | Unreadable> {
  const listing = await reader.list(listRoles, {});
  if (!listing.ok) return listing.why;
  const names = new Map(listing.items.map(({ id, name }) => [id, name]));
  const found = await Promise.all(
    [...names].map(async ([id, name]) => ({
      id,
      name,
      role: known.get(id) ?? (await readRole(reader, id, identifiers)),
    })),
  );
  const read = new Map<string, Holder>();
  let pages = listing.pages ?? 1;
  for (const { id, name, role } of found) {
    if ('readable' in role) return role;
    read.set(id, { ...role, id, name });
    pages = Math.max(pages, role.pages);
  }
  return { readable: true, read, pages };
}

async function readRole(reader: Reader, id: string, identifiers: ReadonlySet<string>): Promise<Held | Unreadable> {
  const listing = await reader.list(listRolePermissions, {}, { id });
  if (!listing.ok) return listing.gone ? readGoneRole(reader, id) : listing.why;
  const pairs = listing.items.filter((pair) => identifiers.has(pair.resource_server_identifier));
  const byApi = groupBy(pairs, (pair) => pair.resource_server_identifier);
  const scopes = new Map([...byApi].map(([api, ofApi]) => [api, new Set(ofApi.map((pair) => pair.permission_name))]));
  return { scopes, permissions: listing.items.length, pages: listing.pages ?? 1 };
}

/** A role that is listed and has no list of permissions: it has nothing if its own response confirms that it is gone. */
async function readGoneRole(reader: Reader, id: string): Promise<Held | Unreadable> {
  const role = await reader.get(getRole, { id });
  if (!role.ok) return role.gone ? { scopes: new Map(), permissions: 0, pages: 1 } : role.why;
  const message = `${listRolePermissions.id}: the response is that the role ${id} does not exist, but ${getRole.id} returns it`;
  return { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message };
}
