import { kinds } from '../../kinds/index.ts';
import { drift } from '../../sync/drift.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { printDocuments, reportEnd } from '../print-document.ts';
import { readOptions } from '../run-options.ts';
import { watch } from '../watch.ts';

/** Prints how the tenant differs from the files. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const inputs = await readOptions(io, options);
  const result = await watch(context, (onEvent) => drift({ ...inputs, onEvent, onSecret: output.hide }));
  if (result.status !== 'compared') return reportEnd(context, result);
  await printDocuments(context, [{ type: 'drift', plan: result.plan, diagnostics: [] }], { kinds });
  return exitCodeOf(result);
}
