import type { AnyKind } from '../model/kind.ts';
import type { Action, Finding, Plan } from '../model/plan.generated.ts';
import { actionItem, isDestructive } from './action-item.ts';
import { cutName } from './cut-text.ts';
import { planFacts, uncheckedKinds } from './plan-facts.ts';
import type { Group, Item, Report, Section, Sign } from './report.ts';
import {
  classOf,
  errorSection,
  findingItem,
  groupByKind,
  isFilled,
  keptSection,
  leftOutSection,
  ruleSection,
  section,
} from './sections.ts';
import { openTextDetails, type TextDetails } from './text-diff.ts';
import { quantity, thousands } from './wording.ts';

/** How the tenant differs from the files in one identity. */
type DriftStatus = 'undeclared' | 'missing' | 'different' | 'kept' | 'unchecked';

type Entry = { readonly kind: string; readonly status: DriftStatus } & (
  | { readonly action: Action }
  | { readonly finding: Finding }
);

const statusOfCode: Readonly<Record<string, DriftStatus>> = {
  LIVE_UNDECLARED: 'undeclared',
  LIVE_UNDELETABLE: 'undeclared',
  LIVE_MISSING: 'missing',
};
const signs: Readonly<Record<DriftStatus, Sign>> = {
  undeclared: '+',
  missing: '-',
  different: '~',
  kept: '=',
  unchecked: '?',
};

/** The same plan from the tenant's side: items that are undeclared, missing or different there. */
export function composeDrift(plan: Plan, kinds: readonly AnyKind[]): Report {
  const entries: Entry[] = [
    ...plan.findings
      .filter((finding) => classOf(finding) !== 'error' && classOf(finding) !== 'rule')
      .map((finding) => ({ kind: finding.kind, status: statusOfFinding(finding), finding })),
    ...plan.actions.map((action) => ({ kind: action.kind, status: statusOfAction(action), action })),
  ];
  const withStatus = (status: DriftStatus) => entries.filter((entry) => entry.status === status);
  const counts = {
    undeclared: withStatus('undeclared').length,
    missing: withStatus('missing').length,
    different: withStatus('different').length,
    unchecked: withStatus('unchecked').length,
  };
  return {
    name: 'drift',
    facts: planFacts(plan),
    conclusion: conclusionOf(plan, kinds, counts.undeclared + counts.missing + counts.different),
    sections: driftSections(plan, kinds, withStatus).filter(isFilled),
    summary: `${thousands(counts.undeclared)} undeclared, ${thousands(counts.missing)} missing, ${thousands(counts.different)} different; ${thousands(counts.unchecked)} not checked`,
    closing: [],
  };
}

function driftSections(
  plan: Plan,
  kinds: readonly AnyKind[],
  withStatus: (status: DriftStatus) => readonly Entry[],
): Section[] {
  const textDetails = openTextDetails();
  const groups = (entries: readonly Entry[]): Group[] =>
    groupByKind(entries, kinds, (entry) => itemOf(entry, kinds, textDetails));
  const undeclared = withStatus('undeclared');
  const missing = withStatus('missing');
  const different = withStatus('different');
  const unchecked = withStatus('unchecked');
  return [
    errorSection(plan, kinds),
    section(
      `On the tenant but not in the files: ${quantity(undeclared.length, 'item')}`,
      'Undeclared',
      groups(undeclared),
      'visible',
    ),
    section(
      `In the files but not on the tenant: ${quantity(missing.length, 'item')}`,
      'Missing',
      groups(missing),
      'visible',
    ),
    section(`Different: ${quantity(different.length, 'item')}`, 'Different', groups(different), 'visible'),
    keptSection(
      plan.findings.filter((finding) => statusOfFinding(finding) === 'kept'),
      kinds,
    ),
    section(`Not checked: ${quantity(unchecked.length, 'item')}`, 'Not checked', groups(unchecked)),
    ruleSection(plan, kinds),
    leftOutSection(plan, kinds),
  ];
}

function statusOfFinding(finding: Finding): DriftStatus {
  const status = Object.hasOwn(statusOfCode, finding.code) ? statusOfCode[finding.code] : undefined;
  if (status !== undefined) return status;
  const found = classOf(finding);
  return found === 'kept' || found === 'unchecked' ? found : 'different';
}

/** A request planned because a kind cannot be read proves no difference. */
function statusOfAction(action: Action): DriftStatus {
  if (action.reason === 'unreadable') return 'unchecked';
  if (action.action !== 'put' && isDestructive(action)) return 'undeclared';
  return action.action === 'create' || action.action === 'add' ? 'missing' : 'different';
}

function itemOf(entry: Entry, kinds: readonly AnyKind[], textDetails: TextDetails): Item {
  if ('finding' in entry) return findingItem(entry.finding, kinds, signs[entry.status]);
  return seenFromTenant(entry.action, entry.status, kinds, textDetails);
}

/** Details of the request that would fix the difference. */
const ofRequest: ReadonlySet<string> = new Set(['request', 'reason', 'note']);

/** Without the request: drift reports a state, not the change that would fix it. */
function seenFromTenant(
  action: Action,
  status: DriftStatus,
  kinds: readonly AnyKind[],
  textDetails: TextDetails,
): Item {
  const code = driftCode(action);
  const { details, annotation } = actionItem(action, kinds, textDetails);
  const level = action.reason === 'unreadable' ? 'notice' : 'warning';
  const labels: Readonly<Record<string, string>> = {
    before: 'live',
    after: 'declared',
    removes: 'extra',
    adds: 'missing',
    changes: 'differs',
  };
  const declared = action.reason === 'absent' ? [{ label: 'declared', text: 'absent' }] : [];
  const seen = details
    .filter(({ label }) => !ofRequest.has(label))
    .map(({ label, text }) => ({ label: labels[label] ?? label, text }));
  return {
    sign: signs[status],
    head: `${code} ${cutName(action.key)}`,
    details: [...declared, ...seen],
    annotation: annotation && { ...annotation, level, title: code },
  };
}

/** The code of a difference that an action would fix. */
export function driftCode(action: Action): string {
  return action.reason === 'duplicate' ? 'LIVE_DUPLICATE' : codes[statusOfAction(action)];
}

/** The code agrees with the heading of the section. No action is kept. */
const codes: Readonly<Record<DriftStatus, string>> = {
  undeclared: 'LIVE_UNDECLARED',
  missing: 'LIVE_MISSING',
  different: 'LIVE_DIFFERENT',
  kept: 'LIVE_UNDECLARED',
  unchecked: 'LIVE_NOT_CHECKED',
};

function conclusionOf(plan: Plan, kinds: readonly AnyKind[], differences: number): string | null {
  if (differences > 0 || plan.findings.some(({ severity }) => severity === 'error')) return null;
  if (!plan.complete) return 'Drift unknown: live state is incomplete.';
  const scope = plan.left_out.length > 0 ? ' (selected items only)' : '';
  const unchecked = uncheckedKinds(plan, kinds);
  return unchecked === '' ? `No drift${scope}.` : `No drift${scope}, except for what cannot be read: ${unchecked}.`;
}
