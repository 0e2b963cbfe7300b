import type { Decision, DesiredSection } from '../model/kind.ts';
import type { Unreadable } from '../model/live-state.ts';
import type { Action, Finding, KindName } from '../model/plan.generated.ts';

/** The decision for a kind that cannot be read: one finding says why, and nothing is taken away on the strength of it. */
export function unreadableDecision(
  kind: KindName,
  desired: DesiredSection,
  why: Unreadable,
  blind: { readonly actions: readonly Action[]; readonly findings: readonly Finding[] } = { actions: [], findings: [] },
): Decision {
  const finding: Finding = { code: why.code, kind, key: '*', message: why.message, source: desired.source };
  return {
    kind,
    actions: blind.actions,
    findings: [finding, ...blind.findings],
    losses: [],
    unreadable: why,
    population: { declared: desired.items.length, live: 0, filtered: false },
  };
}
