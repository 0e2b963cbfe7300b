import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { fileOfOption } from '../files/folder-source.ts';
import type { Variables } from './variables.ts';

/** Texts of `--var` and paths of `--var-file`, in order, and the tenant folder. */
export interface VariableOptions {
  readonly folder: string;
  readonly var: readonly string[];
  readonly varFile: readonly string[];
}

/** The world that options are read in. */
interface Surroundings {
  readonly env: Variables['env'];
  readonly cwd: string;
}

/** Options as sources of values, and a fault for each that is none. */
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
  const folder = resolve(cwd, options.folder);
  const files = options.varFile.map((file) => fileOfOption(folder, resolve(cwd, file)));
  return { variables: { env, values, files }, faults };
}

/** What stands after the sign may be a value, so it is not told. */
function malformed(option: string): Diagnostic {
  const sign = option.indexOf('=');
  const message =
    sign < 0
      ? '--var needs NAME=value, and here it has no =.'
      : `--var ${JSON.stringify(option.slice(0, sign))}: a name has letters, digits and _ only and starts with no digit.`;
  return { code: 'OPTION_INVALID', severity: 'error', message, hint: 'write --var NAME=value' };
}
