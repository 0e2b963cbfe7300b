import { hasDiagnostic } from '../diagnostics/problem.ts';
import type { Clock } from '../model/clock.ts';
import type { Action } from '../model/plan.generated.ts';
import { backoffMs } from '../values/backoff.ts';
import { canBeRead } from './compare-plans.ts';
import type { Knowledge } from './knowledge.ts';

export type ShownState = 'not_shown' | 'not_read' | 'verified' | 'not_verifiable';

/** What readings show of an action that has had its response. */
export function shownState(action: Action, knowledge: Knowledge): ShownState {
  if (!canBeRead(action)) return 'not_verifiable';
  const comparison = knowledge.shown(action);
  if (comparison === null) return 'not_read';
  if (comparison.state === 'unread') return comparison.failed ? 'not_read' : 'not_verifiable';
  return comparison.state === 'reached' ? 'verified' : 'not_shown';
}

export interface UntilShownOptions {
  readonly knowledge: Knowledge;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
}

/** The client has tried each of them several times. */
const mostFailures = 2;

/** Reads until everything is shown, or nothing more is expected to be; returns why the last reading failed, or null. */
export async function readUntilShown(
  actions: readonly Action[],
  { knowledge, clock, signal }: UntilShownOptions,
): Promise<string | null> {
  const readable = actions.filter(canBeRead);
  const mayShow = (action: Action) =>
    ['not_shown', 'not_read'].includes(shownState(action, knowledge)) && !knowledge.isOverdue(action);
  let failures = 0;
  let why: string | null = null;
  for (let rounds = 0; ; rounds += 1) {
    const outdated = rounds > mostFailures ? new Set() : knowledge.outdated();
    const open = readable.filter((action) => mayShow(action) || outdated.has(action));
    if (open.length === 0 || failures > mostFailures) return why;
    try {
      signal.throwIfAborted();
      await knowledge.readAgain(open);
      why = null;
      if (open.some(mayShow) || knowledge.outdated().size > 0) await clock.sleep(backoffMs(rounds), signal);
    } catch (error) {
      if (signal.aborted) return 'interrupted before everything was read';
      if (!hasDiagnostic(error)) throw error;
      why = error.message;
      failures += 1;
    }
  }
}
