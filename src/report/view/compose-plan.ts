import { isDifference } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Plan } from '../../model/plan.generated.ts';
import { type Forecast, type Quota, tenantQuota } from '../../model/quota.ts';
import { openRefusals } from '../../model/refusals.ts';
import { groupBy } from '../../values/group-by.ts';
import { cutName } from '../cut-text.ts';
import type { ReportCommands } from '../report-commands.ts';
import { quantity, thousands } from '../wording.ts';
import { type ActionRow, actionRows, type Detail, itemOf } from './action-rows.ts';
import { checkFirst, effectRows } from './effect-rows.ts';
import { classOf, findingsOf } from './findings.ts';
import { namingKinds } from './items.ts';
import { exceptions, planFacts, tenantOf, uncheckedKinds } from './plan-facts.ts';
import type { Counts, Fact, PlanView, ViewSection } from './plan-view.ts';
import {
  approvedSection,
  errorSection,
  findingRows,
  headerSection,
  isFilled,
  lastSections,
  refusedSection,
  remarksOf,
  scopeText,
  section,
  sortedRows,
} from './sections.ts';

/** Facts that a report adds to the plan. */
export interface PlanExtras {
  /** List the scopes that the plan needs. */
  readonly scopes?: boolean;
  readonly forecast?: Forecast;
  readonly detail?: Detail;
  /** The folder of the files, relative to the repository. */
  readonly folder?: string;
  /** Commands for what to do next. */
  readonly commands?: ReportCommands;
}

/** A plan for people: refusals and losses come first. */
export function composePlan(plan: Plan, known: readonly AnyKind[], extras: PlanExtras = {}): PlanView {
  const kinds = namingKinds(known, plan.actions);
  const { scopes = false, forecast, detail = 'compact', commands, folder } = extras;
  const items = actionRows(plan.actions, kinds, { detail });
  const counts = countsOf(items);
  const origins = originsOf(plan, items);
  const kept = findingsOf(plan, 'kept');
  return {
    name: 'plan',
    tenant: tenantOf(plan),
    facts: planFacts(plan, folder),
    headline: headlineOf(plan, counts, origins),
    counts,
    origins,
    base: plan.base,
    sentences: [...originSentences(origins, plan.base?.behind === true), ...conclusionOf(plan, kinds)],
    sections: planSections(plan, items, kinds, { detail, commands }).filter(isFilled),
    remarks: remarksOf(plan, kinds, kept),
    sends: sendsText(plan, forecast),
    closing: [...(scopes ? scopeFacts(plan) : []), { label: 'digest', text: cutName(plan.digest) }],
    moreClosing: forecast === undefined ? [] : [forecastFact(forecast)],
  };
}

function planSections(
  plan: Plan,
  items: readonly ActionRow[],
  kinds: readonly AnyKind[],
  { detail, commands }: { readonly detail: Detail; readonly commands: ReportCommands | undefined },
): ViewSection[] {
  const effects = effectRows(items, kinds, detail);
  const unread = items.filter(isUnread);
  const read = items.filter((item) => !isUnread(item));
  const rows = (of: readonly ActionRow[]) =>
    sortedRows(
      of.map(({ row }) => row),
      kinds,
    );
  const withAccess = (access: ActionRow['access']) => read.filter((item) => item.access === access && isAccess(item));
  const ofVerb = (verb: ActionRow['row']['verb']) =>
    rows(read.filter((item) => item.row.verb === verb && !isAccess(item)));
  const visible = { weight: 'visible' } as const;
  const differences = findingRows(findingsOf(plan, 'difference'), kinds);
  const header = headerSection(plan, kinds);
  const effectsOf = (name: keyof typeof effects) => effects[name].flatMap((rows) => sortedRows(rows, kinds));
  return [
    section('critical', checkFirst, effectsOf('critical'), { weight: 'critical' }),
    refusedSection(plan, kinds, commands),
    approvedSection(plan, kinds),
    header,
    errorSection(plan, kinds),
    section('lost', 'Loses access', [...rows(withAccess('lost')), ...effectsOf('lost')], visible),
    section('gained', 'Gains access', [...rows(withAccess('gained')), ...effectsOf('gained')], visible),
    section('effects', 'Effects', effectsOf('others'), visible),
    section('deletions', 'Deletions', ofVerb('delete'), visible),
    section('changes', 'Changes', ofVerb('change'), visible),
    section('additions', 'Additions', ofVerb('add'), visible),
    section('unsent', 'Secrets that apply does not send', findingRows(findingsOf(plan, 'unsent'), kinds), visible),
    section('unread', 'Sent by every apply, because live state cannot be read', rows(unread), visible),
    section('not-fixable', 'Cannot be fixed by apply', differences),
    ...lastSections(plan, kinds, findingsOf(plan, 'kept'), new Set(header.rows.map(({ name }) => name))),
  ];
}

function isUnread({ actions }: ActionRow): boolean {
  return actions.some(({ reason }) => reason === 'unreadable');
}

function isChange({ row }: ActionRow): boolean {
  return row.verb === 'change';
}

/** `12 changes with 13 requests`: the total of the headline. */
export function workText({ actions, summary }: Pick<Plan, 'actions' | 'summary'>): string {
  const changes = quantity(new Set(actions.map(itemOf)).size, 'change');
  return `${changes} with ${quantity(summary.requests, 'request')}`;
}

function countsOf(items: readonly ActionRow[]): Counts {
  const counts = { deletions: 0, changes: 0, additions: 0, access: 0, unread: 0 };
  const names = { delete: 'deletions', change: 'changes', add: 'additions' } as const;
  for (const item of items) {
    if (isUnread(item)) counts.unread += 1;
    else if (isAccess(item)) counts.access += 1;
    else if (item.row.verb !== null) counts[names[item.row.verb]] += 1;
  }
  return counts;
}

function headlineOf(plan: Plan, counts: Counts, origins: PlanView['origins']): string[] {
  const errors = findingsOf(plan, 'error').length;
  const refusals = openRefusals(plan.refusals).length;
  const unsent = findingsOf(plan, 'unsent').length;
  const reverting = origins === null ? 0 : origins.drift + origins.both;
  return [
    ...(refusals > 0 ? [`REFUSED by ${quantity(refusals, 'guard')}`] : []),
    ...overruledTexts(plan),
    ...(plan.complete ? [] : ['INCOMPLETE']),
    ...(errors > 0 ? [quantity(errors, 'error')] : []),
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

/** True if the item is in the section of what is lost or gained. */
function isAccess(item: ActionRow): boolean {
  return item.access !== null && isChange(item) && !isUnread(item);
}

function originsOf(plan: Plan, items: readonly ActionRow[]): PlanView['origins'] {
  if (plan.base === null) return null;
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
function originSentences(origins: PlanView['origins'], isBehind: boolean): string[] {
  if (origins === null) return [];
  const { change, drift, both } = origins;
  const own = change + both;
  if (own + drift === 0) return [];
  const shared =
    both === 0
      ? ''
      : `, ${both === own ? (both === 1 ? '' : 'all ') : `${thousands(both)} of them `}${sharedText(both)}`;
  const from = `${own === 0 ? 'No changes' : quantity(own, 'change')} from this pull request${shared}`;
  if (drift === 0) return [`${from}.`];
  const [what, where] = isBehind
    ? ['applying these files as they are', 'made on the tenant or by newer commits']
    : ['merging', 'made on the tenant'];
  return [`${from}; ${what} would ${own === 0 ? '' : 'also '}revert ${quantity(drift, 'change')} ${where}.`];
}

function sharedText(both: number): string {
  return both === 1
    ? 'to an item that was changed on the tenant as well'
    : 'to items that were changed on the tenant as well';
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
  if (!plan.complete) return ['Sync state unknown: live state is incomplete.'];
  const scope = scopeText(plan);
  const unsent = findingsOf(plan, 'unsent').length;
  const except = [
    ...(unsent === 0 ? [] : [`${quantity(unsent, 'secret')} that apply does not send`]),
    ...exceptions(plan, kinds),
  ].join(' and ');
  if (except === '') return [`In sync${scope}.`];
  return plan.actions.length === 0
    ? [`In sync${scope}, except for ${except}.`]
    : [
        `Not known to be in sync${scope}: ${uncheckedKinds(plan, kinds)} cannot be read. Every apply sends ${quantity(plan.actions.length, 'request')}.`,
      ];
}

/** `Apply sends 13 requests, about 7 s.` */
function sendsText({ summary }: Plan, forecast: Forecast | undefined): string {
  if (summary.requests === 0) return '';
  const seconds = forecast?.seconds ?? null;
  const time = seconds === null || seconds < 1 ? '' : `, about ${durationText(seconds)}`;
  return `Apply sends ${quantity(summary.requests, 'request')}${time}.`;
}

/** `forecast  9 reads and 4 writes; about 2 s at 2 per second after a burst of 10 (quota of the tenant)`. */
function forecastFact({ reads, writes, seconds, bottleneck }: Forecast): Fact {
  const time =
    seconds === null
      ? 'duration unknown, because no quota is known'
      : seconds < 1
        ? 'within the quota'
        : `about ${durationText(seconds)}`;
  const why = bottleneck === null || seconds === null || seconds < 1 ? '' : ` at ${rateText(bottleneck)}`;
  return {
    label: 'forecast',
    text: `${quantity(reads, 'read')} and ${quantity(writes, 'write')}; ${time}${why}`,
  };
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

function rateText({ group, perSecond, burst }: Quota): string {
  const rate = perSecond < 1 ? `${round(perSecond * 60)} per minute` : `${round(perSecond)} per second`;
  return `${rate} after a burst of ${burst} (quota of ${group === tenantQuota ? 'the tenant' : group})`;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function scopeFacts({ scopes }: Plan): Fact[] {
  const text = (names: readonly string[]) => names.join(' ') || 'none';
  return [
    { label: 'plan needs', text: text(scopes.plan) },
    { label: 'apply needs', text: text(scopes.apply) },
  ];
}
