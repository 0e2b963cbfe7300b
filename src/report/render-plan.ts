import type { Plan } from '../model/plan.generated.ts';
import { composeDrift } from './compose-drift.ts';
import { composePlan } from './compose-plan.ts';
import type { Format } from './format.ts';
import { type ReportContext, renderReport } from './render-report.ts';

/** `drift` tells the same plan from the tenant's side. */
export type PlanView = 'plan' | 'drift';

export function renderPlan(plan: Plan, view: PlanView, format: Format, context: ReportContext): string {
  const compose = () =>
    view === 'plan' ? composePlan(plan, context.kinds, context) : composeDrift(plan, context.kinds);
  return renderReport(plan, compose, format, context);
}
