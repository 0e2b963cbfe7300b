import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/model/operation.ts';
import type { Quota } from '../../src/model/quota.ts';
import { forecast } from '../../src/plan/forecast.ts';
import { buildAction } from '../support/build-action.ts';
import { propertyRuns } from '../support/thorough.ts';

const operations = [{ id: 'put', quota: 'partials-write' }, { id: 'delete' }] as Operation[];
const act = (operation: string, count: number) =>
  Array.from({ length: count }, () => buildAction({ request: { operation, method: 'PUT', path: '/x' } }));
const tenant: Quota = { group: 'tenant', perSecond: 2, burst: 10 };
const partials: Quota = { group: 'partials-write', perSecond: 5 / 60, burst: 5 };
const reads = new Map([['tenant', 9]]);

describe('a forecast', () => {
  test.each<[string, Partial<Parameters<typeof forecast>[0]>, object]>([
    ['without a quota has no time', {}, { reads: 9, writes: 4, seconds: null, bottleneck: null }],
    [
      'within the burst waits for nothing',
      { reads: new Map([['tenant', 6]]), quotas: [tenant] },
      { seconds: 0, bottleneck: null },
    ],
    ['beyond the burst waits for the refill', { quotas: [tenant] }, { seconds: 1.5, bottleneck: tenant }],
    [
      'names the quota that takes longest',
      { actions: act('put', 7), quotas: [tenant, partials] },
      { seconds: 24, bottleneck: partials },
    ],
    [
      'counts a group for the tenant as well',
      { actions: act('put', 5), quotas: [tenant, partials] },
      { seconds: 2, bottleneck: tenant },
    ],
  ])('%s', (_name, about, expected) => {
    expect(forecast({ actions: act('delete', 4), operations, reads, quotas: [], ...about })).toMatchObject(expected);
  });

  test('law: more requests or a smaller quota never take less time', () => {
    const rate = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(fc.nat(200), fc.nat(50), rate, (count, more, quota) => {
        const seconds = (actions: number, perSecond: number) =>
          forecast({
            actions: act('delete', actions),
            operations,
            reads,
            quotas: [{ ...quota, group: 'tenant', perSecond }],
          }).seconds ?? 0;
        expect(seconds(count + more, quota.perSecond)).toBeGreaterThanOrEqual(seconds(count, quota.perSecond));
        expect(seconds(count, quota.perSecond / 2)).toBeGreaterThanOrEqual(seconds(count, quota.perSecond));
      }),
      propertyRuns(100),
    );
  });
});
