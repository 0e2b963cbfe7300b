import { warning } from '../diagnostics/problem.ts';
import { load } from '../engine/load.ts';
import type { ValidateOptions } from '../engine/options.ts';
import type { ValidateResult } from '../engine/results.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** Loads and checks the files. Nothing is sent. */
export async function validate(options: ValidateOptions): Promise<ValidateResult> {
  const loaded = await load(options);
  if (loaded.status === 'invalid') return loaded;
  const { desired, warnings, files } = loaded;
  return { status: 'valid', desired, warnings: [...warnings, ...unasserted(desired)], files };
}

/** Files without a base_url can be applied to any tenant by mistake. */
function unasserted({ tenant, tenantAt }: Desired): Diagnostic[] {
  if (tenant.base_url !== undefined) return [];
  const message = 'The files do not say which tenant they belong to, so they can be applied to any tenant.';
  return [warning('TENANT_UNASSERTED', message, 'add base_url: https://<host>/api/v2 to the header', tenantAt(''))];
}
