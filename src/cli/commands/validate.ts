import { kinds } from '../../kinds/index.ts';
import type { Desired } from '../../model/desired.ts';
import { renderDiagnostics } from '../../report/render-diagnostics.ts';
import { quantity } from '../../report/wording.ts';
import { validate } from '../../sync/validate.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import type { CommandContext } from '../io.ts';
import { folderInRepository } from '../report-end.ts';
import { fileOptions } from '../run-options.ts';

/** Loads and checks the files. The errors are the result, so they go to standard output. */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const { folder, format } = options;
  const files = fileOptions(io, options);
  const result = await validate(files.options);
  const diagnostics = [...files.problems, ...(result.status === 'valid' ? result.warnings : result.diagnostics)];
  if (diagnostics.length > 0 || format !== 'text')
    output.result(
      renderDiagnostics(diagnostics, format, output.resultStyle, result.files, folderInRepository(io, folder)),
    );
  if (files.problems.length > 0) return exitCode.invalid;
  if (result.status === 'valid' && format === 'text')
    output.result(`valid: ${contents(result.desired)} (${quantity(result.files, 'file')})`);
  return exitCodeOf(result);
}

function contents({ sections }: Desired): string {
  const counts = kinds.flatMap(({ name }) => {
    const section = sections.get(name);
    return section === undefined ? [] : [`${name} ${section.items.length}`];
  });
  return counts.length === 0 ? 'nothing is managed' : counts.join(', ');
}
