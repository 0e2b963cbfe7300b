import { problem } from '../../diagnostics/problem.ts';
import { comparePlans } from '../../plan/compare-plans.ts';
import type { ApplyContext, Check } from './check.ts';

const shownDifferences = 10;

/** A saved plan must be the plan made now, unless this apply resumes it. */
export const stale: Check<Pick<ApplyContext, 'saved' | 'resumed'>> = (plan, { saved, resumed }) => {
  if (saved === undefined || resumed !== null || saved.digest === plan.digest) return [];
  const found = comparePlans(saved, plan);
  // Different digests refuse, also where no difference has a name, such as another order.
  const differences = found.length > 0 ? found : ['its digest is another one'];
  const rest = differences.length - shownDifferences;
  const texts = [
    ...differences.slice(0, shownDifferences),
    ...(rest > 0 ? [rest === 1 ? 'and 1 more difference' : `and ${rest} more differences`] : []),
  ];
  // One hint is enough for all of them.
  return texts.map((text, index) =>
    problem(
      'PLAN_STALE',
      `The saved plan is out of date: ${text}.`,
      index === texts.length - 1 ? 'make and review a new plan' : undefined,
    ),
  );
};
