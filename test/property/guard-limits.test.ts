import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { buildAssembleInput, buildDecision, rulesWith } from '../support/build-decision.ts';
import { propertyRuns } from '../support/thorough.ts';

test('promise 6: a plan is refused exactly when it deletes more than the larger limit, or all that there is', () => {
  const sizes = fc
    .integer({ min: 0, max: 200 })
    .chain((live) => fc.record({ live: fc.constant(live), deletes: fc.integer({ min: 0, max: live }) }));
  const limits = fc.record({
    max_delete_count: fc.integer({ min: 0, max: 20 }),
    max_delete_percent: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(sizes, limits, ({ live, deletes }, guards) => {
      const { refusals } = assemblePlan(
        buildAssembleInput([buildDecision(deletes, live)], { rules: rulesWith({ guards }) }),
      );
      const allowed = Math.max(guards.max_delete_count, Math.floor((live * guards.max_delete_percent) / 100));
      expect(refusals.length > 0).toBe(deletes > 0 && (deletes > allowed || deletes === live));
    }),
    propertyRuns(100),
  );
});
