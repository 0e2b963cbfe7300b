import { problem } from '../../diagnostics/problem.ts';
import type { Check } from './check.ts';

/** What was not read completely may hold items that the files do not declare. */
export const incomplete: Check<unknown> = ({ complete }) => {
  if (complete) return [];
  const message =
    'Live state is incomplete, so apply refuses the plan. It deletes nothing of a kind that could not be read.';
  const hint = 'the findings name what failed; fix the cause and rerun, or leave the kind out with --except';
  return [problem('PLAN_INCOMPLETE', message, hint)];
};
