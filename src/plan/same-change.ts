import { asOnAnyTenant } from '../model/action-identity.ts';
import type { Action } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/** A change as it is on every tenant that has it: without the ids that a tenant gives its items. */
export function changeText({ kind, key, action, before, after }: Action): string {
  return canonicalJson({ kind, key, action, before: asOnAnyTenant(before), after: asOnAnyTenant(after) });
}

/**
 * An item is deleted, or a prompt loses all texts that it may have. Decided by what is sent: the digest of a saved plan
 * covers that, and not what the plan shows.
 */
export function isDeletion({ request: { method, body } }: Pick<Action, 'request'>): boolean {
  const isEmpty = Object.keys(body ?? {}).length === 0;
  return (method === 'DELETE' || method === 'PUT') && isEmpty;
}
