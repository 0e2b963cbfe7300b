import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';

/** Ends a command with diagnostics and an exit code. Thrown only below the command line, caught only by it. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** YAML files that were read on the way. */
  readonly files: number;

  constructor(exitCode: number, diagnostics: readonly Diagnostic[], files = 0) {
    super(diagnostics.map(({ code }) => code).join(', '));
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
    this.files = files;
  }
}

/** A fault of one error. */
export function fault(exitCode: number, code: DiagnosticCode, message: string, hint?: string): Fault {
  return new Fault(exitCode, [problem(code, message, hint)]);
}

export function problem(code: DiagnosticCode, message: string, hint?: string): Diagnostic {
  return { code, severity: 'error', message, ...(hint === undefined ? {} : { hint }) };
}
