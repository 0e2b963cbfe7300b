import type { Action } from '../model/plan.generated.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isRecord } from '../values/is-record.ts';

/** A change as it is on every tenant that has it: without the ids that a tenant gives its items. */
export function changeText({ kind, key, action, before, after }: Action): string {
  return canonicalJson({ kind, key, action, before: withoutId(before), after: withoutId(after) });
}

/** An item is deleted, or a prompt loses all its texts. */
export function isDeletion({ action, before, after }: Pick<Action, 'action' | 'before' | 'after'>): boolean {
  return action === 'delete' || (action === 'put' && before !== null && Object.keys(after ?? {}).length === 0);
}

function withoutId(item: unknown): unknown {
  if (!isRecord(item)) return item ?? null;
  const { id: _id, ...rest } = item;
  return rest;
}
