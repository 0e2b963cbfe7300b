import { canBeRead, freshPlan, isCovered, type ManagedKinds } from '../apply/compare-fresh.ts';
import { problem } from '../diagnostics/problem.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import { changeId, type Item, itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { RecordedApply } from '../model/outcome.ts';
import type { Plan } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { itemSelector } from '../values/selector.ts';
import { shellWord } from '../values/shell-word.ts';
import type { ResolvedAction, SyncEvent } from './events.ts';

/** Whether the last apply did not finish, or left actions of unknown outcome. */
export function isUnresolved(last: RecordedApply | null): last is RecordedApply {
  return last !== null && (last.summary === null || unknownActions(last).length > 0);
}

/** What the last apply left, as it is known before the tenant is read. */
export function lastApplyEvent(last: RecordedApply): SyncEvent {
  const done = last.actions.filter(({ outcome }) => outcome === 'done').length;
  const unknown = unknownActions(last).length;
  return { type: 'last_apply', started: last.started, finished: last.summary !== null, done, unknown };
}

/**
 * What the plan made now shows about the actions of unknown outcome. Requests are compared and not ids: when a large change
 * takes several requests, the remaining ones are renumbered.
 */
export function resolvedActions(
  last: Pick<RecordedApply, 'actions'>,
  plan: Plan,
  managed: ManagedKinds,
): ResolvedAction[] {
  const fresh = freshPlan(plan);
  const changes = new Set(plan.actions.map(changeId));
  return unknownActions(last).map((action) => {
    const { id } = action;
    const same = fresh.actionsOf(action).find(({ request }) => fingerprint(request) === action.request);
    if (same !== undefined) return { id, resolution: canBeRead(same) ? 'needed' : 'unknown' };
    const isOpen = action.secret === 'alone' || changes.has(changeId(action)) || !isCovered(action, fresh, managed);
    return { id, resolution: isOpen ? 'unknown' : 'not_needed' };
  });
}

/**
 * Items whose secret an earlier `--rotate` may not have sent, as far as they declare one still. No plan shows whether a
 * secret was sent, unless fields were sent with it that the tenant has.
 */
export function owedRotations(last: RecordedApply | null, fresh: Plan, managed: ManagedKinds): readonly Item[] {
  if (last === null || last.rotations.length === 0) return [];
  const resolved = resolvedActions(last, fresh, managed).filter(({ resolution }) => resolution === 'not_needed');
  const carriedOut = new Set(resolved.map(({ id }) => id));
  const sent = last.actions.filter(({ id, secret }) => secret !== undefined && carriedOut.has(id)).map(itemId);
  const [ended, declared, read] = [new Set(sent), new Set(withSecrets(fresh)), freshPlan(fresh)];
  return last.rotations.filter(
    (item) => !ended.has(itemId(item)) && (declared.has(itemId(item)) || !isCovered(item, read, managed)),
  );
}

/** Items that declare a secret: the plan sends it, or has a finding about it. */
function withSecrets({ actions, findings }: Plan): string[] {
  return [
    ...actions.filter(({ request }) => request.secrets !== undefined),
    ...findings.filter(({ code }) => code === 'LIVE_SECRET_NOT_COMPARED'),
  ].map(itemId);
}

/** The error for a secret that may be missing on the tenant and that the plan does not send. */
export function lostRotations(owed: readonly Item[], { actions, findings }: Plan): readonly Diagnostic[] {
  const sent = new Set(actions.filter(({ request }) => request.secrets !== undefined).map(itemId));
  const known = new Set(findings.map(itemId));
  return owed
    .filter((item) => !sent.has(itemId(item)) && known.has(itemId(item)))
    .map((item) => {
      const message = `An earlier apply may not have sent the secret of ${itemId(item)} again, and no reading shows it.`;
      return problem('APPLY_SECRET_UNKNOWN', message, `apply with --rotate ${shellWord(itemSelector(item))}`);
    });
}

/** A resumed apply records what is known by now. A journal that fails reports it itself, before anything is sent. */
export async function recordResolved(
  journal: JournalWriter,
  last: RecordedApply,
  plan: Plan,
  managed: ManagedKinds,
): Promise<void> {
  for (const { id, resolution } of resolvedActions(last, plan, managed)) {
    if (resolution === 'not_needed')
      await journal.outcome({ id, outcome: 'done', status: null, message: null }).catch(() => {});
  }
}

function unknownActions({ actions }: Pick<RecordedApply, 'actions'>): RecordedApply['actions'] {
  return actions.filter(({ outcome }) => outcome === null || outcome === 'unknown');
}
