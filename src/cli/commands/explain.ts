import { renderCodes, renderExplanation } from '../../report/render-explanation.ts';
import { explain, explanations } from '../../sync/explain.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { outputWidth } from '../output.ts';

/** Prints what a code means and what to do, or all codes; with --item, where the files declare an item. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  if (options.item !== undefined) return (await import('./explain-item.ts')).explainItem(context, options.item);
  const [code] = options.operands;
  const format = options.format === 'json' ? 'json' : 'text';
  const width = outputWidth(io.stdout);
  if (code === undefined) {
    output.result(renderCodes(await explanations(), format, output.resultStyle));
    return exitCode.done;
  }
  const result = await explain(code);
  if (result.status === 'unknown') {
    const hint = result.nearest === null ? 'run: tenant-sync explain' : `run: tenant-sync explain ${result.nearest}`;
    throw invalidOption(`"${code}" is not a code of tenant-sync.`, hint);
  }
  output.result(renderExplanation(result.explanation, format, output.resultStyle, width));
  return exitCode.done;
}
