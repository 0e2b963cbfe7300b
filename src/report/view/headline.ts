import { isDifference } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { quantity, thousands, totalText } from '../wording.ts';
import { type ActionRow, isDestructive, itemOf } from './action-rows.ts';
import { classOf, findingsOf } from './findings.ts';
import { agreement, scopeText, troubles, uncheckedKinds } from './sections.ts';

/** Where an item is, and how the headline counts it. */
const places = {
  delete: 'to delete',
  change: 'to change',
  add: 'to add',
  access: 'to change access',
  unread: 'sent without a reading',
} as const;
export type Place = keyof typeof places;

export function placeOfItem({ actions, access, row: { verb } }: ActionRow): Place {
  if (actions.some(({ reason }) => reason === 'unreadable')) return 'unread';
  return access !== null && verb === 'change' ? 'access' : (verb ?? 'change');
}

/** `12 changes (3 losses) with 13 requests`: an item counts once, however many requests it takes. */
export function workText({ actions, summary }: Pick<Plan, 'actions' | 'summary'>): string {
  const countOf = (of: Plan['actions']) => new Set(of.map(itemOf)).size;
  const losses = countOf(actions.filter((action) => isDestructive(action) || action.reason === 'unreadable'));
  const lossText = losses === 0 ? 'no losses' : quantity(losses, 'loss', 'losses');
  return `${quantity(countOf(actions), 'change')} (${lossText}) with ${quantity(summary.requests, 'request')}`;
}

/** `9 changes: 3 to delete, 6 to add`: as many as the sections have. */
function countsText(items: readonly ActionRow[], isPart: boolean): string {
  const byPlace = groupBy(items, placeOfItem);
  const counts = Object.entries(places).map(
    ([place, what]) => [byPlace.get(place as Place)?.length ?? 0, what] as const,
  );
  return totalText('change', counts, isPart ? 'no other changes' : 'no changes');
}

/** What is left when everything is done; none without any. */
export function remainingTexts(plan: Plan): string[] {
  const remaining = remainingOf(plan);
  return remaining > 0 ? [`${quantity(remaining, 'difference')} that apply cannot correct`] : [];
}

/** How many differences no action is about. */
function remainingOf({ findings }: Plan): number {
  return findings.filter((finding) => isDifference(finding) && !['kept', 'error'].includes(classOf(finding))).length;
}

export function headlineOf(plan: Plan, items: readonly ActionRow[], isPart: boolean): string[] {
  const refusals = openRefusals(plan.refusals).length;
  const unsent = findingsOf(plan, 'unsent').length;
  return [
    ...(refusals > 0 ? [`REFUSED by ${quantity(refusals, 'guard')}`] : []),
    ...overruledTexts(plan),
    ...troubles(plan),
    countsText(items, isPart),
    ...remainingTexts(plan),
    ...(unsent > 0 ? [`${quantity(unsent, 'changed secret')} not sent`] : []),
  ];
}

/** `1 guard overruled by tenant.approvals` */
export function overruledTexts({ refusals }: Plan): string[] {
  const approved = refusals.flatMap(({ approved_by: approval }) => (approval === null ? [] : [approval.by]));
  return [...groupBy(approved, (by) => by)].map(
    ([by, { length }]) => `${quantity(length, 'guard')} overruled by ${by}`,
  );
}

interface Origins {
  readonly change: number;
  readonly drift: number;
  readonly both: number;
}

export function originsOf(plan: Plan, items: readonly ActionRow[]): Origins {
  const origins = { change: findingsOf(plan, 'unsent').length, drift: 0, both: 0 };
  for (const { row } of items) if (row.origin !== null) origins[row.origin] += 1;
  return origins;
}

/**
 * Every change is counted once. If the branch is behind, newer commits made changes on the tenant as well.
 *
 *   5 changes from this pull request, 2 of them also changed on the tenant; applying these files would revert 4 changes …
 */
export function originSentences({ change, drift, both }: Origins, isBehind: boolean): string[] {
  const own = change + both;
  if (own + drift === 0) return [];
  const shared = both === 0 ? '' : `, ${thousands(both)} of them also changed on the tenant`;
  const made = isBehind ? 'made on the tenant or by newer commits' : 'made on the tenant';
  const reverted = drift === 0 ? '' : `; applying these files would revert ${quantity(drift, 'change')} ${made}`;
  return [`${own === 0 ? 'No changes' : quantity(own, 'change')} from this pull request${shared}${reverted}.`];
}

/** A sentence where the plan has no known difference. */
export function conclusionOf(plan: Plan, kinds: readonly AnyKind[]): string[] {
  const differs = remainingOf(plan) + findingsOf(plan, 'unsent').length + findingsOf(plan, 'error').length > 0;
  if (differs || plan.actions.some(({ reason }) => reason !== 'unreadable')) return [];
  if (!plan.complete || plan.actions.length === 0)
    return [agreement(plan, kinds, { agrees: 'In sync', state: 'Sync state' })];
  const unknown = `Not known to be in sync${scopeText(plan)}: ${uncheckedKinds(plan, kinds)} cannot be read.`;
  return [`${unknown} Every apply sends ${quantity(plan.actions.length, 'request')}.`];
}
