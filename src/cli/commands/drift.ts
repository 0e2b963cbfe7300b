import { drift } from '../../sync/plan.ts';
import type { CommandContext } from '../context.ts';
import { report, runTenants } from '../each-tenant.ts';
import { ownTargets } from '../saved.ts';
import { targetsOf } from '../targets.ts';

/** Prints how the tenant differs from the files, or each of several. */
export async function command(context: CommandContext): Promise<number> {
  const { targets, save, finish } = await ownTargets(context, await targetsOf(context.io, context.arguments));
  const ended = await runTenants(context, targets, drift, { save });
  await finish();
  return report(context, ended);
}
