import type { AnyKind } from '../model/kind.ts';
import type { Finding, LeftOut, Plan } from '../model/plan.generated.ts';
import { changeText, sourceDetails } from './action-item.ts';
import { cutName, cutSentence } from './cut-text.ts';
import type { Group, Item, Level, Section, Sign, Weight } from './report.ts';
import { quantity } from './wording.ts';

/** The most excluded items of a kind that a report lists. */
const namedLeftOut = 20;

export function section(
  title: string,
  column: string | null,
  groups: readonly Group[],
  weight: Weight = 'folded',
): Section {
  return { title, column, groups, weight, notes: [] };
}

export function keptSection(findings: readonly Finding[], kinds: readonly AnyKind[]): Section {
  return section(
    `Kept: ${quantity(findings.length, 'item')}`,
    'Kept',
    groupByKind(findings, kinds, (finding) => findingItem(finding, kinds)),
  );
}

export function ruleSection(plan: Plan, kinds: readonly AnyKind[]): Section {
  const rules = findingsOf(plan, 'rule');
  return section(
    `Rules to check: ${quantity(rules.length, 'finding')}`,
    'Rules',
    groupByKind(rules, kinds, (finding) => findingItem(finding, kinds)),
    'visible',
  );
}

export function errorSection(plan: Pick<Plan, 'findings'>, kinds: readonly AnyKind[]): Section {
  const errors = findingsOf(plan, 'error');
  return section(
    `Errors: ${quantity(errors.length, 'finding')}`,
    'Errors',
    groupByKind(errors, kinds, (finding) => findingItem(finding, kinds)),
    'visible',
  );
}

export function leftOutSection({ left_out: leftOut }: Plan, kinds: readonly AnyKind[]): Section {
  return section(
    `Excluded by --only or --except: ${quantity(leftOut.length, 'item')}`,
    null,
    groupByKind(leftOut, kinds, leftOutItem, namedLeftOut),
  );
}

function leftOutItem({ key, what }: LeftOut): Item {
  const part = key === '*' ? 'everything else' : cutName(key);
  return {
    sign: '=',
    head: what === 'not_read' ? `${part}: not read` : `${part}: ${cutName(what)}`,
    details: [],
    annotation: null,
  };
}

export function isFilled({ groups }: Section): boolean {
  return groups.length > 0;
}

/** Keeps logs readable; the JSON form of a plan is always complete. */
const longestList = 10_000;

/** Items by kind, in the order of the kinds, at most `most` of each. */
export function groupByKind<Entry extends { readonly kind: string }>(
  entries: readonly Entry[],
  kinds: readonly AnyKind[],
  itemOf: (entry: Entry) => Item,
  most = longestList,
): Group[] {
  const byKind = new Map<string, Entry[]>(kinds.map((kind) => [kind.name, []]));
  for (const entry of entries) {
    const known = byKind.get(entry.kind);
    if (known === undefined) byKind.set(entry.kind, [entry]);
    else known.push(entry);
  }
  return [...byKind]
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => ({
      title: kindTitle(name, kinds),
      items: group.slice(0, most).map(itemOf),
      more: Math.max(0, group.length - most),
    }));
}

/** Findings about the header and the options have the kind `tenant`. */
function kindTitle(name: string, kinds: readonly AnyKind[]): string {
  if (name === 'tenant') return 'Header and options';
  return kinds.find((kind) => kind.name === name)?.title ?? name;
}

/** `rate limit policies`: several items of a kind, inside a sentence. */
export function nounOf(name: string, kinds: readonly AnyKind[]): string {
  const kind = kinds.find((candidate) => candidate.name === name);
  return kind?.noun?.many ?? kind?.title ?? name;
}

/**
 * A finding is an error of the files, a difference, an item that is kept, something that could not be checked, or a
 * rule of the files that may not be meant as it is written.
 */
export type FindingClass = 'error' | 'difference' | 'kept' | 'unchecked' | 'rule';

const classes: Readonly<Record<string, FindingClass>> = {
  LIVE_PROTECTED: 'kept',
  LIVE_UNDECLARED: 'kept',
  LIVE_UNMANAGED: 'kept',
  LIVE_UNREADABLE: 'unchecked',
  LIVE_SCOPE_MISSING: 'unchecked',
  LIVE_FORBIDDEN: 'unchecked',
  LIVE_LISTING_INCOMPLETE: 'unchecked',
  LIVE_NOT_CHECKED: 'unchecked',
  LIVE_UNEXPECTED_FIELD: 'unchecked',
  LIVE_SECRET_NOT_COMPARED: 'unchecked',
  LIVE_NEAR_PERMISSION: 'rule',
  LIVE_NEAR_NAME: 'rule',
  RULE_GUARD_WIDENED: 'rule',
  RULE_UNMATCHED: 'rule',
};
const levelOf: Readonly<Record<Finding['severity'], Level>> = { note: 'notice', warning: 'warning', error: 'error' };
const signs: Readonly<Record<FindingClass, Sign>> = {
  error: 'x',
  difference: '!',
  kept: '=',
  unchecked: '?',
  rule: '!',
};

export function findingsOf({ findings }: Pick<Plan, 'findings'>, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

export function classOf({ code, severity }: Finding): FindingClass {
  if (severity === 'error') return 'error';
  return Object.hasOwn(classes, code) ? (classes[code] ?? 'difference') : 'difference';
}

export function findingItem(finding: Finding, kinds: readonly AnyKind[], sign: Sign = signs[classOf(finding)]): Item {
  return {
    sign,
    head: `${finding.code} ${finding.key === '*' ? `all ${nounOf(finding.kind, kinds)}` : cutName(finding.key)}`,
    details: [
      { label: 'why', text: cutSentence(finding.message) },
      ...(finding.changes ?? []).map((change) => ({ label: 'differs', text: changeText(change) })),
      ...sourceDetails(finding.source),
    ],
    annotation: { level: levelOf[finding.severity], title: finding.code, source: finding.source },
  };
}
