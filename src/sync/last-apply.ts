import { goesOn } from '../apply/goes-on.ts';
import { type Doubtful, settle } from '../apply/settle.ts';
import type { JournalWriter } from '../journal/write-journal.ts';
import type { KindName } from '../model/kind.ts';
import type { Plan } from '../model/plan.generated.ts';
import type { RecordedApply } from '../model/recorded-apply.ts';
import { requestDigest } from '../plan/request-digest.ts';
import type { Resolution, ResolvedAction, SyncEvent } from './events.ts';

/** Whether the last apply did not finish, or left actions of unknown outcome. */
export function isUnresolved(last: RecordedApply | null): last is RecordedApply {
  return last !== null && (last.summary === null || unknownActions(last).length > 0);
}

/** Whether the plan made now is what is left of a saved plan whose apply was stopped. */
export function resumes(saved: Plan, plan: Plan, last: RecordedApply | null): boolean {
  return goesOn(saved, plan, last, requestDigest);
}

/** What the last apply left, as it is known before the tenant is read. */
export function lastApplyEvent(last: RecordedApply): SyncEvent {
  const done = last.actions.filter(({ outcome }) => outcome === 'done').length;
  const unknown = unknownActions(last).length;
  return { type: 'last_apply', started: last.started, finished: last.summary !== null, done, unknown };
}

/** What the plan made now shows about the actions of unknown outcome. */
export function resolvedActions(last: RecordedApply, plan: Plan, managed: ReadonlySet<KindName>): ResolvedAction[] {
  const unknown = unknownActions(last);
  const settled = settle(unknown, plan, { digestOf: requestDigest, managed });
  const planned = new Set(plan.actions.map(({ request }) => requestDigest(request)));
  const ids = new Set(plan.actions.map(({ id }) => id));
  const resolutionOf = ({ id, request }: Doubtful): Resolution => {
    const settlement = settled.get(id) ?? 'unknown';
    if (settlement !== 'unknown') return settlement;
    if (planned.has(request)) return 'resent';
    return ids.has(id) ? 'replaced' : 'unknown';
  };
  return unknown.map((action) => ({ id: action.id, resolution: resolutionOf(action) }));
}

/** A resumed apply records what is known by now. A journal that fails reports it itself, before anything is sent. */
export async function recordResolved(
  journal: JournalWriter,
  last: RecordedApply,
  plan: Plan,
  managed: ReadonlySet<KindName>,
): Promise<void> {
  for (const { id, resolution } of resolvedActions(last, plan, managed)) {
    if (resolution === 'not_needed')
      await journal.outcome({ id, outcome: 'done', status: null, message: null }).catch(() => {});
  }
}

function unknownActions({ actions }: RecordedApply): Doubtful[] {
  return actions.filter(({ outcome }) => outcome === null || outcome === 'unknown');
}
