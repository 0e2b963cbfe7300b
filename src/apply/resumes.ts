import { itemId } from '../model/action-identity.ts';
import type { RecordedApply } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { groupBy } from '../values/group-by.ts';
import { hasReference, requestMatches } from './result-references.ts';

/**
 * True if a new plan is the rest of a saved plan whose apply was interrupted: it has no request that the saved plan
 * lacks, and every request that it lacks itself has an intent in the journal.
 *
 *   saved a b c, stopped at b    now b c: resumes     now c: resumes, b was carried out     now b c d: the saved plan is stale
 */
export function resumes(saved: Plan, now: Plan, last: RecordedApply | null): boolean {
  if (last === null || last.plan !== saved.digest || isComplete(last) || !sameTenant(saved, now)) return false;
  const savedByItem = groupBy(saved.actions, itemId);
  const nowByItem = groupBy(now.actions, itemId);
  const requests = new Set(last.actions.map(({ request }) => request));
  const ids = new Set(last.actions.map(({ id }) => id));
  const isPlanned = (action: Action) =>
    savedByItem.get(itemId(action))?.some((planned) => requestMatches(planned, action.request)) ?? false;
  const isLeft = (action: Action) =>
    nowByItem.get(itemId(action))?.some(({ request }) => requestMatches(action, request)) ?? false;
  // Batches are renumbered in each plan, so ids are not compared. The journal has real ids in place of references.
  const isIntended = (action: Action) =>
    hasReference(action) ? ids.has(action.id) : requests.has(fingerprint(action.request));
  return now.actions.every(isPlanned) && saved.actions.every((action) => isLeft(action) || isIntended(action));
}

/** A plan is performed once. If another client undoes it, a new plan is needed. */
function isComplete({ summary }: RecordedApply): boolean {
  return summary !== null && summary.failed + summary.not_attempted + summary.unknown + summary.conflict === 0;
}

function sameTenant({ tenant: saved }: Plan, { tenant: now }: Plan): boolean {
  return saved.name === now.name && saved.base_url === now.base_url && saved.api === now.api;
}
