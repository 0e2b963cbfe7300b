import { describe, expect, test } from 'vitest';
import { sameTenant, savedWithFresh } from '../../src/engine/checks.ts';
import { openRefusals } from '../../src/model/refusals.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';

const none = () => null;

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
    expect(savedWithFresh(refused, part, none).refusals).toEqual(refused.refusals);
    expect(savedWithFresh(saved, part, none).refusals).toEqual(part.refusals);
    const both = savedWithFresh(refused, more, none).refusals;
    expect(both.map(({ items }) => items)).toEqual([
      ['a', 'b', 'c'],
      ['a', 'd'],
    ]);
  });

  test('one code approves what was refused when it was saved and what is refused now', () => {
    const refused = buildPlan({ refusals: [buildRefusal(['a', 'b', 'c'])] });
    const more = buildPlan({ refusals: [buildRefusal(['a', 'd'], { approve: 'f'.repeat(24) })] });
    const [first, second] = savedWithFresh(refused, more, none).refusals;
    expect(first?.approve).toMatch(/^[0-9a-f]{24}$/);
    expect(second?.approve).toBe(first?.approve);
    const approves = (code: string | undefined) => {
      const approvalOf = (asked: string) => (asked === code ? ({ by: '--approve', source: null } as const) : null);
      return openRefusals(savedWithFresh(refused, more, approvalOf).refusals).map(({ approve }) => approve);
    };
    expect(approves(first?.approve)).toEqual([]);
    // What is approved already needs no code; the rest keeps its own.
    expect(approves(refused.refusals[0]?.approve)).toEqual(['f'.repeat(24)]);
    const approved = buildPlan({
      refusals: [buildRefusal(['a', 'b', 'c'], { approved_by: { by: '--approve', source: null } })],
    });
    expect(openRefusals(savedWithFresh(approved, buildPlan(), none).refusals)).toEqual([]);
    expect(openRefusals(savedWithFresh(approved, more, none).refusals).map(({ approve }) => approve)).toEqual([
      'f'.repeat(24),
    ]);
  });

  test('is complete if it was, and if its items could be read now', () => {
    const incomplete = buildPlan({ complete: false });
    expect(savedWithFresh(saved, saved, none).complete).toBe(true);
    expect(savedWithFresh(saved, incomplete, none).complete).toBe(false);
    expect(savedWithFresh(incomplete, saved, none).complete).toBe(false);
  });
});
