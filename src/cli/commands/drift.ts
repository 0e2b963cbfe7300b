import type { Compared } from '../../engine/results.ts';
import { drift } from '../../sync/plan.ts';
import type { CommandContext } from '../context.ts';
import type { Use } from '../each-tenant.ts';
import { runAndReport } from '../report-tenants.ts';
import { ownTargets } from '../results.ts';
import { targetsOf } from '../targets.ts';

export const driftUse: Use<Compared> = {
  run: drift,
  shown: ({ plan }) => ({ document: { type: 'drift', plan, diagnostics: [] }, beside: [] }),
};

/** Prints how the tenant differs from the files, or each of several. */
export async function command(context: CommandContext): Promise<number> {
  const { targets, save } = await ownTargets(context, await targetsOf(context.io, context.arguments));
  return (await runAndReport(context, targets, { ...driftUse, save })).code;
}
