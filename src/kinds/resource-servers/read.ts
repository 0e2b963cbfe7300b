import type { AgainAsk, ReadAsk, Reading } from '../../model/kind.ts';
import { type LiveState, liveState, type OddField, type Reader, type Unreadable } from '../../model/reader.ts';
import { listResourceServers } from '../../resources/resource-servers/operations.ts';
import type { DeclaredScope, LiveResourceServer } from '../../resources/resource-servers/types.generated.ts';
import { listRolePermissions, listRoles } from '../../resources/roles/operations.ts';
import type { DesiredApi } from './desired-api.ts';

/** An API of the tenant. It has the fields that are managed, and no other: a listing may contain secrets. */
export interface LiveApi {
  readonly id: string;
  readonly identifier: string;
  /** True for an API of the service itself. */
  readonly isSystem: boolean;
  /** In the order of the tenant. */
  readonly scopes: readonly DeclaredScope[];
  /** Roles with permissions of this API; why they are not known; or null if nothing of it is removed. */
  readonly holders: readonly Holder[] | Unreadable | null;
}

/** A role, and what it has of one API. */
export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
}

export const reading: Reading<DesiredApi, LiveApi> = {
  operations: [listResourceServers],
  optional: [listRoles, listRolePermissions],
  each: false,
  read,
  readAgain,
};

/** All APIs. The permissions of all roles are read only if the files remove a permission of an API. */
async function read(reader: Reader, ask: ReadAsk<DesiredApi>): Promise<LiveState<LiveApi>> {
  const live = await readApis(reader);
  if (!live.readable) return live;
  const removing = identifiersWithRemovals(live.items, ask);
  if (removing.size === 0) return live;
  const holders = await readHolders(reader, removing);
  return withHolders(live, (api) => {
    if (!removing.has(api.identifier)) return null;
    return 'readable' in holders ? holders : (holders.get(api.identifier) ?? []);
  });
}

/** Only an API that is missing from several pages is concluded, so only APIs are listed again. */
async function readAgain(reader: Reader, { before }: AgainAsk<DesiredApi, LiveApi>): Promise<LiveState<LiveApi>> {
  const live = await readApis(reader);
  if (!live.readable) return live;
  const known = new Map(before.items.map(({ id, holders }) => [id, holders]));
  return withHolders(live, ({ id }) => known.get(id) ?? null);
}

/** Every API, without the roles that have its permissions. */
export async function readApis(reader: Reader): Promise<LiveState<LiveApi>> {
  const live = liveState(await reader.list(listResourceServers, {}), false);
  if (!live.readable) return live;
  const odd = new Map<LiveApi, readonly OddField[]>();
  const items = live.items.map((server) => {
    const api = liveApi(server);
    // Other fields are neither compared nor sent.
    const fields = (live.odd?.get(server) ?? []).filter(({ field }) => field.startsWith('scopes'));
    if (fields.length > 0) odd.set(api, fields);
    return api;
  });
  return { ...live, items, odd };
}

function liveApi({ id, identifier, is_system: isSystem, scopes }: LiveResourceServer): LiveApi {
  return { id, identifier, isSystem: isSystem === true, scopes: (scopes ?? []).map(liveScope), holders: null };
}

/** An absent description stays absent: a PATCH sends back what it does not change. */
function liveScope({
  value,
  description,
}: {
  readonly value: string;
  readonly description?: string | null;
}): DeclaredScope {
  return { value, ...(typeof description === 'string' && { description }) };
}

/** The APIs that have permissions which the files remove. */
function identifiersWithRemovals(
  apis: readonly LiveApi[],
  { desired, only, keep }: ReadAsk<DesiredApi>,
): ReadonlySet<string> {
  if (keep.keepUndeclared) return new Set();
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

function withHolders(
  live: LiveState<LiveApi> & { readonly readable: true },
  holdersOf: (api: LiveApi) => LiveApi['holders'],
): LiveState<LiveApi> {
  const odd = new Map<LiveApi, readonly OddField[]>();
  const items = live.items.map((api) => {
    const known = { ...api, holders: holdersOf(api) };
    const fields = live.odd?.get(api);
    if (fields !== undefined) odd.set(known, fields);
    return known;
  });
  return { ...live, items, odd };
}

/**
 * Roles of the tenant and of its organizations, by the API of which they have permissions. One role that cannot be read
 * may have any of them.
 */
async function readHolders(
  reader: Reader,
  identifiers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Holder[]> | Unreadable> {
  const roles = await reader.list(listRoles, {});
  if (!roles.ok) return roles.why;
  const held = await Promise.all(
    roles.items.map(async ({ id, name }) => ({
      id,
      name,
      listing: await reader.list(listRolePermissions, {}, { id }),
    })),
  );
  const holders = new Map<string, Holder[]>();
  for (const { id, name, listing } of held) {
    // Deleted since roles were listed: it has nothing.
    if (!listing.ok && listing.gone) continue;
    if (!listing.ok) return listing.why;
    for (const identifier of identifiers) {
      const pairs = listing.items.filter((pair) => pair.resource_server_identifier === identifier);
      const scopes = new Set(pairs.map((pair) => pair.permission_name));
      if (scopes.size > 0) holders.set(identifier, [...(holders.get(identifier) ?? []), { id, name, scopes }]);
    }
  }
  return holders;
}
