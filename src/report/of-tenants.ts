import { sortDiagnostics } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { groupBy } from '../values/group-by.ts';
import type { DiagnosticsReport } from './document.ts';
import { few } from './wording.ts';

/** A diagnostic with the name of its tenant. */
type OfTenant = readonly [tenant: string, diagnostic: Diagnostic];

function sameKey([, { code, message, source }]: OfTenant): string {
  return JSON.stringify([code, message, source]);
}

/** Each diagnostic once, with the tenants that it is about; `all` is the number of tenants of the run. */
export function ofTenants(found: readonly OfTenant[], all: number): readonly Diagnostic[] {
  if (all === 1) return found.map(([, diagnostic]) => diagnostic);
  const diagnostics = [...groupBy(found, sameKey).values()].flatMap((group) => {
    const names = [...new Set(group.map(([tenant]) => tenant))];
    const whose = names.length === all ? `all ${all} tenants` : few(names);
    return group
      .slice(0, 1)
      .map(([name, one]) =>
        names.length === 1 && one.message.startsWith(`${name}: `)
          ? one
          : { ...one, message: `${one.message} Affects ${whose}.` },
      );
  });
  return sortDiagnostics(diagnostics);
}

/** Errors that several of the tenants have, each once, and the documents without these. */
export function sameErrors(failed: readonly DiagnosticsReport[], all: number) {
  const found = failed.flatMap((document) =>
    document.diagnostics.map((one) => ({ document, one, of: unnamed(document, one) })),
  );
  const byKey = groupBy(found, ({ of }) => sameKey(of));
  const isShared = ({ of }: (typeof found)[number]) =>
    new Set(byKey.get(sameKey(of))?.map(({ document: { tenant } }) => tenant)).size > 1;
  const own = groupBy(
    found.filter((one) => !isShared(one)),
    ({ document }) => document,
  );
  return {
    shared: ofTenants(
      found.filter(isShared).map(({ of }) => of),
      all,
    ),
    left: [...own].map(([document, left]) => ({ ...document, diagnostics: left.map(({ one }) => one) })),
  };
}

/** Messages of one of several tenants begin with its name. */
function unnamed({ tenant = '' }: DiagnosticsReport, one: Diagnostic): OfTenant {
  const start = `${tenant}: `;
  return [tenant, one.message.startsWith(start) ? { ...one, message: one.message.slice(start.length) } : one];
}
