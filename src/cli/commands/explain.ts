import { renderExplanation } from '../../report/render-explanation.ts';
import { explain } from '../../sync/explain.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { outputWidth } from '../output.ts';

/** Prints what a code means and what to do. */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const [code = ''] = options.operands;
  const result = await explain(code);
  if (result.status === 'unknown') {
    const hint =
      result.nearest === null ? 'docs/diagnostics.md lists every code' : `run: tenant-sync explain ${result.nearest}`;
    throw invalidOption(`"${code}" is not a code of tenant-sync.`, hint);
  }
  const format = options.format === 'json' ? 'json' : 'text';
  output.result(renderExplanation(result.explanation, format, output.resultStyle, outputWidth(io.stdout)));
  return exitCode.done;
}
