import type { AnyKind, DecideInput } from '../../src/model/kind.ts';
import type { Effect } from '../../src/model/plan.generated.ts';
import { desiredSection } from './desired-section.ts';
import { keepNothing } from './keep-rules.ts';

/** The effects of a plan of one kind, in the order of its actions. */
export function effectsOf(
  kind: AnyKind,
  desired: readonly (readonly [string, object])[],
  live: readonly object[],
  about: Partial<DecideInput<unknown, unknown>> = {},
): Effect[] {
  const decision = kind.decide({
    desired: desiredSection(desired),
    live: { readable: true, items: live, filtered: false },
    keep: keepNothing,
    api: 'full',
    rotate: new Set(),
    ...about,
  });
  const effects = decision.effectsOf?.(decision);
  return decision.actions.flatMap((action) => effects?.(action) ?? []);
}
