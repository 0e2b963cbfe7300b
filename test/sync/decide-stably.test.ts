import { describe, expect, test } from 'vitest';
import { decideStably } from '../../src/engine/decide-stably.ts';
import type { Conclusion } from '../../src/model/kind.ts';
import type { LiveState } from '../../src/model/reader.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';

const missing = (key: string): Conclusion => ({ key, what: 'missing', ids: [] });
const duplicate = (key: string, ...ids: string[]): Conclusion => ({ key, what: 'duplicate', ids });

/** Decides by readings that are given as the conclusions from each; returns what was decided by which reading. */
async function over(passes: readonly (readonly Conclusion[])[], isNew = (_conclusion: Conclusion) => true) {
  const again: string[][] = [];
  let read = 0;
  const live = async (): Promise<LiveState<unknown>> => {
    read += 1;
    return { readable: true, items: [read], filtered: false, pages: 2 };
  };
  const decision = await decideStably({
    read: live,
    readAgain: (_before, conclusions) => {
      again.push(conclusions.map(({ key }) => key));
      return live();
    },
    decideOn: (state) => {
      if (!state.readable) return buildDecision(0, 0, { unreadable: state });
      const [pass] = state.items as number[];
      const conclusions = passes[Math.min(Number(pass), passes.length) - 1] ?? [];
      return buildDecision(0, 0, { conclusions, actions: [buildAction({ key: `reading ${pass}` })] });
    },
    isNew,
  });
  return { decided: decision.actions[0]?.key ?? decision.unreadable?.message, again };
}

test('without conclusions from several pages, a list is read once', async () => {
  expect(await over([[]])).toEqual({ decided: 'reading 1', again: [] });
});

describe('a conclusion is acted on if two readings lead to it', () => {
  test.each<[string, readonly (readonly Conclusion[])[], string, number]>([
    ['the same', [[missing('a')], [missing('a')]], 'reading 2', 1],
    ['one less', [[missing('a'), missing('b')], [missing('a')]], 'reading 2', 1],
    ['none is left', [[missing('a')], []], 'reading 2', 1],
    ['another one', [[missing('a')], [missing('b')], [missing('b')]], 'reading 3', 2],
    ['one more', [[missing('a')], [missing('a'), missing('b')], [missing('a'), missing('b')]], 'reading 3', 2],
    ['another id', [[duplicate('a', '1', '2')], [duplicate('a', '2', '3')], []], 'reading 3', 2],
    ['another of two ids', [[duplicate('a', '1', '2')], [duplicate('a', '1', '3')], []], 'reading 3', 2],
  ])('%s', async (_name, passes, decided, readings) => {
    expect(await over(passes)).toMatchObject({ decided, again: { length: readings } });
  });

  test('only what is concluded is read again', async () => {
    const { again } = await over([[missing('a'), missing('b')], [missing('a'), missing('c')], []]);
    expect(again).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  test('a list that does not come to rest is not known', async () => {
    const restless = Array.from({ length: 9 }, (_none, index) => [missing(String(index))]);
    const { decided, again } = await over(restless);
    expect(again).toHaveLength(3);
    expect(decided).toMatch(/4 readings disagree/);
  });

  test('a conclusion about an item that is not selected is not acted on', async () => {
    const isA = ({ key }: Conclusion) => key === 'a';
    expect(await over([[missing('b')]], isA)).toEqual({ decided: 'reading 1', again: [] });
    expect(
      await over(
        [
          [missing('a'), missing('b')],
          [missing('a'), missing('c')],
        ],
        isA,
      ),
    ).toEqual({
      decided: 'reading 2',
      again: [['a']],
    });
  });
});

test('what could not be read is not read again', async () => {
  const live: LiveState<unknown> = {
    readable: false,
    structural: false,
    code: 'LIVE_LISTING_INCOMPLETE',
    message: 'no',
  };
  let read = 0;
  await decideStably({
    read: async () => {
      read += 1;
      return live;
    },
    readAgain: async () => expect.fail('read again'),
    decideOn: () => buildDecision(0, 0, { conclusions: [missing('a')] }),
    isNew: () => true,
  });
  expect(read).toBe(1);
});

test.each([
  ['the same items', true, 1],
  ['equal items', false, 2],
])('of two readings with %s, the first one decides if it is the same list', async (_name, isSame, decisions) => {
  const items = [{ id: 'a' }];
  const live = (): LiveState<unknown> => ({
    readable: true,
    items: isSame ? items : [...items],
    filtered: false,
    pages: 2,
  });
  let decided = 0;
  const decision = await decideStably({
    read: async () => live(),
    readAgain: async () => live(),
    decideOn: () => {
      decided += 1;
      return buildDecision(0, 0, { conclusions: [missing('a')], actions: [buildAction({ key: 'a' })] });
    },
    isNew: () => true,
  });
  expect(decided).toBe(decisions);
  expect(decision).toMatchObject({ actions: [{ key: 'a' }] });
  expect(decision).not.toHaveProperty('conclusions');
});
