import { draftFinding } from '../../differ/draft.ts';
import type { Conclusion, DesiredItem } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import type { OddField, Unreadable } from '../../model/reader.ts';
import type { DeclaredRole, PermissionPair } from '../../service/roles/types.generated.ts';

import { pairKey } from './permission-pair.ts';

/** A declared role and its live role. */
export interface RoleMatch {
  readonly item: DesiredItem<DeclaredRole>;
  readonly role: FoundRole;
}

export interface MatchedRoles {
  readonly matches: readonly RoleMatch[];
  /** Declared with a description, and not on the tenant. */
  readonly missing: readonly DesiredItem<DeclaredRole>[];
  /** One error for each declaration that does not name exactly one role of its own. */
  readonly findings: readonly Finding[];
  /** That a role is missing, or that several roles have its name. */
  readonly conclusions: readonly Conclusion[];
}

/** A declaration without a live role manages nothing and was not read. */
export function matchRoles(items: readonly DesiredItem<DeclaredRole>[], live: readonly LiveRole[]): MatchedRoles {
  const liveByKey = new Map(live.map((role) => [role.key, role]));
  const matchesById = new Map<string, RoleMatch[]>();
  const missing: DesiredItem<DeclaredRole>[] = [];
  const findings: Finding[] = [];
  const conclusions: Conclusion[] = [];
  for (const item of items) {
    const role = liveByKey.get(item.key);
    if (role === undefined) continue;
    if (role.state === 'missing') {
      if (item.state === 'absent') continue;
      if (isCreatable(item.value, role)) {
        missing.push(item);
        if (role.near !== null) findings.push(nearName(item, role.near));
      } else findings.push(notFound(item, role));
      conclusions.push({ key: item.key, what: 'missing', ids: [] });
    } else if (role.state === 'ambiguous') {
      findings.push(ambiguous(item, role));
      conclusions.push({ key: item.key, what: 'duplicate', ids: role.ids });
    } else matchesById.set(role.id, [...(matchesById.get(role.id) ?? []), { item, role }]);
  }
  const matches: RoleMatch[] = [];
  for (const [first, ...others] of matchesById.values()) {
    if (first === undefined) continue;
    if (others.length === 0) matches.push(first);
    else findings.push(...declaredTwice([first, ...others]));
  }
  return { matches, missing, findings, conclusions };
}

/** The service assigns ids, so a role that is declared by its id is not created. */
export function canBeCreated({ id, description }: DeclaredRole): boolean {
  return id === undefined && description !== undefined;
}

/** Whether a missing role is created. */
export function isCreatable(value: DeclaredRole, { isListed = false }: MissingRole): boolean {
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

function nearName(item: DesiredItem<DeclaredRole>, near: string): Finding {
  const message = `the role is created, but the tenant has "${near}" whose name differs only by case or one letter, which the files do not declare; if this role was meant, correct the name, or pull it into the files`;
  return roleFinding(item, 'LIVE_NEAR_NAME', message);
}

function notFound(item: DesiredItem<DeclaredRole>, { near }: MissingRole): Finding {
  const byName = item.value.id === undefined;
  const [missing, fix] = byName
    ? [
        'no role on the tenant has this name; names are case-sensitive',
        'create the role, correct its name, or declare a description to have it created',
      ]
    : ['no role on the tenant has this id', 'create the role or correct its id'];
  return roleFinding(item, 'LIVE_NOT_FOUND', `${missing}; ${near === null ? fix : `did you mean "${near}"?`}`);
}

function ambiguous(item: DesiredItem<DeclaredRole>, { ids }: AmbiguousRole): Finding {
  const message = `${ids.length} roles on the tenant have this name: ${ids.join(', ')}; use the role's id instead of its name`;
  return roleFinding(item, 'LIVE_AMBIGUOUS', message);
}

/** It is unknown which of the declarations to follow, so none is. */
function declaredTwice(matches: readonly RoleMatch[]): Finding[] {
  const places = matches.map(({ item }) => `"${item.key}" at ${namePlace(item)}`).join(' and ');
  return matches.map(({ item, role }) =>
    roleFinding(item, 'LIVE_DECLARED_TWICE', `${places} are the same role, ${role.id}; merge them into one entry`),
  );
}

export function roleFinding(
  item: DesiredItem<DeclaredRole>,
  code: Finding['code'],
  message: string,
  pointer = namePointer(item),
): Finding {
  return draftFinding({ code, kind: 'roles', key: item.key, message, source: item.at(pointer) });
}

function namePointer({ value }: DesiredItem<DeclaredRole>): string {
  return value.id === undefined ? '/name' : '/id';
}

function namePlace(item: DesiredItem<DeclaredRole>): string {
  const { file, line, column } = item.at(namePointer(item));
  return `${file}:${line}:${column}`;
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
  /** Number of pages that they were read from; default: 1. */
  readonly pages?: number;
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
  | { readonly readable: true; readonly values: ReadonlyMap<string, ReadonlySet<string>>; readonly pages: number }
  | Unreadable;
