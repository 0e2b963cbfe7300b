import type { ViewContext, ViewedDocument } from '../document.ts';
import { composeDrift } from './compose-drift.ts';
import { composeOutcomes } from './compose-outcomes.ts';
import { composePlan } from './compose-plan.ts';
import { groupView } from './group-view.ts';
import { namingKinds } from './items.ts';
import type { PlanView } from './plan-view.ts';

/** What people read about a plan, its drift or its outcomes. */
export function composeView(document: ViewedDocument, context: ViewContext): PlanView {
  const { actions, findings } = document.type === 'outcomes' ? document.outcomes.plan : document.plan;
  const { group } = document;
  const kinds = namingKinds(context.kinds, [...actions, ...findings]);
  const view = viewOf(document, { ...context, kinds, isPart: group?.isPart ?? false });
  return group === undefined ? view : groupView(view, group);
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
