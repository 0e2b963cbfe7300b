import { describe, expect, test } from 'vitest';
import { sameTenant, savedWithFresh } from '../../src/sync/checks.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';

describe('a saved plan', () => {
  const saved = buildPlan();
  test.each([
    ['of the same tenant may be applied', saved, []],
    ['may have another name in the files', buildPlan({ tenant: { ...saved.tenant, name: 'renamed' } }), []],
    [
      'of another tenant is refused',
      buildPlan({ tenant: { ...saved.tenant, base_url: 'https://b.example/api/v2' } }),
      ['PLAN_STALE'],
    ],
    ['of another api is refused', buildPlan({ tenant: { ...saved.tenant, api: 'full' } }), ['PLAN_STALE']],
  ])('%s', async (_name, now, codes) => {
    expect((await sameTenant(saved, { now })).map(({ code }) => code)).toEqual(codes);
  });

  test('what was approved stays approved for a part of it, and a new refusal is added', () => {
    const refused = buildPlan({ refusals: [buildRefusal(['a', 'b', 'c'])] });
    const part = buildPlan({ refusals: [buildRefusal(['a', 'c'], { approve: 'other' })] });
    const more = buildPlan({ refusals: [buildRefusal(['a', 'd'], { approve: 'other' })] });
    expect(savedWithFresh(refused, part).refusals).toEqual(refused.refusals);
    expect(savedWithFresh(refused, more).refusals).toEqual([...refused.refusals, ...more.refusals]);
    expect(savedWithFresh(saved, part).refusals).toEqual(part.refusals);
  });

  test('is complete if it was, and if its items could be read now', () => {
    const incomplete = buildPlan({ complete: false });
    expect(savedWithFresh(saved, saved).complete).toBe(true);
    expect(savedWithFresh(saved, incomplete).complete).toBe(false);
    expect(savedWithFresh(incomplete, saved).complete).toBe(false);
  });
});
