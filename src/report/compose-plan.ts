import type { Forecast } from '../model/forecast.ts';
import type { AnyKind } from '../model/kind.ts';
import type { Action, ActionName, Finding, Plan, Refusal } from '../model/plan.generated.ts';
import { type Quota, tenantQuota } from '../model/quota.ts';
import { actionItem, takesAway } from './action-item.ts';
import { cutName, cutSentence } from './cut-text.ts';
import { planFacts, uncheckedKinds } from './plan-facts.ts';
import { quantity, thousands } from './quantity.ts';
import type { Fact, Item, Report, Section } from './report.ts';
import {
  classOf,
  type FindingClass,
  findingItem,
  groupByKind,
  isFilled,
  keptSection,
  leftOutSection,
  section,
} from './sections.ts';

/** Items that a guard names one by one. */
const namedItems = 20;

/** What a report says beside the plan itself. */
export interface PlanExtras {
  /** The scopes that it needs. */
  readonly scopes?: boolean;
  readonly forecast?: Forecast;
}

/** A plan as people read it: what is lost stands first. */
export function composePlan(
  plan: Plan,
  kinds: readonly AnyKind[],
  { scopes = false, forecast }: PlanExtras = {},
): Report {
  return {
    name: 'plan',
    facts: planFacts(plan),
    verdict: verdictOf(plan, kinds),
    sections: planSections(plan, kinds).filter(isFilled),
    summary: summaryText(plan),
    closing: [
      ...(forecast === undefined ? [] : [forecastFact(forecast)]),
      ...(scopes ? scopeFacts(plan) : []),
      { label: 'digest', text: cutName(plan.digest) },
    ],
  };
}

/** `forecast apply sends 9 + 4 requests; about 2 s at 2 per second, the tenant's quota`. */
function forecastFact({ reads, writes, seconds, bottleneck }: Forecast): Fact {
  const time =
    seconds === null ? 'no quota is known' : seconds < 1 ? 'within the quota' : `about ${durationText(seconds)}`;
  const why = bottleneck === null || seconds === null || seconds < 1 ? '' : ` at ${rateText(bottleneck)}`;
  return {
    label: 'forecast',
    text: `apply sends ${quantity(reads, 'read')} and ${quantity(writes, 'write')}; ${time}${why}`,
  };
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

function rateText({ group, perSecond, burst }: Quota): string {
  const rate = perSecond < 1 ? `${round(perSecond * 60)} a minute` : `${round(perSecond)} a second`;
  return `${rate} after a burst of ${burst}, the quota of ${group === tenantQuota ? 'the tenant' : group}`;
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

function planSections(plan: Plan, kinds: readonly AnyKind[]): Section[] {
  const actionGroups = (actions: readonly Action[]) =>
    groupByKind(actions, kinds, (action) => actionItem(action, kinds));
  const findingGroups = (findings: readonly Finding[]) =>
    groupByKind(findings, kinds, (finding) => findingItem(finding));
  const losses = plan.actions.filter(takesAway);
  const changes = plan.actions.filter((action) => !takesAway(action));
  const differences = findingsOf(plan, 'difference');
  const unchecked = findingsOf(plan, 'unchecked');
  return [
    section(`Will be taken away: ${quantity(losses.length, 'request')}`, 'Taken away', actionGroups(losses), 'visible'),
    section(
      `Will be added or changed: ${quantity(changes.length, 'request')}`,
      'Added or changed',
      actionGroups(changes),
    ),
    section(
      `Cannot be corrected with these operations: ${quantity(differences.length, 'finding')}`,
      'Cannot be corrected',
      findingGroups(differences),
    ),
    keptSection(findingsOf(plan, 'kept'), kinds),
    {
      ...section(
        `Could not be checked: ${quantity(unchecked.length, 'finding')}`,
        'Not checked',
        findingGroups(unchecked),
      ),
      notes: plan.complete
        ? []
        : [{ label: 'incomplete', text: 'apply refuses this plan, because not everything could be read' }],
    },
    leftOutSection(plan, kinds),
    refusedSection(plan.refusals, kinds),
  ];
}

function findingsOf({ findings }: Plan, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

function refusedSection(refusals: readonly Refusal[], kinds: readonly AnyKind[]): Section {
  const codes = [...new Set(refusals.map(({ approve }) => approve))];
  return {
    ...section(
      `Refused: ${quantity(refusals.length, 'guard')}`,
      null,
      groupByKind(refusals, kinds, refusalItem),
      'urgent',
    ),
    notes: codes.map((code) => ({ label: 'To go on', text: `tenant-sync apply --approve ${cutName(code)}` })),
  };
}

function refusalItem({ code, message, items }: Refusal): Item {
  const named: Fact[] = items.slice(0, namedItems).map((item) => ({ label: 'item', text: cutName(item) }));
  const more: Fact[] =
    items.length > namedItems ? [{ label: 'item', text: `and ${thousands(items.length - namedItems)} more` }] : [];
  return {
    sign: 'x',
    head: code,
    details: [{ label: 'why', text: cutSentence(message) }, ...named, ...more],
    annotation: { level: 'error', title: code, source: null },
  };
}

/** Said when no request follows from a known difference; null when the sections say what will be done. */
function verdictOf(plan: Plan, kinds: readonly AnyKind[]): string | null {
  if (plan.actions.some(({ reason }) => reason !== 'unreadable')) return null;
  const stays = plan.findings.filter(isDifference).length;
  const sent =
    plan.actions.length === 0 ? '' : ` ${quantity(plan.actions.length, 'request')} will be sent all the same.`;
  if (stays > 0)
    return plan.actions.length > 0
      ? null
      : `Nothing to apply, but not in sync: ${quantity(stays, 'difference')} will stay.`;
  if (!plan.complete) return 'Cannot tell whether the tenant is in sync: not everything could be read.';
  const scope = plan.left_out.length > 0 ? ', as far as the selection goes' : '';
  const unchecked = uncheckedKinds(plan, kinds);
  return unchecked === '' ? `In sync${scope}.` : `In sync${scope}, but for what cannot be read: ${unchecked}.${sent}`;
}

/** What keep_undeclared keeps was wanted so, and still is a difference. */
function isDifference(finding: Finding): boolean {
  return classOf(finding) === 'difference' || finding.code === 'LIVE_UNDECLARED';
}

const counted: readonly ActionName[] = ['delete', 'remove', 'create', 'add', 'update', 'put'];

function summaryText({ summary }: Plan): string {
  const actions = counted.filter((name) => summary[name] > 0).map((name) => `${thousands(summary[name])} to ${name}`);
  return [
    actions.join(', ') || 'no action',
    quantity(summary.findings, 'finding'),
    quantity(summary.requests, 'request'),
  ].join('; ');
}
