// One review of several tenants: what their guards refuse, and what all of them together would lose.
import type { Plan } from '../model/plan.generated.ts';
import { openRefusals } from '../model/refusals.ts';
import { withCountRanges } from '../values/count-ranges.ts';
import { groupBy } from '../values/group-by.ts';
import { compareText } from '../values/text-order.ts';
import { isDeletion } from './digest.ts';

/** A tenant with its plan; null if none could be made. */
export interface Reviewed {
  readonly name: string;
  readonly plan: Pick<Plan, 'actions' | 'refusals' | 'review'> | null;
  /** True if it is what an approved apply has left. */
  readonly isLeft?: boolean;
}

/** Tenants whose plans one code approves. */
export interface ReviewGroup {
  readonly code: string;
  /** In the order of the reviewed plans. */
  readonly tenants: readonly string[];
  /** What their own guards refuse, in words, with the counts of all of them; empty if none does. */
  readonly refused: readonly string[];
  /** What is deleted on more tenants than the limit: `roles/Old Support`, and on how many. */
  readonly deleted: readonly { readonly item: string; readonly tenants: number }[];
}

/** The same deletion on more tenants than this is refused, or than this part of them if that is more. */
const mostTenants = 10;
const mostOfProject = 0.1;

/**
 * The number of tenants on which one item may be deleted without an approval. A run of a part of the project has its
 * share, so that dividing a run does not avoid the guard.
 *
 *   all of 300 tenants  ->  30        30 of 300 tenants  ->  3        1 of 300 tenants  ->  1
 */
export function deletionLimit(tenants: number, ofProject: number): number {
  const whole = Math.max(mostTenants, Math.floor(ofProject * mostOfProject));
  return tenants >= ofProject ? whole : Math.max(1, Math.floor((whole * tenants) / ofProject));
}

/** What needs an approval, by its code. */
export function reviewGroups(
  plans: readonly Reviewed[],
  limit: number,
  isApproved: (name: string, code: string) => boolean,
): readonly ReviewGroup[] {
  const all = plans.flatMap(({ name, plan, isLeft = false }) =>
    plan === null ? [] : [{ name, plan, isLeft, deletions: deletionsOf(plan) }],
  );
  const counts = groupBy(
    all.flatMap(({ deletions }) => deletions),
    (item) => item,
  );
  const needing = all.flatMap(({ name, plan: { refusals, review }, isLeft, deletions }) => {
    if (review === undefined || isLeft || isApproved(name, review)) return [];
    const refused = openRefusals(refusals).map(({ kind, message }) => `${kind}: the plan ${message}`);
    const deleted = deletions
      .map((item) => ({ item, tenants: counts.get(item)?.length ?? 0 }))
      .filter(({ tenants }) => tenants > limit);
    return refused.length + deleted.length > 0 ? [{ review, name, refused, deleted }] : [];
  });
  return [...groupBy(needing, ({ review }) => review)].map(([code, group]) => ({
    code,
    tenants: group.map(({ name }) => name),
    refused: (group[0]?.refused ?? []).map((text, index) =>
      withCountRanges([text, ...group.flatMap(({ refused }) => refused[index] ?? [])]),
    ),
    deleted: group[0]?.deleted ?? [],
  }));
}

/** `roles/Old Support`, each once, in text order; by the name on the tenant, which files may declare by its id. */
function deletionsOf({ actions }: Pick<Plan, 'actions'>): string[] {
  const items = actions.filter(isDeletion).map(({ kind, key, before }) => `${kind}/${before?.['name'] ?? key}`);
  return [...new Set(items)].sort(compareText);
}
