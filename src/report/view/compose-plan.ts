import { isDifference } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import type { ViewContext } from '../document.ts';
import { cutName, quantity, thousands } from '../wording.ts';
import { type ActionRow, actionRows, itemOf } from './action-rows.ts';
import { effectRows } from './effect-rows.ts';
import { classOf, findingsOf } from './findings.ts';
import { type Fact, type PlanView, type Row, section } from './plan-view.ts';
import { refusalSections } from './refusals.ts';
import {
  agreement,
  endOf,
  errorSection,
  findingRows,
  headerSection,
  scopeText,
  sortedRows,
  troubles,
  uncheckedKinds,
  viewOf,
} from './sections.ts';

/** A plan for people: refusals and losses come first. */
export function composePlan(plan: Plan, context: ViewContext): PlanView {
  const { kinds, scopes = false, detail = 'compact', folder } = context;
  const items = actionRows(plan.actions, kinds, { detail });
  const counts = countsOf(items);
  const origins = plan.base === null ? null : originsOf(plan, items);
  return viewOf(plan, folder, {
    name: 'plan',
    headline: headlineOf(plan, counts, origins),
    sentences: [
      ...(origins === null ? [] : originSentences(origins, plan.base?.behind === true)),
      ...conclusionOf(plan, kinds),
    ],
    ...planSections(plan, items, context),
    sends: sendsText(plan),
    closing: [...(scopes ? scopeFacts(plan) : []), { label: 'digest', text: cutName(plan.digest) }],
  });
}

function planSections(
  plan: Plan,
  items: readonly ActionRow[],
  { kinds, detail = 'compact' }: ViewContext,
): Pick<PlanView, 'sections' | 'remarks'> {
  const effectsOf = effectRows(items, kinds, detail);
  const access = items.filter(isAccess);
  const others = items.filter((item) => !isUnread(item) && !isAccess(item));
  const rows = (of: readonly ActionRow[]) => of.map(({ row }) => row);
  const withAccess = (wanted: 'lost' | 'gained') => [
    ...sortedRows(rows(access.filter((item) => item.access === wanted)), kinds),
    ...effectsOf(wanted),
  ];
  const ofVerb = (verb: Row['verb']) => sortedRows(rows(others.filter(({ row }) => row.verb === verb)), kinds);
  const found = (wanted: 'unsent' | 'difference') => findingRows(findingsOf(plan, wanted), kinds);
  const header = headerSection(plan, kinds);
  const end = endOf(plan, kinds, findingsOf(plan, 'kept'), header);
  const sections = [
    section('critical', effectsOf('critical')),
    ...refusalSections(plan, kinds),
    header,
    errorSection(plan, kinds),
    section('lost', withAccess('lost')),
    section('gained', withAccess('gained')),
    section('effects', effectsOf('others')),
    section('deletions', ofVerb('delete')),
    section('changes', ofVerb('change')),
    section('additions', ofVerb('add')),
    section('unsent', found('unsent')),
    section('unread', sortedRows(rows(items.filter(isUnread)), kinds)),
    section('not-fixable', found('difference')),
  ];
  return { sections: [...sections, ...end.sections], remarks: end.remarks };
}

function isUnread({ actions }: ActionRow): boolean {
  return actions.some(({ reason }) => reason === 'unreadable');
}

/** True if the item is in the section of what is lost or gained. */
function isAccess(item: ActionRow): boolean {
  return item.access !== null && item.row.verb === 'change' && !isUnread(item);
}

/** An item counts once, however many requests it takes. */
type Counts = Readonly<ReturnType<typeof countsOf>>;

/** `12 changes with 13 requests`: the total of the headline. */
export function workText({ actions, summary }: Pick<Plan, 'actions' | 'summary'>): string {
  const changes = quantity(new Set(actions.map(itemOf)).size, 'change');
  return `${changes} with ${quantity(summary.requests, 'request')}`;
}

function countsOf(items: readonly ActionRow[]) {
  const counts = { deletions: 0, changes: 0, additions: 0, access: 0, unread: 0 };
  const names = { delete: 'deletions', change: 'changes', add: 'additions' } as const;
  for (const item of items) {
    if (isUnread(item)) counts.unread += 1;
    else if (isAccess(item)) counts.access += 1;
    else if (item.row.verb !== null) counts[names[item.row.verb]] += 1;
  }
  return counts;
}

function headlineOf(plan: Plan, counts: Counts, origins: Origins | null): string[] {
  const refusals = openRefusals(plan.refusals).length;
  const unsent = findingsOf(plan, 'unsent').length;
  const reverting = origins === null ? 0 : origins.drift + origins.both;
  return [
    ...(refusals > 0 ? [`REFUSED by ${quantity(refusals, 'guard')}`] : []),
    ...overruledTexts(plan),
    ...troubles(plan),
    countsText(counts),
    ...(reverting > 0 ? [`${reverting} of them ${reverting === 1 ? 'reverts' : 'revert'} drift`] : []),
    ...(unsent > 0 ? [`${quantity(unsent, 'changed secret')} not sent`] : []),
  ];
}

/** `1 guard overruled by tenant.approvals` */
function overruledTexts({ refusals }: Plan): string[] {
  const approved = refusals.flatMap(({ approved_by: approval }) => (approval === null ? [] : [approval.by]));
  return [...groupBy(approved, (by) => by)].map(
    ([by, { length }]) => `${quantity(length, 'guard')} overruled by ${by}`,
  );
}

/**
 * `9 changes: 3 to delete, 3 to change, 2 to add, 1 change of access`: as many as the sections have. Changes of access are in
 * sections of their own.
 */
function countsText({ deletions, changes, additions, access, unread }: Counts): string {
  const total = deletions + changes + additions + access + unread;
  if (total === 0) return 'no changes';
  if (deletions === total) return quantity(total, 'deletion');
  if (changes === total) return quantity(total, 'change');
  if (additions === total) return quantity(total, 'addition');
  const parts = [
    ...(deletions > 0 ? [`${thousands(deletions)} to delete`] : []),
    ...(changes > 0 ? [`${thousands(changes)} to change`] : []),
    ...(additions > 0 ? [`${thousands(additions)} to add`] : []),
    ...(access > 0 ? [quantity(access, 'change of access', 'changes of access')] : []),
    ...(unread > 0 ? [`${thousands(unread)} sent without a reading`] : []),
  ];
  return parts.length === 1 ? parts.join('') : `${quantity(total, 'change')}: ${parts.join(', ')}`;
}

interface Origins {
  readonly change: number;
  readonly drift: number;
  readonly both: number;
}

function originsOf(plan: Plan, items: readonly ActionRow[]): Origins {
  const origins = { change: findingsOf(plan, 'unsent').length, drift: 0, both: 0 };
  for (const { row } of items) if (row.origin !== null) origins[row.origin] += 1;
  return origins;
}

/**
 * Every change is counted once.
 *
 *   3 changes from this pull request; merging would also revert 2 changes made on the tenant.
 *   5 changes from this pull request, 2 of them to items that were changed on the tenant as well; merging would also …
 *
 * If the branch is behind, a merge keeps what newer commits did on the tenant.
 */
function originSentences({ change, drift, both }: Origins, isBehind: boolean): string[] {
  const own = change + both;
  if (own + drift === 0) return [];
  const of = both < own ? `${thousands(both)} of them ` : both === 1 ? '' : 'all ';
  const items = both === 1 ? 'an item that was' : 'items that were';
  const shared = both === 0 ? '' : `, ${of}to ${items} changed on the tenant as well`;
  const from = `${own === 0 ? 'No changes' : quantity(own, 'change')} from this pull request${shared}`;
  if (drift === 0) return [`${from}.`];
  const [what, where] = isBehind
    ? ['applying these files as they are', 'made on the tenant or by newer commits']
    : ['merging', 'made on the tenant'];
  return [`${from}; ${what} would ${own === 0 ? '' : 'also '}revert ${quantity(drift, 'change')} ${where}.`];
}

/** A sentence where no request follows from a known difference; none where the sections list what apply does. */
function conclusionOf(plan: Plan, kinds: readonly AnyKind[]): string[] {
  if (plan.actions.some(({ reason }) => reason !== 'unreadable')) return [];
  if (findingsOf(plan, 'error').length > 0) return [];
  const remaining = plan.findings.filter((finding) => isDifference(finding) && classOf(finding) !== 'kept').length;
  if (remaining > 0)
    return plan.actions.length > 0
      ? []
      : [`Not in sync, but nothing to apply: ${quantity(remaining, 'difference')} left.`];
  const unsent = findingsOf(plan, 'unsent').length;
  if (!plan.complete || plan.actions.length === 0) {
    const also = unsent === 0 ? [] : [`${quantity(unsent, 'secret')} that apply does not send`];
    return [agreement(plan, kinds, { agrees: 'In sync', state: 'Sync state', also })];
  }
  const unknown = `Not known to be in sync${scopeText(plan)}: ${uncheckedKinds(plan, kinds)} cannot be read.`;
  return [`${unknown} Every apply sends ${quantity(plan.actions.length, 'request')}.`];
}

function sendsText({ summary }: Plan): string {
  return summary.requests === 0 ? '' : `Apply sends ${quantity(summary.requests, 'request')}.`;
}

function scopeFacts({ scopes }: Plan): Fact[] {
  const text = (names: readonly string[]) => names.join(' ') || 'none';
  return [
    { label: 'plan needs', text: text(scopes.plan) },
    { label: 'apply needs', text: text(scopes.apply) },
  ];
}
