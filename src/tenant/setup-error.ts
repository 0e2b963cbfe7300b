import type { Diagnostic } from '../model/diagnostic.ts';

/** The tenant cannot be opened, or a change would leave it in a state that its schema forbids. */
export class TenantSetupError extends Error {
  override readonly name = 'TenantSetupError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.diagnostics = diagnostics;
  }
}
