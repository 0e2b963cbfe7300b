import { notAttempted, type Outcome } from '../model/outcome.ts';
import type { Verification } from '../model/outcomes.generated.ts';
import type { Action } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import type { ApplyPlanOptions, Pipeline } from './pipeline.ts';
import { readUntilShown, type ShownState, shownState } from './until-shown.ts';

/**
 * Reads what an apply wrote, and plans it again: what is in effect needs no action any more. A response proves nothing.
 * What a reading has shown since the response is read again only if something was sent since that relied on it. Null if
 * nothing is done.
 *
 *   delete p   204   a reading shows no p             verified
 *   delete q   204   readings show q to the end       unknown
 *   update r   200   with r as it was sent            read, like the others
 */
export async function verify(
  actions: readonly Action[],
  pipeline: Pipeline,
  { knowledge, clock, signal, unverified }: ApplyPlanOptions,
): Promise<Verification | null> {
  const done = actions.filter(({ id }) => pipeline.outcomes.get(id)?.outcome === 'done');
  if (done.length === 0) return null;
  const skipped = done.filter(({ kind }) => unverified.includes(kind));
  const wanted = done.filter(({ kind }) => !unverified.includes(kind));
  const failure = await readUntilShown(wanted, { knowledge, clock, signal });
  const outdated = knowledge.outdated();
  const byState = groupBy(wanted, (action): ShownState => {
    const state = shownState(action, knowledge);
    return state === 'verified' && outdated.has(action) ? 'not_read' : state;
  });
  const inState = (state: ShownState) => byState.get(state) ?? [];
  const open = inState('not_shown');
  for (const action of open)
    await pipeline.conclude(
      action,
      knowledge.ended(action) === null
        ? notShown(pipeline.outcomes.get(action.id), action)
        : { ...notAttempted(action, changedSince), not_shown: true },
    );
  const failed = inState('not_read');
  const verified = inState('verified');
  const [whyNotRead] = failed.flatMap((action) => {
    const comparison = knowledge.shown(action);
    return comparison?.state === 'unread' ? [comparison.why] : [];
  });
  return {
    result: worstFirst.find((state) => byState.has(state)) ?? 'skipped',
    verified: verified.length,
    not_shown: idsOf(open),
    not_read: idsOf(failed),
    not_verifiable: idsOf(inState('not_verifiable')),
    secrets: idsOf(verified.filter(({ request }) => request.secrets !== undefined)),
    skipped: idsOf(skipped),
    message: failed.length === 0 && open.length === 0 ? null : (failure ?? whyNotRead ?? null),
  };
}

/** The first state that any action is in is the result. */
const worstFirst: readonly ShownState[] = ['not_shown', 'not_read', 'verified', 'not_verifiable'];

const idsOf = (actions: readonly Action[]) => actions.map(({ id }) => id);

/** The service confirmed it, and the tenant does not show it: it was not carried out, or another client undid it. */
function notShown(outcome: Outcome | undefined, { id }: Action): Outcome {
  const status = outcome?.status ?? null;
  const confirmed = status === null ? '' : `status ${status}, but `;
  const message = `${confirmed}no reading shows it: it was not carried out, or another client has changed it since`;
  return { id, outcome: 'unknown', status, message };
}

const changedSince = 'not sent, because it was as planned, which a later reading does not show';
