import { describe, expect, test } from 'vitest';
import { verify } from '../../src/apply/verify.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildOutcomes, buildPlan, withUnreadable } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';

const [a, b] = [buildAction({ key: 'a' }), buildAction({ key: 'b', kind: 'event_streams' })];
const plan = buildPlan({ actions: [a, b] });
const done = buildOutcomes(
  plan,
  [a, b].map(({ id }) => ({ id, outcome: 'done', status: 204, message: null })),
);

class NotReached extends Error {
  readonly diagnostic = {};
}

/** Verifies with these readings, one after the other; the last one is repeated. */
function verified(...readings: readonly (Plan | Error)[]) {
  return verifiedSlowly(0, ...readings);
}

async function verifiedSlowly(ms: number, ...readings: readonly (Plan | Error)[]) {
  const asked: string[][] = [];
  const clock = startFakeClock();
  const signal = new AbortController();
  const { document, changed } = await verify(done, {
    managed: new Set(['rate_limit_policies', 'event_streams']),
    clock,
    signal: signal.signal,
    shown: new Set(),
    contradicted: new Set(),
    isWanted: true,
    planAgain: async (about: readonly Action[]) => {
      const reading = readings[Math.min(asked.length, readings.length - 1)];
      asked.push(about.map(({ key }) => key));
      clock.advance(ms);
      if (reading instanceof Error) throw reading;
      return reading ?? buildPlan();
    },
  });
  return {
    asked,
    verification: document.verification,
    unknown: document.outcomes.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id),
    changed: changed.length,
  };
}

describe('the verification', () => {
  test('ends with the first reading that shows everything', async () => {
    const { asked, verification } = await verified(buildPlan());
    expect(asked).toEqual([['a', 'b']]);
    expect(verification).toEqual({
      result: 'verified',
      verified: 2,
      not_as_intended: [],
      not_verifiable: [],
      message: null,
    });
  });

  test('does not read again for minutes if a small quota makes each reading slow', async () => {
    const { asked, verification } = await verifiedSlowly(60_000, buildPlan({ actions: [a] }));
    expect(asked).toEqual([['a', 'b'], ['a']]);
    expect(verification).toMatchObject({ result: 'not_as_intended', not_as_intended: [a.id] });
  });

  test('what a reading did not show is not forgotten when the next ones fail', async () => {
    const { verification, unknown } = await verified(
      buildPlan({ actions: [b] }),
      withUnreadable(buildPlan({ complete: false }), 'event_streams'),
    );
    expect(verification).toMatchObject({ result: 'not_as_intended', not_as_intended: [b.id], verified: 1 });
    expect(unknown).toEqual([b.id]);
  });

  test('reads again only what is not as intended', async () => {
    const { asked, verification } = await verified(buildPlan({ actions: [b] }), buildPlan());
    expect(asked).toEqual([['a', 'b'], ['b']]);
    expect(verification?.result).toBe('verified');
  });

  test('names what is known not to be in effect, although another kind cannot be read', async () => {
    const unread = withUnreadable(buildPlan({ actions: [b], complete: false }), 'rate_limit_policies');
    const { verification, unknown, changed } = await verified(unread);
    expect({ unknown, changed, verification }).toMatchObject({
      unknown: [b.id],
      changed: 1,
      verification: { result: 'not_as_intended', verified: 0, not_as_intended: [b.id], message: expect.any(String) },
    });
  });

  test('keeps what a reading has shown when the next one fails', async () => {
    const { verification, unknown } = await verified(buildPlan({ actions: [b] }), new NotReached('no connection'));
    expect({ unknown, verification }).toMatchObject({
      unknown: [b.id],
      verification: { result: 'not_as_intended', verified: 1, message: 'no connection' },
    });
  });

  test('fails when nothing could be read', async () => {
    const { verification, unknown } = await verified(new NotReached('no connection'));
    expect({ unknown, verification }).toEqual({
      unknown: [],
      verification: {
        result: 'not_read',
        verified: 0,
        not_as_intended: [],
        not_verifiable: [],
        message: 'no connection',
      },
    });
  });

  test('rethrows an internal error', async () => {
    await expect(verified(new TypeError('a bug'))).rejects.toThrow('a bug');
  });
});
