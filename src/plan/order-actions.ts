import { levelsOf } from '../model/levels.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { compareText, textComparison } from '../values/text-order.ts';

/** Same actions, same order: by level, then kind, then identity. */
export function orderActions(actions: readonly Action[], kinds: readonly string[]): Action[] {
  const rank = rankOf(kinds);
  const compareKeys = textComparison(actions.map(({ key }) => key));
  return levelsOf(actions).flatMap((level) =>
    level.sort(
      (one, other) =>
        (one.kind === other.kind ? 0 : rank(one.kind) - rank(other.kind)) ||
        compareKeys(one.key, other.key) ||
        compareText(one.part ?? '', other.part ?? '') ||
        (one.batch ?? 0) - (other.batch ?? 0),
    ),
  );
}

/** Findings by kind, what concerns an entire kind first, then by identity and code. */
export function orderFindings(findings: readonly Finding[], kinds: readonly string[]): Finding[] {
  const rank = rankOf(kinds);
  const compareKeys = textComparison(findings.map(({ key }) => key));
  const ofKind = (finding: Finding) => (finding.key === '*' ? 0 : 1);
  const byKind = [...groupBy(findings, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
  return byKind.flatMap(([, ofOneKind]) =>
    [...ofOneKind].sort(
      (one, other) =>
        ofKind(one) - ofKind(other) ||
        compareKeys(one.key, other.key) ||
        compareText(one.code, other.code) ||
        compareText(one.message, other.message),
    ),
  );
}

function rankOf(kinds: readonly string[]): (kind: string) => number {
  return (kind) => kinds.indexOf(kind);
}
