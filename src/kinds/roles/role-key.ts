import type { DeclaredRole } from '../../resources/roles/types.generated.ts';

/** What names a role in plans: its id, or its name where roles can be listed. The schema has seen to it that there is one. */
export function roleKey(role: DeclaredRole): string {
  return role.id ?? role.name ?? '';
}
