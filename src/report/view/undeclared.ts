import { undeclaredRemedies } from '../../model/findings.ts';
import type { AnyKind } from '../../model/kind.ts';
import type { Finding } from '../../model/plan.generated.ts';
import { groupBy } from '../../values/group-by.ts';
import { firstInNaturalOrder } from '../../values/text-order.ts';
import { cutSentence, cutText } from '../cut-text.ts';
import { quantity, thousands } from '../wording.ts';
import { bareRow } from './bare-row.ts';
import { findingItem } from './findings.ts';
import { itemName, kindRank, nounOf } from './items.ts';
import type { Fact, Level, Row, Sign } from './plan-view.ts';

/** What the files do not declare of a kind, and what stays: a report has one line for all of it. Texts. */
export interface Undeclared {
  readonly kind: string;
  readonly noun: string;
  readonly count: number;
  /** `3 roles` */
  readonly counted: string;
  /** The first ones, and the number of the others. */
  readonly names: readonly string[];
}

const code = 'LIVE_UNDECLARED';
const mostNames = 10;

/** Undeclared items by kind, in the order of the kinds, and all other findings. */
export function withoutUndeclared(
  findings: readonly Finding[],
  kinds: readonly AnyKind[],
): { readonly undeclared: readonly Undeclared[]; readonly others: readonly Finding[] } {
  const rank = kindRank(kinds);
  const byKind = groupBy(
    findings.filter((finding) => finding.code === code),
    ({ kind }) => kind,
  );
  return {
    undeclared: [...byKind]
      .sort(([one], [other]) => rank(one) - rank(other))
      .map(([kind, ofKind]) => undeclaredOf(kind, ofKind, kinds)),
    others: findings.filter((finding) => finding.code !== code),
  };
}

function undeclaredOf(kind: string, findings: readonly Finding[], kinds: readonly AnyKind[]): Undeclared {
  const { noun } = itemName(kind, '', kinds);
  const all = findings.map(({ key }) => findingItem({ kind, key }, kinds).name);
  const names = firstInNaturalOrder(all, mostNames).map((name) => cutText(name));
  const rest = all.length - names.length;
  return {
    kind,
    noun,
    count: all.length,
    counted: quantity(all.length, noun, nounOf(kind, kinds)),
    names: rest > 0 ? [...names, `and ${thousands(rest)} more`] : names,
  };
}

/** `+ role  3 not declared`, and below it their names and what can be done. */
export function undeclaredRow({ kind, noun, count, counted, names }: Undeclared, sign: Sign, level: Level): Row {
  const remedies = cutSentence(undeclaredRemedies(kind));
  const sentence = `${counted} on the tenant but not declared (${names.join(', ')}); ${remedies}`;
  return bareRow({
    sign,
    kind,
    noun,
    name: '',
    names,
    what: `${thousands(count)} not declared`,
    sentence: `${code}: ${remedies}`,
    annotation: () => ({ level, title: code, sentence, source: null }),
  });
}

export function undeclaredRemark({ kind, counted, names }: Undeclared): Fact {
  const text = `${counted} (${names.join(', ')}); ${cutSentence(undeclaredRemedies(kind))}`;
  return { label: 'On the tenant, but not declared', text };
}
