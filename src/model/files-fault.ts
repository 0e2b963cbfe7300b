import type { Diagnostic } from './diagnostic.ts';

/** Faults of the files that only the tenant could show, such as a role by a name that no role has. */
export class FilesFault extends Error {
  override readonly name = 'FilesFault';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code }) => code).join(', '));
    this.diagnostics = diagnostics;
  }
}
