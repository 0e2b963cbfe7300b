import { problem } from '../../diagnostics/problem.ts';
import type { KindHooks } from '../../items/comparison.ts';
import type { ItemEffect } from '../../items/effects/field-changes.ts';
import type { HolderCounts } from '../../model/kind.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { Action } from '../../model/plan.generated.ts';
import type { NotRead } from '../../model/reader.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { listRoleGroups, listRoleUsers } from '../../service/role-holders/operations.ts';
import type { DeclaredRole } from '../../service/roles/permissions.ts';

/** An item declares something, and no name if roles cannot be listed. */
export const check: NonNullable<KindHooks<object>['check']> = (item, report, api) => {
  const { id, name, ...declared } = item.value as DeclaredRole;
  if (name !== undefined && api === 'documented') report({ ...nameUnsupported, source: item.at('/name') });
  const keepsName = name !== undefined && (id !== undefined || item.renamedFrom !== undefined);
  const isEmpty = Object.keys(declared).length === 0 && !keepsName;
  if (item.state === 'present' && isEmpty) report({ ...nothingDeclared, source: item.at('') });
};

/** A misspelt name would never be noticed. */
const nothingDeclared = problem(
  'CONFIG_ROLE_EMPTY',
  'The role has neither a description nor permissions nor absent_permissions, so the item declares nothing about it.',
  'add one of the three (permissions: [] removes all), or delete the item: roles that are not listed are left alone',
);

const nameUnsupported = problem(
  'CONFIG_ROLE_NAME_UNSUPPORTED',
  'A role can be identified by name only if roles can be listed; api: documented has no operation that lists them.',
  "use the role's id instead of its name, or set api: full",
);

/** An empty description is what a role without one has (public facts 2.3). */
export const prepare: NonNullable<KindHooks<object>['prepare']> = (body, live) => {
  const { description, ...others } = body;
  return { body: live === null && description === '' ? others : body };
};

export function effects({ action }: Action): ItemEffect[] {
  if (action === 'create')
    return [{ code: 'ROLE_CREATED', severity: 'note', message: 'is a new role; no user has it' }];
  const message = 'is deleted, and taken from its users and groups';
  return action === 'delete' ? [{ code: 'ROLE_DELETED', severity: 'warning', message }] : [];
}

/**
 * Who has a role: direct users and groups, with one request each. Nothing is decided by it, so a token that may not read
 * them is no failure.
 */
export async function holderCounts(snapshot: Snapshot, id: string): Promise<HolderCounts> {
  const [users, groups] = await Promise.all([
    snapshot.count(listRoleUsers as ListOperation, { id }),
    snapshot.count(listRoleGroups as ListOperation, { id }),
  ]);
  const not_counted = [
    ...(users.ok ? [] : [`users not counted: ${whyNot(users, listRoleUsers)}`]),
    ...(groups.ok ? [] : [`groups not counted: ${whyNot(groups, listRoleGroups)}`]),
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
