import type { Decision, KindName } from '../model/kind.ts';
import type { Action, ActionName, Refusal } from '../model/plan.generated.ts';
import type { GuardLimits } from '../model/tenant.generated.ts';

/**
 * Guards refuse a whole plan when it takes away more of a kind than people are likely to mean.
 *
 *   limits { max_delete_count: 3, max_delete_percent: 30 }, 40 live policies  ->  up to 12 may go
 *   the same limits, 5 live policies                                          ->  up to 3 may go
 *   a section that would be left empty                                        ->  refused at any size
 *
 * The way past is one code for all that is refused. It is made of the items themselves, so it covers exactly those items and
 * is worthless as soon as one of them is another, or has changed.
 */
const defaults = { max_delete_percent: 30, max_delete_count: 3 };

export function guardPlan(decisions: readonly Decision[], actions: readonly Action[], limits: GuardLimits): Guarded[] {
  const planned = new Set(actions);
  return decisions.flatMap((decision) => refusalOf(decision, planned, { ...defaults, ...limits }));
}

/** A refusal without its code, and the actions that it is about. */
export interface Guarded {
  readonly refusal: Omit<Refusal, 'approve'>;
  readonly lost: readonly Action[];
}

function refusalOf(decision: Decision, planned: ReadonlySet<Action>, limits: Required<GuardLimits>): Guarded[] {
  const losses = decision.losses.filter((loss) => planned.has(loss.action));
  if (losses.length === 0) return [];
  const { live } = decision.population;
  const limit = Math.max(limits.max_delete_count, Math.floor((live * limits.max_delete_percent) / 100));
  const about = {
    kind: decision.kind,
    losses: losses.length,
    live,
    limit,
    items: losses.map((loss) => loss.item).sort(),
  };
  const lost = losses.map((loss) => loss.action);
  const taken = takenWords(losses[0]?.action.action);
  if (emptiesSection(decision, losses.length, planned)) {
    const message = `would ${taken.verb} ${losses.length} of ${live} live ${taken.noun} and leave the section empty`;
    return [{ refusal: { code: 'GUARD_EMPTIES_SECTION', message, ...about }, lost }];
  }
  if (losses.length > limit) {
    const message = `would ${taken.verb} ${losses.length} of ${live} live ${taken.noun}; the limit is ${limit}`;
    return [{ refusal: { code: 'GUARD_TOO_MANY_DELETES', message, ...about }, lost }];
  }
  return [];
}

/** What is lost by an action, in words. */
function takenWords(action: ActionName | undefined): { readonly verb: string; readonly noun: string } {
  if (action === 'remove') return { verb: 'remove', noun: 'permissions' };
  return action === 'put' ? { verb: 'remove', noun: 'texts' } : { verb: 'delete', noun: 'items' };
}

/**
 * True when a section declares nothing, or when nothing live would be left and nothing new comes; the latter cannot be judged from
 * a part of the list.
 */
function emptiesSection({ kind, population }: Decision, losses: number, planned: ReadonlySet<Action>): boolean {
  if (population.declared === 0) return true;
  if (population.filtered || losses !== population.live) return false;
  return ![...planned].some((action) => action.kind === kind && leavesSomething(action));
}

function leavesSomething({ action, after }: Action): boolean {
  return action === 'create' || action === 'add' || (action === 'put' && Object.keys(after ?? {}).length > 0);
}

/** The code for everything that is refused, from the fingerprint of its actions. */
export function withApproval(guarded: readonly Guarded[], losses: string): Refusal[] {
  return guarded.map(({ refusal }) => ({ ...refusal, approve: losses.slice(0, 12) }));
}

/** True when a code approves everything that the guards refuse. */
export function approves(
  code: string | undefined,
  refusals: readonly { readonly kind: KindName; readonly approve: string }[],
): boolean {
  return refusals.every((refusal) => refusal.approve === code);
}
