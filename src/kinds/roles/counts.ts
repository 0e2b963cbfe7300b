import type { HolderCounts } from '../../model/kind.ts';
import type { ListOperation } from '../../model/operation.ts';
import type { NotRead, Reader } from '../../model/reader.ts';
import { listRoleGroups, listRoleUsers } from '../../service/roles/operations.ts';

/**
 * Who has a role: direct users and groups, with one request each. Nothing is decided by it, so a token that may not read
 * them is no failure.
 */
export async function holderCounts(reader: Reader, id: string): Promise<HolderCounts> {
  const [users, groups] = await Promise.all([
    reader.count(listRoleUsers as ListOperation, { id }),
    reader.count(listRoleGroups as ListOperation, { id }),
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
