import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import { itemFinding } from '../../differ/draft.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DecideInput, Decision, DesiredItem, Link, ReadAsk, Reading, Requirement } from '../../model/kind.ts';
import { idPrefix } from '../../model/names.ts';
import { isGone, isReleased, isThere, thereNode } from '../../model/nodes.ts';
import { idIn } from '../../model/operation.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import type { LiveState, Unreadable } from '../../model/reader.ts';
import type { Doubt, Snapshot } from '../../model/snapshot.ts';
import { operations as apis } from '../../service/resource-servers/description.generated.ts';
import type { DeclaredAPI, LiveAPI } from '../../service/resource-servers/types.generated.ts';
import { operations } from '../../service/roles/description.generated.ts';
import {
  type DeclaredRole,
  type PermissionPair,
  pairKey,
  pairOfScope,
  scopeOf,
} from '../../service/roles/permissions.ts';
import type { LiveRole } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { memberOf } from '../../values/json-pointer.ts';
import { memoized } from '../../values/memoized.ts';

/** The permissions that the APIs of the tenant define, by identifier; or why they are not known. */
export type Defined =
  | { readonly readable: true; readonly values: ReadonlyMap<string, ReadonlySet<string>> }
  | Unreadable;

/** The roles as they were read, with what the APIs define; without it, if no permission would be added. */
type RolesState = LiveState<LiveRole> & { readonly defined?: Defined };

/** What the APIs define is read as well, with one listing, if a declared permission would be added. */
export function withApis(reading: Reading<DeclaredRole, LiveRole>): Reading<DeclaredRole, LiveRole> {
  return {
    ...reading,
    optional: [apis.list],
    async read(snapshot, ask): Promise<RolesState> {
      const live = await reading.read(snapshot, ask);
      const missing = missingPairs(ask, live);
      return missing.length === 0 ? live : { ...live, defined: await readDefined(snapshot, missing) };
    },
  };
}

/** The declared permissions that a live role, or one that is created, does not have. */
function missingPairs(
  { desired }: Pick<ReadAsk<DeclaredRole>, 'desired'>,
  live: LiveState<LiveRole>,
): readonly PermissionPair[] {
  if (!live.readable) return [];
  const byName = groupBy(live.items, ({ id, name }) => name ?? id);
  const byId = new Map(live.items.map((role) => [role.id, role]));
  return desired.items.flatMap(({ state, value, renamedFrom }) => {
    const { id, name = '', description, permissions = [] } = value;
    const [role] =
      id === undefined ? (byName.get(name) ?? byName.get(renamedFrom ?? '') ?? []) : [byId.get(id) ?? []].flat();
    if (state !== 'present' || (role === undefined && (id !== undefined || description === undefined))) return [];
    const held = role === undefined ? undefined : live.more?.get(role)?.nested['permissions'];
    if (role !== undefined && held?.readable !== true) return [];
    const known = new Set(held?.readable ? (held.items as readonly PermissionPair[]).map(pairKey) : []);
    return permissions.filter((pair) => !known.has(pairKey(pair)));
  });
}

async function readDefined(snapshot: Snapshot, missing: readonly PermissionPair[]): Promise<Defined> {
  const scopesOf = (listed: readonly Pick<LiveAPI, 'identifier' | 'scopes'>[]) =>
    new Map(
      listed.map(
        ({ identifier = '', scopes }) => [identifier, new Set((scopes ?? []).map(({ value }) => value))] as const,
      ),
    );
  const listing = await snapshot.list(apis.list, {}, {}, (listed) => {
    const values = scopesOf(listed);
    return missing
      .filter((pair) => !values.get(pair.resource_server_identifier)?.has(pair.permission_name))
      .map((pair): Doubt => ({ name: pairKey(pair), what: 'missing', ids: [] }));
  });
  return listing.ok ? { readable: true, values: scopesOf(listing.items) } : listing.why;
}

/**
 * A permission that would be added must be defined: by the API on the tenant, or by an action of the same plan, which
 * then comes first. Otherwise the role is left out, with an error for the permission.
 *
 *   declared read:orders, raed:orders   defined read:orders   ->  an error at raed:orders, which suggests read:orders
 */
export function checkPermissions({ desired, live }: DecideInput<DeclaredRole, LiveRole>, decision: Decision): Decision {
  if (!live.readable) return decision;
  const { defined }: RolesState = live;
  const added = groupBy(
    decision.actions.filter(({ action }) => action === 'add'),
    ({ key }) => key,
  );
  const missing = desired.items.flatMap((item): MissingPair[] => {
    const keys = new Set((added.get(item.key) ?? []).flatMap(pairsOf).map(pairKey));
    const pairs = (item.value.permissions ?? []).map((pair, index) => ({ item, pair, index }));
    return pairs.filter(({ pair }) => keys.has(pairKey(pair)));
  });
  const isDefined = ({ pair }: MissingPair) =>
    !defined?.readable || defined.values.get(pair.resource_server_identifier)?.has(pair.permission_name) === true;
  const notDefined = openDefinitions(defined?.readable ? defined.values : new Map());
  return {
    ...decision,
    findings: [...decision.findings, ...(defined?.readable === false ? notChecked(missing, defined) : [])],
    links: [...(decision.links ?? []), ...decision.actions.flatMap(linkOf)],
    requirements: missing.flatMap((one) => (isDefined(one) ? [] : [requirement(one, notDefined)])),
  };
}

interface MissingPair {
  readonly item: DesiredItem<DeclaredRole>;
  readonly pair: PermissionPair;
  /** In the declared permissions. */
  readonly index: number;
}

function pairsOf({ request }: Action): readonly PermissionPair[] {
  return (memberOf(request.body, 'permissions') ?? []) as readonly PermissionPair[];
}

/** An add follows the actions that define its permissions, if there are any. */
function linkOf(action: Action): Link[] {
  const { id, request } = action;
  if (action.action === 'add') return [{ id, after: pairsOf(action).map((pair) => isThere(scopeOf(pair))) }];
  const role = idIn(operations.get, request.path);
  if (role === null) return [];
  const own = { kind: 'roles', key: idPrefix + role } as const;
  if (action.action === 'remove' && action.before !== null)
    return [{ id, provides: pairsOf(action).map((pair) => isReleased(scopeOf(pair), own)) }];
  return action.action === 'delete' ? [{ id, provides: [isGone(own)] }] : [];
}

function requirement({ item, pair, index }: MissingPair, notDefined: NotDefined): Requirement {
  return {
    key: item.key,
    token: isThere(scopeOf(pair)),
    unmet: (provided) =>
      itemFinding('roles', item, 'LIVE_NOT_FOUND', notDefined(pair, provided), `/permissions/${index}`),
  };
}

/** Why nothing defines a permission; `provided` are the tokens of the plan. */
type NotDefined = (pair: PermissionPair, provided: ReadonlySet<string>) => string;

/** A role can have thousands of misspelt permissions, so each list of names is made searchable once. */
function openDefinitions(defined: ReadonlyMap<string, ReadonlySet<string>>): NotDefined {
  const identifiers = openNames(defined.keys());
  const namesAmong = memoized((provided: ReadonlySet<string>) => {
    const pairs = [...provided].flatMap((token) => definedPair(token) ?? []);
    const added = groupBy(pairs, ({ resource_server_identifier: api }) => api);
    return memoized((api: string) =>
      openNames([...(defined.get(api) ?? []), ...(added.get(api) ?? []).map(({ permission_name: name }) => name)]),
    );
  });
  return ({ resource_server_identifier: api, permission_name: name }, provided) => {
    if (!defined.has(api)) {
      const hint = didYouMean(identifiers.nearest(api)) ?? 'create the API or correct its identifier';
      return `no API on the tenant has the identifier "${api}"; ${hint}`;
    }
    const hint = didYouMean(namesAmong(provided)(api).swapped(name)) ?? correctIt;
    return `${api} does not define the permission "${name}", and this plan does not add it; ${hint}`;
  };
}

/** The permission that an API has by this token. */
function definedPair(token: string): PermissionPair | null {
  const node = thereNode(token);
  return node === null ? null : pairOfScope(node);
}

const correctIt = 'correct the name, or add it to the scopes of the API';

/** One note, whatever is not checked. */
function notChecked([first, ...others]: readonly MissingPair[], { message }: Unreadable): Finding[] {
  if (first === undefined) return [];
  const { item, index } = first;
  const count = others.length + 1;
  const what = count === 1 ? 'the permission' : `the ${count} permissions`;
  const why = `whether the APIs define ${what} that this plan adds is not checked: ${message}`;
  return [itemFinding('roles', item, 'LIVE_NOT_CHECKED', why, `/permissions/${index}`)];
}

/**
 * What a plan will find as well, once it has read the API: the files declare its scopes, and a permission of a role is none
 * of them.
 */
export function checkTogether(
  items: readonly DesiredItem<DeclaredRole>[],
  section: (kind: 'resource_servers') => readonly DesiredItem[],
): Diagnostic[] {
  const servers = section('resource_servers') as readonly DesiredItem<DeclaredAPI>[];
  const declared = new Map(
    servers.map(({ value: { identifier, scopes } }) => [
      identifier,
      scopes && new Set(scopes.map(({ value }) => value)),
    ]),
  );
  const namesOf = memoized((scopes: ReadonlySet<string>) => openNames(scopes));
  return items.flatMap((item) =>
    (item.value.permissions ?? []).flatMap((pair, index) => {
      const scopes = declared.get(pair.resource_server_identifier);
      if (scopes === undefined || scopes.has(pair.permission_name)) return [];
      const message = `The files declare the scopes of the API, and ${pairText(pair)} is none of them.`;
      const hint = didYouMean(namesOf(scopes).swapped(pair.permission_name)) ?? correctIt;
      const source = item.at(`/permissions/${index}`);
      return [{ code: 'CONFIG_UNDEFINED_PERMISSION', severity: 'warning', message, hint, source } as const];
    }),
  );
}

/** Errors for the roles that are declared to have a permission which the files remove from its API. */
export function relyingOn(items: readonly DesiredItem<DeclaredRole>[], token: string): Finding[] {
  const removed = definedPair(token);
  if (removed === null) return [];
  return items.flatMap((item) => {
    const index = (item.value.permissions ?? []).findIndex((pair) => pairKey(pair) === pairKey(removed));
    if (index === -1) return [];
    const message = `the role is declared to have ${pairText(removed)}, but the files remove this permission from the API; delete it here, or add it to the scopes of the API`;
    return [itemFinding('roles', item, 'LIVE_NOT_FOUND', message, `/permissions/${index}`)];
  });
}

function pairText({ resource_server_identifier: api, permission_name: permission }: PermissionPair): string {
  return `${permission} of ${api}`;
}
