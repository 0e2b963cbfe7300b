import type { PermissionPair } from '../../src/service/roles/permissions.ts';

export const ordersApi = 'https://orders.example/';

export function buildPermission(permission_name: string, resource_server_identifier = ordersApi): PermissionPair {
  return { resource_server_identifier, permission_name };
}
