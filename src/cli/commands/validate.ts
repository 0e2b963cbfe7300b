import { resolve } from 'node:path';
import { folderSource } from '../../config/files/folder-source.ts';
import { loadDesired } from '../../config/load-desired.ts';
import { readVariableOptions } from '../../config/variables/variable-options.ts';
import { kinds } from '../../kinds/index.ts';
import type { Desired } from '../../model/desired.ts';
import { quantity } from '../../report/quantity.ts';
import { renderDiagnostics } from '../../report/render-diagnostics.ts';
import type { CommandContext } from '../command.ts';
import { exitCode } from '../exit-codes.ts';
import { folderInRepository } from '../folder-in-repository.ts';

/** Loads and checks the files. What was asked for are the faults, so they are the result. */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const { folder, format } = options;
  const { variables, faults } = readVariableOptions(io, options);
  const {
    desired,
    diagnostics: found,
    files,
  } = await loadDesired(folderSource(resolve(io.cwd, folder)), kinds, variables);
  const diagnostics = [...faults, ...found];
  if (diagnostics.length > 0 || format !== 'text')
    output.result(renderDiagnostics(diagnostics, format, output.resultStyle, files, folderInRepository(io, folder)));
  if (desired === null || faults.length > 0) return exitCode.invalid;
  if (format === 'text') output.result(`valid: ${contents(desired)} (${quantity(files, 'file')})`);
  return exitCode.done;
}

function contents({ sections }: Desired): string {
  const counts = kinds.flatMap((kind) => {
    const section = sections.get(kind.name);
    return section === undefined ? [] : [`${kind.name} ${section.items.length}`];
  });
  return counts.length === 0 ? 'nothing is managed' : counts.join(', ');
}
