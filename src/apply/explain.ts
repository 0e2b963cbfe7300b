import type { AnyKind } from '../model/kind.ts';
import type { PerformedAction } from '../model/outcome.ts';
import type { Action } from '../model/plan.generated.ts';

const taken = 'conflict: another item may have this identity by now; run plan again';

/** Adds to the message of a failed action how to fix it, as far as its kind knows. */
export function explained(
  kinds: readonly AnyKind[],
  action: Action,
  { refusal, ...performed }: PerformedAction,
): PerformedAction {
  const { outcome, status, message } = performed;
  const kind = kinds.find(({ name }) => name === action.kind);
  if (kind === undefined || outcome === 'done' || outcome === 'conflict' || message === null) return performed;
  const known = kind.fix?.(action, refusal === undefined ? message : `${message}; ${refusal}`) ?? null;
  const fix = known ?? (action.action === 'create' && status === 409 ? taken : null);
  return fix === null ? performed : { ...performed, message: `${message}; ${fix}` };
}
