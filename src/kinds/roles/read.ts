import { nearestWord } from '../../diagnostics/nearest-word.ts';
import type { AgainAsk, DesiredItem, ReadAsk, Reading } from '../../model/kind.ts';
import type { LiveState, NotRead, OddField, OddFields, Reader } from '../../model/reader.ts';
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
 * has patterns, which may be names. A declared role that manages nothing is not read. One role that cannot be read
 * makes the kind unreadable, because a partial state could look like a complete one.
 */
async function read(reader: Reader, { desired, keep }: ReadAsk<DeclaredRole>): Promise<LiveState<LiveRole>> {
  const managing = desired.items.filter(({ value }) => managesSomething(value));
  const namesMatter =
    managing.some(({ value }) => value.id === undefined) || (keep.patterns.length > 0 && managing.length > 0);
  const listing = namesMatter ? await reader.list(listRoles, { type: 'tenant' }) : null;
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
    ...(listing !== null && { names }),
  };
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
