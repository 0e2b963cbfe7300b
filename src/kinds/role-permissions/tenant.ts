import type { TenantPart, TenantRoute } from '../../model/tenant-part.ts';
import { removeRolePermissions } from './operations.ts';
import type { PermissionPair, RemovePermissionsBody, RemovePermissionsParams, SeededRole } from './types.generated.ts';

export const rolePermissionsTenant: TenantPart<readonly SeededRole[]> = {
  section: 'roles',
  open(section = []) {
    const roles = new Map(section.map((role) => [role.id, role]));

    const remove: TenantRoute<RemovePermissionsParams, unknown, RemovePermissionsBody> = {
      operation: removeRolePermissions,
      answer({ params, body }) {
        const role = roles.get(params.id);
        if (role === undefined) return { status: 404, message: 'The role does not exist.' };
        const removed = new Set(body.permissions.map(identity));
        // A pair that the role does not hold is no fault: public facts show 204.
        if (role.permissions !== undefined) roles.set(role.id, { ...role, permissions: role.permissions.filter((pair) => !removed.has(identity(pair))) });
        return { status: 204 };
      },
    };

    return { routes: [remove], snapshot: () => [...roles.values()] };
  },
};

function identity(pair: PermissionPair): string {
  return JSON.stringify([pair.resource_server_identifier, pair.permission_name]);
}
