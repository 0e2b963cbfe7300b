import { canBeRead, freshPlan, isCovered, type ManagedKinds } from '../apply/compare-fresh.ts';
import { problem } from '../diagnostics/problem.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import { changeId, itemId } from '../model/action-identity.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { RecordedApply, RecordedIntent } from '../model/outcome.ts';
import type { Plan } from '../model/plan.generated.ts';
import { fingerprint } from '../values/fingerprint.ts';
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
    const isOpen = action.rotation !== undefined || changes.has(changeId(action)) || !isCovered(action, fresh, managed);
    return { id, resolution: isOpen ? 'unknown' : 'not_needed' };
  });
}

/** Rotations of the last apply that may not have been carried out, and that the plan does not repeat. */
export function lostRotations(last: RecordedApply | null, plan: Plan): readonly RecordedIntent[] {
  const repeated = new Set(plan.actions.flatMap(({ reason, id }) => (reason === 'rotated' ? [id] : [])));
  const unknown = last === null ? [] : unknownActions(last);
  return unknown.flatMap(({ id, rotation }) => (rotation === undefined || repeated.has(id) ? [] : [rotation]));
}

export function lostRotation({ kind, key }: RecordedIntent): Diagnostic {
  const item = itemId({ kind, key });
  const message = `An earlier apply may not have sent the secret of ${item} again, and no reading shows it.`;
  return problem('APPLY_SECRET_UNKNOWN', message, `apply with --rotate ${item}`);
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
