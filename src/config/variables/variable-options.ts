import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { fileOfOption } from '../files/folder-source.ts';
import { nameRule, type Variables } from './variables.ts';

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
}

/** Options as sources of values, and a diagnostic for each invalid one. */
export function readVariableOptions(
  { env, cwd }: Surroundings,
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
  const files = options.varFile.map((file) => fileOfOption(folder, resolve(cwd, file)));
  return { variables: { env, values, files, ...(allowEnv.length > 0 && { allowEnv }) }, faults };
}

/** The text after the sign may be a value, so it is not shown. */
function malformed(option: string): Diagnostic {
  const sign = option.indexOf('=');
  const message =
    sign < 0
      ? '--var needs NAME=value, but this one has no "=".'
      : `--var ${JSON.stringify(option.slice(0, sign))} is not a valid variable name: ${nameRule}.`;
  return { code: 'OPTION_INVALID', severity: 'error', message, hint: 'write --var NAME=value' };
}

function notPattern(pattern: string): Diagnostic {
  const message = `--allow-env ${JSON.stringify(pattern)} is not a pattern of names: ${nameRule}; * is a wildcard.`;
  return {
    code: 'OPTION_INVALID',
    severity: 'error',
    message,
    hint: 'write --allow-env NAME, or a pattern such as CRM_*',
  };
}
