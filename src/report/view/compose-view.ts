import { type ChecksReport, type Group, planOf, type ViewContext, type ViewedDocument } from '../document.ts';
import { quantity } from '../wording.ts';
import { composeChecks } from './compose-checks.ts';
import { composeDrift } from './compose-drift.ts';
import { composeOutcomes } from './compose-outcomes.ts';
import { composePlan } from './compose-plan.ts';
import { namingKinds } from './items.ts';
import type { PlanView } from './plan-view.ts';

/** What people read about a plan, its drift or its outcomes. */
export function composeView(document: ViewedDocument | ChecksReport, context: ViewContext): PlanView {
  if (document.type === 'checks') return composeChecks(document.tenants);
  const { actions, findings, review } = planOf(document);
  const { group } = document;
  const kinds = namingKinds(context.kinds, [...actions, ...findings]);
  const view = viewOf(document, { ...context, kinds, isPart: group?.isPart ?? false });
  return group === undefined ? view : groupView(view, group, review !== undefined);
}

function viewOf(document: ViewedDocument, named: ViewContext): PlanView {
  switch (document.type) {
    case 'plan':
      return composePlan(document.plan, named);
    case 'drift':
      return composeDrift(document.plan, named);
    case 'outcomes':
      return composeOutcomes(document.outcomes, named);
  }
}

/** What is another one for each tenant, or covers what is in other groups. */
const ofTenant: ReadonlySet<string> = new Set(['id', 'request', 'digest']);

/** A view with the names of its tenants, in annotations as well, and without what only one of them has. */
function groupView(view: PlanView, { tenants, isPart, also = [], shown }: Group, hasReview: boolean): PlanView {
  const isOne = tenants.length === 1;
  // The run has one approval for all tenants with equal refusals.
  const sections = view.sections.map((one) =>
    one.name === 'refused' && (hasReview || !isOne) ? { ...one, notes: [] } : one,
  );
  const more = also.length === 0 ? [] : [{ label: 'also', text: also.join('; ') }];
  const own = { ...view, sections, facts: [...view.facts, ...more], ...(isPart && { sends: '' }) };
  if (isOne) return own;
  const lines = [`on ${quantity(tenants.length, 'tenant')}: ${tenants.join(', ')}`];
  const shared = sections.map((section) => ({
    ...section,
    rows: section.rows.map(({ details, annotation, ...row }) => ({
      ...row,
      details: () => details().filter(({ label }) => !ofTenant.has(label)),
      annotation: annotation && { ...annotation, lines },
    })),
  }));
  const closing = view.closing.filter(({ label }) => !ofTenant.has(label));
  return { ...own, tenants, sections: shared, sends: '', closing, ...shown };
}
