import { describe, expect, test } from 'vitest';
import { stale } from '../../src/sync/checks.ts';
import { buildAction } from '../support/build-action.ts';
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

  test.each([
    ['nothing is left of it', {}, 'Nothing is left to do: the saved plan seems to have been applied already.'],
    ['live state is incomplete', { complete: false }, expect.stringContaining('The saved plan is out of date: ')],
  ])('is refused when %s', async (_name, about, message) => {
    const saved = buildPlan({ digest: 'sha256:then', actions: [buildAction()] });
    const found = await stale(buildPlan({ digest: 'sha256:now', ...about }), { saved, resumed: null });
    expect(found).toMatchObject([{ code: 'PLAN_STALE', message }]);
  });
});
