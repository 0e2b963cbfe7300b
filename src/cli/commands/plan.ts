import { resolve } from 'node:path';
import { joined } from '../../report/document.ts';
import type { CommandContext } from '../context.ts';
import { type Ended, report, reportTenants, runTenants } from '../each-tenant.ts';
import { exitCode } from '../exit-codes.ts';
import { checkPlanPath } from '../output.ts';
import { namedPlans, planIn, planUse, reviewTenants } from '../plan-tenants.ts';
import { rendered } from '../print-document.ts';
import { checkPlansFolder, ownTargets, savePlan, savePlans, selectedTenants } from '../saved.ts';
import { asksForSeveral, type Target, targetsOf } from '../targets.ts';

/** Prints what apply would do, for one tenant or each of several, and saves it as --out asks. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  const isList = asksForSeveral(options);
  const selected = await targetsOf(io, options);
  if (out !== null) await (isList ? checkPlansFolder(out) : checkPlanPath(out));
  const { targets, save, finish } = await ownTargets(context, selected);
  const ended = await runTenants(context, targets, planUse(options), { save });
  await finish();
  if (isList) return reviewed(context, ended, selected, out);
  const documents = ended.filter(planIn).map(({ document }) => document);
  if (out !== null && documents.length > 0) await savePlan(out, await joined(rendered(context, documents, 'json')));
  return report(context, ended);
}

/** Prints the plans of several tenants with what they need approved. The digest of the folder is for apply --expect. */
async function reviewed(
  context: CommandContext,
  ended: readonly Ended[],
  selected: readonly Target[],
  out: string | null,
): Promise<number> {
  const plans = namedPlans(context, ended);
  const tenants = selected[0]?.project?.tenants ?? [];
  const review = reviewTenants(plans, selectedTenants(tenants, context.arguments.approve));
  const code = await reportTenants(context, ended, review);
  if (out !== null && !context.io.signal.aborted) await savePlans(context.output, out, plans);
  return review.length > 0 && code !== exitCode.failed ? exitCode.refused : code;
}
