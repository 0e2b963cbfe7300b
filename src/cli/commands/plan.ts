import { resolve } from 'node:path';
import type { Plan } from '../../model/plan.generated.ts';
import { renderPlan } from '../../report/render-report.ts';
import { plan } from '../../sync/plan.ts';
import { approveWith } from '../apply-command.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import type { CommandContext } from '../io.ts';
import { checkPlanPath, planJson, savePlan } from '../plan-file.ts';
import { reportContext } from '../report-context.ts';
import { reportBeside, reportEnd } from '../report-end.ts';
import { readOptions } from '../run-options.ts';
import { watch } from '../watch.ts';

/** Prints what apply would do, and saves it to the file of --out. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const { maxDuration: maxSeconds, assumeUnlimited, format, printScopes } = options;
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (out !== null) await checkPlanPath(out);
  const inputs = await readOptions(io, options);
  const result = await watch(context, (onEvent) =>
    plan({
      ...inputs,
      onEvent,
      onSecret: output.hide,
      approveWith: approveWith(options),
      assumeUnlimited,
      ...(maxSeconds !== undefined && { maxSeconds }),
    }),
  );
  if (result.status !== 'planned' && result.status !== 'refused') return reportEnd(context, result);

  const report = { ...reportContext(context), scopes: printScopes, forecast: result.forecast };
  const render = (plan: Plan) => renderPlan(plan, 'plan', 'json', report);
  const json = out !== null || format === 'json' ? planJson(result.plan, render, output.mask) : '';
  if (out !== null) await savePlan(out, json);
  output.result(format === 'json' ? json : renderPlan(result.plan, 'plan', format, report));
  reportBeside(output, [...result.warnings, ...(result.status === 'refused' ? result.refusals : [])]);
  const code = exitCodeOf(result);
  const hasActions = result.plan.actions.length > 0;
  return code === exitCode.done && options.exitCode && hasActions ? exitCode.difference : code;
}
