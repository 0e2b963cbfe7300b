import type { AnyKind } from '../model/kind.ts';
import type { Action, Finding, Plan } from '../model/plan.generated.ts';
import { actionItem, takesAway } from './action-item.ts';
import { cutName } from './cut-text.ts';
import { planFacts, uncheckedKinds } from './plan-facts.ts';
import { quantity, thousands } from './quantity.ts';
import type { Group, Item, Report, Section, Sign } from './report.ts';
import { classOf, findingItem, groupByKind, isFilled, keptSection, leftOutSection, section } from './sections.ts';

/** How the tenant stands to the files in one identity. */
type Standing = 'has' | 'lacks' | 'differs' | 'kept' | 'unchecked';

type Entry = { readonly kind: string; readonly standing: Standing } & (
  | { readonly action: Action }
  | { readonly finding: Finding }
);

const standings: Readonly<Record<string, Standing>> = {
  LIVE_UNDECLARED: 'has',
  LIVE_UNDELETABLE: 'has',
  LIVE_MISSING: 'lacks',
};
const signs: Readonly<Record<Standing, Sign>> = { has: '+', lacks: '-', differs: '~', kept: '=', unchecked: '?' };

/** The same plan told from the tenant's side: what it has, lacks and holds otherwise than the files say. */
export function composeDrift(plan: Plan, kinds: readonly AnyKind[]): Report {
  const entries: Entry[] = [
    ...plan.findings.map((finding) => ({ kind: finding.kind, standing: standingOfFinding(finding), finding })),
    ...plan.actions.map((action) => ({ kind: action.kind, standing: standingOfAction(action), action })),
  ];
  const having = (standing: Standing) => entries.filter((entry) => entry.standing === standing);
  const counts = {
    has: having('has').length,
    lacks: having('lacks').length,
    differs: having('differs').length,
    unchecked: having('unchecked').length,
  };
  return {
    name: 'drift',
    facts: planFacts(plan),
    verdict: verdictOf(plan, kinds, counts.has + counts.lacks + counts.differs),
    sections: driftSections(plan, kinds, having).filter(isFilled),
    summary: `the tenant has ${thousands(counts.has)} undeclared, lacks ${thousands(counts.lacks)}, differs in ${thousands(counts.differs)}; ${thousands(counts.unchecked)} not checked`,
    closing: [],
  };
}

function driftSections(
  plan: Plan,
  kinds: readonly AnyKind[],
  having: (standing: Standing) => readonly Entry[],
): Section[] {
  const groups = (entries: readonly Entry[]): Group[] => groupByKind(entries, kinds, (entry) => itemOf(entry, kinds));
  const [has, lacks, differs, unchecked] = [having('has'), having('lacks'), having('differs'), having('unchecked')];
  return [
    section(
      `The tenant has ${quantity(has.length, 'item')} that the files do not declare`,
      'Undeclared',
      groups(has),
      'visible',
    ),
    section(
      `The tenant lacks ${quantity(lacks.length, 'item')} that the files declare`,
      'Missing',
      groups(lacks),
      'visible',
    ),
    section(`The tenant differs in ${quantity(differs.length, 'item')}`, 'Different', groups(differs), 'visible'),
    keptSection(
      plan.findings.filter((finding) => standingOfFinding(finding) === 'kept'),
      kinds,
    ),
    section(`Could not be checked: ${quantity(unchecked.length, 'part')}`, 'Not checked', groups(unchecked)),
    leftOutSection(plan, kinds),
  ];
}

function standingOfFinding(finding: Finding): Standing {
  const standing = Object.hasOwn(standings, finding.code) ? standings[finding.code] : undefined;
  if (standing !== undefined) return standing;
  const kindOfFinding = classOf(finding);
  return kindOfFinding === 'difference' ? 'differs' : kindOfFinding;
}

/** A request planned because a kind cannot be read tells nothing of the tenant. */
function standingOfAction(action: Action): Standing {
  if (action.reason === 'unreadable') return 'unchecked';
  if (action.action !== 'put' && takesAway(action)) return 'has';
  return action.action === 'create' || action.action === 'add' ? 'lacks' : 'differs';
}

function itemOf(entry: Entry, kinds: readonly AnyKind[]): Item {
  const sign = signs[entry.standing];
  if ('finding' in entry) return findingItem(entry.finding, sign);
  return seenFromTenant(entry.action, sign, kinds);
}

/** Without the request: drift tells what is, not what would be done. */
function seenFromTenant(action: Action, sign: Sign, kinds: readonly AnyKind[]): Item {
  const { details, annotation } = actionItem(action, kinds);
  const level = action.reason === 'unreadable' ? 'notice' : 'warning';
  const labels: Readonly<Record<string, string>> = {
    before: 'live',
    after: 'declared',
    removes: 'shall not hold',
    adds: 'does not hold',
    changes: 'differs',
  };
  return {
    sign,
    head: `${reasonCodes[action.reason]} ${cutName(action.key)}`,
    details: details
      .filter(({ label }) => label !== 'request' && label !== 'reason')
      .map(({ label, text }) => ({ label: labels[label] ?? label, text })),
    annotation: annotation && { ...annotation, level, title: reasonCodes[action.reason] },
  };
}

const reasonCodes: Readonly<Record<Action['reason'], string>> = {
  missing: 'LIVE_MISSING',
  different: 'LIVE_DIFFERENT',
  rotated: 'LIVE_DIFFERENT',
  undeclared: 'LIVE_UNDECLARED',
  duplicate: 'LIVE_DUPLICATE',
  unreadable: 'LIVE_NOT_CHECKED',
};

function verdictOf(plan: Plan, kinds: readonly AnyKind[], differences: number): string | null {
  if (differences > 0) return null;
  if (!plan.complete) return 'Cannot tell whether the tenant has drifted: not everything could be read.';
  const scope = plan.left_out.length > 0 ? ', as far as the selection goes' : '';
  const unchecked = uncheckedKinds(plan, kinds);
  return unchecked === '' ? `No drift${scope}.` : `No drift${scope}, but for what cannot be read: ${unchecked}.`;
}
