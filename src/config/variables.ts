/** Where the values of references come from. */
export interface Variables {
  /** The environment, for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var NAME=value`, in order; a later one wins. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
  /** Absolute paths of `--var-file`, in order; a later one wins. */
  readonly files: readonly string[];
}

export const noVariables: Variables = { env: {}, values: [], files: [] };

/** The file of values in the root of a tenant folder; no file of sections. */
export const variableFile = 'vars.yaml';
