import type { Refusal } from './plan.generated.ts';

/** The refusals that nothing approves: apply performs a plan without any. */
export function openRefusals(refusals: readonly Refusal[]): Refusal[] {
  return refusals.filter(({ approved_by }) => approved_by === null);
}
