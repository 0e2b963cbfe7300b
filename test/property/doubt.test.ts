// Laws about reading a tenant on a bad day: whatever the service answers, nothing is written, and nothing is deleted on doubt.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openReadConnection } from '../../src/client/read-connection.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Desired } from '../../src/model/desired.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { everything } from '../../src/plan/selection.ts';
import { makePlan } from '../../src/reconcile/make-plan.ts';
import type { FaultRule } from '../../src/tenant/faults/fault-rule.ts';
import { buildAssembleInput, buildDecision } from '../support/build-decision.ts';
import { desiredSection } from '../support/desired-section.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startTenant } from '../support/start-tenant.ts';

const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
const declared = {
  ...triple,
  consumer_selector: 'client_id:p0',
  configuration: { action: 'block', limit: 100 },
} as const;
const desired: Desired = {
  tenant: {},
  tenantAt: () => undefined,
  sections: new Map([
    ['rate_limit_policies', desiredSection([['oauth_authentication_api/client/client_id:p0', declared]])],
  ]),
};

const kind = fc.constantFrom<FaultRule['kind'][]>(
  'status',
  'reset',
  'cut',
  'html',
  'repeat_cursor',
  'repeat_id',
  'bad_item',
);
const rule = fc
  .record({
    kind,
    status: fc.constantFrom(204, 302, 400, 403, 404, 429, 500, 502, 503, 504),
    nth: fc.integer({ min: 1, max: 4 }),
    times: fc.integer({ min: 1, max: 7 }),
  })
  .map(
    ({ kind: fault, status, nth, times }): FaultRule => ({
      operation: 'list_rate_limit_policies',
      kind: fault,
      nth,
      every: 1,
      times,
      ...(fault === 'status' && { status }),
    }),
  );

test('promises 1 and 5: a plan over any faults writes nothing, and deletes either exactly what is undeclared or nothing', async () => {
  const seen = { complete: 0, incomplete: 0, none: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 320 }), fc.array(rule, { maxLength: 3 }), async (count, faults) => {
      const live = Array.from({ length: count }, (_, index) => livePolicy(`client_id:p${index}`));
      const tenant = await startTenant({ rate_limit_policies: live }, { faults });
      const connection = openReadConnection({
        baseUrl: tenant.baseUrl,
        credentials: { token: await tenant.token() },
        clock: startFakeClock(Date.now()),
      });
      try {
        const tool = { name: 'tenant-sync', version: '0.0.0' };
        const input = {
          desired,
          kinds,
          selection: everything,
          reader: connection.reader,
          baseUrl: tenant.baseUrl,
          tool,
          generatedAt: '2026-11-20T10:00:00Z',
        };
        // Resets before any answer at all are a service that cannot be reached, which is no plan.
        const plan = await makePlan(input).catch(() => null);
        expect(plan === null || !plan.complete || plan.actions.length === count - 1).toBe(true);
        if (plan !== null && !plan.complete) expect(plan.actions).toEqual([]);
        seen[plan === null ? 'none' : plan.complete ? 'complete' : 'incomplete'] += 1;
        expect(
          new Set(tenant.tenant.requests.filter(({ operation }) => operation !== 'token').map(({ method }) => method))
            .size,
        ).toBeLessThanOrEqual(1);
        expect(tenant.tenant.requests.every(({ method, operation }) => method === 'GET' || operation === 'token')).toBe(
          true,
        );
        expect(tenant.tenant.snapshot().rate_limit_policies).toHaveLength(count);
      } finally {
        await connection.close();
        await tenant.close();
      }
    }),
    { numRuns: 60 },
  );
  // The law is about both.
  expect(Math.min(seen.complete, seen.incomplete)).toBeGreaterThan(3);
}, 60_000);

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
      const { refusals } = assemblePlan(buildAssembleInput([buildDecision(deletes, live)], { guards }));
      const allowed = Math.max(guards.max_delete_count, Math.floor((live * guards.max_delete_percent) / 100));
      expect(refusals.length > 0).toBe(deletes > 0 && (deletes > allowed || deletes === live));
    }),
  );
});
