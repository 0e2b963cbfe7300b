// Plans made while the service fails: nothing is written, and nothing is deleted unless live state is complete.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openReadConnection } from '../../src/client/read-connection.ts';
import type { FaultRule } from '../../src/embedded-tenant/faults/fault-rule.ts';
import type { Desired } from '../../src/model/desired.ts';
import { everything } from '../../src/plan/selection.ts';
import { kinds } from '../support/all-kinds.ts';
import { desiredSection } from '../support/desired-section.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { planOf } from '../support/plan-of.ts';
import { startTenant } from '../support/start-tenant.ts';
import { propertyRuns } from '../support/thorough.ts';

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
        const input = {
          desired,
          kinds,
          selection: everything,
          reader: connection.reader,
          baseUrl: tenant.baseUrl,
        };
        // Without any response the service cannot be reached, and there is no plan.
        const plan = await planOf(input).catch(() => null);
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
    propertyRuns(60, 15),
  );
  // Both results must occur, or the property proves nothing.
  expect(Math.min(seen.complete, seen.incomplete)).toBeGreaterThan(3);
}, 60_000);
