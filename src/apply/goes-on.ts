import type { Plan, PlannedRequest } from '../model/plan.generated.ts';
import type { RecordedApply } from '../model/recorded-apply.ts';

/**
 * Whether a plan made now is what is left of a saved plan whose apply was stopped: it asks for nothing that the saved plan did not,
 * and what it no longer asks for was on its way.
 *
 *   saved a b c, stopped at b    now b c: goes on     now c: goes on, b was carried out     now b c d: the saved plan is stale
 */
export function goesOn(
  saved: Plan,
  now: Plan,
  last: RecordedApply | null,
  digestOf: (request: PlannedRequest) => string,
): boolean {
  if (last === null || last.plan !== saved.digest || isComplete(last) || !sameTenant(saved, now)) return false;
  const planned = new Set(saved.actions.map(({ request }) => digestOf(request)));
  const left = new Set(now.actions.map(({ request }) => digestOf(request)));
  const intended = new Set(last.actions.map(({ request }) => request));
  return (
    [...left].every((request) => planned.has(request)) &&
    [...planned].every((request) => left.has(request) || intended.has(request))
  );
}

/** A plan is performed once: what it did comes undone only by somebody else's hand, and that calls for a new plan. */
function isComplete({ summary }: RecordedApply): boolean {
  return summary !== null && summary.failed + summary.not_attempted + summary.unknown === 0;
}

function sameTenant({ tenant: saved }: Plan, { tenant: now }: Plan): boolean {
  return saved.name === now.name && saved.base_url === now.base_url && saved.api === now.api;
}
