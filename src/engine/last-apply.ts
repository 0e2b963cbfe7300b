import type { ManagedKinds } from '../apply/compare-fresh.ts';
import { type Doubtful, resolveUnknown } from '../apply/resolve-unknown.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import type { RecordedApply } from '../model/outcome.ts';
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

/** What the plan made now shows about the actions of unknown outcome. */
export function resolvedActions(last: RecordedApply, plan: Plan, managed: ManagedKinds): ResolvedAction[] {
  const resolutions = resolveUnknown(unknownActions(last), plan, managed);
  return [...resolutions].map(([id, resolution]) => ({ id, resolution }));
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

function unknownActions({ actions }: RecordedApply): Doubtful[] {
  return actions
    .filter(({ outcome }) => outcome === null || outcome === 'unknown')
    .map((action) => ({ ...action, isRequest: (request) => fingerprint(request) === action.request }));
}
