import type { TenantResource, TenantStore } from '../../model/tenant-resource.ts';
import type { SeededRole, SeededRoles } from '../../service/roles/types.generated.ts';
import { type OrderedItems, orderItems } from '../../values/ordered-items.ts';

export interface RoleStore extends TenantStore, OrderedItems<SeededRole> {}

/** The store of the section, separate from the routes, because the routes of APIs change it as well. */
export const roleStore: Pick<TenantResource<SeededRoles, RoleStore>, 'section' | 'openStore'> = {
  section: 'roles',
  openStore(stored = []) {
    const roles = orderItems(stored, ({ id }) => id);
    return { ...roles, snapshot: () => roles.all };
  },
};
