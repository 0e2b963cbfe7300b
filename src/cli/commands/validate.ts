import { kinds } from '../../kinds/index.ts';
import type { Desired } from '../../model/desired.ts';
import { quantity } from '../../report/wording.ts';
import { validate } from '../../sync/validate.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, exitCodeOf } from '../exit-codes.ts';
import { printDocuments, writeReports } from '../print-document.ts';
import { fileOptions } from '../run-options.ts';

/** Loads and checks the files. The errors are the result, so they go to standard output. */
export async function command(context: CommandContext): Promise<number> {
  const { arguments: options, io, output } = context;
  const files = fileOptions(io, options);
  const result = await validate(files.options);
  const diagnostics = [...files.problems, ...(result.status === 'valid' ? result.warnings : result.diagnostics)];
  const document = { type: 'diagnostics', command: 'validate', diagnostics, files: result.files } as const;
  const isSilent = diagnostics.length === 0 && options.format === 'text';
  await (isSilent ? writeReports(context, [document]) : printDocuments(context, [document]));
  if (files.problems.length > 0) return exitCode.invalid;
  if (result.status === 'valid' && options.format === 'text')
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
