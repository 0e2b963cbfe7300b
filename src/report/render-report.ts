import type { Forecast } from '../model/forecast.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Format } from './format.ts';
import { jsonText } from './harmless.ts';
import type { Report } from './report.ts';
import { reportAnnotations } from './report-annotations.ts';
import { reportMarkdown } from './report-markdown.ts';
import { reportText } from './report-text.ts';
import type { Style } from './style.ts';

export interface ReportContext {
  readonly style: Style;
  readonly kinds: readonly AnyKind[];
  /** Folder of the files for annotations, relative to the repository; '' if it is the repository. */
  readonly folder: string;
  /** Name the scopes that a plan needs. */
  readonly scopes?: boolean;
  /** What an apply of the plan takes. */
  readonly forecast?: Forecast;
}

/** A document in one format; JSON is the document itself. */
export function renderReport(
  document: object,
  compose: () => Report,
  format: Format,
  { style, folder }: ReportContext,
): string {
  switch (format) {
    case 'json':
      return jsonText(document);
    case 'text':
      return reportText(compose(), style);
    case 'markdown':
      return reportMarkdown(compose());
    case 'github':
      return reportAnnotations(compose(), folder);
  }
}
