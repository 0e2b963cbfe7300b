import type { ClientEvent } from '../model/client.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Action, Plan } from '../model/plan.generated.ts';

/**
 * What a run reports while it runs, in the order in which it happens. Listeners show it; nothing in a run depends on
 * them. A listener that throws ends the run as an internal error would.
 */
export type SyncEvent =
  | { readonly type: 'run_started'; readonly command: 'plan' | 'apply' | 'drift' | 'pull' }
  /** About the files or the plan; the run continues. */
  | { readonly type: 'warnings'; readonly diagnostics: readonly Diagnostic[] }
  /** The last apply of this tenant did not finish, or left actions of unknown outcome. */
  | {
      readonly type: 'last_apply';
      /** ISO time. */
      readonly started: string;
      readonly finished: boolean;
      readonly done: number;
      readonly unknown: number;
    }
  /** The tenant is read next, with at least this number of requests. */
  | { readonly type: 'reading'; readonly requests: number }
  | ClientEvent
  /** What the plan made now shows about the actions of unknown outcome. */
  | { readonly type: 'last_apply_resolved'; readonly actions: readonly ResolvedAction[] }
  /** `ended`: actions of a saved plan that are not sent, because the tenant is as planned or others changed the item. */
  | { readonly type: 'planned'; readonly plan: Plan; readonly ended?: readonly Outcome[] }
  /** The signal aborted during an apply: requests in flight are finished, and no more are sent. */
  | { readonly type: 'stopping' }
  /**
   * An unknown outcome is read again and may be sent again, so an action can end more than once; the last event counts.
   */
  | { readonly type: 'action_ended'; readonly action: Action; readonly outcome: Outcome }
  | { readonly type: 'run_ended'; readonly status: string };

export type Listener = (event: SyncEvent) => void;

/**
 * - `not_needed`: a fresh plan has no such action, so its goal is reached. Immediately after sending: it was carried
 *   out.
 * - `needed`: a fresh plan still has the same request.
 * - `unknown`: the fresh plan does not show it: its kind or item was not read, or the tenant is in a third state.
 */
export type Resolution = 'not_needed' | 'needed' | 'unknown';

/** An action of unknown outcome, and whether the plan has it. */
export interface ResolvedAction {
  readonly id: string;
  readonly resolution: Resolution;
}
