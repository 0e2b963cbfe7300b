import { canBeRead, comparePlans, type ManagedKinds } from '../apply/compare-plans.ts';
import { problem } from '../diagnostics/problem.ts';
import { changeOf, type Item, itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { DesiredItem } from '../model/kind.ts';
import { isSent, type RecordedApply } from '../model/outcome.ts';
import type { Outcome, OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { ApprovedLeft } from '../plan/approved-before.ts';
import { selectsItem } from '../plan/selection.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { itemSelector } from '../values/selector.ts';
import { shellWord } from '../values/shell-word.ts';
import { clockDifference, defaultMaxAge } from './checks.ts';
import type { ResolvedAction, SyncEvent } from './events.ts';

/** Whether the last apply did not finish, or left actions of unknown outcome. */
export function isUnresolved(last: RecordedApply | null): last is RecordedApply {
  return last !== null && (last.summary === null || unknownActions(last).length > 0);
}

/**
 * What the last apply was approved to do and did not finish, for as long as a saved plan is valid; null if nothing is. `now`:
 * in milliseconds since 1970.
 */
export function approvedByLast(last: RecordedApply | null, now: number): ApprovedLeft | null {
  const { approved = null, summary = null, actions = [] } = last ?? {};
  if (approved === null) return null;
  const seconds = (now - Date.parse(approved.since)) / 1000;
  const { done: _done, ...open } = summary ?? { open: 1 };
  const isFinished = Object.values(open).every((count) => count === 0);
  // One that is dated in the future would never be too old.
  if (isFinished || seconds > defaultMaxAge || seconds < -clockDifference) return null;
  const done = actions.filter(({ outcome }) => outcome === 'done').map(({ id }) => id);
  return { since: approved.since, parts: new Set(approved.parts), done: new Set(done) };
}

/** What the last apply left, as it is known before the tenant is read. */
export function lastApplyEvent(last: RecordedApply): SyncEvent {
  const done = last.actions.filter(({ outcome }) => outcome === 'done').length;
  const unknown = unknownActions(last).length;
  return { type: 'last_apply', started: last.started, finished: last.summary !== null, done, unknown };
}

/**
 * What the plan made now shows about the actions of unknown outcome. Requests are compared and not ids: the same item may
 * need another request now.
 */
export function resolvedActions(
  last: Pick<RecordedApply, 'actions'> & Partial<Pick<RecordedApply, 'rotations'>>,
  plan: Plan,
  managed: ManagedKinds,
): ResolvedAction[] {
  const compared = comparePlans(plan, managed);
  const owed = new Set((last.rotations ?? []).map(itemId));
  return unknownActions(last).map((action) => {
    const { id, kind, key } = action;
    const ofItem = compared.actionsOf(action);
    const same = ofItem.find(({ request }) => fingerprint(request) === action.request);
    if (same !== undefined) return { id, resolution: canBeRead(same) ? 'needed' : 'unknown' };
    const isPlanned = ofItem.some(({ part }) => changeOf(part) === changeOf(action.part));
    const isOpen = owed.has(itemId(action)) || isPlanned || !compared.isReached(action);
    return { id, resolution: isOpen || !selectsItem(plan.selection, kind, key) ? 'unknown' : 'not_needed' };
  });
}

/**
 * Items whose secret an earlier `--rotate` may not have sent, as far as the files declare one still, under their names of
 * now. Where the plan does not show whether they do, they stay.
 */
export function owedRotations(
  last: RecordedApply | null,
  fresh: Plan,
  sections: ReadonlyMap<string, { readonly items: readonly Pick<DesiredItem, 'key' | 'renamedFrom'>[] }>,
): readonly Item[] {
  const compared = comparePlans(fresh, new Set(sections.keys()));
  const declared = new Set(withSecrets(fresh));
  const isOpen = (item: Item) =>
    declared.has(itemId(item)) ||
    fresh.tenant.api === 'documented' ||
    !selectsItem(fresh.selection, item.kind, item.key) ||
    compared.whyUnread(item) !== null;
  return (last?.rotations ?? [])
    .map(({ kind, key }) => {
      const renamed = sections.get(kind)?.items.find(({ renamedFrom }) => renamedFrom === key);
      return { kind, key: renamed?.key ?? key };
    })
    .filter(isOpen);
}

/** Items that declare a secret: the plan sends it, or has a finding about it. */
function withSecrets({ actions, findings }: Pick<Plan, 'actions' | 'findings'>): string[] {
  return [
    ...actions.filter(({ request }) => request.secrets !== undefined),
    ...findings.filter(({ code }) => code === 'LIVE_SECRET_NOT_COMPARED'),
  ].map(itemId);
}

/** The errors for secrets that may be missing on the tenant after an apply. */
export function lostRotations(
  rotations: readonly Item[],
  { plan, outcomes }: OutcomesDocument,
  { findings }: Plan,
): readonly Diagnostic[] {
  // What was not sent in this run is an outcome of its own.
  const isTold = (one: Outcome) => isSent(one) || !['done', 'unknown'].includes(one.outcome);
  const ended = new Set(outcomes.filter(isTold).map(({ id }) => id));
  const sent = new Set(withSecrets({ actions: plan.actions.filter(({ id }) => ended.has(id)), findings: [] }));
  const known = new Set(withSecrets({ actions: plan.actions, findings }));
  const lost = new Set(rotations.map(itemId).filter((id) => known.has(id) && !sent.has(id)));
  return rotations.flatMap((item) => {
    if (!lost.delete(itemId(item))) return [];
    const message = `The secret of ${itemId(item)} may not have been sent again, and no reading shows it.`;
    return problem('APPLY_SECRET_UNKNOWN', message, `apply with --rotate ${shellWord(itemSelector(item))}`);
  });
}

function unknownActions({ actions }: Pick<RecordedApply, 'actions'>): RecordedApply['actions'] {
  return actions.filter(({ outcome }) => outcome === null || outcome === 'unknown');
}
