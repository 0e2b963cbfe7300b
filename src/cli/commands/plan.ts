import { resolve } from 'node:path';
import { kinds } from '../../kinds/index.ts';
import { joined } from '../../report/document.ts';
import type { CommandContext } from '../context.ts';
import { prepared, runAlone } from '../each-tenant.ts';
import { exitCode } from '../exit-codes.ts';
import { checkPlanPath } from '../output.ts';
import { namedPlans, planTenants, planUseOf, reviewScope, reviewTenants } from '../plan-tenants.ts';
import { rendered } from '../print-document.ts';
import { reportAlone, reportTenants } from '../report-tenants.ts';
import { ownTargets } from '../results.ts';
import { withBase } from '../run-options.ts';
import { checkPlansFolder, savePlan, savePlans } from '../saved-plans.ts';
import { asksForSeveral, type Target, targetOf, targetsOf } from '../targets.ts';

/** Prints what apply would do, for one tenant or each of several, and saves it to the file of --out. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io } = context;
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (asksForSeveral(options)) return planSeveral(context, await targetsOf(io, options), out);
  const target = await targetOf(io, options);
  if (out !== null) await checkPlanPath(out);
  const planned = await withBase(io, options, (baseOf, problems) =>
    runAlone(context, target, planUseOf(options, baseOf, options.changed), { problems }),
  );
  const about = { kinds, scopes: options.printScopes };
  if (out !== null && planned.result !== null)
    await savePlan(out, await joined(rendered(context, [planned.document], 'json', about)));
  return reportAlone(context, planned, about);
}

/** Saves them to the folder `out`, with an index whose digest `apply --expect` takes. */
async function planSeveral(context: CommandContext, selected: readonly Target[], out: string | null): Promise<number> {
  const { arguments: options, output } = context;
  if (out !== null) await checkPlansFolder(out);
  const { targets, save } = await ownTargets(context, selected);
  const ended = await planTenants(context, await prepared(context, targets), save);
  const plans = namedPlans(ended);
  const review = reviewTenants(plans, reviewScope(selected, targets.length, options.approve));
  const code = await reportTenants(context, ended, review);
  if (out !== null && !context.io.signal.aborted) await savePlans(output, out, plans);
  return review.length > 0 && code !== exitCode.failed ? exitCode.refused : code;
}
