import type { ServiceTrouble } from '../model/client.ts';
import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';

/** Trouble with the service or the network that ends a run. */
export class ServiceError extends Error implements ServiceTrouble {
  override readonly name = 'ServiceError';
  readonly diagnostic: Diagnostic;

  constructor(code: DiagnosticCode, message: string, more: { readonly hint?: string; readonly cause?: Error } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.diagnostic = { code, severity: 'error', message, ...(more.hint === undefined ? {} : { hint: more.hint }) };
  }
}
