import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { exitCode } from './exit-codes.ts';

/** Ends a command before the engine runs, with diagnostics and an exit code. Caught by `run` alone. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read. */
  readonly files: number;

  constructor(exitCode: number, diagnostics: readonly Diagnostic[], files = 0) {
    super(diagnostics.map(({ code }) => code).join(', '));
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
    this.files = files;
  }
}

/** An option that cannot be used, and what to write instead. */
export function invalidOption(message: string, hint: string): CommandError {
  return new CommandError(exitCode.invalid, [problem('OPTION_INVALID', message, hint)]);
}
