import { didYouMean } from '../../diagnostics/near-names.ts';
import { locationText } from '../../diagnostics/source-text.ts';
import { draftFinding } from '../../differ/draft.ts';
import { bothNames, nearName, reachedFinding } from '../../differ/renames.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import type { OddField, Unreadable } from '../../model/reader.ts';
import { pairKey } from '../../service/roles/permissions.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';
import { groupBy } from '../../values/group-by.ts';

/** A declared role and its live role. */
export interface RoleMatch {
  readonly item: DesiredItem<DeclaredRole>;
  readonly role: FoundRole;
}

/** A declaration without a live role manages nothing and was not read. `missing`: declared with a description. */
export function matchRoles(items: readonly DesiredItem<DeclaredRole>[], live: readonly LiveRole[]) {
  const liveByKey = new Map(live.map((role) => [role.key, role]));
  const matchesById = new Map<string, RoleMatch[]>();
  const missing: DesiredItem<DeclaredRole>[] = [];
  const findings: Finding[] = [];
  for (const item of items) {
    const role = liveByKey.get(item.key);
    if (role === undefined) continue;
    if (role.state === 'missing') {
      if (item.state === 'absent') continue;
      if (isCreatable(item.value, role)) {
        missing.push(item);
        if (role.near !== null) findings.push(nearName('roles', 'role', item, role.near, how));
      } else findings.push(notFound(item, role));
    } else if (role.state === 'ambiguous') findings.push(ambiguous(item, role));
    else matchesById.set(role.id, [...(matchesById.get(role.id) ?? []), { item, role }]);
  }
  const matches: RoleMatch[] = [];
  for (const [first, ...others] of matchesById.values()) {
    if (first === undefined) continue;
    if (others.length > 0) findings.push(...declaredTwice([first, ...others]));
    else {
      const rivals = first.role.rivals?.filter((id) =>
        first.item.renamedFrom === undefined ? isRenamed(first) : !matchesById.has(id),
      );
      if (rivals?.length) findings.push(nameInUse(first, rivals));
      else matches.push(first);
      const isReached = first.item.renamedFrom !== undefined && !isRenamed(first) && rivals === undefined;
      if (isReached) findings.push(reachedFinding('roles', first.item));
    }
  }
  const renamed = matches.filter(isRenamed);
  const same = sameNewNames([...renamed.map(({ item }) => item), ...missing]);
  return {
    matches: matches.filter(({ item }) => !same.has(item)),
    missing: missing.filter((item) => !same.has(item)),
    findings: [...findings, ...same.values()],
  };
}

/** Whether the name of a role is compared: it is declared beside its id, or it is renamed. */
export function keepsName({ state, value: { id, name }, renamedFrom }: DesiredItem<DeclaredRole>): boolean {
  return state === 'present' && name !== undefined && (id !== undefined || renamedFrom !== undefined);
}

/** Whether a role gets another name. */
function isRenamed({ item, role }: RoleMatch): boolean {
  return keepsName(item) && role.name !== null && role.name !== item.value.name;
}

const how = 'with a similar name or the same description';

/** A name that another role has cannot be taken, also if the same plan would free it: the service would refuse it. */
function nameInUse({ item, role }: RoleMatch, rivals: readonly string[]): Finding {
  if (item.renamedFrom !== undefined) return bothNames('roles', item, [role.id, ...rivals]);
  const message = `the name "${item.value.name}" is used by ${rivals.join(', ')}; rename or delete that role in an apply of its own first`;
  return roleFinding(item, 'LIVE_RENAME_CONFLICT', message, '/name');
}

/** A finding for each item that would get a name which another one would get as well. */
function sameNewNames(items: readonly DesiredItem<DeclaredRole>[]): ReadonlyMap<DesiredItem<DeclaredRole>, Finding> {
  const groups = [...groupBy(items, ({ value }) => value.name).values()].filter((group) => group.length > 1);
  const text = (group: typeof items) => `${places(group)} would get the same name; merge them, or choose another name`;
  return new Map(
    groups.flatMap((group) => group.map((item) => [item, roleFinding(item, 'LIVE_RENAME_CONFLICT', text(group))])),
  );
}

/** The service assigns ids, so a role that is declared by its id is not created. */
export function canBeCreated({ id, description }: DeclaredRole): boolean {
  return id === undefined && description !== undefined;
}

/** Whether a missing role is created. */
function isCreatable(value: DeclaredRole, { isListed = false }: MissingRole): boolean {
  return canBeCreated(value) && !isListed;
}

/** The declared permissions that a live role, or one that is created, does not have, with their positions. */
export function missingPairs(
  { value }: DesiredItem<DeclaredRole>,
  role: LiveRole | undefined,
): readonly { readonly pair: PermissionPair; readonly index: number }[] {
  const { permissions = [] } = value;
  const isCreated = role?.state === 'missing' && isCreatable(value, role);
  if (role?.state !== 'found' && !isCreated) return [];
  const held = new Set(role.state === 'found' ? role.permissions?.map(pairKey) : []);
  return permissions.map((pair, index) => ({ pair, index })).filter(({ pair }) => !held.has(pairKey(pair)));
}

function notFound(item: DesiredItem<DeclaredRole>, { near }: MissingRole): Finding {
  const byName = item.value.id === undefined;
  const [missing, fix] = byName
    ? [
        'no role on the tenant has this name; names are case-sensitive',
        'create the role, correct its name, or declare a description to have it created',
      ]
    : ['no role on the tenant has this id', 'create the role or correct its id'];
  return roleFinding(item, 'LIVE_NOT_FOUND', `${missing}; ${didYouMean(near ?? undefined) ?? fix}`);
}

function ambiguous(item: DesiredItem<DeclaredRole>, { ids }: AmbiguousRole): Finding {
  const message = `${ids.length} roles on the tenant have this name: ${ids.join(', ')}; use the role's id instead of its name`;
  return roleFinding(item, 'LIVE_AMBIGUOUS', message);
}

/** It is unknown which of the declarations to follow, so none is. */
function declaredTwice(matches: readonly RoleMatch[]): Finding[] {
  const all = places(matches.map(({ item }) => item));
  const fix = `merge them into one entry${matches.some(isRenamed) ? ', or if they are two, rename in an apply of its own first' : ''}`;
  return matches.map(({ item, role }) =>
    roleFinding(item, 'LIVE_DECLARED_TWICE', `${all} are the same role, ${role.id}; ${fix}`),
  );
}

function places(items: readonly DesiredItem<DeclaredRole>[]): string {
  return items.map((item) => `"${item.key}" at ${locationText(item.at(namePointer(item)))}`).join(' and ');
}

export function roleFinding(
  item: DesiredItem<DeclaredRole>,
  code: Finding['code'],
  message: string,
  pointer = namePointer(item),
): Finding {
  const { id, name } = item.value;
  const named = id !== undefined && name !== undefined && { name };
  return draftFinding({ code, kind: 'roles', key: item.key, ...named, message, source: item.at(pointer) });
}

function namePointer({ value }: DesiredItem<DeclaredRole>): string {
  return value.id === undefined ? '/name' : '/id';
}

/** The live role of a declared role, by the key of its declaration. */
export type LiveRole = (FoundRole | MissingRole | AmbiguousRole) & {
  /** What the APIs define; absent if it was not read, because nothing is added. */
  readonly defined?: DefinedPermissions;
};

export interface FoundRole {
  readonly state: 'found';
  readonly key: string;
  readonly id: string;
  /** Null if roles were not listed, because none is declared by name. */
  readonly name: string | null;
  /** Present if it is declared, or if the role is declared absent. */
  readonly description?: string;
  /** In the order of the service, which is not defined. Null if the files declare nothing about them. */
  readonly permissions: readonly PermissionPair[] | null;
  /** Other roles of the tenant with the name that it is to have, or with the one that it is renamed from. */
  readonly rivals?: readonly string[];
  /** Fields of the permissions that are not as their schema describes them. */
  readonly odd?: readonly OddField[];
}

export interface MissingRole {
  readonly state: 'missing';
  readonly key: string;
  /** The name, or the id, that was probably meant; null when none is near or roles were not listed. */
  readonly near: string | null;
  /** True if the list still has it: it was deleted between two reads. */
  readonly isListed?: boolean;
}

/** Several roles have the declared name. */
export interface AmbiguousRole {
  readonly state: 'ambiguous';
  readonly key: string;
  readonly ids: readonly string[];
}

/** The permissions that the APIs of the tenant define, by identifier; or why they are not known. */
export type DefinedPermissions =
  | { readonly readable: true; readonly values: ReadonlyMap<string, ReadonlySet<string>> }
  | Unreadable;
