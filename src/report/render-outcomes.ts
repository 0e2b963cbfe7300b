import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import { composeOutcomes } from './compose-outcomes.ts';
import type { Format } from './format.ts';
import { type ReportContext, renderReport } from './render-report.ts';

export function renderOutcomes(document: OutcomesDocument, format: Format, context: ReportContext): string {
  return renderReport(document, () => composeOutcomes(document, context.kinds), format, context);
}
