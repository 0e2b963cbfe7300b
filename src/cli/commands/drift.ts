import type { Compared, DriftResult } from '../../engine/results.ts';
import { kinds } from '../../kinds/index.ts';
import type { ReportDocument } from '../../report/document.ts';
import { drift } from '../../sync/drift.ts';
import type { CommandContext } from '../context.ts';
import { eachTenant, prepared, reportTenants, type Use } from '../each-tenant.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { printDocuments, reportEnd } from '../print-document.ts';
import { ownTargets } from '../results.ts';
import { readOptions } from '../run-options.ts';
import { asksForSeveral, targetsOf } from '../targets.ts';
import { watch } from '../watch.ts';

/** Drift as one of several tenants. */
export const driftUse: Use<DriftResult> = {
  run: drift,
  shown: (result) => (result.status === 'compared' ? { document: documentOf(result), beside: [] } : null),
};

/** Prints how the tenant differs from the files, or each of several. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const selected = await targetsOf(io, options);
  if (asksForSeveral(options)) {
    const { targets, save } = await ownTargets(context, selected);
    return reportTenants(context, await eachTenant(context, await prepared(context, targets), { ...driftUse, save }));
  }
  const inputs = await readOptions(io, options, [], undefined, selected[0]);
  const result = await watch(context, (onEvent) => drift({ ...inputs, onEvent, onSecret: output.hide }));
  if (result.status !== 'compared') return reportEnd(context, result);
  await printDocuments(context, [documentOf(result)], { kinds });
  return exitCodeOf(result);
}

function documentOf({ plan }: Compared): ReportDocument {
  return { type: 'drift', plan, diagnostics: [] };
}
