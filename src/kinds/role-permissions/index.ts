import type { ResourceKind } from '../../model/kind.ts';
import { check } from './check.ts';
import { decide } from './decide.ts';
import { describe } from './describe.ts';
import type { LiveRole } from './live-role.ts';
import { operations } from './operations.ts';
import { reading } from './read.ts';
import { remedy } from './remedy.ts';
import { roleKey } from './role-key.ts';
import type { DeclaredRole, RolesSection } from './types.generated.ts';

export const rolePermissions: ResourceKind<DeclaredRole, LiveRole> = {
  name: 'role_permissions',
  section: 'roles',
  title: 'Role permissions',
  operations,
  entries: (section) =>
    (section as RolesSection).map((role, index) => ({
      key: roleKey(role),
      pointer: `/${index}`,
      keyPointer: `/${index}/${role.id === undefined ? 'name' : 'id'}`,
    })),
  check,
  reading,
  decide,
  describe,
  remedy,
};
