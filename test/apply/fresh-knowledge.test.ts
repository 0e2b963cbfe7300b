import { expect, test } from 'vitest';
import { openFreshKnowledge } from '../../src/apply/fresh-knowledge.ts';
import { buildAction } from '../support/build-action.ts';

test('a reading that a signal stops leaves its action alone', async () => {
  const controller = new AbortController();
  const action = buildAction();
  const knowledge = openFreshKnowledge([action], {
    kinds: [],
    managed: new Set([action.kind]),
    clock: { monotonic: () => 60_000 },
    readAt: 0,
    maxStalenessMs: 10_000,
    signal: controller.signal,
    isStillDesired: () => true,
    planAgain: async () => {
      controller.abort({ name: 'SIGINT', number: 2 });
      return Promise.reject(controller.signal.reason);
    },
  });
  expect(await knowledge.before(action)).toEqual({
    id: action.id,
    outcome: 'not_attempted',
    status: null,
    message: 'not sent, because it could not be read again: stopped by a signal',
  });
});
