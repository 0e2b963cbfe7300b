import { renderPlan } from '../../report/render-report.ts';
import { drift } from '../../sync/drift.ts';
import { exitCodeOf } from '../exit-codes.ts';
import type { CommandContext } from '../io.ts';
import { reportContext } from '../report-context.ts';
import { reportEnd } from '../report-end.ts';
import { readOptions } from '../run-options.ts';
import { watch } from '../watch.ts';

/** Prints how the tenant differs from the files. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const inputs = await readOptions(io, options);
  const result = await watch(context, (onEvent) => drift({ ...inputs, onEvent, onSecret: output.hide }));
  if (result.status !== 'compared') return reportEnd(context, result);
  output.result(renderPlan(result.plan, 'drift', options.format, reportContext(context)));
  return exitCodeOf(result);
}
