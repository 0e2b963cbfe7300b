import { findingTraits, isDifference } from '../../model/findings.ts';
import type { KnownKind } from '../../model/kind.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import type { Group } from '../document.ts';
import { approverName, quantity, thousands, totalText } from '../wording.ts';
import { isDestructive, itemOf } from './action-rows.ts';
import { classOf, findingsOf } from './findings.ts';
import { byKind, nounOf } from './items.ts';
import type { Row, SectionName } from './plan-view.ts';

/** How the headline counts the items of sections. */
const places: readonly (readonly [what: string, ...SectionName[]])[] = [
  ['to delete', 'deletions'],
  ['to change', 'changes'],
  ['to add', 'additions'],
  ['to change access', 'lost', 'gained'],
  ['sent without a reading', 'unread'],
];

/** `12 changes (3 losses) with 13 requests`: an item counts once, however many requests it takes. */
export function workText({ actions, summary }: Pick<Plan, 'actions' | 'summary'>): string {
  const countOf = (of: Plan['actions']) => new Set(of.map(itemOf)).size;
  const losses = countOf(actions.filter((action) => isDestructive(action) || action.reason === 'unreadable'));
  const lossText = losses === 0 ? 'no losses' : quantity(losses, 'loss', 'losses');
  return `${quantity(countOf(actions), 'change')} (${lossText}) with ${quantity(summary.requests, 'request')}`;
}

export function headlineOf(plan: Plan, items: readonly Row[], isNote = false): string[] {
  const unsent = findingsOf(plan, 'unsent').length;
  const bySection = groupBy(items, ({ section }) => section);
  const counts = places.map(([what, ...sections]) => {
    const count = sections.reduce((sum, section) => sum + (bySection.get(section)?.length ?? 0), 0);
    return [count, what] as const;
  });
  // As many as the sections have: `9 changes: 3 to delete, 6 to add`.
  const total = totalText('change', counts, isNote ? '' : noneOf(plan, 'changes'));
  return [
    ...refusedTexts(plan),
    ...overruledTexts(plan),
    ...troubles(plan),
    ...(total === '' ? [] : [total]),
    ...remainingTexts(plan),
    ...(unsent > 0 ? [`${quantity(unsent, 'changed secret')} not sent`] : []),
  ];
}

/** `no changes` */
export function noneOf({ complete }: Plan, noun: string): string {
  return complete ? `no ${noun}` : `no known ${noun}`;
}

/** `REFUSED by 2 guards`; none if nothing refuses it. */
export function refusedTexts({ refusals }: Plan): string[] {
  const open = openRefusals(refusals).length;
  return open === 0 ? [] : [`REFUSED by ${quantity(open, 'guard')}`];
}

/** How many requests apply sends: none of a plan that it refuses. */
export function requestsOf({ complete, refusals, summary }: Plan): number {
  return complete && openRefusals(refusals).length === 0 ? summary.requests : 0;
}

/** What leads the totals of every report of a plan. */
export function troubles(plan: Plan): string[] {
  const errors = findingsOf(plan, 'error').length;
  return [...(plan.complete ? [] : ['INCOMPLETE']), ...(errors > 0 ? [quantity(errors, 'error')] : [])];
}

/** `1 guard overruled by tenant.approvals` */
export function overruledTexts({ refusals }: Plan): string[] {
  const approved = refusals.flatMap(({ approved_by: approval }) => (approval === null ? [] : [approval.by]));
  return [...groupBy(approved, (by) => by)].map(
    ([by, { length }]) => `${quantity(length, 'guard')} overruled by ${approverName(by)}`,
  );
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

/**
 * Every change is counted once. If the branch is behind, newer commits made changes on the tenant as well.
 *
 *   5 changes from this pull request, 2 of them also changed on the tenant; applying these files would revert 4 changes …
 */
export function originSentences(plan: Plan, items: readonly Row[]): string[] {
  const { base } = plan;
  if (base === null) return [];
  const count = (wanted: 'change' | 'drift' | 'both') => items.filter(({ origin }) => origin === wanted).length;
  const [drift, both] = [count('drift'), count('both')];
  const own = count('change') + findingsOf(plan, 'unsent').length + both;
  if (own + drift === 0) return [];
  const shared = both === 0 ? '' : `, ${thousands(both)} of them also changed on the tenant`;
  const made = base.behind === true ? 'made on the tenant or by newer commits' : 'made on the tenant';
  const reverted = drift === 0 ? '' : `; applying these files would revert ${quantity(drift, 'change')} ${made}`;
  return [`${own === 0 ? 'No changes' : quantity(own, 'change')} from this pull request${shared}${reverted}.`];
}

/** A sentence where the plan has no known difference. */
export function conclusionOf(plan: Plan, kinds: readonly KnownKind[], group?: Group): string[] {
  const differs = remainingOf(plan) + findingsOf(plan, 'unsent', 'error').length > 0;
  if (differs || plan.actions.some(({ reason }) => reason !== 'unreadable')) return [];
  if (!plan.complete || plan.actions.length === 0)
    return agreement(plan, kinds, { agrees: 'In sync', state: 'Sync state' }, group);
  const unknown = `Not known to be in sync${scopeText(plan)}: ${uncheckedKinds(plan, kinds)} cannot be read.`;
  return [`${unknown} Every apply sends ${quantity(plan.actions.length, 'request')}.`];
}

/** For results that are not about the complete tenant. */
function scopeText({ left_out, selection }: Plan): string {
  if (left_out.length === 0) return '';
  return selection.changed === true ? ' (changed items only)' : ' (selected items only)';
}

/** Nouns of the kinds that were not fully read, in the order of the kinds; '' if all were. */
export function uncheckedKinds(plan: Plan, kinds: readonly KnownKind[]): string {
  const unchecked = findingsOf(plan, 'unchecked').filter((finding) => !findingTraits(finding).ofFields);
  const unreadable = plan.actions.filter(({ reason }) => reason === 'unreadable');
  const all = [...plan.summary.unreadable.map((kind) => ({ kind })), ...unchecked, ...unreadable];
  return nounsOf(all, kinds) || (plan.complete ? '' : 'part of the tenant');
}

/**
 * `In sync (selected items only), except for …`: where the plan has no known difference. A group has none where its heading
 * says as much: as the last line of a report, it would read like a conclusion about all tenants.
 */
export function agreement(
  plan: Plan,
  kinds: readonly KnownKind[],
  { agrees, state }: { readonly agrees: string; readonly state: string },
  group?: Group,
): string[] {
  if (!plan.complete) return [`${state} unknown: live state is incomplete.`];
  // Files that have no section, so that nothing was compared.
  if (plan.scopes.plan.length + plan.findings.length + plan.left_out.length === 0) return ['Nothing is managed yet.'];
  const unread = uncheckedKinds(plan, kinds);
  const fields = plan.findings.filter((finding) => findingTraits(finding).ofFields);
  const except = [
    ...(unread === '' ? [] : [`what cannot be read: ${unread}`]),
    ...(fields.length === 0 ? [] : [`fields that this version does not expect: ${nounsOf(fields, kinds)}`]),
  ];
  const limits = `${scopeText(plan)}${except.length === 0 ? '' : `, except for ${except.join(' and ')}`}`;
  return group !== undefined && limits === '' ? [] : [`${agrees}${limits}.`];
}

function nounsOf(these: readonly { readonly kind: string }[], kinds: readonly KnownKind[]): string {
  return byKind(these, kinds)
    .map(([kind]) => nounOf(kind, kinds))
    .join(', ');
}
