import type { Decision } from '../model/kind.ts';
import type { Action, Refusal } from '../model/plan.generated.ts';
import type { GuardLimits } from '../model/tenant.generated.ts';
import { compareText } from '../values/text-order.ts';
import type { UnsignedPlan } from './digest.ts';

/**
 * Guards refuse a complete plan when it deletes or removes more of a kind than people are likely to intend.
 *
 *   limits { max_delete_count: 3, max_delete_percent: 30 }, 40 live policies  ->  at most 12 may be deleted
 *   the same limits, 5 live policies                                          ->  at most 3 may be deleted
 *   a section that would be left empty                                        ->  refused at any size
 *
 * One code approves everything that is refused. It is made of the items themselves, so it covers exactly those items
 * and stops matching when one of them changes.
 */
const defaults = { max_delete_percent: 30, max_delete_count: 3 };

/** What the guards refuse of the planned actions. */
export function guardPlan(
  decisions: readonly Decision[],
  actions: readonly Action[],
  limits: GuardLimits,
): Pick<UnsignedPlan, 'refusals' | 'refused'> {
  const planned = new Set(actions.map(({ id }) => id));
  const guarded = decisions.flatMap((decision) => refusalOf(decision, planned, { ...defaults, ...limits }));
  return {
    refusals: guarded.map(({ refusal }) => refusal),
    refused: new Set(guarded.flatMap(({ lost }) => lost)),
  };
}

/** A refusal without its code, and the ids of the actions that it covers. */
interface Guarded {
  readonly refusal: Omit<Refusal, 'approve'>;
  readonly lost: readonly string[];
}

function refusalOf(decision: Decision, planned: ReadonlySet<string>, limits: Required<GuardLimits>): Guarded[] {
  const losses = decision.losses.filter(({ id }) => planned.has(id));
  if (losses.length === 0) return [];
  const { live, unit } = decision.population;
  const limit = Math.max(limits.max_delete_count, Math.floor((live * limits.max_delete_percent) / 100));
  const about = {
    kind: decision.kind,
    losses: losses.length,
    live,
    limit,
    items: losses.map(({ item }) => item).sort(compareText),
  };
  const lost = losses.map(({ id }) => id);
  const would = `would ${unit.verb} ${losses.length} of ${live} live ${live === 1 ? unit.one : unit.many}`;
  if (emptiesSection(decision, losses.length, planned)) {
    return [
      { refusal: { code: 'GUARD_EMPTIES_SECTION', message: `${would} and leave the section empty`, ...about }, lost },
    ];
  }
  if (losses.length <= limit) return [];
  return [{ refusal: { code: 'GUARD_TOO_MANY_DELETES', message: `${would}; the limit is ${limit}`, ...about }, lost }];
}

/**
 * True if a section declares nothing, or if nothing live would be left and nothing new comes; the latter cannot be
 * decided from a part of the list.
 */
function emptiesSection({ population, gains }: Decision, losses: number, planned: ReadonlySet<string>): boolean {
  if (population.declared === 0) return true;
  if (population.filtered || losses !== population.live) return false;
  return !gains.some((id) => planned.has(id));
}

/** True if a code approves everything that the guards refuse. */
export function approves(code: string | undefined, refusals: readonly Pick<Refusal, 'approve'>[]): boolean {
  return refusals.every((refusal) => refusal.approve === code);
}
