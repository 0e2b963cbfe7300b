import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { firstLine } from './run-git.ts';

/** Why there is no base, as a diagnostic. */
export class BaseProblem extends Error {
  readonly diagnostic: Diagnostic;

  constructor(code: Diagnostic['code'], message: string, hint: string) {
    super(message);
    this.diagnostic = problem(code, message, hint);
  }
}

export function notFetched(detail: string): BaseProblem {
  const message = `This clone lacks objects of the base: ${firstLine(detail)}.`;
  return new BaseProblem(
    'BASE_NOT_FETCHED',
    message,
    'clone without --filter, or run: git fetch --refetch --no-filter',
  );
}
