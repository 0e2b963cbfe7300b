import type { Outcome } from './outcomes.generated.ts';
import type { Action } from './plan.generated.ts';

export type { Outcome } from './outcomes.generated.ts';

/** Performs one action: sends its request, and nothing else. Never throws for what the service or the network does. */
export type Perform = (action: Action) => Promise<Outcome & { readonly fatal?: boolean }>;

/** Whether an action may be performed once more; `why` is for people, null where there is nothing to say. */
export type NextTurn = { readonly ready: true } | { readonly ready: false; readonly why: string | null };

/** See WriteConnection. */
export type ReadyAgain = (id: string) => Promise<NextTurn>;

/** Ends what is said of a request of unknown outcome. */
export const inDoubt = '; it may have been carried out';
