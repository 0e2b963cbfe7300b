import { problem } from '../diagnostics/problem.ts';
import type { Pulled } from '../engine/results.ts';
import { WriteRefused, writeFiles } from '../files/write-files.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/**
 * Writes what was pulled into the folder, each file atomically. Without files, it only ends an interrupted writing. `refused`, and nothing was written, if a file changed
 * since it was read or a link leads out of the folder. Names of files begin with `at`, which is the folder. Rejects with the error of the file system.
 */
export async function writePulled(
  folder: string,
  { files, add }: Pick<Pulled, 'files' | 'add'>,
  at = '',
): Promise<
  { readonly status: 'written' } | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
> {
  try {
    await writeFiles(
      folder,
      files.map((one) => ({ ...one, file: one.file.slice(at.length) })),
      add,
    );
    return { status: 'written' };
  } catch (error) {
    if (!(error instanceof WriteRefused)) throw error;
    return { status: 'refused', diagnostics: [refusal(at + error.file, error)] };
  }
}

function refusal(file: string, { reason }: WriteRefused): Diagnostic {
  const source = { file, line: 1, column: 1 };
  if (reason === 'outside') {
    const message = 'The path of this file leads out of the tenant folder. Only files below the folder are written.';
    return { ...problem('PULL_FILE_CHANGED', message, 'replace the link with a folder or a file'), source };
  }
  return fileChanged(file, 'This file changed after it was read, so it was not overwritten.');
}

export function fileChanged(file: string, message: string): Diagnostic {
  return { ...problem('PULL_FILE_CHANGED', message, 'pull again'), source: { file, line: 1, column: 1 } };
}
