import { problem } from '../../diagnostics/problem.ts';
import { approves } from '../../plan/guard-plan.ts';
import type { Check, PlanContext } from './check.ts';

/** A plan that takes away more than its guards allow needs the code that names exactly these items. */
export const guards: Check<Pick<PlanContext, 'approve'>> = ({ refusals }, { approve }) => {
  if (approves(approve, refusals)) return [];
  return refusals.map(({ kind, message, approve: code }) =>
    problem('GUARD_REFUSED', `${kind}: the plan ${message}.`, `if this is intended, apply with --approve ${code}`),
  );
};
