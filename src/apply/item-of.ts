import type { Action } from '../model/plan.generated.ts';

/** What an action is about: a policy, a role, a prompt or a stream. */
export function itemOf({ kind, key }: Action): string {
  return `${kind}/${key}`;
}
