import { type NearNames, openNames } from '../../diagnostics/near-names.ts';
import type { DesiredItem, DesiredSection, HolderCounts, KeepRules, ReadAsk, Reading } from '../../model/kind.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { ListedItem, Listing, LiveState, NotRead, OddField, OddFields } from '../../model/reader.ts';
import type { Doubt, DoubtsOf, Found, ItemSource, Snapshot } from '../../model/snapshot.ts';
import { operations as apis } from '../../service/resource-servers/description.generated.ts';
import type { LiveAPI } from '../../service/resource-servers/types.generated.ts';
import * as service from '../../service/roles/operations.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole, ListedRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { itemDoubts } from '../../snapshot/item-doubts.ts';
import { groupBy } from '../../values/group-by.ts';
import { compareText } from '../../values/text-order.ts';
import { canBeCreated, type DefinedPermissions, keepsName, type LiveRole, missingPairs } from './match-roles.ts';
import { pairsOf } from './permission-pair.ts';

/** How the filter matches is not public (public facts 2.2), so only the complete list proves that a role is missing. */
const source: ItemSource<ListedRole> = {
  list: service.listRoles,
  query: { type: 'tenant' },
  get: service.getRole,
  filterOf: (name) => ({ type: 'tenant', name_filter: name }),
  nameOf: (role) => (isTenantRole(role) ? role.name : ''),
};

export const reading: Reading<DeclaredRole, LiveRole> = {
  operations: [service.listRoles, service.listRolePermissions],
  optional: [apis.list],
  source,
  each: true,
  read: async (snapshot, ask) => withApis(snapshot, ask.desired, await readRoles(snapshot, ask)),
};

/**
 * The declared roles, and what is declared about them. Roles are listed once, unless undeclared ones are ignored and
 * every role is declared by an id that is enough: `protect` has no patterns, which may be names, and neither a name nor
 * a description is declared, nor that the role must not exist. Of a few selected roles, only those of their names are
 * listed. A declared role that manages nothing is not read. One role that cannot be read makes the kind unreadable: a
 * partial state could look complete.
 */
async function readRoles(snapshot: Snapshot, ask: ReadAsk<DeclaredRole>): Promise<LiveState<LiveRole>> {
  const managing = ask.desired.items.filter((item) => needsFields(item) || managesPermissions(item));
  const listing = await findNeeded(snapshot, managing, ask);
  if (!listing.ok) return listing.why;
  const { items: listed, isComplete } = listing;
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
    ask,
  };
  const items: LiveRole[] = [];
  for (const role of await Promise.all(managing.map((item) => readRole(snapshot, item, context)))) {
    if ('ok' in role) return role.why;
    items.push(role);
  }
  return {
    readable: true,
    items,
    filtered: !isComplete && managing.some((item) => isNamed(item) || keepsName(item)),
    ...(ask.watched?.length && { known: listed.map(listedRole) }),
    ...(isComplete && { listed: listed.map(listedRole) }),
  };
}

/** The roles whose names or fields matter. */
function findNeeded(
  snapshot: Snapshot,
  managing: readonly DesiredItem<DeclaredRole>[],
  ask: ReadAsk<DeclaredRole>,
): Promise<Found<ListedRole>> {
  const { only, listed = false, keep, before, watched = [] } = ask;
  const named = managing.filter(isNamed);
  const reports = keep.undeclared === 'report' && only === null && watched.length === 0;
  const protectsIds = keep.patterns.length > 0 && named.length < managing.length;
  return snapshot.find(source, {
    names: reports || protectsIds ? null : named.map(({ value }) => value.name ?? ''),
    // The service keeps two roles from having one name.
    others: managing.filter(keepsName).map(({ value, renamedFrom }) => renamedFrom ?? value.name ?? ''),
    ids: managing.flatMap((item) => (needsFields(item) ? (item.value.id ?? []) : [])),
    isLong: only !== null,
    listFirst: listed,
    ...(before !== undefined && { before }),
    doubtsOf: itemDoubts(source, ask, {
      namesOf: (item) => (isNamed(item) || keepsName(item) ? [item.value.name ?? ''] : []),
      mayDelete: (_role, isDeclared) => isDeclared,
    }),
  });
}

/** Whether a role is declared by its name. */
function isNamed({ value }: DesiredItem<DeclaredRole>): boolean {
  return value.id === undefined;
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
  readonly ask: ReadAsk<DeclaredRole>;
}

async function readRole(
  snapshot: Snapshot,
  item: DesiredItem<DeclaredRole>,
  context: Context,
): Promise<LiveRole | NotRead> {
  const { listed, byName, ask } = context;
  const { key, value, renamedFrom } = item;
  const idsOf = (name = '') => (byName.get(name) ?? []).map((role) => role.id);
  const [named, old] = [idsOf(value.name), idsOf(renamedFrom)];
  const ids = value.id !== undefined ? [value.id] : named.length > 0 ? named : old;
  const [id, ...others] = ids;
  if (id === undefined) return missing(item, context);
  if (others.length > 0) return { state: 'ambiguous', key, ids: ids.toSorted(compareText) };
  // Whatever its type: `protect` covers an organization's role by its name as well.
  const own = listed.find((role) => role.id === id) ?? null;
  const doubtsOf = permissionDoubts(item, [item.key, id, own?.name ?? ''], ask);
  const held = managesPermissions(item) ? await snapshot.list(service.listRolePermissions, {}, { id }, doubtsOf) : null;
  const isGone = (own === null && needsFields(item)) || (held?.ok === false && held.gone === true);
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
    ...(held?.odd !== undefined && { odd: oddOf(held.odd) }),
  };
}

/** The permissions of one role. */
export async function readPermissions(snapshot: Snapshot, id: string): Promise<Listing<PermissionPair>> {
  const held = await snapshot.list(service.listRolePermissions, {}, { id });
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

function missing(item: DesiredItem<DeclaredRole>, { ofTenant, undeclared, near }: Context): LiveRole {
  const { key, value, renamedFrom } = item;
  const { id, name = '', description } = value;
  // A role that was deleted between the two reads is still in the list.
  const isListed = ofTenant.some((role) =>
    id === undefined ? [name, renamedFrom].includes(role.name) : role.id === id,
  );
  if (isListed) return { state: 'missing', key, near: null, isListed };
  // A role that is created is likely to be misspelt, or renamed, only if nothing else declares the other one.
  const like = canBeCreated(value) ? undeclared.filter((role) => description && role.description === description) : [];
  const found = canBeCreated(value)
    ? (near.undeclared.nearest(renamedFrom ?? name, 1) ?? (like.length === 1 ? like[0]?.name : undefined))
    : (id === undefined ? near.undeclared : near.ids).nearest(id ?? name);
  return { state: 'missing', key, near: found ?? null };
}

/** That permissions are removed, and that some are gone. An add changes nothing if the role has the permission. */
function permissionDoubts(
  { key, state, value }: DesiredItem<DeclaredRole>,
  names: readonly string[],
  { keep, watched = [] }: { readonly keep: KeepRules; readonly watched?: readonly Action[] },
): DoubtsOf<PermissionPair> {
  const isKept = names.some((name) => keep.isProtected(name));
  const doubt = (what: Doubt['what'], pair: string): Doubt => ({ name: key, what, ids: [pair] });
  return (held) => {
    const pairs = new Set(held.map(pairKey));
    const declared = value.permissions && !keep.keepsParts ? new Set(value.permissions.map(pairKey)) : null;
    const absent = new Set(value.absent_permissions?.map(pairKey));
    const isUnwanted = (pair: string) => state === 'absent' || absent.has(pair) || declared?.has(pair) === false;
    const removed = watched.filter((action) => action.key === key && action.action === 'remove').flatMap(pairsOf);
    return [
      ...[...pairs].filter((pair) => !isKept && isUnwanted(pair)).map((pair) => doubt('unwanted', pair)),
      ...removed.map(pairKey).flatMap((pair) => (pairs.has(pair) ? [] : doubt('gone', pair))),
    ];
  };
}

/** What the APIs define is read as well, with one listing, if a declared permission would be added. */
async function withApis(
  snapshot: Snapshot,
  desired: DesiredSection<DeclaredRole>,
  live: LiveState<LiveRole>,
): Promise<LiveState<LiveRole>> {
  if (!live.readable) return live;
  const byKey = new Map(live.items.map((role) => [role.key, role]));
  const missing = desired.items.flatMap((item) => missingPairs(item, byKey.get(item.key)).map(({ pair }) => pair));
  if (missing.length === 0) return live;
  const defined = await readDefined(snapshot, missing);
  return { ...live, items: live.items.map((role) => ({ ...role, defined })) };
}

async function readDefined(snapshot: Snapshot, missing: readonly PermissionPair[]): Promise<DefinedPermissions> {
  const listing = await snapshot.list(apis.list, {}, {}, (listed: readonly Api[]) => {
    const defined = definedBy(listed);
    const isDefined = (pair: PermissionPair) =>
      defined.get(pair.resource_server_identifier)?.has(pair.permission_name) === true;
    return missing
      .filter((pair) => !isDefined(pair))
      .map((pair): Doubt => ({ name: pairKey(pair), what: 'missing', ids: [] }));
  });
  return listing.ok ? { readable: true, values: definedBy(listing.items) } : listing.why;
}

type Api = Pick<LiveAPI, 'identifier' | 'scopes'>;

function definedBy(apis: readonly Api[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    apis.map(({ identifier = '', scopes }) => [identifier, new Set((scopes ?? []).map(({ value }) => value))] as const),
  );
}

/**
 * Who has a role: direct users and groups, with one request each. Nothing is decided by it, so a token that may not read
 * them is no failure.
 */
export async function holderCounts(snapshot: Snapshot, id: string): Promise<HolderCounts> {
  const [users, groups] = await Promise.all([
    snapshot.count(service.listRoleUsers as ListOperation, { id }),
    snapshot.count(service.listRoleGroups as ListOperation, { id }),
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
