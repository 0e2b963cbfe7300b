import { resolve } from 'node:path';
import { renderPlan } from '../../report/render-report.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { checkForecastOptions, durationUnknown, tooLong } from '../forecast-plan.ts';
import { refusalsOf, reportContext, tell } from '../plan-result.ts';
import { prepare } from '../prepare.ts';
import { readPlan } from '../read-plan.ts';
import { checkPlanPath, savePlan } from '../saved-plan.ts';
import { selectionOf } from '../selection-of.ts';

export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  checkForecastOptions(options);
  const selection = selectionOf(options);
  const out = options.out === undefined ? null : resolve(io.cwd, options.out);
  if (out !== null) await checkPlanPath(out);
  const prepared = await prepare(io, options, selection);
  tell(context, prepared.warnings);
  const { plan, forecast } = await readPlan(context, prepared, selection);
  if (out !== null) await savePlan(out, renderPlan(plan, 'plan', 'json', reportContext(context)));
  output.result(
    renderPlan(plan, 'plan', options.format, { ...reportContext(context), scopes: options.printScopes, forecast }),
  );
  const refusals = [...refusalsOf(plan, false, options.folder), ...tooLong(options, forecast)];
  tell(context, [...durationUnknown(options, forecast), ...refusals]);
  if (refusals.length > 0) return exitCode.refused;
  return options.exitCode && plan.actions.length > 0 ? exitCode.difference : exitCode.done;
}
