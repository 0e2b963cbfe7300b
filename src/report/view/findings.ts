import { type FindingTraits, findingTraits, undeclaredRemedies } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Finding, Plan } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { inNaturalOrder } from '../../values/text-order.ts';
import { cutSentence, cutText, quantity, thousands } from '../wording.ts';
import { findingItem, itemName, kindRank, notInFiles, nounOf, placeOf } from './items.ts';
import { bareRow, type Level, type Row, type Sign } from './plan-view.ts';
import { changeStatements, fullChangeText, statedText } from './statements.ts';

/** `unsent` is a secret that the change takes from another variable, and that apply does not send. */
export type FindingClass = FindingTraits['about'] | 'unsent';

/** How an annotation shows a severity. */
const levelOf: Readonly<Record<Finding['severity'], Level>> = { note: 'notice', warning: 'warning', error: 'error' };
const signs: Readonly<Record<FindingClass, Sign>> = {
  error: 'x',
  difference: '!',
  kept: '=',
  secret: '?',
  unsent: '!',
  unchecked: '?',
  rule: '!',
};

export function findingsOf({ findings }: Pick<Plan, 'findings'>, wanted: FindingClass): Finding[] {
  return findings.filter((finding) => classOf(finding) === wanted);
}

export function classOf(finding: Finding): FindingClass {
  if (finding.severity === 'error') return 'error';
  const { about } = findingTraits(finding);
  return about === 'secret' && finding.changes !== undefined ? 'unsent' : about;
}

export function findingRow(finding: Finding, kinds: readonly AnyKind[], sign: Sign = signs[classOf(finding)]): Row {
  const { kind, code, message, changes = [], origin, source, severity } = finding;
  const isUndeclared = source === null && findingTraits(finding).live === 'undeclared';
  return bareRow({
    sign,
    kind,
    ...findingItem(finding, kinds),
    ...statedText(changeStatements(changes)),
    sentence: `${code}: ${cutSentence(message)}`,
    place: isUndeclared ? notInFiles : placeOf(source),
    source,
    // Nothing is done about what is kept.
    origin: classOf(finding) === 'kept' ? null : origin,
    details: changes.map((change) => ({ label: 'differs', text: fullChangeText(change) })),
    annotation: { level: levelOf[severity], code },
  });
}

/** What the files do not declare of a kind, and what stays: a report has one line for all of it. */
export interface Undeclared {
  readonly kind: string;
  readonly count: number;
  /** `3 roles` */
  readonly counted: string;
  /** Texts: the first ones, and the number of the others. */
  readonly names: readonly string[];
  /** What can be done. */
  readonly remedies: string;
}

const undeclaredCode = 'LIVE_UNDECLARED';
const mostNames = 10;

/** Undeclared items by kind, in the order of the kinds, and all other findings. */
export function withoutUndeclared(
  findings: readonly Finding[],
  kinds: readonly AnyKind[],
): { readonly undeclared: readonly Undeclared[]; readonly others: readonly Finding[] } {
  const rank = kindRank(kinds);
  const found = findings.filter(({ code }) => code === undeclaredCode);
  const byKind = [...groupBy(found, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
  return {
    undeclared: byKind.map(([kind, ofKind]) => undeclaredOf(kind, ofKind, kinds)),
    others: findings.filter(({ code }) => code !== undeclaredCode),
  };
}

function undeclaredOf(kind: string, findings: readonly Finding[], kinds: readonly AnyKind[]): Undeclared {
  const all = findings.map((finding) => findingItem(finding, kinds).name);
  const sorted = inNaturalOrder(all, (name) => name);
  const names = sorted.slice(0, mostNames).map((name) => cutText(name));
  const rest = all.length - names.length;
  return {
    kind,
    count: all.length,
    counted: quantity(all.length, itemName(kind, '', kinds).noun, nounOf(kind, kinds)),
    names: rest > 0 ? [...names, `and ${thousands(rest)} more`] : names,
    remedies: cutSentence(undeclaredRemedies(kind)),
  };
}

/** `+ role  3 not declared`, and below it their names and what can be done. */
export function undeclaredRow(undeclared: Undeclared, kinds: readonly AnyKind[], sign: Sign, level: Level): Row {
  const { kind, count, names, remedies } = undeclared;
  return bareRow({
    sign,
    kind,
    ...itemName(kind, '*', kinds),
    name: '',
    names,
    what: `${thousands(count)} not declared`,
    sentence: `${undeclaredCode}: ${remedies}`,
    annotation: { level, code: undeclaredCode },
  });
}
