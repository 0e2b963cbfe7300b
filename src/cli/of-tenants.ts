import { sortDiagnostics } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { shortList } from '../report/wording.ts';
import { groupBy } from '../values/group-by.ts';
import type { Target } from './targets.ts';

/** Each diagnostic once, with the tenants that it is about. */
export function ofTenants(found: readonly (readonly [Target, Diagnostic])[], all: number): readonly Diagnostic[] {
  if (all === 1) return found.map(([, diagnostic]) => diagnostic);
  const same = groupBy(found, ([, { code, message, source }]) => JSON.stringify([code, message, source]));
  const diagnostics = [...same.values()].flatMap((group) => {
    const names = group.flatMap(([{ tenant }]) => tenant?.name ?? []);
    const whose = names.length === all ? `all ${all} tenants` : shortList(names, mostNames).join(', ');
    return group.slice(0, 1).map(([, one]) => ({ ...one, message: `${one.message} Affects ${whose}.` }));
  });
  return sortDiagnostics(diagnostics);
}

const mostNames = 10;
