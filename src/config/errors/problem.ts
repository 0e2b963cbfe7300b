import { isHttpsUri } from '../../contract/formats.ts';
import type { Place } from '../../diagnostics/source-text.ts';
import type { DiagnosticCode } from '../../model/diagnostic.ts';
import { withoutUserInfo } from '../../values/short-url.ts';

/**
 * An error or a warning about the files, before it becomes a diagnostic: excerpts are taken when every secret of a file
 * is known.
 */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string;
  /** Default: error. */
  readonly severity?: 'error' | 'warning';
  readonly at?: Place;
}

export type ProblemText = Omit<Problem, 'at'>;

/** An error whose text is made only if it is shown: a file can have a hundred thousand. It is at this place or after it. */
export interface LateProblem {
  readonly at: Place;
  readonly make: () => Problem;
}

export type Report = (problem: Problem | LateProblem) => void;

/** Replaces a value whose problem has been reported, so that no later check reports it again. */
export const reportedValue = Symbol('a value with a reported problem');

export function isReported(value: unknown): boolean {
  return value === reportedValue;
}

/** In characters: a diagnostic is read, and its place shows the rest. */
const longest = 60;

/** The start of a long text, with `…`. */
function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** The start of a value in quotes, as messages show it: without the user info of an address. */
export function quoted(value: unknown): string {
  const text = String(value);
  return `"${shortened(/^\s*https?:/i.test(text) && !isHttpsUri(text) ? withoutUserInfo(text) : text)}"`;
}
