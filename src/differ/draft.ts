import { actionId } from '../model/action-identity.ts';
import type { Action, Finding, Severity } from '../model/plan.generated.ts';

/** What a kind decides about an action; a plan has more fields, which have the same value everywhere until later steps. */
export type ActionDraft = Omit<Action, 'id' | 'origin' | 'needs' | 'effects'> & Partial<Pick<Action, 'needs'>>;

export function draftAction(draft: ActionDraft): Action {
  const { kind, key, part, batch, action, reason, needs = [], request, before, after, ...rest } = draft;
  const identity = { kind, key, ...(part !== undefined && { part }), ...(batch !== undefined && { batch }) };
  // In the order in which people read a plan.
  return {
    id: actionId(draft),
    ...identity,
    action,
    reason,
    origin: null,
    needs,
    request,
    before,
    after,
    ...rest,
    effects: [],
  };
}

/** Kept on purpose, or not comparable: nothing is wrong. Every other finding is a warning. */
const notes: ReadonlySet<string> = new Set(['LIVE_PROTECTED', 'LIVE_SECRET_NOT_COMPARED', 'LIVE_NOT_CHECKED']);

export function draftFinding(draft: Omit<Finding, 'severity' | 'origin'> & { readonly severity?: Severity }): Finding {
  const { code, severity = notes.has(code) ? 'note' : 'warning', kind, key, message, ...rest } = draft;
  return { code, severity, kind, key, message, origin: null, ...rest };
}
