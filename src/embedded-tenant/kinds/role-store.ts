import { type ItemStore, openItems } from '../../contract/stored-items.ts';
import type { TenantResource } from '../../model/tenant-resource.ts';
import type { SeededRole, SeededRoles } from '../../service/roles/types.generated.ts';

export type RoleStore = ItemStore<SeededRole>;

/** The store of the section, separate from the routes, because the routes of APIs change it as well. */
export const roleStore: Pick<TenantResource<SeededRoles, RoleStore>, 'section' | 'openStore'> = {
  section: 'roles',
  openStore: openItems,
};
