import { applyPlan, type Performed } from '../../src/apply/apply-plan.ts';
import { openKnowledge } from '../../src/apply/knowledge.ts';
import { systemClock } from '../../src/client/system-clock.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import { kinds } from './all-kinds.ts';
import { seeing } from './run-apply.ts';

/** Applies a plan over a connection. Whatever has to be read again is planned completely. */
export function applyWith(made: Plan, connection: WriteConnection, plan: () => Promise<Plan>): Promise<Performed> {
  return applyPlan(made, {
    kinds,
    connection,
    journal: { intend: async () => {}, outcome: async () => {}, lostLock: () => null },
    knowledge: openKnowledge(made, {
      kinds,
      managed: new Set(kinds.map(({ name }) => name)),
      clock: systemClock,
      plannedAt: systemClock.monotonic(),
      madeAt: Number.NEGATIVE_INFINITY,
      maxStalenessMs: 10_000,
      visibleWithinMs: 1_000,
      read: async () => {
        const began = systemClock.monotonic();
        return { plan: await plan(), began, arrivedAt: systemClock.monotonic() };
      },
      prefersList: () => true,
      seenByNow: seeing(),
      declaredNow: () => ({ isSame: true, value: null }),
    }),
    clock: systemClock,
    signal: new AbortController().signal,
    unverified: [],
    onOutcome: () => {},
  });
}
