// What became of the tenants of a command, as one result.
import { kinds } from '../kinds/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DiagnosticsReport, Documents, ReportDocument } from '../report/document.ts';
import type { CommandContext } from './context.ts';
import { type Ended, hasResult } from './each-tenant.ts';
import { exitCode } from './exit-codes.ts';
import { reportBeside } from './output.ts';
import { type DocumentContext, printDocuments, reportErrors, reportStop, writeReports } from './print-document.ts';
import { asksForSeveral, ofTenants } from './targets.ts';

/** Prints what became of the only tenant, or of each of several. Returns the exit code. */
export async function report(context: CommandContext, ended: readonly Ended[]): Promise<number> {
  const [only] = ended;
  if (only === undefined || asksForSeveral(context.arguments)) return reportTenants(context, ended);
  const { document, beside, code } = only;
  if (document.type !== 'diagnostics') {
    await printDocuments(context, [document], { kinds, scopes: context.arguments.printScopes });
    reportBeside(context.output, beside);
  } else if (document.diagnostics.length > 0) await reportErrors(context, document.diagnostics, document.files);
  else reportStop(context);
  return code;
}

/** Prints the documents as one result, in the order of the tenants. Returns the exit code. */
export async function reportTenants(
  context: CommandContext,
  ended: readonly Ended[],
  together: readonly Diagnostic[] = [],
): Promise<number> {
  const { io, output, arguments: options } = context;
  const documents = ended.filter(hasResult).map(({ document }) => document);
  await printTogether(context, documents, together, { kinds, isList: true, scopes: options.printScopes });
  const beside = ended.flatMap(({ target, beside }) => beside.map((one) => [target, one] as const));
  reportBeside(output, [...ofTenants(beside, ended.length), ...together]);
  if (io.signal.aborted) reportStop(context);
  return worst(ended.map(({ code }) => code));
}

/** Prints documents of several tenants as one result, and after them what is true of all tenants together. */
export async function printTogether(
  context: CommandContext,
  documents: Documents,
  together: readonly Diagnostic[],
  about: DocumentContext & Partial<Pick<DiagnosticsReport, 'command'>>,
): Promise<void> {
  const { command = context.arguments.command } = about;
  const last: ReportDocument = { type: 'diagnostics', command, diagnostics: together, files: 0 };
  const all = together.length === 0 && documents.length > 0 ? documents : [...documents, last];
  // As text, diagnostics are on standard error only.
  const isText = context.arguments.format === 'text';
  if (!isText || documents.length > 0)
    await printDocuments({ ...context, reports: [] }, isText ? documents : all, about);
  await writeReports(context, all, about);
}

/** The most important exit code of several runs. */
export function worst(codes: readonly number[]): number {
  const { failed, refused, invalid, difference, done } = exitCode;
  return [failed, refused, invalid, difference].find((code) => codes.includes(code)) ?? done;
}
