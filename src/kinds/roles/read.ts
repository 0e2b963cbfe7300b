import { type NearNames, openNames } from '../../diagnostics/near-names.ts';
import type { AgainAsk, DesiredItem, DesiredSection, HolderCounts, ReadAsk, Reading } from '../../model/kind.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { ListedItem, Listing, LiveState, NotRead, OddField, OddFields, Reader } from '../../model/reader.ts';
import { listResourceServers } from '../../service/resource-servers/operations.ts';
import * as service from '../../service/roles/operations.ts';
import type { DeclaredRole, ListedRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { compareText } from '../../values/text-order.ts';
import { canBeCreated, type DefinedPermissions, keepsName, type LiveRole, missingPairs } from './match-roles.ts';

export const reading: Reading<DeclaredRole, LiveRole> = {
  operations: [service.listRoles, service.listRolePermissions],
  optional: [listResourceServers],
  each: true,
  read: async (reader, ask) => withApis(reader, ask.desired, await readRoles(reader, ask)),
  readAgain,
};

/**
 * The declared roles, and what is declared about them. Roles are listed once, unless undeclared ones are ignored and
 * every role is declared by an id that is enough: `protect` has no patterns, which may be names, and neither a name nor
 * a description is declared, nor that the role must not exist. Of a few selected roles, only those of their names are
 * listed. A declared role that manages nothing is not read. One role that cannot be read makes the kind unreadable: a
 * partial state could look complete.
 */
async function readRoles(reader: Reader, ask: ReadAsk<DeclaredRole>): Promise<LiveState<LiveRole>> {
  const managing = ask.desired.items.filter((item) => needsFields(item) || managesPermissions(item));
  const { listing, isComplete } = await listNeeded(reader, managing, ask);
  if (listing?.ok === false) return listing.why;
  const listed = listing?.items ?? [];
  const ofTenant = listed.filter(isTenantRole);
  const declared = new Set(ask.desired.items.flatMap(({ value, renamedFrom }) => [value.name, renamedFrom]));
  const undeclared = ofTenant.filter(({ name }) => !declared.has(name));
  const context: Context = {
    listed,
    ofTenant,
    byName: groupBy(ofTenant, ({ name }) => name),
    undeclared,
    near: {
      ids: openNames(ofTenant.map(({ id }) => id)),
      undeclared: openNames(undeclared.map(({ name }) => name)),
    },
  };
  const items: LiveRole[] = [];
  for (const role of await Promise.all(managing.map((item) => readRole(reader, item, context)))) {
    if ('ok' in role) return role.why;
    items.push(role);
  }
  return {
    readable: true,
    items,
    filtered: listing !== null && !isComplete,
    ...(listing?.pages !== undefined && { pages: listing.pages }),
    ...(isComplete && { listed: listed.map(listedRole) }),
  };
}

/** `listing` is null if no name matters; `isComplete`: it has every role of the tenant. */
async function listNeeded(
  reader: Reader,
  managing: readonly DesiredItem<DeclaredRole>[],
  { only, keep, watched = [], pages = only === null ? 0 : mostByName }: ReadAsk<DeclaredRole>,
): Promise<{ readonly listing: Listing<ListedRole> | null; readonly isComplete: boolean }> {
  const reports = keep.undeclared === 'report' && only === null && watched.length === 0;
  const names = managing.flatMap(({ value }) => (value.id === undefined ? [value.name ?? ''] : []));
  const others = managing.filter(keepsName).map(({ value, renamedFrom }) => renamedFrom ?? value.name ?? '');
  const protectsIds = keep.patterns.length > 0 && names.length < managing.length;
  // A few are read by their ids instead.
  const fields = managing.filter((item) => item.value.id !== undefined && needsFields(item)).length;
  const listsIds = reports || protectsIds || (fields > 0 && fields >= pages);
  const count = names.length + others.length;
  if (count === 0 && !listsIds) return { listing: null, isComplete: false };
  const found = listsIds || count >= pages ? null : await listByName(reader, names, others);
  if (found !== null) return { listing: found, isComplete: false };
  return { listing: await reader.list(service.listRoles, { type: 'tenant' }), isComplete: true };
}

/** What the complete list is taken to cost while it was not read: more than a few selected roles by their names. */
const mostByName = 50;

/**
 * The roles with these names, by the filter of the listing. Null if one is not found: how the filter matches is not
 * public (public facts 2.2), so only the complete list proves that a role is missing. `others` need not be found: the
 * service keeps two roles from having one name.
 */
async function listByName(reader: Reader, names: readonly string[], others: readonly string[]) {
  const listings = await Promise.all(
    [...names, ...others].map((name) => reader.list(service.listRoles, { type: 'tenant', name_filter: name })),
  );
  const items = new Map<string, ListedRole>();
  for (const listing of listings) {
    if (!listing.ok) return listing;
    for (const role of listing.items) items.set(role.id, role);
  }
  const found = new Set([...items.values()].filter(isTenantRole).map(({ name }) => name));
  const pages = Math.max(...listings.map((listing) => (listing.ok ? (listing.pages ?? 1) : 1)));
  return names.every((name) => found.has(name)) ? ({ ok: true, items: [...items.values()], pages } as const) : null;
}

/** Only the roles that the conclusions are about. */
async function readAgain(
  reader: Reader,
  { conclusions, before, desired, ...ask }: AgainAsk<DeclaredRole, LiveRole>,
): Promise<LiveState<LiveRole>> {
  const keys = new Set(conclusions.map(({ key }) => key));
  const items = desired.items.filter(({ key }) => keys.has(key));
  const now = await readRoles(reader, { ...ask, desired: { ...desired, items } });
  if (!now.readable) return now;
  const left = before.items.filter(({ key }) => !keys.has(key));
  return withApis(reader, desired, { ...before, items: [...left, ...now.items] });
}

/** Whether its name and its description matter. */
function needsFields(item: DesiredItem<DeclaredRole>): boolean {
  return item.state === 'absent' || item.value.description !== undefined || keepsName(item);
}

/** A role that is deleted loses its permissions. */
function managesPermissions({ state, value }: DesiredItem<DeclaredRole>): boolean {
  return state === 'absent' || value.permissions !== undefined || (value.absent_permissions ?? []).length > 0;
}

export function listedRole(role: ListedRole): ListedItem {
  return { id: role.id, name: role.name, isDeclarable: isTenantRole(role) };
}

/** Services that ignore the filter return organization roles as well (public facts 2.2). */
function isTenantRole({ type }: ListedRole): boolean {
  return type === undefined || type === 'tenant';
}

interface Context {
  readonly listed: readonly ListedRole[];
  readonly ofTenant: readonly ListedRole[];
  readonly byName: ReadonlyMap<string, readonly ListedRole[]>;
  readonly undeclared: readonly ListedRole[];
  /** What may be meant by an id or a name that no role has. */
  readonly near: Readonly<Record<'ids' | 'undeclared', NearNames>>;
}

async function readRole(
  reader: Reader,
  item: DesiredItem<DeclaredRole>,
  context: Context,
): Promise<LiveRole | NotRead> {
  const { listed, byName } = context;
  const { key, value, renamedFrom } = item;
  const idsOf = (name = '') => (byName.get(name) ?? []).map((role) => role.id);
  const [named, old] = [idsOf(value.name), idsOf(renamedFrom)];
  const ids = value.id !== undefined ? [value.id] : named.length > 0 ? named : old;
  const [id, ...others] = ids;
  if (id === undefined) return missing(item, context);
  if (others.length > 0) return { state: 'ambiguous', key, ids: ids.toSorted(compareText) };
  // Whatever its type: `protect` covers an organization's role by its name as well.
  const read = await ownFields(reader, item, id, listed);
  if ('ok' in read) return read;
  const { own } = read;
  const held = managesPermissions(item) ? await reader.list(service.listRolePermissions, {}, { id }) : null;
  const isGone = (own === null && needsFields(item)) || (held?.ok === false && isNoSuchRole(held));
  if (isGone) return missing(item, context);
  if (held?.ok === false) return held;
  const permissions = held?.items.map(pairOf) ?? null;
  const rivals =
    keepsName(item) && own !== null && isTenantRole(own) ? [...named, ...old].filter((other) => other !== id) : [];
  return {
    state: 'found',
    key,
    id,
    name: own?.name ?? null,
    ...(own !== null && needsFields(item) && { description: own.description ?? '' }),
    permissions,
    ...(rivals.length > 0 && { rivals }),
    ...(held?.pages !== undefined && { pages: held.pages }),
    ...(held?.odd !== undefined && { odd: oddOf(held.odd) }),
  };
}

/**
 * The role as it is listed. One that is declared by its id may be of an organization, and those are not listed, so it is
 * read by its id if its fields matter. Null if it does not exist, or if it is not known and does not matter.
 */
async function ownFields(
  reader: Reader,
  item: DesiredItem<DeclaredRole>,
  id: string,
  listed: readonly ListedRole[],
): Promise<{ readonly own: ListedRole | null } | NotRead> {
  const found = listed.find((one) => one.id === id);
  if (found !== undefined || !needsFields(item)) return { own: found ?? null };
  const read = await reader.get(service.getRole, { id });
  if (read.ok) return { own: read.value };
  return isNoSuchRole(read) ? { own: null } : read;
}

/** The permissions of one role. */
export async function readPermissions(reader: Reader, id: string): Promise<Listing<PermissionPair>> {
  const held = await reader.list(service.listRolePermissions, {}, { id });
  return held.ok ? { ok: true, items: held.items.map(pairOf) } : held;
}

export function pairOf({ resource_server_identifier, permission_name }: PermissionPair): PermissionPair {
  return { resource_server_identifier, permission_name };
}

/** Every odd field of any permission, once. */
function oddOf(odd: OddFields): OddField[] {
  const fields = [...odd.values()].flat().map(({ field, what }) => ({ field: `permissions[].${field}`, what }));
  return [...new Map(fields.map((one) => [one.field, one])).values()];
}

/**
 * A 404 may also mean that the service lacks the operation; only the message differs (public facts 2.3). Neither plans
 * anything.
 */
function isNoSuchRole({ status, serviceMessage }: NotRead): boolean {
  return status === 404 && serviceMessage !== null && /\brole\b/i.test(serviceMessage);
}

function missing(item: DesiredItem<DeclaredRole>, { ofTenant, undeclared, near }: Context): LiveRole {
  const { key, value, renamedFrom } = item;
  const { id, name = '', description } = value;
  // A role that was deleted between the two reads is still in the list.
  const isListed = ofTenant.some((role) => (id === undefined ? role.name === name : role.id === id));
  if (isListed) return { state: 'missing', key, near: null, isListed };
  // A role that is created is likely to be misspelt, or renamed, only if nothing else declares the other one.
  const like = canBeCreated(value) ? undeclared.filter((role) => description && role.description === description) : [];
  const found = canBeCreated(value)
    ? (near.undeclared.nearest(renamedFrom ?? name, 1) ?? (like.length === 1 ? like[0]?.name : undefined))
    : (id === undefined ? near.undeclared : near.ids).nearest(id ?? name);
  return { state: 'missing', key, near: found ?? null };
}

/** What the APIs define is read as well, with one listing, if a declared permission would be added. */
async function withApis(
  reader: Reader,
  desired: DesiredSection<DeclaredRole>,
  live: LiveState<LiveRole>,
): Promise<LiveState<LiveRole>> {
  if (!live.readable) return live;
  const byKey = new Map(live.items.map((role) => [role.key, role]));
  if (desired.items.every((item) => missingPairs(item, byKey.get(item.key)).length === 0)) return live;
  const defined = await readDefined(reader);
  return { ...live, items: live.items.map((role) => ({ ...role, defined })) };
}

async function readDefined(reader: Reader): Promise<DefinedPermissions> {
  const listing = await reader.list(listResourceServers, {});
  if (!listing.ok) return listing.why;
  const values = listing.items.map(
    ({ identifier, scopes }) => [identifier, new Set((scopes ?? []).map(({ value }) => value))] as const,
  );
  return { readable: true, values: new Map(values), pages: listing.pages ?? 1 };
}

/**
 * Who has a role: direct users and groups, with one request each. Nothing is decided by it, so a token that may not read
 * them is no failure.
 */
export async function holderCounts(reader: Reader, id: string): Promise<HolderCounts> {
  const [users, groups] = await Promise.all([
    reader.count(service.listRoleUsers as ListOperation, { id }),
    reader.count(service.listRoleGroups as ListOperation, { id }),
  ]);
  const not_counted = [
    ...(users.ok ? [] : [`users not counted: ${whyNot(users, service.listRoleUsers)}`]),
    ...(groups.ok ? [] : [`groups not counted: ${whyNot(groups, service.listRoleGroups)}`]),
  ];
  return {
    ...(users.ok && { users: users.value.items }),
    ...(groups.ok && { groups: groups.value.items }),
    ...(groups.ok && groups.value.hasMore && { more_groups: true }),
    ...(not_counted.length > 0 && { not_counted }),
  };
}

function whyNot({ why }: NotRead, { scope }: Pick<ListOperation, 'scope'>): string {
  return why.code === 'LIVE_SCOPE_MISSING' ? `needs ${scope}` : why.message;
}
