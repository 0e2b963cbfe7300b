import { loadDesired } from '../config/load-desired.ts';
import { declaresNothing, meantVariable, noVariables } from '../config/variables/variables.ts';
import { problem, warning } from '../diagnostics/problem.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Base } from '../plan/assemble-input.ts';
import { changedSelection, compareFiles } from '../plan/file-changes.ts';
import { type Loaded, load } from './load.ts';
import { underNewNames } from './new-names.ts';
import type { BaseFiles, PlanOptions, ValidateOptions } from './options.ts';
import { type Invalid, invalid } from './results.ts';

/** Everything that can be checked before anything is sent, also in the files of the base. */
export async function loadWithBase(options: PlanOptions): Promise<Loaded | Invalid> {
  const loaded = await load(options);
  const { base: files, changed = false } = options;
  if (loaded.status === 'invalid') return loaded;
  if (files === undefined) return changed === true ? invalid([changedWithoutBase], loaded.files) : loaded;
  const { desired, selection } = loaded;
  const isPart = changed === true || (changed === 'documented' && desired.tenant.api === 'documented');
  const { base, diagnostics } = await loadBase(files, desired, options, isPart);
  const withBase = { ...loaded, base, warnings: [...loaded.warnings, ...diagnostics] };
  if (!isPart) return withBase;
  if (base.state === null) return invalid(withBase.warnings, loaded.files);
  const kinds = options.kinds.map(({ name }) => name);
  return { ...withBase, selection: changedSelection(base.state.changes, desired, kinds, selection) };
}

const changedWithoutBase = problem(
  'OPTION_INVALID',
  '--changed needs --base: it selects what differs from the base.',
  'add --base, for example --base origin/main',
);

const nothing: Desired = { tenant: {}, tenantAt: () => undefined, sections: new Map() };

/**
 * Loads the files of the base as they are loaded now, and compares the two. A base without files declares nothing.
 * `diagnostics`: why its files cannot be used, an error if the plan depends on them; or what looks like drift and is none.
 */
async function loadBase(
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
