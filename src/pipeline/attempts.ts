// Applies on the record. Two of them may run at once, as when a job lost its runner: what one wrote may be missing in the plan
// of the other, so it must not be hidden by a newer success.
import { type Attempt, doneState, type Forge } from './forge.ts';
import type { StepResult } from './results.ts';

export const startAgain = 'Start all jobs of the run again: they make a new plan.';

/** A commit of the record, for people. */
export const textOf = (commit: string): string => commit.slice(0, 12) || 'an unknown commit';

/** The id of an attempt that is recorded, or why there is none: a text such as "the plan was made without …". */
type Begun = { readonly id: number } | { readonly missed: string };

type Seen = Pick<StepResult, 'newest' | 'newestState'>;

/** Records an apply in progress, unless its plan misses what another one may have written. */
export async function beginAttempt(forge: Forge, attempt: Attempt, seen: Seen): Promise<Begun> {
  const before = await missedApply(forge, attempt, seen);
  if (before !== null) return { missed: before };
  const id = await forge.recordAttempt(attempt);
  // From here on, others see this attempt.
  const since = await missedApply(forge, attempt, seen);
  if (since === null) return { id };
  await forge.endAttempt(id, 'failed');
  return { missed: since };
}

/**
 * An apply of another commit that began after the plan was made, or that was in progress then and ended or began again
 * since. What it wrote, the plan does not undo, also if the commit is an ancestor: a plan of what changed leaves it out, and
 * would be recorded as the newest state. One that never ended was killed, or records later that it was not alone.
 */
async function missedApply(forge: Forge, attempt: Attempt, { newest, newestState }: Seen): Promise<string | null> {
  const { attempts } = await forge.recorded(attempt);
  const others = attempts.filter(({ commit }) => commit !== attempt.commit);
  // A plan without the record knows none.
  const newer = others.find(({ id }) => id > (newest ?? 0));
  if (newer !== undefined) return `the plan was made without the apply of ${textOf(newer.commit)}`;
  const last = others.find(({ id }) => id === newest);
  if (last === undefined || newestState === doneState || last.state === newestState) return null;
  return `the plan was made while the apply of ${textOf(last.commit)} was in progress`;
}

/**
 * Records that an apply writes no more. If another one began meanwhile, its plan may miss what was written last, and its
 * success is newer than this attempt: another attempt makes the next run plan everything. Returns the commit of the other one,
 * or null.
 */
export async function endAttempt(
  forge: Forge,
  attempt: Attempt,
  own: number,
  end: 'ended' | 'failed',
): Promise<string | null> {
  await forge.endAttempt(own, end);
  const { attempts } = await forge.recorded(attempt);
  const [newer] = attempts.filter(({ id }) => id > own);
  if (newer === undefined) return null;
  await forge.endAttempt(await forge.recordAttempt(attempt), 'failed');
  return newer.commit;
}
