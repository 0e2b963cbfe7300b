import type { SourceText } from '../../diagnostics/source-text.ts';
import type { FileContent } from '../../model/file-source.ts';

/** Where the values of references come from. */
export interface Variables {
  /** The environment, for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var NAME=value`, in order; a later one wins. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
  /** The files of `--var-file`, in order; a later one wins. */
  readonly files: readonly VariableFile[];
}

/** A file of values outside the tenant's own files. `path` is its name in messages. */
export interface VariableFile {
  readonly path: string;
  read(): Promise<FileContent>;
}

export const noVariables: Variables = { env: {}, values: [], files: [] };

/** The file of values in the root of a tenant folder; no file of sections. */
export const variableFile = 'vars.yaml';

/** False is certain; an escape between double quotes may hide a reference. */
export function mayRefer({ text }: SourceText): boolean {
  return text.includes('${') || text.includes('\\');
}
