import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/model/plan.generated.ts';
import type { LiveState } from '../../src/model/reader.ts';
import { type Decided, decideStably } from '../../src/sync/decide-stably.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';

const create = (key: string): Action => buildAction({ key, action: 'create', reason: 'missing' });

/** Decides by passes that are given as the keys each of them would create; returns the decision and the number of passes. */
async function over(pages: number, ...passes: readonly (readonly string[])[]) {
  let read = 0;
  const readAndDecide = async (): Promise<Decided> => {
    const keys = passes[Math.min(read, passes.length - 1)] ?? [];
    read += 1;
    return {
      live: { readable: true, items: [], filtered: false, pages },
      decision: buildDecision(1, 9, { actions: [buildAction(), ...keys.map(create)] }),
    };
  };
  const seen: LiveState<unknown>[] = [];
  const decision = await decideStably(readAndDecide, (live) => {
    seen.push(live);
    return buildDecision(0, 0);
  });
  return {
    created: decision.actions.filter(({ action }) => action === 'create').map(({ key }) => key),
    read,
    restless: seen,
  };
}

describe('a list of several pages', () => {
  test('is read once where nothing is created', async () => {
    expect(await over(5, [])).toEqual({ created: [], read: 1, restless: [] });
  });

  test('is read again where something is, and again until two passes agree', async () => {
    expect(await over(5, ['a'], ['a'])).toEqual({ created: ['a'], read: 2, restless: [] });
    expect(await over(5, ['a', 'b'], ['a'], ['a'])).toEqual({ created: ['a'], read: 3, restless: [] });
  });

  test('in which the missing item turns up creates nothing', async () => {
    expect(await over(5, ['a'], [])).toEqual({ created: [], read: 2, restless: [] });
  });

  test('that does not come to rest is not known', async () => {
    const { created, read, restless } = await over(5, ['a'], ['b'], ['a'], ['b']);
    expect({ created, read }).toEqual({ created: [], read: 4 });
    expect(restless).toMatchObject([
      {
        readable: false,
        structural: false,
        code: 'LIVE_LISTING_INCOMPLETE',
        message: expect.stringContaining('4 readings'),
      },
    ]);
  });
});

test('one page is one moment, and is read once', async () => {
  expect(await over(1, ['a'])).toEqual({ created: ['a'], read: 1, restless: [] });
});

test('what could not be read is not read again', async () => {
  const live: LiveState<unknown> = {
    readable: false,
    structural: false,
    code: 'LIVE_LISTING_INCOMPLETE',
    message: 'no',
  };
  let read = 0;
  await decideStably(
    async () => {
      read += 1;
      return { live, decision: buildDecision(0, 0, { actions: [create('a')] }) };
    },
    () => buildDecision(0, 0),
  );
  expect(read).toBe(1);
});
