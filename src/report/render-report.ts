import type { AnyKind } from '../model/kind.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Forecast } from '../model/quota.ts';
import { reportAnnotations } from './annotations.ts';
import { composeDrift } from './compose-drift.ts';
import { composeOutcomes } from './compose-outcomes.ts';
import { composePlan } from './compose-plan.ts';
import { jsonText } from './escape.ts';
import type { Format, Report } from './report.ts';
import type { ReportCommands } from './report-commands.ts';
import { reportMarkdown } from './report-markdown.ts';
import { reportText } from './report-text.ts';
import type { Style } from './style.ts';

export interface ReportContext {
  readonly style: Style;
  readonly kinds: readonly AnyKind[];
  /** Folder of the files for annotations, relative to the repository; '' if it is the repository. */
  readonly folder: string;
  /** List the scopes that a plan needs. */
  readonly scopes?: boolean;
  /** Requests and duration of an apply. */
  readonly forecast?: Forecast;
  /** Commands for what to do next. */
  readonly commands?: ReportCommands;
}

/** `drift` describes the same plan from the tenant's side. */
export type PlanView = 'plan' | 'drift';

export function renderPlan(plan: Plan, view: PlanView, format: Format, context: ReportContext): string {
  const compose = () =>
    view === 'plan' ? composePlan(plan, context.kinds, context) : composeDrift(plan, context.kinds);
  return render(plan, compose, format, context);
}

export function renderOutcomes(document: OutcomesDocument, format: Format, context: ReportContext): string {
  return render(document, () => composeOutcomes(document, context.kinds), format, context);
}

/** A document in one format; JSON is the document itself. */
function render(document: object, compose: () => Report, format: Format, { style, folder }: ReportContext): string {
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
