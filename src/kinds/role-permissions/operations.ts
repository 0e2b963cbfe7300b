import { shape } from '../../contract/shape.ts';
import type { Operation } from '../../model/operation.ts';
import type { RemovePermissionsBody, RemovePermissionsParams } from './types.generated.ts';
import { validateRemoveBody, validateRemoveParams } from './validators.generated.ts';

const schema = 'role-permissions.schema.json#/$defs';

export const removeRolePermissions: Operation<RemovePermissionsParams, never, RemovePermissionsBody> = {
  id: 'remove_role_permissions',
  api: 'documented',
  method: 'DELETE',
  path: '/roles/{id}/permissions',
  summary: 'Remove permissions from a role',
  scope: 'update:roles',
  lifecycle: 'not shown',
  params: shape<RemovePermissionsParams>(`${schema}/remove_params`, validateRemoveParams),
  body: { ...shape<RemovePermissionsBody>(`${schema}/remove_body`, validateRemoveBody), encodings: ['application/json', 'application/x-www-form-urlencoded'] },
  success: 204,
  basis: { section: '4.3', assumed: ['scope', 'success status', 'error answers', 'keys of a form-encoded body'] },
};

export const operations: readonly Operation[] = [removeRolePermissions];
