import { type ActionIdentity, changeId, itemId } from '../model/action-identity.ts';
import { inDoubt, type NextTry, type Outcome } from '../model/outcome.ts';
import type { OutcomesDocument } from '../model/outcomes.generated.ts';
import type { Action, Plan, PlannedRequest } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { outcomesDocument } from './apply-plan.ts';
import { freshPlan, isCovered, type ManagedKinds } from './compare-fresh.ts';
import { requestMatches } from './result-references.ts';

/** An action that may have been carried out. */
export interface Doubtful extends ActionIdentity {
  readonly id: string;
  /** True for the request that it sent. */
  isRequest(request: PlannedRequest): boolean;
}

/**
 * - `not_needed`: a fresh plan has no such action, so its goal is reached. Immediately after sending: it was carried
 *   out.
 * - `needed`: a fresh plan still has the same request.
 * - `unknown`: the fresh plan does not show it: its kind or item was not read, or the tenant is in a third state.
 */
export type Resolution = 'not_needed' | 'needed' | 'unknown';

/**
 * What a fresh plan shows about actions of unknown outcome, by id. Requests are compared and not ids: when a large
 * change takes several requests, the remaining ones are renumbered.
 */
export function resolveUnknown(
  doubtful: readonly Doubtful[],
  fresh: Plan,
  managed: ManagedKinds,
): Map<string, Resolution> {
  const index = freshPlan(fresh, []);
  const changes = new Set(fresh.actions.map(changeId));
  return new Map(
    doubtful.map((action) => {
      const same = index.actionsOf(action).find(({ request }) => action.isRequest(request));
      if (same !== undefined) return [action.id, isFromReading(same) ? 'needed' : 'unknown'];
      const isOpen = changes.has(changeId(action)) || !isCovered(action, index, managed);
      return [action.id, isOpen ? 'unknown' : 'not_needed'];
    }),
  );
}

/** What cannot be compared is sent whether it is needed or not. */
function isFromReading({ reason }: Action): boolean {
  return reason !== 'unreadable' && reason !== 'rotated';
}

/** What a fresh plan, made right after a run, shows about its outcomes. All texts are ids of actions. */
export interface ResolvedRun {
  readonly document: OutcomesDocument;
  /** Whose outcome it showed. */
  readonly resolved: ReadonlySet<string>;
  /** Those of them that were not carried out, */
  readonly undone: ReadonlySet<string>;
  /** and those that may be sent again. */
  readonly again: ReadonlySet<string>;
  /** Not attempted and still needed, with the request that the fresh plan has. */
  readonly waiting: ReadonlyMap<string, PlannedRequest>;
}

export interface ResolveOptions {
  readonly managed: ManagedKinds;
  /** The request of an action as it was sent. */
  readonly requestOf: (action: Action) => PlannedRequest;
}

/** What is still unknown of a run, read again right after it: `not_needed` then means that it was carried out. */
export function resolveRun(
  { plan, outcomes }: Pick<OutcomesDocument, 'plan' | 'outcomes'>,
  fresh: Plan,
  nextTries: ReadonlyMap<string, NextTry>,
  { managed, requestOf }: ResolveOptions,
): ResolvedRun {
  const outcomeOf = new Map(outcomes.map(({ id, outcome }) => [id, outcome]));
  const withOutcome = (wanted: Outcome['outcome']) => plan.actions.filter(({ id }) => outcomeOf.get(id) === wanted);
  const doubtful = withOutcome('unknown').map((action) => {
    const request = requestOf(action);
    return { ...action, isRequest: (other: PlannedRequest) => requestMatches({ ...action, request }, other) };
  });
  const resolutions = resolveUnknown(doubtful, fresh, managed);
  const resolvedAs = (wanted: Resolution) =>
    doubtful.map(({ id }) => id).filter((id) => resolutions.get(id) === wanted);
  const undone = resolvedAs('needed');
  const byItem = groupBy(fresh.actions, itemId);
  const stillPlanned = (action: Action) =>
    byItem
      .get(itemId(action))
      ?.find(({ request }) => requestMatches({ ...action, request: requestOf(action) }, request))?.request;
  return {
    document: outcomesDocument(
      plan,
      outcomes.map((outcome) =>
        resolvedOutcome(outcome, resolutions.get(outcome.id) ?? 'unknown', nextTries.get(outcome.id)),
      ),
    ),
    resolved: new Set([...undone, ...resolvedAs('not_needed')]),
    undone: new Set(undone),
    again: new Set(undone.filter((id) => nextTries.get(id)?.ready)),
    waiting: new Map(
      withOutcome('not_attempted').flatMap((action) => {
        const request = stillPlanned(action);
        return request === undefined ? [] : [[action.id, request] as const];
      }),
    ),
  };
}

/** The service has accepted it, or refuses a further try because the item exists: it may show it later. */
function mayAppear({ status }: Outcome): boolean {
  return status !== null && (status < 300 || status === 409);
}

function resolvedOutcome(outcome: Outcome, resolution: Resolution, nextTry: NextTry | undefined): Outcome {
  if (resolution === 'unknown') return outcome;
  // The message of the attempt is of no use to a reader who learns that it was carried out.
  if (resolution === 'not_needed')
    return { ...outcome, outcome: 'done', message: 'verified by reading: it was carried out' };
  const why = nextTry === undefined || nextTry.ready ? null : nextTry.why;
  const reason = outcome.message?.replace(inDoubt, '') ?? null;
  // Another client has changed the item, before or after the tries: what is needed now shows nothing about them.
  if (outcome.conflict !== undefined) return outcome;
  if (mayAppear(outcome)) {
    const open = [outcome.message, 'a reading does not show it yet'].filter((part) => part !== null).join('; ');
    return { ...outcome, message: open };
  }
  const message = [reason, why, 'verified by reading: it was not carried out']
    .filter((part) => part !== null)
    .join('; ');
  return { ...outcome, outcome: 'failed', message };
}
