import { describe, expect, test } from 'vitest';
import { retryBudget, retryPolicies } from '../../../src/client/retry/retry-policy.ts';
import { openRetries } from '../../../src/client/retry/send-with-retries.ts';
import { clientLimits } from '../../../src/client/session.ts';
import type { Exchange } from '../../../src/client/transport/exchange.ts';
import { operations as policies } from '../../../src/service/rate-limit-policies/description.generated.ts';
import { startFakeClock } from '../../support/fake-clock.ts';
import { actionOf, deletePolicyRequest, reading, startBench, writing } from '../builders.ts';

const busy: Exchange = {
  responded: true,
  response: { status: 503, headers: {}, body: { bytes: Buffer.alloc(0), error: null } },
};

describe('retries end', () => {
  const optionsWith = (more: object) => {
    const clock = startFakeClock();
    const signal = new AbortController().signal;
    return {
      operation: 'x',
      limits: clientLimits(more),
      clock,
      signal,
      budget: retryBudget(),
      emit: () => {},
      policy: retryPolicies.GET,
    };
  };

  test('when the retry budget of the run is used up', async () => {
    const shared = optionsWith({});
    for (let request = 0; request < 25; request += 1) await openRetries(async () => busy, shared)();
    expect(await openRetries(async () => busy, shared)()).toEqual({
      last: busy,
      tries: 1,
      reached: true,
      ambiguous: true,
      stop: { reason: 'given_up', why: 'the run has used up its retries' },
    });
  });

  test('when all tries together take too long', async () => {
    const { stop, tries } = await openRetries(async () => busy, optionsWith({ totalMs: 1200 }))();
    expect({ stop, few: tries < 5 }).toEqual({
      stop: { reason: 'given_up', why: 'no success within 1.2 seconds' },
      few: true,
    });
  });
});

test('a write that is never sent because of the quota is not attempted', async () => {
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

const afterDays = { date: 'Wed, 01 Jan 2031 00:00:00 GMT', 'retry-after': 'Sun, 01 Jan 2034 00:00:00 GMT' };

test.each([
  ['1000000 seconds', { 'retry-after': '1000000' }],
  ['a date years away', afterDays],
])('a service that asks to wait for %s is not asked again', async (_name, headers) => {
  await using bench = await startBench([{ status: 429, headers }]);
  const [outcome] = await writing(bench.options, async ({ perform }) => [await perform(actionOf(deletePolicyRequest))]);
  expect(outcome?.message).toMatch(/^status 429; the service asks to wait until \S+, which is longer than allowed$/);
  expect(bench.server.requests).toHaveLength(1);
});

test('a service that refuses every request ends before it would be asked again too late', async () => {
  await using bench = await startBench(
    Array.from({ length: 30 }, () => ({ status: 429, headers: { 'retry-after': '119' } })),
  );
  const started = bench.clock.monotonic();
  await writing(bench.options, async ({ perform }) => {
    for (let action = 0; action < 3; action += 1) await perform(actionOf(deletePolicyRequest));
    return [];
  });
  expect(bench.clock.monotonic() - started).toBeLessThanOrEqual(600_000);
});

test('waits for the quota are reported', async () => {
  await using bench = await startBench([{ status: 429 }, { body: { rate_limit_policies: [] } }]);
  await reading(bench.options, ({ reader }) => reader.list(policies.list, {}));
  expect(bench.events[0]).toEqual({
    type: 'waiting',
    operation: 'list_rate_limit_policies',
    ms: bench.clock.waits[0],
    reason: 'status 429',
  });
});

test('a run has a hundred retries, fifty after timeouts, and more after successes', () => {
  const count = (timedOut: boolean, successes: number) => {
    const budget = retryBudget();
    let taken = 0;
    while (budget.take(timedOut)) taken += 1;
    for (let index = 0; index < successes; index += 1) budget.succeed();
    while (budget.take(timedOut)) taken += 1;
    return taken;
  };
  expect([count(false, 0), count(true, 0), count(false, 14), count(false, 9999)]).toEqual([100, 50, 102, 200]);
});
