import { problem } from '../diagnostics/problem.ts';
import type { Failed, Invalid, Locked, Stopped } from '../engine/results.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsReport } from '../report/document.ts';
import type { EndContext } from './context.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { StopReason } from './io.ts';
import { type Output, reportBeside } from './output.ts';
import { printDocument, writeReports } from './print-document.ts';

/** The end of a run that has no plan to show; returns its exit code. */
export async function reportEnd(context: EndContext, result: Invalid | Failed | Locked | Stopped): Promise<number> {
  if (result.status === 'stopped') reportStop(context);
  else await reportErrors(context, result.diagnostics, result.status === 'invalid' ? result.files : 0);
  return exitCodeOf(result);
}

/**
 * Errors as the result of a run: on standard error for people, on standard output in every other format, and in every
 * file of --report.
 */
export async function reportErrors(context: EndContext, diagnostics: readonly Diagnostic[], files = 0): Promise<void> {
  const { output, arguments: options } = context;
  const format = options?.format ?? 'text';
  const document: DiagnosticsReport = {
    type: 'diagnostics',
    command: options?.command ?? 'validate',
    diagnostics,
    files,
  };
  if (format === 'text') await writeReports(context, [document]);
  else await printDocument(context, document);
  if (format !== 'github') reportBeside(output, diagnostics, files);
}

export function reportStop({ io, output }: EndContext): void {
  output.talk(`Stopped by ${(io.signal.reason as StopReason).name}. Every request sent is listed above.`);
}

/** A bug as a diagnostic; with --debug its stack is printed. */
export function internalError(error: unknown, output: Output, debug: boolean): Diagnostic {
  if (debug && error instanceof Error) output.talk(error.stack ?? error.message);
  const message = `Internal error: ${error instanceof Error ? error.message : String(error)}`;
  return problem('INTERNAL_ERROR', message, 'report it with the output of --debug');
}
