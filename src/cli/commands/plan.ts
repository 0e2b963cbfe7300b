import { resolve } from 'node:path';
import { kinds } from '../../kinds/index.ts';
import { joined } from '../../report/document.ts';
import { plan } from '../../sync/plan.ts';
import type { CommandContext } from '../context.ts';
import { prepared, reportTenants } from '../each-tenant.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import { reportBeside } from '../output.ts';
import { checkPlanPath } from '../output-files.ts';
import {
  isPlanDifferent,
  namedPlans,
  planDocument,
  planTenants,
  reviewScope,
  reviewTenants,
  shownPlans,
} from '../plan-tenants.ts';
import { printDocuments, rendered, reportEnd } from '../print-document.ts';
import { ownTargets } from '../results.ts';
import { given, readOptions, withBase } from '../run-options.ts';
import { checkPlansFolder, savePlan, savePlans } from '../saved-plans.ts';
import { asksForSeveral, type Target, targetsOf } from '../targets.ts';
import { watch } from '../watch.ts';

/** Prints what apply would do, for one tenant or each of several, and saves it to the file of --out. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { approve, changed, printScopes } = options;
  const targets = await targetsOf(io, options);
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (asksForSeveral(options)) return planSeveral(context, targets, out);
  if (out !== null) await checkPlanPath(out);
  const result = await withBase(io, options, async (baseOf) => {
    const { base, problems } = await baseOf(targets[0]);
    const inputs = await readOptions(io, options, problems, undefined, targets[0]);
    return watch(context, (onEvent) =>
      plan({ ...inputs, ...given({ base, approve }), changed, onEvent, onSecret: output.hide }),
    );
  });
  if (result.status !== 'planned' && result.status !== 'refused') return reportEnd(context, result);

  const document = planDocument(result);
  const about = { kinds, scopes: printScopes };
  if (out !== null) await savePlan(out, await joined(rendered(context, [document], 'json', about)));
  await printDocuments(context, [document], about);
  reportBeside(output, document.diagnostics);
  const code = exitCodeOf(result);
  return code === exitCode.done && options.exitCode && isPlanDifferent(result) ? exitCode.difference : code;
}

/** Saves them to the folder `out`, with an index whose digest `apply --expect` takes. */
async function planSeveral(context: CommandContext, selected: readonly Target[], out: string | null): Promise<number> {
  const { arguments: options, output } = context;
  if (out !== null) await checkPlansFolder(out);
  const { targets, save } = await ownTargets(context, selected);
  const ended = await planTenants(context, await prepared(context, targets), save);
  const review = reviewTenants(namedPlans(ended), reviewScope(selected, targets.length, options.approve));
  const code = await reportTenants(context, ended, review);
  if (out !== null && !context.io.signal.aborted) await savePlans(output, out, shownPlans(ended));
  return review.length > 0 && code !== exitCode.failed ? exitCode.refused : code;
}
