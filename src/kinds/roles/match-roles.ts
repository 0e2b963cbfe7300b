import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DesiredItem } from '../../model/kind.ts';
import type { DeclaredRole, PermissionPair } from '../../resources/roles/types.generated.ts';

/** A declared role and its live role. */
export interface RoleMatch {
  readonly item: DesiredItem<DeclaredRole>;
  readonly role: FoundRole;
}

export interface MatchedRoles {
  readonly matches: readonly RoleMatch[];
  /** Declarations that do not name exactly one role of their own. */
  readonly errors: readonly Diagnostic[];
}

/** A declaration without a live role manages nothing and was not read. */
export function matchRoles(items: readonly DesiredItem<DeclaredRole>[], live: readonly LiveRole[]): MatchedRoles {
  const liveByKey = new Map(live.map((role) => [role.key, role]));
  const matchById = new Map<string, RoleMatch>();
  const errors: Diagnostic[] = [];
  for (const item of items) {
    const role = liveByKey.get(item.key);
    if (role === undefined) continue;
    if (role.state !== 'found') {
      errors.push(role.state === 'missing' ? notFound(item, role) : ambiguous(item, role));
      continue;
    }
    const first = matchById.get(role.id);
    if (first === undefined) matchById.set(role.id, { item, role });
    else errors.push(declaredTwice(first, item));
  }
  return { matches: [...matchById.values()], errors };
}

function notFound(item: DesiredItem<DeclaredRole>, { near }: MissingRole): Diagnostic {
  const byName = item.value.id === undefined;
  return {
    code: 'CONFIG_ROLE_NOT_FOUND',
    severity: 'error',
    message: byName
      ? `No role on the tenant is named "${item.key}". Names are case-sensitive.`
      : `The tenant has no role with the id "${item.key}".`,
    hint: near === null ? `create the role or correct its ${byName ? 'name' : 'id'}` : `did you mean "${near}"?`,
    source: item.at(namePointer(item)),
  };
}

function ambiguous(item: DesiredItem<DeclaredRole>, { ids }: AmbiguousRole): Diagnostic {
  return {
    code: 'CONFIG_ROLE_AMBIGUOUS',
    severity: 'error',
    message: `${ids.length} roles on the tenant are named "${item.key}": ${ids.join(', ')}.`,
    hint: "use the role's id instead of its name",
    source: item.at(namePointer(item)),
  };
}

function declaredTwice(first: RoleMatch, item: DesiredItem<DeclaredRole>): Diagnostic {
  return {
    code: 'CONFIG_DUPLICATE_IDENTITY',
    severity: 'error',
    message: `"${first.item.key}" at ${namePlace(first.item)} and "${item.key}" at ${namePlace(item)} are the same role, ${first.role.id}. Declare each role only once in a folder.`,
    hint: 'merge the two entries',
    source: item.at(namePointer(item)),
  };
}

function namePointer({ value }: DesiredItem<DeclaredRole>): string {
  return value.id === undefined ? '/name' : '/id';
}

function namePlace(item: DesiredItem<DeclaredRole>): string {
  const { file, line, column } = item.at(namePointer(item));
  return `${file}:${line}:${column}`;
}

/** The live role of a declared role, by the key of its declaration. */
export type LiveRole = FoundRole | MissingRole | AmbiguousRole;

export interface FoundRole {
  readonly state: 'found';
  readonly key: string;
  readonly id: string;
  /** Null if roles were not listed, because none is declared by name. */
  readonly name: string | null;
  /** In the order of the service, which is not defined. */
  readonly permissions: readonly PermissionPair[];
}

export interface MissingRole {
  readonly state: 'missing';
  readonly key: string;
  /** The name, or the id, that was probably meant; null when none is near or roles were not listed. */
  readonly near: string | null;
}

/** Several roles have the declared name. */
export interface AmbiguousRole {
  readonly state: 'ambiguous';
  readonly key: string;
  readonly ids: readonly string[];
}
