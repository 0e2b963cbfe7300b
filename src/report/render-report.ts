import type { AnyKind } from '../model/kind.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { Forecast } from '../model/quota.ts';
import { viewAnnotations } from './annotations.ts';
import { jsonText } from './escape.ts';
import type { ReportCommands } from './report-commands.ts';
import type { Style } from './style.ts';
import type { Detail } from './view/action-rows.ts';
import { composeDrift } from './view/compose-drift.ts';
import { composeOutcomes } from './view/compose-outcomes.ts';
import { composePlan } from './view/compose-plan.ts';
import type { PlanView } from './view/plan-view.ts';
import { viewMarkdown } from './view-markdown.ts';
import { viewText } from './view-text.ts';

/** How a result is written; chosen with --format. */
export type Format = 'text' | 'json' | 'markdown' | 'github';

export interface ReportContext {
  readonly style: Style;
  readonly kinds: readonly AnyKind[];
  /** Folder of the files, relative to the repository; '' if it is the repository. */
  readonly folder: string;
  /** Columns of the terminal; without one, nothing is cut or wrapped. */
  readonly width?: number | null;
  /** Default: compact. */
  readonly detail?: Detail;
  /** List the scopes that a plan needs. */
  readonly scopes?: boolean;
  /** Requests and duration of an apply. */
  readonly forecast?: Forecast;
  /** Commands for what to do next. */
  readonly commands?: ReportCommands;
}

/** `drift` describes the same plan from the tenant's side. */
export type PlanSide = 'plan' | 'drift';

export function renderPlan(plan: Plan, side: PlanSide, format: Format, context: ReportContext): string {
  return render(plan, () => planView(plan, side, context), format, context);
}

function planView(plan: Plan, side: PlanSide, context: Omit<ReportContext, 'style'>): PlanView {
  return side === 'plan' ? composePlan(plan, context.kinds, context) : composeDrift(plan, context.kinds, context);
}

export function renderOutcomes(document: OutcomesDocument, format: Format, context: ReportContext): string {
  return render(document, () => composeOutcomes(document, context.kinds, context), format, context);
}

/** A document in one format; JSON is the document itself. */
function render(document: object, compose: () => PlanView, format: Format, context: ReportContext): string {
  const { style, folder, width = null, detail = 'compact' } = context;
  switch (format) {
    case 'json':
      return jsonText(document);
    case 'text':
      return viewText(compose(), { style, width, detail });
    case 'markdown':
      return viewMarkdown(compose(), detail);
    case 'github':
      return viewAnnotations(compose(), folder);
  }
}
