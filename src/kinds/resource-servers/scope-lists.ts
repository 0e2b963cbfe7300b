import type { DeclaredScope } from '../../service/resource-servers/types.generated.ts';
import type { PermissionPair } from '../../service/roles/types.generated.ts';

/** Values of the scopes that the first item has and the second one does not. */
export function missingScopes(first: object | null, second: object | null): string[] {
  const valuesOf = (item: object | null) =>
    ((item as { readonly scopes?: readonly DeclaredScope[] } | null)?.scopes ?? []).map(({ value }) => value);
  const others = new Set(valuesOf(second));
  return valuesOf(first).filter((value) => !others.has(value));
}

/** A scope as a permission that roles have. */
export function pairOf(api: string, value: string): PermissionPair {
  return { resource_server_identifier: api, permission_name: value };
}
