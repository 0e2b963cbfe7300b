// Which actions of a level run together.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { performLevel } from '../../src/apply/apply-plan.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { propertyRuns } from '../support/thorough.ts';

describe('workers', () => {
  /** Attempts that end in an order of their own; returns how many were in flight together, and in which order they began. */
  async function run(keys: readonly string[], endNext: (count: number) => number) {
    const actions = keys.map((key, index) => buildAction({ id: `${index}`, key }));
    const open: { readonly action: Action; readonly end: () => void }[] = [];
    const begun: string[] = [];
    let most = 0;
    let ended = false;
    const all = performLevel(actions, (action) => {
      const inFlight = open.map((each) => each.action.key);
      expect(inFlight, 'two of one item at once').not.toContain(action.key);
      begun.push(action.id);
      return new Promise<void>((end) => {
        open.push({ action, end });
        most = Math.max(most, open.length);
      });
    }).then(() => {
      ended = true;
    });
    while (!ended) {
      if (open.length > 0) open.splice(endNext(open.length), 1)[0]?.end();
      await new Promise(setImmediate);
    }
    await all;
    return { begun, most, ids: actions.map(({ id }) => id) };
  }

  test('never more than sixteen at once', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    expect((await run(keys, () => 0)).most).toBe(16);
    expect((await run(['a', 'b'], () => 0)).most).toBe(2);
    expect((await run([], () => 0)).most).toBe(0);
  });

  test('every action once, those of one item in their order, whichever ends first', async () => {
    const item = fc.integer({ min: 0, max: 25 }).map(String);
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 60 }), fc.infiniteStream(fc.nat()), async (keys, ends) => {
        const { begun, ids } = await run(keys, (count) => (ends.next().value ?? 0) % count);
        expect([...begun].sort()).toEqual([...ids].sort());
        for (const key of new Set(keys)) {
          const ofKey = ids.filter((_, index) => keys[index] === key);
          expect(begun.filter((id) => ofKey.includes(id))).toEqual(ofKey);
        }
      }),
      propertyRuns(30),
    );
  });
});
