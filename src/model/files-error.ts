import type { Diagnostic } from './diagnostic.ts';

/** Errors of the files that only the live state shows, such as a name that no live item has. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code }) => code).join(', '));
    this.diagnostics = diagnostics;
  }
}
