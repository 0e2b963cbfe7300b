import type { Description, EffectsOf, Link, Loss, PlannedPart, Present } from '../../model/kind.ts';
import { isReleased } from '../../model/nodes.ts';
import type { Action, Effect } from '../../model/plan.generated.ts';
import type { OddField, Unreadable } from '../../model/reader.ts';
import type { DeclaredResourceServer, DeclaredScope } from '../../service/resource-servers/types.generated.ts';
import { accessEffects, isDefined, isDeleted, isRevoked } from '../../service/roles/permissions.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { listOf } from '../../values/list-of.ts';
import { compareText } from '../../values/text-order.ts';

/** An API that the files manage. */
export type DesiredApi = Present<DeclaredResourceServer, 'scopes'>;

/** An API of the tenant. It has the fields that are managed, and no other: a listing may contain secrets. */
export interface LiveApi {
  readonly id: string;
  readonly identifier: string;
  /** True for an API of the service itself. */
  readonly isSystem: boolean;
  /** In the order of the tenant. */
  readonly scopes: readonly DeclaredScope[];
  /** Roles with permissions of this API; why they are not known; or null if nothing of it is removed. */
  readonly holders: Holders | Unreadable | null;
  /** Fields of its scopes that are not as their schema describes them. */
  readonly odd?: readonly OddField[];
}

/** Every role, by id, with what it has of the APIs that lose scopes. */
export interface Holders {
  readonly readable: true;
  readonly read: ReadonlyMap<string, Holder>;
}

/** What a role has of the APIs that lose scopes, by identifier, and how many permissions it has in all. */
export interface Held {
  readonly scopes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly permissions: number;
}

export interface Holder extends Held {
  readonly id: string;
  readonly name: string;
}

/** Values of the scopes that the first item has and the second one does not. */
export function missingScopes(first: object | null, second: object | null): string[] {
  const valuesOf = (item: object | null) =>
    ((item as { readonly scopes?: readonly DeclaredScope[] } | null)?.scopes ?? []).map(({ value }) => value);
  const others = new Set(valuesOf(second));
  return valuesOf(first).filter((value) => !others.has(value));
}

/** A scope as a permission that roles have. */
function pairOf(api: string, value: string): PermissionPair {
  return { resource_server_identifier: api, permission_name: value };
}

type Api = Pick<LiveApi, 'identifier' | 'holders'>;

/** The roles that have this scope of an API, by name; none where they were not read. */
export function rolesWith({ identifier, holders }: Api, value: string): readonly Holder[] {
  const read = holders?.readable ? [...holders.read.values()] : [];
  return read
    .filter(({ scopes }) => scopes.get(identifier)?.has(value))
    .sort((one, other) => compareText(one.name, other.name) || compareText(one.id, other.id));
}

/** How many permissions, of whichever API, the roles have that were read and have any, by id. */
export function rolesWithAny(apis: readonly Api[]): ReadonlyMap<string, number> {
  const read = apis.flatMap(({ holders }) => (holders?.readable ? [holders.read] : []))[0] ?? [];
  return new Map([...read].flatMap(([id, { permissions }]) => (permissions > 0 ? [[id, permissions]] : [])));
}

/** The token of a scope that an API defines: see Link. */
export function defined(api: string, value: string): string {
  return isDefined(pairOf(api, value));
}

/** What each role loses with a scope, unless the files take it from the role as well: that is a loss of the role. */
export function lossesOfRoles(id: string, api: Api, values: readonly string[]): Loss[] {
  return values.flatMap((value) =>
    rolesWith(api, value).map((role) => ({
      id,
      // Roles of organizations can share a name.
      item: `roles/${role.name} (${role.id})#${value} of ${api.identifier}`,
      unless: releases(role, api, value),
      holder: { kind: 'roles', id: role.id, key: role.name },
      part: value,
    })),
  );
}

/** A removal follows what takes the scopes from roles. The API does not define them any more: see Link. */
export function removalLink(id: string, api: Api, values: readonly string[]): Link {
  return {
    id,
    after: values.flatMap((value) => [
      ...rolesWith(api, value).flatMap((role) => releases(role, api, value)),
      isReleased({ kind: 'resource_servers', key: api.identifier, below: `scopes/${value}` }),
    ]),
    withdraws: values.map((value) => defined(api.identifier, value)),
  };
}

/** Tokens of the actions that take a scope from a role. */
function releases(role: Holder, api: Api, value: string): string[] {
  return [isRevoked(role.id, pairOf(api.identifier, value)), isDeleted(role.id)];
}

/** The scopes that an action adds or removes; its request has the complete list. */
export function describe({ action, before, request: { body = {} } }: Action): Description {
  const isRemoval = action === 'remove';
  const changed = isRemoval ? missingScopes(before, body) : missingScopes(body, before);
  const lead = changed.length === 1 ? 'scope' : 'scopes';
  const parts = [{ does: isRemoval ? 'deletes' : 'adds', lead, parts: changed.map((name) => ({ name })) }] as const;
  return changed.length > 0 ? { parts } : {};
}

/** The scopes that go, and the roles that lose a permission with them. */
export function effectsOf({ losses }: PlannedPart): EffectsOf {
  const byAction = groupBy(losses, ({ id }) => id);
  return (action) => (action.action === 'remove' ? removalEffects(action, byAction.get(action.id) ?? []) : []);
}

function removalEffects({ key, before, after }: Action, losses: readonly Loss[]): Effect[] {
  const removed: Effect = {
    code: 'SCOPE_REMOVED',
    severity: 'warning',
    message: `no longer defines ${listOf(missingScopes(before, after))}`,
    kind: 'resource_servers',
    key,
  };
  const lost = [...groupBy(losses, ({ holder }) => holder?.id)].flatMap(([, ofRole]) => {
    const holder = ofRole[0]?.holder;
    const pairs = ofRole.flatMap(({ part }) => (part === undefined ? [] : [pairOf(key, part)]));
    return holder === undefined ? [] : accessEffects('ACCESS_LOST', holder, pairs);
  });
  return [removed, ...lost];
}
