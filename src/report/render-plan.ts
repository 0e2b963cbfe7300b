import type { Plan } from '../model/plan.generated.ts';
import { composeDrift } from './compose-drift.ts';
import { composePlan } from './compose-plan.ts';
import type { Format } from './format.ts';
import { type ReportContext, renderReport } from './render-report.ts';

/** `drift` tells the same plan from the tenant's side. */
export type PlanView = 'plan' | 'drift';

const composers = { plan: composePlan, drift: composeDrift } as const;

export function renderPlan(plan: Plan, view: PlanView, format: Format, context: ReportContext): string {
  return renderReport(plan, () => composers[view](plan, context.kinds), format, context);
}
