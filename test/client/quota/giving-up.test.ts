import { describe, expect, test } from 'vitest';
import { clientLimits } from '../../../src/client/client-limits.ts';
import type { Exchange } from '../../../src/client/exchange.ts';
import { retryBudget } from '../../../src/client/quota/retry-budget.ts';
import { retryRules } from '../../../src/client/retry-rules.ts';
import { sendWithRetries } from '../../../src/client/send-with-retries.ts';
import { listRateLimitPolicies } from '../../../src/resources/rate-limit-policies/operations.ts';
import { startFakeClock } from '../../support/fake-clock.ts';
import { actionOf, deletePolicyRequest, reading, startBench, writing } from '../builders.ts';

const busy: Exchange = {
  answered: true,
  answer: { status: 503, headers: {}, body: { bytes: Buffer.alloc(0), fault: null } },
};

describe('no more tries', () => {
  const terms = (more: object) => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    return {
      operation: 'x',
      limits: clientLimits(more),
      clock,
      signal,
      budget: retryBudget(),
      emit: () => {},
      rule: retryRules.GET,
    };
  };

  test('when the run has none left', async () => {
    const shared = terms({});
    for (let request = 0; request < 25; request += 1) await sendWithRetries(async () => busy, shared);
    expect(await sendWithRetries(async () => busy, shared)).toEqual({
      last: busy,
      tries: 1,
      reached: true,
      ambiguous: true,
      stop: { reason: 'given_up', why: 'this run has made all the retries it may make' },
    });
  });

  test('when they take too long together', async () => {
    const { stop, tries } = await sendWithRetries(async () => busy, terms({ totalMs: 1200 }));
    expect({ stop, few: tries < 5 }).toEqual({
      stop: { reason: 'given_up', why: 'no success within 1.2 seconds' },
      few: true,
    });
  });
});

test('a write that the gate does not let go was not attempted', async () => {
  const now = Date.UTC(2031, 0, 1);
  const headers = { date: new Date(now).toUTCString(), 'x-ratelimit-reset': `${now / 1000 + 600}` };
  await using bench = await startBench([{ status: 429, headers }]);
  const outcomes = await writing(bench.options, async ({ perform }) => [
    await perform(actionOf(deletePolicyRequest)),
    await perform(actionOf(deletePolicyRequest)),
  ]);
  const why = 'the service asks to wait until 2031-01-01T00:10:00.000Z, which is longer than allowed';
  expect(outcomes).toEqual([
    { id: 'the-action', outcome: 'failed', status: 429, message: `status 429; ${why}` },
    { id: 'the-action', outcome: 'not_attempted', status: null, message: `${why}; nothing was sent` },
  ]);
  expect(bench.server.requests).toHaveLength(1);
});

test('waits of the gate are told', async () => {
  await using bench = await startBench([{ status: 429 }, { body: { rate_limit_policies: [] } }]);
  await reading(bench.options, ({ reader }) => reader.list(listRateLimitPolicies, {}));
  expect(bench.events[0]).toEqual({
    type: 'wait',
    operation: 'list_rate_limit_policies',
    ms: bench.clock.waits[0],
    reason: 'status 429',
  });
});
