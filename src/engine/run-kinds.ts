import { type KindSource, loadKinds } from '../config/load-kinds.ts';
import type { AnyKind, KindHead } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Loaded } from './load.ts';

/**
 * The kinds of a run on a tenant: those of the files, of their base, of selectors and of a saved plan, and those related to
 * them. Without any, the first kind shows whether the tenant can be reached.
 */
export function runKinds(
  loaded: Pick<Loaded, 'kinds' | 'base'>,
  kinds: readonly KindSource[],
  saved?: Plan,
): Promise<readonly AnyKind[]> {
  const ofFiles = [
    ...loaded.kinds.map(({ name }) => name),
    ...(loaded.base?.state?.desired.sections.keys() ?? []),
    ...(saved?.actions.map(({ kind }) => kind) ?? []),
  ];
  const names = ofFiles.length > 0 ? ofFiles : kinds.slice(0, 1).map(({ name }) => name);
  return loadKinds(withRelated(new Set(names), kinds), kinds);
}

/**
 * With the kinds of which items go when one of these is deleted, and with those that items name: their lists have the ids.
 *
 *   clients  ->  clients, client_grants, and the APIs that grants are about
 */
export function withRelated(names: ReadonlySet<string>, kinds: readonly KindHead[]): ReadonlySet<string> {
  const affected = kinds.filter(({ goneWith }) => goneWith?.some((name) => names.has(name)));
  const all = new Set([...names, ...affected.map(({ name }) => name)]);
  // What is added to a set while it is walked is walked as well.
  for (const name of all) for (const needed of kinds.find((kind) => kind.name === name)?.needs ?? []) all.add(needed);
  return all;
}
