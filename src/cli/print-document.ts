import { warning } from '../diagnostics/problem.ts';
import { writeAtomically } from '../files/safe-file-access.ts';
import type { ReportDocument } from '../report/document.ts';
import { type FormatContext, type FormatName, formatRow } from '../report/formats.ts';
import { plainStyle } from '../report/style.ts';
import { version } from '../sync/version.ts';
import { commandsOf } from './apply-command.ts';
import { maskDocument } from './mask-document.ts';
import { terminalWidth } from './output.ts';
import type { EndContext } from './report-end.ts';
import { folderInRepository, reportBeside } from './report-end.ts';
import type { ReportFile } from './reports.ts';

/** What the documents of a run need besides their data. */
export type DocumentContext = Partial<Pick<FormatContext, 'kinds' | 'scopes' | 'forecast' | 'isList'>>;

/** Documents in the formats of a run. Only text depends on where it is shown, so any other format is rendered once. */
export interface Rendering {
  /** As a file has it. */
  text(format: FormatName): Promise<string>;
  /** As stdout shows it. */
  shown(format: FormatName): Promise<string>;
}

export function openRendering(
  context: EndContext,
  documents: readonly ReportDocument[],
  about: DocumentContext = {},
): Rendering {
  const { io, output } = context;
  const known = new Map<FormatName, Promise<string>>();
  const text = (format: FormatName) => {
    const rendered = known.get(format) ?? renderDocuments(context, documents, format, about);
    known.set(format, rendered);
    return rendered;
  };
  const shown = { ...about, style: output.resultStyle, width: terminalWidth(io.stdout) };
  return {
    text,
    shown: (format) => (format === 'text' ? renderDocuments(context, documents, format, shown) : text(format)),
  };
}

/** Documents in one format, without secrets. */
async function renderDocuments(
  context: EndContext,
  documents: readonly ReportDocument[],
  format: FormatName,
  about: DocumentContext & Partial<Pick<FormatContext, 'style' | 'width'>>,
): Promise<string> {
  const { io, output, arguments: options } = context;
  const formatContext: FormatContext = {
    style: plainStyle,
    kinds: [],
    ...(options?.detail !== undefined && { detail: options.detail }),
    folder: folderInRepository(io, options?.folder ?? '.'),
    version: version(),
    ...((options?.command === 'plan' || options?.command === 'apply') && { commands: commandsOf(io, options) }),
    explanations: async () => (await import('../sync/explain.ts')).explanations(),
    ...about,
  };
  const { load, dividesTexts = false } = formatRow(format);
  const render = await load();
  const { mask } = output;
  const text = await render(documents, formatContext);
  const searched = dividesTexts ? [text, JSON.stringify(documents)] : [text];
  if (searched.every((one) => mask(one) === one)) return text;
  // A secret may be cut, or be a part of an escape, once it is in a format.
  const masked = documents.map((document) => maskDocument(document, mask));
  return mask(await render(masked, formatContext));
}

/** The result of a run: on stdout in its format, then in every file of --report. */
export function printDocument(context: EndContext, document: ReportDocument, about?: DocumentContext): Promise<void> {
  return printDocuments(context, [document], about);
}

/** The same for several results as one. */
export function printDocuments(
  context: EndContext,
  documents: readonly ReportDocument[],
  about?: DocumentContext,
): Promise<void> {
  return printRendering(context, openRendering(context, documents, about));
}

export async function printRendering(context: EndContext, rendering: Rendering): Promise<void> {
  context.output.result(await rendering.shown(context.arguments?.format ?? 'text'));
  await writeRendering(context, rendering);
}

/** Reports are for other programs and people, like any file that a build makes; a saved plan is not. */
const reportMode = 0o666;

/** Writes the files of --report. What cannot be written is a warning: the run itself is not affected. */
export function writeReports(
  context: EndContext,
  documents: readonly ReportDocument[],
  about?: DocumentContext,
): Promise<void> {
  return writeRendering(context, openRendering(context, documents, about));
}

async function writeRendering(context: EndContext, rendering: Rendering): Promise<void> {
  for (const report of context.reports ?? []) {
    const { mark = '' } = formatRow(report.format);
    const text = mark + (await rendering.text(report.format));
    await writeAtomically(report.path, text, undefined, reportMode).catch((error: unknown) =>
      reportBeside(context.output, [notWritten(report, error)]),
    );
  }
}

function notWritten({ format, shown }: ReportFile, error: unknown) {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const hint = 'the exit code and the output are not affected; free some space, or choose another path';
  return warning('REPORT_NOT_WRITTEN', `--report ${format}=${shown} could not be written: ${why}.`, hint);
}
