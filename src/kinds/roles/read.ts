import { nearestWord } from '../../diagnostics/nearest-word.ts';
import type { AgainAsk, DesiredItem, ReadAsk, Reading } from '../../model/kind.ts';
import type { Listing, LiveState, NotRead, OddField, OddFields, Reader } from '../../model/reader.ts';
import { listRolePermissions, listRoles } from '../../resources/roles/operations.ts';
import type { DeclaredRole, ListedRole } from '../../resources/roles/types.generated.ts';
import { compareText } from '../../values/text-order.ts';
import type { LiveRole } from './match-roles.ts';

export const reading: Reading<DeclaredRole, LiveRole> = {
  operations: [listRoles, listRolePermissions],
  each: true,
  read,
  readAgain,
};

/**
 * The permissions of the declared roles. Roles are listed, once, only if a role is declared by name, or if `protect`
 * has patterns, which may be names. Of a few selected roles, only those of their names are listed. A declared role that
 * manages nothing is not read. One role that cannot be read makes the kind unreadable, because a partial state could
 * look like a complete one.
 */
async function read(reader: Reader, ask: ReadAsk<DeclaredRole>): Promise<LiveState<LiveRole>> {
  const managing = ask.desired.items.filter(({ value }) => managesSomething(value));
  const { listing, isComplete } = await listNeeded(reader, managing, ask);
  if (listing?.ok === false) return listing.why;
  const listed = listing?.items ?? [];
  const items: LiveRole[] = [];
  for (const role of await Promise.all(managing.map((item) => readRole(reader, item, listed)))) {
    if ('ok' in role) return role.why;
    items.push(role);
  }
  const names = listed.flatMap(({ id, name }) => [id, name]);
  return {
    readable: true,
    items,
    filtered: false,
    ...(listing?.pages !== undefined && { pages: listing.pages }),
    ...(isComplete && { names }),
  };
}

interface Needed {
  /** Null if no name matters. */
  readonly listing: Listing<ListedRole> | null;
  /** True if it has every role of the tenant. */
  readonly isComplete: boolean;
}

async function listNeeded(
  reader: Reader,
  managing: readonly DesiredItem<DeclaredRole>[],
  { only, keep, pages = only === null ? 0 : 2 }: ReadAsk<DeclaredRole>,
): Promise<Needed> {
  const names = managing.flatMap(({ value }) => (value.id === undefined ? [value.name ?? ''] : []));
  const protectsIds = keep.patterns.length > 0 && names.length < managing.length;
  if (names.length === 0 && !protectsIds) return { listing: null, isComplete: false };
  const found = protectsIds || names.length >= pages ? null : await listByName(reader, names);
  if (found !== null) return { listing: found, isComplete: false };
  return { listing: await reader.list(listRoles, { type: 'tenant' }), isComplete: true };
}

/**
 * The roles with these names, by the filter of the listing. Null if one is not found: how the filter matches is not
 * public (public facts 2.2), so only the complete list proves that a role is missing.
 */
async function listByName(reader: Reader, names: readonly string[]): Promise<Listing<ListedRole> | null> {
  const listings = await Promise.all(
    names.map((name) => reader.list(listRoles, { type: 'tenant', name_filter: name })),
  );
  const items = new Map<string, ListedRole>();
  for (const listing of listings) {
    if (!listing.ok) return listing;
    for (const role of listing.items) items.set(role.id, role);
  }
  const found = new Set([...items.values()].filter(isTenantRole).map(({ name }) => name));
  const pages = Math.max(...listings.map((listing) => (listing.ok ? (listing.pages ?? 1) : 1)));
  return names.every((name) => found.has(name)) ? { ok: true, items: [...items.values()], pages } : null;
}

/** Only the roles that the conclusions are about. */
async function readAgain(
  reader: Reader,
  { conclusions, before, desired, ...ask }: AgainAsk<DeclaredRole, LiveRole>,
): Promise<LiveState<LiveRole>> {
  const keys = new Set(conclusions.map(({ key }) => key));
  const items = desired.items.filter(({ key }) => keys.has(key));
  const now = await read(reader, { ...ask, desired: { ...desired, items } });
  if (!now.readable) return now;
  return { ...before, items: [...before.items.filter(({ key }) => !keys.has(key)), ...now.items] };
}

function managesSomething({ permissions, absent_permissions: absent = [] }: DeclaredRole): boolean {
  return permissions !== undefined || absent.length > 0;
}

/** Services that ignore the filter return organization roles as well (public facts 2.2). */
function isTenantRole({ type }: ListedRole): boolean {
  return type === undefined || type === 'tenant';
}

async function readRole(
  reader: Reader,
  { key, value }: DesiredItem<DeclaredRole>,
  listed: readonly ListedRole[],
): Promise<LiveRole | NotRead> {
  const ofTenant = listed.filter(isTenantRole);
  const ids =
    value.id === undefined ? ofTenant.filter(({ name }) => name === value.name).map(({ id }) => id) : [value.id];
  const [id, ...others] = ids;
  if (id === undefined) return missing(key, value, ofTenant);
  if (others.length > 0) return { state: 'ambiguous', key, ids: ids.toSorted(compareText) };
  const held = await reader.list(listRolePermissions, {}, { id });
  if (!held.ok) return saysNoSuchRole(held) ? missing(key, value, ofTenant) : held;
  const permissions = held.items.map(({ resource_server_identifier, permission_name }) => ({
    resource_server_identifier,
    permission_name,
  }));
  // Whatever its type: `protect` covers an organization's role by its name as well.
  const role = {
    state: 'found',
    key,
    id,
    name: listed.find((one) => one.id === id)?.name ?? null,
    permissions,
  } as const;
  return {
    ...role,
    ...(held.pages !== undefined && { pages: held.pages }),
    ...(held.odd !== undefined && { odd: oddOf(held.odd) }),
  };
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
function saysNoSuchRole({ status, said }: NotRead): boolean {
  return status === 404 && said !== null && /\brole\b/i.test(said);
}

function missing(key: string, { id, name = '' }: DeclaredRole, listed: readonly ListedRole[]): LiveRole {
  const [wanted, known] =
    id === undefined ? [name, listed.map((role) => role.name)] : [id, listed.map((role) => role.id)];
  // A role that was deleted between the two reads is still in the list.
  const others = known.filter((candidate) => candidate !== wanted);
  return { state: 'missing', key, near: nearestWord(wanted, others.toSorted(compareText)) ?? null };
}
