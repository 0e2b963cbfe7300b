import { resolve } from 'node:path';
import { readVariableOptions } from '../config/variables/variable-options.ts';
import type { BaseFiles } from '../engine/options.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Io } from './io.ts';
import type { Arguments } from './parse-arguments.ts';

export interface GivenBase {
  readonly base?: BaseFiles;
  /** Why there is no base although --base names one. */
  readonly problems: readonly Diagnostic[];
}

/** Opens the base that --base names, as long as `use` takes. */
export async function withBase<Result>(
  io: Pick<Io, 'cwd' | 'env'>,
  options: Pick<Arguments, 'base' | 'folder' | 'var' | 'varFile'>,
  use: (given: GivenBase) => Promise<Result>,
): Promise<Result> {
  if (options.base === undefined) return use({ problems: [] });
  // Git is not needed without a base.
  const { openBase } = await import('../git/open-base.ts');
  const { variables } = readVariableOptions(io, options);
  const opened = await openBase({
    folder: resolve(io.cwd, options.folder),
    ref: options.base,
    env: io.env,
    variableFiles: variables.files.map((now, index) => ({
      absolute: resolve(io.cwd, options.varFile[index] ?? ''),
      now,
    })),
  });
  if (opened.status === 'invalid') return use({ problems: opened.diagnostics });
  const { status: _status, close, variableFiles, ...base } = opened;
  try {
    return await use({ base: { ...base, variables: { ...variables, files: variableFiles } }, problems: [] });
  } finally {
    close();
  }
}
