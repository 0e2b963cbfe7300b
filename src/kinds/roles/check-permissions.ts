import { didYouMean, openNames } from '../../diagnostics/near-names.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DecideInput, Decision, DesiredItem, Link, Requirement } from '../../model/kind.ts';
import { idPrefix } from '../../model/names.ts';
import { isGone, isReleased, isThere, thereNode } from '../../model/nodes.ts';
import type { Action, Finding } from '../../model/plan.generated.ts';
import type { Unreadable } from '../../model/reader.ts';
import type { DeclaredAPI } from '../../service/resource-servers/types.generated.ts';
import { pairKey, pairOfScope, scopeOf } from '../../service/roles/permissions.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { memoized } from '../../values/memoized.ts';
import { type DefinedPermissions, type LiveRole, missingPairs, roleFinding } from './match-roles.ts';
import { comparePairs, pairsOf, pairText } from './permission-pair.ts';

type Input = Pick<DecideInput<DeclaredRole, LiveRole>, 'desired' | 'live'>;

/**
 * A permission that would be added must be defined: by the API on the tenant, or by an action of the same plan, which
 * then comes first. Otherwise the role is left out, with an error for the permission.
 *
 *   declared read:orders, raed:orders   defined read:orders   ->  an error at raed:orders, which suggests read:orders
 */
export function checkPermissions({ desired, live }: Input, decision: Decision): Decision {
  if (!live.readable) return decision;
  const roles = new Map(live.items.map((role) => [role.key, role]));
  const defined = live.items.find((role) => role.defined !== undefined)?.defined;
  const missing = desired.items.flatMap((item) =>
    missingPairs(item, roles.get(item.key)).map(({ pair, index }) => ({ item, pair, index })),
  );
  const undefinedPairs = missing.filter(({ pair }) => defined?.readable && !defines(defined, pair));
  const notDefined = openDefinitions(defined?.readable ? defined.values : new Map());
  return {
    ...decision,
    findings: [...decision.findings, ...(defined?.readable === false ? notChecked(missing, defined) : [])],
    links: decision.actions.flatMap((action) => linkOf(action, roles.get(action.key))),
    requirements: undefinedPairs.map((one) => requirement(one, notDefined)),
  };
}

interface MissingPair {
  readonly item: DesiredItem<DeclaredRole>;
  readonly pair: PermissionPair;
  /** In the declared permissions. */
  readonly index: number;
}

function defines(defined: DefinedPermissions, pair: PermissionPair): boolean {
  return defined.readable && defined.values.get(pair.resource_server_identifier)?.has(pair.permission_name) === true;
}

/** An add follows the actions that define its permissions, if there are any. */
function linkOf(action: Action, role: LiveRole | undefined): Link[] {
  const { id } = action;
  if (action.action === 'add') return [{ id, after: pairsOf(action).map((pair) => isThere(scopeOf(pair))) }];
  if (role?.state !== 'found') return [];
  const own = { kind: 'roles', key: idPrefix + role.id } as const;
  if (action.action === 'remove')
    return [{ id, provides: pairsOf(action).map((pair) => isReleased(scopeOf(pair), own)) }];
  return action.action === 'delete' ? [{ id, provides: [isGone(own)] }] : [];
}

function requirement({ item, pair, index }: MissingPair, notDefined: NotDefined): Requirement {
  return {
    key: item.key,
    token: isThere(scopeOf(pair)),
    unmet: (provided) => roleFinding(item, 'LIVE_NOT_FOUND', notDefined(pair, provided), `/permissions/${index}`),
  };
}

/** Why nothing defines a permission; `provided` are the tokens of the plan. */
type NotDefined = (pair: PermissionPair, provided: ReadonlySet<string>) => string;

/** A role can have thousands of misspelt permissions, so each list of names is made searchable once. */
function openDefinitions(apis: ReadonlyMap<string, ReadonlySet<string>>): NotDefined {
  const identifiers = openNames(apis.keys());
  const namesAmong = memoized((provided: ReadonlySet<string>) => {
    const pairs = [...provided].flatMap((token) => definedPair(token) ?? []);
    const added = groupBy(pairs, ({ resource_server_identifier: api }) => api);
    return memoized((api: string) =>
      openNames([...(apis.get(api) ?? []), ...(added.get(api) ?? []).map(({ permission_name: name }) => name)]),
    );
  });
  return ({ resource_server_identifier: api, permission_name: name }, provided) => {
    if (!apis.has(api)) {
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
  return [roleFinding(item, 'LIVE_NOT_CHECKED', why, `/permissions/${index}`)];
}

/**
 * What a plan will find as well, once it has read the API: the files declare its scopes, and a permission of a role is none
 * of them.
 */
export function checkTogether(
  items: readonly DesiredItem<DeclaredRole>[],
  section: (kind: 'resource_servers') => readonly DesiredItem[],
): Diagnostic[] {
  const apis = section('resource_servers') as readonly DesiredItem<DeclaredAPI>[];
  const declared = new Map(
    apis.map(({ value: { identifier, scopes } }) => [identifier, scopes && new Set(scopes.map(({ value }) => value))]),
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
    return [roleFinding(item, 'LIVE_NOT_FOUND', message, `/permissions/${index}`)];
  });
}

/**
 * Warnings for pairs under `absent_permissions` that remove nothing, while the role has a pair that differs only by case
 * or slashes.
 *
 *   absent   delete:orders of https://orders.example
 *   live     delete:orders of https://orders.example/   ->  a warning with both
 */
export function nearPermissions({ desired, live }: Input): Finding[] {
  const roles = new Map(live.readable ? live.items.map((role) => [role.key, role]) : []);
  return desired.items.flatMap((item) => {
    const { absent_permissions: absent = [] } = item.value;
    const role = roles.get(item.key);
    if (absent.length === 0 || role?.state !== 'found') return [];
    const held = (role.permissions ?? []).toSorted(comparePairs);
    const [heldKeys, listed] = [new Set(held.map(pairKey)), new Set(absent.map(pairKey))];
    const others = held.filter((pair) => !listed.has(pairKey(pair)));
    const byForm = groupBy(others, looseForm);
    return absent.flatMap((pair, index) => {
      const [near] = byForm.get(looseForm(pair)) ?? [];
      if (near === undefined || heldKeys.has(pairKey(pair))) return [];
      const message = `absent_permissions lists ${pairText(pair)}, but the role has ${pairText(near)}; they differ only by case or slashes`;
      return [roleFinding(item, 'LIVE_NEAR_PERMISSION', message, `/absent_permissions/${index}`)];
    });
  });
}

/** Equal for pairs that differ only by case or slashes. */
function looseForm({ resource_server_identifier: api, permission_name: name }: PermissionPair): string {
  return JSON.stringify([api, name].map((text) => text.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '')));
}
