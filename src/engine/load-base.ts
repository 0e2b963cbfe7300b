import { loadDesired } from '../config/load-desired.ts';
import { declaresNothing, meantVariable, noVariables } from '../config/variables/variables.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Base } from '../plan/assemble-input.ts';
import { compareFiles } from '../plan/file-changes.ts';
import { underNewNames } from './new-names.ts';
import type { BaseFiles, ValidateOptions } from './options.ts';

const nothing: Desired = { tenant: {}, tenantAt: () => undefined, sections: new Map() };

/**
 * Loads the files of the base as they are loaded now, and compares the two. A base without files declares nothing.
 * `diagnostics`: why its files cannot be used, an error if the plan depends on them; or what looks like drift and is none.
 */
export async function loadBase(
  { ref, commit, isBehind = false, files, variables: given }: BaseFiles,
  now: Desired,
  { kinds, variables = noVariables, signal, onSecret = () => {} }: ValidateOptions,
  isNeeded: boolean,
) {
  const name = { ref, commit, isBehind };
  if (await declaresNothing(files)) return loaded(name, nothing, now);
  const earlier = { ...(given ?? variables), isEarlier: true };
  const { desired, diagnostics, secretNames, kinds: ofBase } = await loadDesired(files, kinds, earlier, signal);
  for (const secret of secretNames.flatMap((name) => earlier.env[meantVariable(name, earlier)] || [])) onSecret(secret);
  if (desired !== null) return loaded(name, underNewNames(desired, now, ofBase), now);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { base: { ...name, state: null }, diagnostics: [invalidBase(commit, errors, isNeeded)] };
}

function loaded(name: Omit<Base, 'state'>, desired: Desired, now: Desired) {
  const base = { ...name, state: { desired, changes: compareFiles(now, desired) } };
  return { base, diagnostics: name.isBehind ? [behind(name)] : [] };
}

function behind({ ref }: Pick<Base, 'ref'>): Diagnostic {
  const message = `${ref} has newer commits that change these files. What they changed on the tenant looks like drift here.`;
  return warning('BASE_BEHIND', message, `merge ${ref} into this branch, or rebase it, and plan again`);
}

function invalidBase(commit: string, [first, ...others]: readonly Diagnostic[], isNeeded: boolean): Diagnostic {
  const { file, line, column } = first?.source ?? {};
  const place = file === undefined ? '' : ` ${file}:${line}:${column}:`;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message = `The files of the base ${commit.slice(0, 12)} have errors${more}:${place} ${first?.message ?? ''}`;
  return isNeeded
    ? problem('BASE_INVALID', message, 'plan without --changed, or name a base whose files are valid')
    : warning('BASE_INVALID', `${message} So no origin is known.`, 'name a base whose files are valid');
}
