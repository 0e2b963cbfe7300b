import { type ActionIdentity, changeId } from '../model/action-identity.ts';
import type { Plan, PlannedRequest } from '../model/plan.generated.ts';
import { canBeRead, freshPlan, isCovered, type ManagedKinds } from './compare-fresh.ts';

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
  const index = freshPlan(fresh);
  const changes = new Set(fresh.actions.map(changeId));
  return new Map(
    doubtful.map((action) => {
      const same = index.actionsOf(action).find(({ request }) => action.isRequest(request));
      if (same !== undefined) return [action.id, canBeRead(same) ? 'needed' : 'unknown'];
      const isOpen = changes.has(changeId(action)) || !isCovered(action, index, managed);
      return [action.id, isOpen ? 'unknown' : 'not_needed'];
    }),
  );
}
