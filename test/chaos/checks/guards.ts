import type { Action } from '../../../src/model/plan.generated.ts';
import type { History } from '../history.ts';

/**
 * Whether a guard refuses the plan. It does not with the code of the plan, nor where the plan is what is left of one that was
 * approved with its code: each item of its refusals was one of those, and what is deleted is as it was then.
 */
export function isRefused({ told, approved, approvedBefore }: History): boolean {
  const { refusals = [], actions = [] } = told.plan ?? {};
  const open = refusals.filter(({ approve }) => approve !== approved);
  if (open.length === 0) return false;
  const items = new Set(
    approvedBefore.flatMap((plan) =>
      plan.refusals.flatMap(({ kind, items }) => items.map((item) => `${kind} ${item}`)),
    ),
  );
  const deleted = new Set(approvedBefore.flatMap((plan) => deletionsOf(plan.actions)));
  const isLeft =
    open.every((refusal) => refusal.items.every((item) => items.has(`${refusal.kind} ${item}`))) &&
    deletionsOf(actions).every((one) => deleted.has(one));
  return !isLeft;
}

/** With the live state. */
function deletionsOf(actions: readonly Action[]): string[] {
  return actions
    .filter(({ action }) => action === 'delete')
    .map(({ kind, key, precondition }) => `${kind}/${key} ${precondition}`);
}
