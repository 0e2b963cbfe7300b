import type { KindName } from '../model/kind.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { stageOf } from '../model/stage.ts';

/** Same actions, same order: by stage, then kind, then identity. */
export function orderActions(actions: readonly Action[], kinds: readonly KindName[]): Action[] {
  const rank = rankOf(kinds);
  return actions
    .map((action) => ({ action, place: stageOf(action.action) * kinds.length + rank(action.kind) }))
    .sort(
      (a, b) => a.place - b.place || compareText(a.action.key, b.action.key) || compareText(a.action.id, b.action.id),
    )
    .map(({ action }) => action);
}

/** Findings by kind, what concerns a whole kind first, then by identity and code. */
export function orderFindings(findings: readonly Finding[], kinds: readonly KindName[]): Finding[] {
  const rank = rankOf(kinds);
  const whole = (finding: Finding) => (finding.key === '*' ? 0 : 1);
  return [...findings].sort(
    (a, b) =>
      rank(a.kind) - rank(b.kind) ||
      whole(a) - whole(b) ||
      compareText(a.key, b.key) ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

function rankOf(kinds: readonly KindName[]): (kind: KindName) => number {
  return (kind) => kinds.indexOf(kind);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
