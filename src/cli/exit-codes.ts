import { problem } from '../diagnostics/problem.ts';
import type { Applied, ApplyResult, DriftResult, PlanResult, PullResult, ValidateResult } from '../engine/results.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasDrift, hasErrors, isOutOfSync } from '../plan/summary.ts';

/** Public API. A run stopped by signal n exits with 128 + n. */
export const exitCode = {
  done: 0,
  failed: 1,
  difference: 2,
  invalid: 3,
  refused: 4,
} as const;

/** The exit code of every result of the engine. With these options of plan and pull, a difference has one of its own. */
export function exitCodeOf(
  result: ValidateResult | PlanResult | DriftResult | PullResult | ApplyResult,
  options: { readonly exitCode?: boolean; readonly check?: boolean } = {},
): number {
  switch (result.status) {
    case 'valid':
      return exitCode.done;
    case 'planned':
      if (hasErrors(result.plan)) return exitCode.failed;
      return options.exitCode && isOutOfSync(result.plan) ? exitCode.difference : exitCode.done;
    case 'pulled':
      if (!result.complete) return exitCode.refused;
      // What stays as it is in the files differs as well.
      return options.check && (result.files.length > 0 || hasDrift(result.plan)) ? exitCode.difference : exitCode.done;
    case 'compared':
      if (result.differs) return exitCode.difference;
      return result.plan.complete ? exitCode.done : exitCode.failed;
    case 'applied':
      if (hasErrors(result.outcomes.plan)) return exitCode.failed;
      if (result.complete) return exitCode.done;
      return hasOnlyConflicts(result) ? exitCode.refused : exitCode.failed;
    case 'invalid':
      return exitCode.invalid;
    case 'refused':
      return hasErrors(result.plan) ? exitCode.failed : exitCode.refused;
    case 'changed':
    case 'locked':
      return exitCode.refused;
    // A stopped run exits with the number of its signal.
    case 'failed':
    case 'stopped':
      return exitCode.failed;
  }
}

/** True if nothing failed: only items that changed in the meantime, and their dependents, were left alone. */
function hasOnlyConflicts({ outcomes, diagnostics, bug }: Applied): boolean {
  const { conflict, failed, unknown } = outcomes.summary;
  const isShown = outcomes.verification?.result !== 'not_read' && !outcomes.outcomes.some((one) => one.not_shown);
  return conflict > 0 && failed + unknown === 0 && isShown && diagnostics.length === 0 && bug === null;
}

function lineOf({ code, message, source }: Diagnostic): string {
  return `${source === undefined ? '' : `${source.file}:${source.line}:${source.column} `}${code}: ${message}`;
}

/** Ends a command before the engine runs, with diagnostics and an exit code. Caught by `run` alone. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files read. */
  readonly files: number;

  constructor(exitCode: number, diagnostics: readonly Diagnostic[], files = 0) {
    super(diagnostics.slice(0, 3).map(lineOf).join('; '));
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
    this.files = files;
  }
}

/** An option that cannot be used, and what to write instead. */
export function invalidOption(message: string, hint: string): CommandError {
  return new CommandError(exitCode.invalid, [problem('OPTION_INVALID', message, hint)]);
}
