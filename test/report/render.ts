import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Format, ReportContext } from '../../src/report/document.ts';
import { renderDocument } from '../../src/report/render-report.ts';
import { plainStyle } from '../../src/report/terminal.ts';

export type PlanSide = 'plan' | 'drift';

export function renderPlan(plan: Plan, type: PlanSide, format: Format, context: ReportContext): string {
  return renderDocument({ type, plan, diagnostics: [] }, format, context);
}

export function renderOutcomes(outcomes: OutcomesDocument, format: Format, context: ReportContext): string {
  return renderDocument({ type: 'outcomes', outcomes }, format, context);
}

/** Diagnostics of validate. */
export function renderProblems(diagnostics: readonly Diagnostic[], format: Format, files: number): string {
  const context = { style: plainStyle, kinds: [], folder: '' };
  return renderDocument({ type: 'diagnostics', command: 'validate', diagnostics, files }, format, context);
}
