import { InternalError } from '../model/internal-error.ts';
import { stageOf } from '../model/levels.ts';
import type { Action, Finding } from '../model/plan.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { compareText } from '../values/text-order.ts';

/** Same actions, same order: by level, then kind, then identity. Two of one level with the same id are a bug. */
export function orderActions(actions: readonly Action[], kinds: readonly string[]): Action[] {
  const rank = rankOf(kinds);
  return levelsOf(actions).flatMap((level) =>
    level.sort(
      (one, other) =>
        (one.kind === other.kind ? 0 : rank(one.kind) - rank(other.kind)) ||
        compareText(one.key, other.key) ||
        compareText(one.part ?? '', other.part ?? '') ||
        differentIds(one, other),
    ),
  );
}

function differentIds(one: Action, other: Action): 0 {
  if (one.id === other.id) throw new InternalError(`two actions have the id ${one.id}`);
  return 0;
}

/**
 * The order of a plan: actions in levels by stage, and within a stage by their needs, each in the given order. Needs that
 * are not among them are ignored. An apply is free to be faster, as long as each kind keeps its stages (src/apply/schedule.ts).
 *
 *   create role, add (needs the role), update stream, remove, delete
 *   -> [create role] [add] [update stream] [remove, delete]
 */
export function levelsOf(actions: readonly Action[]): Action[][] {
  const byStage = [...groupBy(actions, stageOf)].sort(([one], [other]) => one - other);
  return byStage.flatMap(([, stage]) => {
    const levels: Action[][] = [];
    // Most actions need none, and a plan can have 100,000.
    const ids = new Set(stage.some(({ needs }) => needs.length > 0) ? stage.map(({ id }) => id) : []);
    for (let open = stage; open.length > 0; ) {
      const level = open.filter(({ needs }) => !needs.some((id) => ids.has(id)));
      if (level.length === 0) throw new InternalError(`${open[0]?.id} needs itself`);
      levels.push(level);
      open = level.length === open.length ? [] : open.filter(({ needs }) => needs.some((id) => ids.has(id)));
      if (ids.size > 0) for (const { id } of level) ids.delete(id);
    }
    return levels;
  });
}

/** Findings by kind, what concerns an entire kind first, then by identity and code. */
export function orderFindings(findings: readonly Finding[], kinds: readonly string[]): Finding[] {
  const rank = rankOf(kinds);
  const ofKind = (finding: Finding) => (finding.key === '*' ? 0 : 1);
  const byKind = [...groupBy(findings, ({ kind }) => kind)].sort(([one], [other]) => rank(one) - rank(other));
  return byKind.flatMap(([, ofOneKind]) =>
    [...ofOneKind].sort(
      (one, other) =>
        ofKind(one) - ofKind(other) ||
        compareText(one.key, other.key) ||
        compareText(one.code, other.code) ||
        compareText(one.message, other.message),
    ),
  );
}

function rankOf(kinds: readonly string[]): (kind: string) => number {
  return (kind) => kinds.indexOf(kind);
}
