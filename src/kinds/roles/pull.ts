import { undeclaredItems } from '../../differ/undeclared.ts';
import type { DesiredItem, DesiredSection, Pulled, PullRules } from '../../model/kind.ts';
import type { LiveState } from '../../model/reader.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { listRoles } from '../../service/roles/operations.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole, PermissionPair, RolePermissions } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { compareText, withItems } from '../../values/text-order.ts';
import type { FoundRole, LiveRole } from './match-roles.ts';
import { canonical, comparePairs, pairText } from './permission-pair.ts';
import { listedRole, pairOf, readPermissions } from './read.ts';

/** A role as people write it. */
interface WrittenRole extends Pick<DeclaredRole, 'id' | 'name' | 'description'> {
  readonly permissions?: RolePermissions;
  readonly absent_permissions?: RolePermissions;
}

export const pull: PullRules<WrittenRole, LiveRole> = {
  form: 'list',
  readUndeclared,
  keyOf: (role) => (role.state === 'missing' ? null : role.key),
  declare: (role) => (role.state === 'found' ? { written: newRole(role) } : notOne(role)),
  adopt: (written, role) => (role.state === 'found' ? adopted(written, role) : notOne(role)),
  isLike: (missing, role) => isLike(missing.value as DeclaredRole, role),
};

/** The roles of the tenant; those of organizations are not pulled. One request for each that is not declared. */
async function readUndeclared(snapshot: Snapshot, desired: DesiredSection): Promise<LiveState<LiveRole>> {
  const listing = await snapshot.list(listRoles, { type: 'tenant' });
  if (!listing.ok) return listing.why;
  const declared = desired.items as readonly DesiredItem<DeclaredRole>[];
  const undeclared = undeclaredItems(
    declared,
    listing.items.map((role) => ({ ...role, ...listedRole(role) })),
    ({ id }) => id ?? null,
  );
  const items: LiveRole[] = [];
  for (const { role, held } of await Promise.all(
    undeclared.map(async (role) => ({ role, held: await readPermissions(snapshot, role.id) })),
  )) {
    if (!held.ok) return held.why;
    const { key, id, name, description } = role;
    items.push({ state: 'found', key, id, name, description: description ?? '', permissions: held.items });
  }
  return { readable: true, items, filtered: false };
}

function notOne(role: Exclude<LiveRole, FoundRole>): Pulled<WrittenRole> {
  return {
    inexpressible:
      role.state === 'ambiguous' ? `${role.ids.length} roles have this name` : 'the role is not on the tenant',
  };
}

function newRole({ key, id, name, description = '', permissions }: FoundRole): WrittenRole {
  const identity = key === id || name === null ? { id } : { name };
  return {
    ...identity,
    ...(description !== '' && { description }),
    permissions: byApi([...(permissions ?? [])].sort(comparePairs)),
  };
}

/** The short form, in the order of the pairs; pairs if a key of a file cannot name one of the APIs. */
function byApi(pairs: readonly PermissionPair[]): RolePermissions {
  if (pairs.length === 0 || !pairs.every(canBeKey)) return pairs.map(pairOf);
  const groups = groupBy(pairs, ({ resource_server_identifier: api }) => api);
  return Object.fromEntries(
    [...groups].map(([api, ofApi]) => [api, ofApi.map(({ permission_name: name }) => name)] as const),
  );
}

/** Keys take no references, and some names of objects are refused. */
function canBeKey({ resource_server_identifier: api }: PermissionPair): boolean {
  return !api.includes('${') && !['__proto__', 'constructor', 'prototype'].includes(api);
}

/** `absent_permissions` is a rule, so the role keeps it; what it removes is not declared. */
function adopted(written: WrittenRole, { name, description = '', permissions }: FoundRole): Pulled<WrittenRole> {
  const { permissions: wanted = [], absent_permissions: absent = [] } = canonical(written).value;
  const unwanted = new Set(absent.map(pairKey));
  const live = permissions ?? [];
  const violated = live.filter((pair) => unwanted.has(pairKey(pair))).sort(comparePairs);
  const kept = live.filter((pair) => !unwanted.has(pairKey(pair)));
  const isEqual = samePairs(wanted, kept);
  return {
    written: {
      ...written,
      ...(written.name !== undefined && name !== null && { name }),
      ...(written.description !== undefined && { description }),
      ...(written.permissions !== undefined && !isEqual && { permissions: likeWritten(written.permissions, kept) }),
    },
    ...(violated.length > 0 && {
      policy: violated.map((pair) => `the role has ${pairText(pair)}, which absent_permissions removes`),
    }),
  };
}

function samePairs(one: readonly PermissionPair[], other: readonly PermissionPair[]): boolean {
  const keys = new Set(one.map(pairKey));
  return one.length === other.length && other.every((pair) => keys.has(pairKey(pair)));
}

/** The live pairs in the form of the written ones: those that are in both stay in their places. */
function likeWritten(written: RolePermissions, live: readonly PermissionPair[]): RolePermissions {
  const sorted = live.toSorted(comparePairs);
  if (Array.isArray(written))
    return written.length === 0 ? byApi(sorted) : merged(written, sorted, pairKey, comparePairs);
  if (!sorted.every(canBeKey)) return byApi(sorted);
  const groups = groupBy(sorted, ({ resource_server_identifier: api }) => api);
  const namesOf = (api: string) => (groups.get(api) ?? []).map(({ permission_name: name }) => name);
  const apis = merged(Object.keys(written), [...groups.keys()], String, compareText);
  if (apis.length === 0) return {};
  return Object.fromEntries(
    apis.map((api) => [
      api,
      merged(Object.hasOwn(written, api) ? (written[api] ?? []) : [], namesOf(api), String, compareText),
    ]),
  );
}

/** The written values that are live, with those that are new. */
function merged<Value>(
  written: readonly Value[],
  live: readonly Value[],
  keyOf: (value: Value) => string,
  compare: (one: Value, other: Value) => number,
): Value[] {
  const [before, now] = [new Set(written.map(keyOf)), new Set(live.map(keyOf))];
  const kept = written.filter((value) => now.has(keyOf(value)));
  const added = live.filter((value) => !before.has(keyOf(value)));
  return withItems(kept, added, compare);
}

/** A role about which nothing special is declared is like many others. */
function isLike(value: DeclaredRole, role: LiveRole): boolean {
  const { description = '', permissions = [] } = value;
  if (value.id !== undefined || role.state !== 'found' || (description === '' && permissions.length === 0))
    return false;
  const hasDescription = value.description === undefined || description === (role.description ?? '');
  return hasDescription && (value.permissions === undefined || samePairs(permissions, role.permissions ?? []));
}
