import { problem, warning } from '../../diagnostics/problem.ts';
import type { Check, PlanContext } from './check.ts';

/** An apply must fit into the time that was allowed for it. A limit that cannot be checked is a warning. */
export const duration: Check<Pick<PlanContext, 'forecast' | 'maxSeconds'>> = (_plan, { forecast, maxSeconds }) => {
  const { seconds, writes } = forecast;
  if (maxSeconds === undefined || writes === 0) return [];
  if (seconds === null) {
    const message = 'The tenant advertises no quota, so --max-duration cannot be checked and refuses nothing.';
    return [warning('DURATION_UNKNOWN', message, 'give --quota, as in --quota 10/s,10')];
  }
  if (seconds <= maxSeconds) return [];
  const message = `At this quota the plan takes about ${Math.ceil(seconds)} s, and --max-duration allows ${maxSeconds} s.`;
  return [problem('DURATION_EXCEEDED', message, 'allow more time, or apply a part of the plan with --only')];
};
