import type { Diagnostic, Source } from './diagnostic.ts';
import type { DesiredSection, KindName } from './kind.ts';
import type { TenantHeader } from './tenant.generated.ts';

/** The desired state of a tenant. A kind that is not in `sections` is unmanaged. */
export interface Desired {
  readonly tenant: TenantHeader;
  /** The place of a value below `tenant`, by JSON pointer; undefined if no file has a header. */
  tenantAt(pointer: string): Source | undefined;
  readonly sections: ReadonlyMap<KindName, DesiredSection>;
}

/** `desired` is null if a diagnostic is an error, and only then. */
export interface LoadResult {
  readonly desired: Desired | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read, without variable files. */
  readonly files: number;
}
