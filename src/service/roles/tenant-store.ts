import type { TenantResource, TenantStore } from '../../model/tenant-resource.ts';
import type { PermissionPair, SeededRole, SeededRoles } from './types.generated.ts';

export interface RoleStore extends TenantStore {
  all(): readonly SeededRole[];
  find(id: string): SeededRole | undefined;
  put(role: SeededRole): void;
  /** False if there is no such role. */
  remove(id: string): boolean;
  /** Takes permissions out of every role, because their API does not define them any more. */
  withdraw(isWithdrawn: (pair: PermissionPair) => boolean): void;
}

/** The store of the section, separate from the routes, because the routes of APIs change it as well. */
export const roleStore: Pick<TenantResource<SeededRoles, RoleStore>, 'section' | 'openStore'> = {
  section: 'roles',
  openStore(section = []) {
    const roles = new Map(section.map((role) => [role.id, role]));
    const all = () => [...roles.values()];
    const put = (role: SeededRole) => void roles.set(role.id, role);
    return {
      all,
      find: (id) => roles.get(id),
      put,
      remove: (id) => roles.delete(id),
      withdraw(isWithdrawn) {
        for (const { permissions, ...role } of all()) {
          if (permissions?.some(isWithdrawn))
            put({ ...role, permissions: permissions.filter((pair) => !isWithdrawn(pair)) });
        }
      },
      snapshot: all,
    };
  },
};
