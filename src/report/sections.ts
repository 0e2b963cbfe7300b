import type { AnyKind } from '../model/kind.ts';
import type { Finding, LeftOut, Plan } from '../model/plan.generated.ts';
import { changeText, sourceDetails } from './action-item.ts';
import { cutName, cutSentence } from './cut-text.ts';
import { quantity } from './quantity.ts';
import type { Group, Item, Level, Section, Sign, Weight } from './report.ts';

/** Of what the selection left out only so many of a kind are named: nobody asked for them. */
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
    `Kept on purpose: ${quantity(findings.length, 'item')}`,
    'Kept',
    groupByKind(findings, kinds, (finding) => findingItem(finding)),
  );
}

export function leftOutSection({ left_out: leftOut }: Plan, kinds: readonly AnyKind[]): Section {
  return section(
    `Left out by the selection: ${quantity(leftOut.length, 'part')}`,
    null,
    groupByKind(leftOut, kinds, leftOutItem, namedLeftOut),
  );
}

function leftOutItem({ key, what }: LeftOut): Item {
  const part = key === '*' ? 'the rest' : cutName(key);
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

/** Nobody reads a longer list, and a log of a hundred megabytes hides what it holds; the JSON form of a plan always has all. */
const longestList = 10_000;

/** Items of each kind, kinds in their order, and of each kind at most `most`. */
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

export function kindTitle(name: string, kinds: readonly AnyKind[]): string {
  return kinds.find((kind) => kind.name === name)?.title ?? name;
}

/** What a finding says: that something differs, was kept on purpose, or could not be checked. */
export type FindingClass = 'difference' | 'kept' | 'unchecked';

const classes: Readonly<Record<string, FindingClass>> = {
  LIVE_PROTECTED: 'kept',
  LIVE_UNDECLARED: 'kept',
  LIVE_UNREADABLE: 'unchecked',
  LIVE_SCOPE_MISSING: 'unchecked',
  LIVE_FORBIDDEN: 'unchecked',
  LIVE_LISTING_INCOMPLETE: 'unchecked',
  LIVE_NOT_CHECKED: 'unchecked',
  LIVE_SECRET_NOT_COMPARED: 'unchecked',
};
/** What nobody can change today, or wanted so; the other findings ask for somebody. */
const calm: ReadonlySet<string> = new Set([
  'LIVE_PROTECTED',
  'LIVE_UNREADABLE',
  'LIVE_NOT_CHECKED',
  'LIVE_SECRET_NOT_COMPARED',
]);
const signs: Readonly<Record<FindingClass, Sign>> = { difference: '!', kept: '=', unchecked: '?' };

export function classOf({ code }: Finding): FindingClass {
  return Object.hasOwn(classes, code) ? (classes[code] ?? 'difference') : 'difference';
}

export function findingItem(finding: Finding, sign: Sign = signs[classOf(finding)]): Item {
  const level: Level = calm.has(finding.code) ? 'notice' : 'warning';
  return {
    sign,
    head: `${finding.code} ${finding.key === '*' ? 'the whole kind' : cutName(finding.key)}`,
    details: [
      { label: 'why', text: cutSentence(finding.message) },
      ...(finding.changes ?? []).map((change) => ({ label: 'differs', text: changeText(change) })),
      ...sourceDetails(finding.source),
    ],
    annotation: { level, title: finding.code, source: finding.source },
  };
}
