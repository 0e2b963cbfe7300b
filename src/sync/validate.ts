import { openProblemList } from '../config/errors/problem-list.ts';
import { warning } from '../diagnostics/problem.ts';
import { load } from '../engine/load.ts';
import type { ValidateOptions } from '../engine/options.ts';
import type { ValidateResult } from '../engine/results.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KindName } from '../model/kind.ts';

/** Loads and checks the files. Nothing is sent. */
export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  const loaded = await load(options);
  if (loaded.status === 'invalid') return loaded;
  const { desired, secretNames, uses, warnings, files } = loaded;
  const section = (kind: KindName) => itemsOf(desired, kind);
  const problems = openProblemList();
  for (const kind of loaded.kinds)
    for (const found of kind.checkTogether?.(itemsOf(desired, kind.name), section) ?? []) problems.add(found);
  const together = problems.finish(new Map());
  const all = [...warnings, ...together, ...unasserted(desired)];
  return { status: 'valid', desired, secretNames, uses, warnings: all, files };
}

function itemsOf({ sections }: Desired, kind: KindName) {
  return sections.get(kind)?.items ?? [];
}

/** Files without a base_url can be applied to any tenant by mistake. */
function unasserted({ tenant, tenantAt }: Desired): Diagnostic[] {
  if (tenant.base_url !== undefined) return [];
  const message = 'The files do not say which tenant they belong to, so they can be applied to any tenant.';
  return [warning('TENANT_UNASSERTED', message, 'add base_url: https://<host>/api/v2 to the header', tenantAt(''))];
}
