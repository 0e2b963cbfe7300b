import type { Diagnostic, Source } from './diagnostic.ts';
import type { ProjectText } from './file-source.ts';
import type { AnyKind, DesiredItem, DesiredSection, KindName } from './kind.ts';
import type { TenantHeader } from './tenant.generated.ts';

/** The desired state of a tenant. A kind that is not in `sections` is unmanaged. */
export interface Desired {
  readonly tenant: TenantHeader;
  /** The place of a value below `tenant`, by JSON pointer; undefined if no file has a header. */
  tenantAt(pointer: string): Source | undefined;
  readonly sections: ReadonlyMap<KindName, DesiredSection>;
  /** Whether the tenant is one of a project; default: false. */
  readonly ofProject?: boolean;
}

/** `desired` is null if a diagnostic is an error, and only then. */
export interface LoadResult {
  readonly desired: Desired | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read, without variable files. */
  readonly files: number;
}

/** The first place where files use an environment variable for a secret, or in a value that plans show. */
export interface VariableUse {
  readonly name: string;
  readonly isSecret: boolean;
  readonly source: Source;
}

/** A YAML file, and the JSON pointer from its root to an item. */
export interface WrittenPlace {
  readonly file: string;
  readonly pointer: string;
  /** What is declared here alone, with values in place of variables, and with references to files. */
  readonly value: unknown;
  /** The place of a value below, by JSON pointer; '' is the item itself. */
  at(pointer: string): Source;
}

/** An item as the files write it: what pull edits. */
export interface WrittenItem {
  readonly kind: AnyKind;
  readonly item: DesiredItem;
  /** Where it is declared, in the order in which the declarations apply; at least one. */
  readonly places: readonly WrittenPlace[];
  /** In the form of the file, with values in place of variables and texts in place of references to files. */
  readonly value: unknown;
  /** The files of these texts, by JSON pointer below the item. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The files as they are written. */
export interface WrittenFiles {
  /** Where the tenant folder is, in the names of files; of several layers, the one that is edited. */
  readonly at: string;
  readonly items: readonly WrittenItem[];
  /** Texts of the YAML files, by name, in order; without the variable file. */
  readonly yaml: ReadonlyMap<string, string>;
  /** Texts of the files that items refer to. */
  readonly texts: ReadonlyMap<string, string>;
  /** The file below `at` with a header. */
  readonly header: string | null;
  /** Of a tenant of a project: its name, and the file that approves what it is refused. */
  readonly project?: { readonly tenant: string; readonly file: ProjectText };
}
