import type { AnyKind } from '../model/kind.ts';
import type { Action, ActionName, Finding, Plan, Refusal } from '../model/plan.generated.ts';
import { type Forecast, type Quota, tenantQuota } from '../model/quota.ts';
import { openRefusals } from '../model/refusals.ts';
import { actionItem, isDestructive } from './action-item.ts';
import { approvalFacts, approvalText } from './approval-facts.ts';
import { cutName, cutSentence } from './cut-text.ts';
import { planFacts, uncheckedKinds } from './plan-facts.ts';
import type { Fact, Item, Report, Section } from './report.ts';
import {
  classOf,
  errorSection,
  findingItem,
  findingsOf,
  groupByKind,
  isFilled,
  keptSection,
  leftOutSection,
  ruleSection,
  section,
} from './sections.ts';
import { openTextDetails } from './text-diff.ts';
import { quantity, thousands } from './wording.ts';

/** The most items that a refusal lists. */
const namedItems = 20;

/** Facts that a report adds to the plan. */
export interface PlanExtras {
  /** List the scopes that the plan needs. */
  readonly scopes?: boolean;
  readonly forecast?: Forecast;
}

/** A plan for people: destructive changes come first. */
export function composePlan(
  plan: Plan,
  kinds: readonly AnyKind[],
  { scopes = false, forecast }: PlanExtras = {},
): Report {
  return {
    name: 'plan',
    facts: planFacts(plan),
    conclusion: conclusionOf(plan, kinds),
    sections: planSections(plan, kinds).filter(isFilled),
    summary: summaryText(plan),
    closing: [
      ...(forecast === undefined ? [] : [forecastFact(forecast)]),
      ...(scopes ? scopeFacts(plan) : []),
      { label: 'digest', text: cutName(plan.digest) },
    ],
  };
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

function planSections(plan: Plan, kinds: readonly AnyKind[]): Section[] {
  const textDetails = openTextDetails();
  const actionGroups = (actions: readonly Action[]) =>
    groupByKind(actions, kinds, (action) => actionItem(action, kinds, textDetails));
  const findingGroups = (findings: readonly Finding[]) =>
    groupByKind(findings, kinds, (finding) => findingItem(finding, kinds));
  const losses = plan.actions.filter(isDestructive);
  const changes = plan.actions.filter((action) => !isDestructive(action));
  const differences = findingsOf(plan, 'difference');
  const unchecked = findingsOf(plan, 'unchecked');
  return [
    errorSection(plan, kinds),
    section(
      `Destructive changes: ${quantity(losses.length, 'request')}`,
      'Destructive',
      actionGroups(losses),
      'visible',
    ),
    section(`Additions and updates: ${quantity(changes.length, 'request')}`, 'Added or updated', actionGroups(changes)),
    section(
      `Cannot be fixed by apply: ${quantity(differences.length, 'difference')}`,
      'Not fixable',
      findingGroups(differences),
    ),
    keptSection(findingsOf(plan, 'kept'), kinds),
    {
      ...section(`Not checked: ${quantity(unchecked.length, 'finding')}`, 'Not checked', findingGroups(unchecked)),
      notes: plan.complete ? [] : [{ label: 'incomplete', text: 'apply refuses this plan; fix the cause and rerun' }],
    },
    ruleSection(plan, kinds),
    leftOutSection(plan, kinds),
    refusedSection(openRefusals(plan.refusals), kinds),
    approvedSection(plan.refusals, kinds),
  ];
}

function refusedSection(refusals: readonly Refusal[], kinds: readonly AnyKind[]): Section {
  const [first] = refusals;
  return {
    ...section(
      `Refused by ${quantity(refusals.length, 'guard')}`,
      null,
      groupByKind(refusals, kinds, refusalItem),
      'urgent',
    ),
    notes: first === undefined ? [] : approvalFacts(first),
  };
}

/** What the guards would refuse without its approval. */
function approvedSection(refusals: readonly Refusal[], kinds: readonly AnyKind[]): Section {
  const approved = refusals.flatMap((refusal) =>
    refusal.approved_by === null ? [] : [{ ...refusal, approved_by: refusal.approved_by }],
  );
  return section(
    `Approved: ${quantity(approved.length, 'refusal')}`,
    null,
    groupByKind(approved, kinds, ({ approved_by, ...refusal }) => {
      const { sign: _sign, head, details } = refusalItem(refusal);
      const why = { label: 'approved', text: approvalText(approved_by) };
      const annotation = { level: 'notice' as const, title: head, source: approved_by.source };
      return { sign: '=' as const, head, details: [why, ...details], annotation };
    }),
    'visible',
  );
}

function refusalItem({ code, message, items }: Pick<Refusal, 'code' | 'message' | 'items'>): Item {
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

/** A sentence where no request follows from a known difference; null where the sections list what apply does. */
function conclusionOf(plan: Plan, kinds: readonly AnyKind[]): string | null {
  if (plan.actions.some(({ reason }) => reason !== 'unreadable')) return null;
  const remaining = plan.findings.filter(isDifference).length;
  const errors = findingsOf(plan, 'error').length;
  if (errors > 0) return null;
  if (remaining > 0)
    return plan.actions.length > 0
      ? null
      : `Not in sync, but nothing to apply: ${quantity(remaining, 'difference')} left.`;
  if (!plan.complete) return 'Sync state unknown: live state is incomplete.';
  const scope = plan.left_out.length > 0 ? ' (selected items only)' : '';
  const unchecked = uncheckedKinds(plan, kinds);
  if (unchecked === '') return `In sync${scope}.`;
  return plan.actions.length === 0
    ? `In sync${scope}, except for what cannot be read: ${unchecked}.`
    : `Not known to be in sync${scope}: ${unchecked} cannot be read. Every apply sends ${quantity(plan.actions.length, 'request')}.`;
}

/** An item kept by keep_undeclared is kept as configured, and still is a difference. */
function isDifference(finding: Finding): boolean {
  return classOf(finding) === 'difference' || finding.code === 'LIVE_UNDECLARED';
}

const counted: readonly ActionName[] = ['delete', 'remove', 'create', 'add', 'update', 'put'];

function summaryText({ summary }: Plan): string {
  const actions = counted.filter((name) => summary[name] > 0).map((name) => `${thousands(summary[name])} to ${name}`);
  return [
    actions.join(', ') || 'no actions',
    quantity(summary.findings, 'finding'),
    quantity(summary.requests, 'request'),
  ].join('; ');
}
