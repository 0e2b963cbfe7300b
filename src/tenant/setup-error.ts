import type { Diagnostic } from '../model/diagnostic.ts';

/** The tenant cannot start with these options or this seed, or a change would make its state invalid. */
export class TenantSetupError extends Error {
  override readonly name = 'TenantSetupError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.diagnostics = diagnostics;
  }
}
