import type { SourceText } from '../../diagnostics/source-text.ts';
import type { FileContent } from '../../model/file-source.ts';
import { openCredentialNames, readablePrefix } from '../../secrets/credential-variables.ts';
import { matcherOfAny } from '../../values/selector.ts';

/** The sources of values for references. */
export interface Variables {
  /** The environment, for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var NAME=value`, in order; a later one wins. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
  /** The files of `--var-file`, in order; a later one wins. */
  readonly files: readonly VariableFile[];
  /**
   * Further names, with `*` as a wildcard, that `${env:NAME}` may read; by default only those that start with
   * `TENANT_VAR_`. Credentials of a tenant are never read.
   */
  readonly allowEnv?: readonly string[];
  /**
   * True for an earlier state of the files: the environment of now need not fit them, so a reference to a variable that
   * it lacks is a text, and a value that no file uses is no error.
   */
  readonly isEarlier?: boolean;
}

/** A file of values outside the tenant's own files. `path` is its name in messages. */
export interface VariableFile {
  readonly path: string;
  read(): Promise<FileContent>;
}

export const nameRule = 'a name has letters, digits and _, and does not start with a digit';

export const noVariables: Variables = { env: {}, values: [], files: [] };

/** The variable file in the root of a tenant folder. It has no sections. */
export const variableFile = 'vars.yaml';

/** False if the text certainly has no reference. An escape in double quotes may hide one. */
export function mayRefer({ text }: SourceText): boolean {
  return text.includes('${') || text.includes('\\');
}

/**
 * Files come with a pull request, and whoever writes them chooses where a value is sent or shown. So they read only
 * variables that are meant for them: by a prefix, or because the command line allows the name. `credential`: not readable, whatever is allowed.
 */
export type Readability = 'readable' | 'not_allowed' | 'credential';

/** Whether files may read an environment variable, as a value or as a secret. */
export function readabilityOf(name: string, variables: Pick<Variables, 'env' | 'allowEnv'>): Readability {
  return openReadability(variables)(name);
}

/** The same for many names: the environment is searched once. */
export function openReadability({
  env,
  allowEnv = [],
}: Pick<Variables, 'env' | 'allowEnv'>): (name: string) => Readability {
  const isCredential = openCredentialNames(env);
  const isAllowed = matcherOfAny(allowEnv);
  return (name) => {
    if (name.startsWith(readablePrefix)) return 'readable';
    if (isCredential(name)) return 'credential';
    return isAllowed(name) ? 'readable' : 'not_allowed';
  };
}
