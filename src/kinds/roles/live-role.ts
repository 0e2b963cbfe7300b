import type { PermissionPair } from '../../resources/roles/types.generated.ts';

/** What the tenant says of a declared role, by the key of its declaration. */
export type LiveRole = FoundRole | MissingRole | AmbiguousRole;

export interface FoundRole {
  readonly state: 'found';
  readonly key: string;
  readonly id: string;
  /** Null where roles were not listed, because none was declared by name. */
  readonly name: string | null;
  /** In the order of the service, which promises none. */
  readonly permissions: readonly PermissionPair[];
}

export interface MissingRole {
  readonly state: 'missing';
  readonly key: string;
  /** The name, or the id, that was probably meant; null when none is near or roles were not listed. */
  readonly near: string | null;
}

/** Several roles have the declared name. */
export interface AmbiguousRole {
  readonly state: 'ambiguous';
  readonly key: string;
  readonly ids: readonly string[];
}
