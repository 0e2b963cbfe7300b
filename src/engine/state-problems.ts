import { problem } from '../diagnostics/problem.ts';
import type { Desired } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** Empty unless the files require a database that the options do not name. */
export function stateProblems({ tenant, tenantAt }: Desired, stateUrl: string | undefined): readonly Diagnostic[] {
  const source = tenantAt('/state');
  if (tenant.state !== 'database' || stateUrl !== undefined) return [];
  const message = 'The files require "state: database", and TENANT_SYNC_STATE_URL is not set. Nothing was sent.';
  const hint = 'set it to postgres://USER:PASSWORD@HOST:5432/DATABASE';
  return [{ ...problem('ENV_MISSING', message, hint), ...(source && { source }) }];
}
