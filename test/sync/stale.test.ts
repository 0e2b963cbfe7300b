import { describe, expect, test } from 'vitest';
import { stale } from '../../src/sync/checks.ts';
import { buildPlan } from '../support/build-plan.ts';

const plan = buildPlan({ digest: 'sha256:now' });

describe('a saved plan', () => {
  test.each([
    ['of the same digest is performed', { saved: plan, resumed: null }, []],
    ['that is resumed may differ', { saved: buildPlan({ digest: 'sha256:then' }), resumed: plan }, []],
    ['is refused for its digest alone', { saved: buildPlan({ digest: 'sha256:then' }), resumed: null }, ['PLAN_STALE']],
  ])('%s', async (_name, context, codes) => {
    expect((await stale(plan, context)).map(({ code }) => code)).toEqual(codes);
  });
});
