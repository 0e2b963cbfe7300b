import { resolve } from 'node:path';
import { problem } from '../../diagnostics/problem.ts';
import type { SourceText } from '../../diagnostics/source-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type FileSource, layersOf, type VariableFile } from '../../model/file-source.ts';
import { openCredentialNames, readablePrefix, variableNames } from '../../secrets/credentials.ts';
import { matcherOfAny } from '../../values/selector.ts';
import { fileOfOption } from '../files/folder-source.ts';

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
   * it lacks is a text.
   */
  readonly isEarlier?: boolean;
  /** Of a tenant of a project: where `ACME_DEV_VAR_X` is set, it is read for `TENANT_VAR_X`. */
  readonly environment?: string;
  /** True if a value that no file uses is no error; default: `isEarlier`. */
  readonly mayBeUnused?: boolean;
  /** Values of a tenant in its project: they replace those of vars.yaml. */
  readonly tenant?: Readonly<Record<string, unknown>>;
}

export const nameRule = 'a name has letters, digits and _, and does not start with a digit';

export const noVariables: Variables = { env: {}, values: [], files: [] };

/** The variable file in the root of a tenant folder. It has no sections. */
export function variableFileOf({ at = '' }: FileSource): string {
  return `${at}vars.yaml`;
}

/** True if there is no file that could declare something. */
export async function declaresNothing(source: FileSource): Promise<boolean> {
  const listing = await source.list();
  if (listing === null) return true;
  const own = layersOf(source).map(variableFileOf);
  return listing.problems.length === 0 && listing.files.every((file) => own.includes(file));
}

/** False if the text certainly has no reference. An escape in double quotes may hide one. */
export function mayRefer({ text }: SourceText): boolean {
  return text.includes('${') || text.includes('\\');
}

/**
 * Files come with a pull request, and whoever writes them chooses where a value is sent or shown. So they read only
 * variables that are meant for them: by a prefix, or because the command line allows the name. `credential`: not readable, whatever is allowed.
 */
export type Readability = 'readable' | 'not_allowed' | 'credential';

/** Whether files may read an environment variable, as a value or as a secret. The environment is searched once. */
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

/** The variable that a name in the files means; its value may be missing. */
export function meantVariable(name: string, { env, environment }: Pick<Variables, 'env' | 'environment'>): string {
  return variableNames(name, environment).find((one) => env[one] !== undefined) ?? name;
}

/** Texts of `--var`, paths of `--var-file` and patterns of `--allow-env`, in order, and the tenant folder. */
export interface VariableOptions {
  readonly folder: string;
  readonly var: readonly string[];
  readonly varFile: readonly string[];
  readonly allowEnv?: readonly string[];
}

/** What options are resolved against. */
interface Surroundings {
  readonly env: Variables['env'];
  readonly cwd: string;
  /** Where messages find the tenant folder. */
  readonly at?: string;
}

/** Options as sources of values, and a diagnostic for each invalid one. */
export function readVariableOptions(
  { env, cwd, at = '' }: Surroundings,
  options: VariableOptions,
): { readonly variables: Variables; readonly faults: readonly Diagnostic[] } {
  const values: Variables['values'][number][] = [];
  const faults: Diagnostic[] = [];
  for (const option of options.var) {
    const [, name, text] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(option) ?? [];
    if (name === undefined || text === undefined) faults.push(malformed(option));
    else values.push({ name, text });
  }
  const { allowEnv = [] } = options;
  faults.push(...allowEnv.filter((pattern) => !/^[A-Za-z0-9_*]+$/.test(pattern)).map(notPattern));
  const folder = resolve(cwd, options.folder);
  const files = options.varFile.map((file) => fileOfOption(folder, resolve(cwd, file), at));
  return { variables: { env, values, files, ...(allowEnv.length > 0 && { allowEnv }) }, faults };
}

/** The text after the sign may be a value, so it is not shown. */
function malformed(option: string): Diagnostic {
  const sign = option.indexOf('=');
  const message =
    sign < 0
      ? '--var needs NAME=value, but this one has no "=".'
      : `--var ${JSON.stringify(option.slice(0, sign))} is not a valid variable name: ${nameRule}.`;
  return problem('OPTION_INVALID', message, 'write --var NAME=value');
}

function notPattern(pattern: string): Diagnostic {
  const message = `--allow-env ${JSON.stringify(pattern)} is not a pattern of names: ${nameRule}; * is a wildcard.`;
  return problem('OPTION_INVALID', message, 'write --allow-env NAME, or a pattern such as CRM_*');
}
