import { locationText } from '../diagnostics/source-text.ts';
import type { Diagnostic, Excerpt } from '../model/diagnostic.ts';
import type { DiagnosticsDocument } from '../model/diagnostics.generated.ts';
import type { DiagnosticsReport } from './document.ts';
import { joinLines, terminalText } from './escape.ts';
import { markdownDocument } from './markdown-document.ts';
import { displayWidth, plainStyle, type Style } from './terminal.ts';
import { cutHint, cutSentence, quantity } from './wording.ts';

/** Diagnostics of one run, in the given order. */
type Diagnosed = Pick<DiagnosticsReport, 'command' | 'diagnostics' | 'files' | 'totals'>;

export function diagnosticsText({ diagnostics, files, totals }: Omit<Diagnosed, 'command'>, style: Style): string {
  const lines = diagnostics.flatMap((diagnostic) => [...diagnosticLines(diagnostic, style), '']);
  const head = totals === undefined ? [] : [style.bold(totals.join('   '))];
  if (diagnostics.length === 0 && head.length > 0) return joinLines(head);
  return joinLines([...head, ...head.map(() => ''), ...lines, summaryText(diagnostics, files)]);
}

/** What leads a report of problems. */
export function problemsHeadline({ diagnostics, files, totals }: Omit<Diagnosed, 'command'>): string {
  return totals?.join(' · ') ?? summaryText(diagnostics, files);
}

function diagnosticLines({ code, severity, message, hint, source, excerpt }: Diagnostic, style: Style): string[] {
  const place = source === undefined ? [] : [style.bold(terminalText(locationText(source)))];
  const word = severity === 'error' ? style.red('error') : style.yellow('warning');
  return [
    [...place, word, code].join('  '),
    `  ${terminalText(cutSentence(message))}`,
    ...(excerpt === undefined ? [] : excerptLines(excerpt).map((line) => `    ${line}`)),
    ...(hint === undefined ? [] : [`  hint: ${terminalText(cutHint(hint))}`]),
  ];
}

export function diagnosticsMarkdown(report: Diagnosed): string {
  const { command, diagnostics } = report;
  const lines = diagnostics.flatMap((diagnostic) => ['', ...diagnosticLines(diagnostic, plainStyle)]).slice(1);
  const problems = { title: 'Problems', weight: 'visible', language: 'text', lines } as const;
  return markdownDocument({ name: command, headline: problemsHeadline(report), sections: [problems] });
}

export function diagnosticsData({ diagnostics, files }: Diagnosed): DiagnosticsDocument {
  return {
    format_version: '1.0',
    diagnostics: diagnostics.map(({ code, severity, message, hint = null, source = null }) => ({
      code,
      severity,
      message,
      hint,
      source: source && { file: source.file, line: source.line, column: source.column },
    })),
    summary: { ...countsOf(diagnostics), files },
  };
}

/** `3 errors, 1 warning in 5 files`; without the files if a diagnostic is not about a place in one. */
export function summaryText(diagnostics: readonly Diagnostic[], files: number): string {
  const { errors, warnings } = countsOf(diagnostics);
  const counts = [];
  if (errors > 0) counts.push(quantity(errors, 'error'));
  if (warnings > 0) counts.push(quantity(warnings, 'warning'));
  const isInFiles = files > 0 && diagnostics.every(({ source }) => source !== undefined);
  return `${counts.join(', ') || 'No problems'}${isInFiles ? ` in ${quantity(files, 'file')}` : ''}`;
}

function countsOf(diagnostics: readonly Diagnostic[]): { readonly errors: number; readonly warnings: number } {
  const counts = { error: 0, warning: 0 };
  for (const { severity, count = 1 } of diagnostics) counts[severity] += count;
  return { errors: counts.error, warnings: counts.warning };
}

/**
 * The line, and carets under its marked range. Columns count characters of the file, but carets are placed under
 * escaped text, so the part before the range is escaped first and then measured:
 *
 *   <tab>name: x   at column 2  ->  8 | \tname: x
 *                                     |   ^^^^
 */
export function excerptLines({ line, column, width, text }: Excerpt): string[] {
  const end = column - 1 + width;
  const before = terminalText(text.slice(0, column - 1));
  const marked = terminalText(text.slice(column - 1, end));
  const after = terminalText(text.slice(end));
  const number = String(line);
  const carets = ' '.repeat(displayWidth(before)) + '^'.repeat(Math.max(1, displayWidth(marked)));
  return [`${number} | ${before}${marked}${after}`.trimEnd(), `${' '.repeat(number.length)} | ${carets}`];
}
