import { hasDrift } from '../../plan/drift.ts';
import { renderPlan } from '../../report/render-report.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { reportContext, tell } from '../plan-result.ts';
import { prepare } from '../prepare.ts';
import { readPlan } from '../read-plan.ts';
import { selectionOf } from '../selection-of.ts';

/** The plan, told from the tenant's side. A proven difference is drift, even where something else could not be checked. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const selection = selectionOf(options);
  const prepared = await prepare(io, options, selection);
  tell(context, prepared.warnings);
  const { plan } = await readPlan(context, prepared, selection);
  output.result(renderPlan(plan, 'drift', options.format, reportContext(context)));
  if (hasDrift(plan)) return exitCode.difference;
  return plan.complete ? exitCode.done : exitCode.failed;
}
