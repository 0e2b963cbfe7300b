import type { Decision, KindName } from '../model/kind.ts';
import type { Action, Refusal } from '../model/plan.generated.ts';
import type { GuardLimits } from '../model/tenant.generated.ts';
import { digestOf } from './digest.ts';

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

export function guardPlan(decisions: readonly Decision[], actions: readonly Action[], limits: GuardLimits, baseUrl: string): Refusal[] {
  const planned = new Map(actions.map((action) => [action.id, action]));
  const refused = decisions.flatMap((decision) => refusalOf(decision, planned, { ...defaults, ...limits }));
  const approve = approvalCode(refused, planned, baseUrl);
  return refused.map(({ lost: _lost, ...refusal }) => ({ ...refusal, approve }));
}

type Refused = Omit<Refusal, 'approve'> & { readonly lost: readonly string[] };

function refusalOf(decision: Decision, planned: ReadonlyMap<string, Action>, limits: Required<GuardLimits>): Refused[] {
  const losses = decision.losses.filter((loss) => planned.has(loss.actionId));
  if (losses.length === 0) return [];
  const { live } = decision.population;
  const limit = Math.max(limits.max_delete_count, Math.floor((live * limits.max_delete_percent) / 100));
  const about = {
    kind: decision.kind,
    losses: losses.length,
    live,
    limit,
    items: losses.map((loss) => loss.item),
    lost: losses.map((loss) => loss.actionId),
  };
  if (emptiesSection(decision, losses.length)) {
    return [{ code: 'GUARD_EMPTIES_SECTION', message: `would delete ${losses.length} of ${live} live items and leave none that is declared`, ...about }];
  }
  if (losses.length > limit) {
    return [{ code: 'GUARD_TOO_MANY_DELETES', message: `would delete ${losses.length} of ${live} live items; at most ${limit} may go at once`, ...about }];
  }
  return [];
}

/** True when a section declares nothing, or when nothing live would be left; the latter cannot be judged from a part of the list. */
function emptiesSection({ population }: Decision, losses: number): boolean {
  return population.declared === 0 || (!population.filtered && losses === population.live);
}

function approvalCode(refused: readonly Refused[], planned: ReadonlyMap<string, Action>, baseUrl: string): string {
  const items = refused.flatMap(({ kind, lost }) => lost.map((id) => ({ kind, id, before: planned.get(id)?.before })));
  return digestOf({ baseUrl, items }).slice('sha256:'.length, 'sha256:'.length + 12);
}

/** True when a code approves everything that the guards refuse. */
export function approves(code: string | undefined, refusals: readonly { readonly kind: KindName; readonly approve: string }[]): boolean {
  return refusals.every((refusal) => refusal.approve === code);
}
