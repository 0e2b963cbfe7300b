import type { Outcome } from './outcomes.generated.ts';
import type { Action } from './plan.generated.ts';

export type { Outcome } from './outcomes.generated.ts';

/** Performs one action: sends its request, and nothing else. Never throws for what the service or the network does. */
export type Perform = (action: Action) => Promise<Outcome & { readonly fatal?: boolean }>;
