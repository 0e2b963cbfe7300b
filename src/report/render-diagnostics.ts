import type { Diagnostic, Excerpt } from '../model/diagnostic.ts';
import type { DiagnosticsDocument } from '../model/diagnostics.generated.ts';
import { annotationLines, diagnosticNotice } from './annotations.ts';
import type { DiagnosticsReport, Format, ReportContext } from './document.ts';
import { joinLines, jsonText, terminalText } from './escape.ts';
import { markdownDocument } from './markdown-document.ts';
import { displayWidth, plainStyle, type Style } from './terminal.ts';
import { characterBoundary, cutHint, cutSentence, formatSource, quantity } from './wording.ts';

/** Diagnostics of one run, in the given order. */
export function renderDiagnostics(
  { command, diagnostics, files }: Omit<DiagnosticsReport, 'type'>,
  format: Format,
  { style }: Pick<ReportContext, 'style'>,
): string {
  const summary = summaryText(diagnostics, files);
  switch (format) {
    case 'json':
      return jsonText(documentOf(diagnostics, files));
    case 'text':
      return joinLines([...diagnostics.flatMap((diagnostic) => [...diagnosticLines(diagnostic, style), '']), summary]);
    case 'markdown':
      return diagnosticsMarkdown(diagnostics, summary, command);
    case 'github':
      return annotationLines(diagnostics.map(diagnosticNotice), [summary]);
  }
}

function diagnosticLines({ code, severity, message, hint, source, excerpt }: Diagnostic, style: Style): string[] {
  const place = source === undefined ? [] : [style.bold(terminalText(formatSource(source)))];
  const word = severity === 'error' ? style.red('error') : style.yellow('warning');
  return [
    [...place, word, code].join('  '),
    `  ${terminalText(cutSentence(message))}`,
    ...(excerpt === undefined ? [] : excerptLines(excerpt).map((line) => `    ${line}`)),
    ...(hint === undefined ? [] : [`  hint: ${terminalText(cutHint(hint))}`]),
  ];
}

function diagnosticsMarkdown(diagnostics: readonly Diagnostic[], summary: string, name: string): string {
  const lines = diagnostics.flatMap((diagnostic) => ['', ...diagnosticLines(diagnostic, plainStyle)]).slice(1);
  const problems = { title: 'Problems', weight: 'visible', language: 'text', lines, notes: [] } as const;
  return markdownDocument({
    head: [`<!-- tenant-sync ${name} -->`, `## tenant-sync ${name}`, '', `**${summary}**`],
    sections: lines.length === 0 ? [] : [problems],
    foot: [],
  });
}

function documentOf(diagnostics: readonly Diagnostic[], files: number): DiagnosticsDocument {
  return {
    format_version: '1.0',
    diagnostics: diagnostics.map(({ code, severity, message, hint, source }) => ({
      code,
      severity,
      message,
      hint: hint ?? null,
      source: source === undefined ? null : { file: source.file, line: source.line, column: source.column },
    })),
    summary: { ...countsOf(diagnostics), files },
  };
}

/** `3 errors, 1 warning in 5 files`; without the files if a diagnostic is not about a place in one. */
export function summaryText(diagnostics: readonly Diagnostic[], files: number): string {
  const { errors, warnings } = countsOf(diagnostics);
  const counts = [
    errors > 0 ? quantity(errors, 'error') : '',
    warnings > 0 ? quantity(warnings, 'warning') : '',
  ].filter((text) => text !== '');
  const isInFiles = files > 0 && diagnostics.every(({ source }) => source !== undefined);
  return `${counts.join(', ') || 'No problems'}${isInFiles ? ` in ${quantity(files, 'file')}` : ''}`;
}

function countsOf(diagnostics: readonly Diagnostic[]): { readonly errors: number; readonly warnings: number } {
  const counts = { error: 0, warning: 0 };
  for (const { severity, count = 1 } of diagnostics) counts[severity] += count;
  return { errors: counts.error, warnings: counts.warning };
}

/** The most of a long line, or of a long marked range, that is shown on either side, in UTF-16 units. */
const around = 80;

/**
 * The line, and carets under its marked range. Columns count characters of the file, but carets are placed under
 * escaped text, so the part before the range is escaped first and then measured:
 *
 *   <tab>name: x   at column 2  ->  8 | \tname: x
 *                                     |   ^^^^
 */
export function excerptLines(excerpt: Excerpt): string[] {
  const { before, marked, after } = partsOf(excerpt);
  const number = String(excerpt.line);
  const carets = ' '.repeat(displayWidth(before)) + '^'.repeat(Math.max(1, displayWidth(marked)));
  return [`${number} | ${before}${marked}${after}`.trimEnd(), `${' '.repeat(number.length)} | ${carets}`];
}

/** The escaped parts of the line that are shown. */
function partsOf({ text, column, width }: Excerpt): {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
} {
  const start = Math.min(column - 1, text.length);
  const end = characterBoundary(text, Math.min(start + width, start + around, text.length));
  const from = start > around ? characterBoundary(text, start - around) : 0;
  const to = text.length - end > around ? characterBoundary(text, end + around) : text.length;
  return {
    before: (from > 0 ? '…' : '') + terminalText(text.slice(from, start)),
    marked: terminalText(text.slice(start, end)),
    after: terminalText(text.slice(end, to)) + (to < text.length ? '…' : ''),
  };
}
