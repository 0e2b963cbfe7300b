import { actionId } from '../model/action-identity.ts';
import type { Action, Finding, Severity } from '../model/plan.generated.ts';

/** What a kind decides about an action; a plan has more fields, which have the same value everywhere until later steps. */
export type ActionDraft = Omit<Action, 'id' | 'origin' | 'needs' | 'effects'> & Partial<Pick<Action, 'needs'>>;

export function draftAction(draft: ActionDraft): Action {
  return { id: actionId(draft), origin: null, needs: [], effects: [], ...draft };
}

/** Kept on purpose, or not comparable: nothing is wrong. Every other finding is a warning. */
const notes: ReadonlySet<string> = new Set(['LIVE_PROTECTED', 'LIVE_SECRET_NOT_COMPARED', 'LIVE_NOT_CHECKED']);

export function draftFinding(draft: Omit<Finding, 'severity' | 'origin'> & { readonly severity?: Severity }): Finding {
  return { severity: notes.has(draft.code) ? 'note' : 'warning', origin: null, ...draft };
}
