// What a verification says in the cases that are rare: failures, signals, what nothing can read, locks that are lost.
import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { buildAction, putPartials } from '../support/build-action.ts';
import { buildFinding, buildPlan, withUnreadable } from '../support/build-plan.ts';
import { runApply, type ScriptedApply } from '../support/run-apply.ts';

const a = buildAction({ key: 'a', action: 'update' });
const b = buildAction({ key: 'b', kind: 'event_streams', action: 'update' });
const blind: Action = { ...putPartials('login', {}), precondition: null };
const unreachable = Object.assign(new Error('no connection'), { diagnostic: {} });
const noStreams = withUnreadable(buildPlan({ complete: false }), 'event_streams');

/** Readings that show these plans in turn, or fail; the last one again and again. */
function readings(...plans: readonly (Plan | Error)[]) {
  const counted = { reads: 0 };
  const script: ScriptedApply = {
    plans: () => {
      const plan = plans[Math.min(counted.reads, plans.length - 1)];
      counted.reads += 1;
      if (plan instanceof Error) throw plan;
      return plan ?? buildPlan();
    },
  };
  return { script, counted };
}

const apply = (actions: readonly Action[], script: ScriptedApply = {}) =>
  runApply(buildPlan({ actions: [...actions] }), script);

describe('failed readings', () => {
  test('are repeated twice', async () => {
    const { script, counted } = readings(unreachable);
    const { verification } = await apply([a], script);
    expect([counted.reads, verification?.result]).toEqual([3, 'not_read']);
  });

  test('are forgotten when the next one shows everything', async () => {
    const { script } = readings(unreachable, unreachable, buildPlan());
    expect((await apply([a], script)).verification).toMatchObject({ result: 'verified', message: null });
  });

  test('are the reason if it shows nothing, also beside what is verified', async () => {
    const { script } = readings(unreachable, buildPlan({ actions: [a] }));
    expect((await apply([a], script)).verification).toMatchObject({ result: 'not_shown', message: null });
    const why = buildFinding('LIVE_FORBIDDEN', { kind: 'event_streams', key: '*', message: 'status 403' });
    const { script: forbidden } = readings({ ...noStreams, findings: [why] });
    expect((await apply([a, b], forbidden)).verification).toMatchObject({
      result: 'not_read',
      verified: 1,
      not_shown: [],
      not_read: [b.id],
      message: 'status 403',
    });
  });

  test('of a kind that nothing can read are none', async () => {
    const { script } = readings(withUnreadable(buildPlan(), 'event_streams'));
    expect((await apply([a, b], script)).verification).toMatchObject({
      result: 'verified',
      verified: 1,
      not_verifiable: [b.id],
      message: null,
    });
  });

  test('end with a signal', async () => {
    const controller = new AbortController();
    const script: ScriptedApply = {
      plans: () => {
        controller.abort({ name: 'SIGINT', number: 2 });
        throw controller.signal.reason;
      },
      options: { signal: controller.signal },
    };
    expect((await apply([a], script)).verification).toMatchObject({
      result: 'not_read',
      message: 'interrupted before everything was read',
    });
  });
});

test('the message of what is not shown has the status', async () => {
  const { messages } = await apply([a], { tries: { a: ['ignored'] } });
  expect(messages).toEqual([
    'status 204, but no reading shows it: it was not carried out, or another client has changed it since',
  ]);
});

test.each<readonly [string, readonly Action[], readonly string[], string | undefined]>([
  ['nothing is done', [], [], undefined],
  ['nothing can be read', [blind], [], 'not_verifiable'],
  ['nothing is to be read', [a], ['rate_limit_policies'], 'skipped'],
  ['neither', [a, blind], ['rate_limit_policies'], 'not_verifiable'],
  ['something is read', [a, blind], [], 'verified'],
  ['something is read, and something is not to be', [a, b, blind], ['event_streams'], 'verified'],
])('%s', async (_name, actions, unverified, result) => {
  const { verification } = await apply(actions, { options: { unverified: [...unverified] } });
  expect(verification?.result).toBe(result);
});

describe('the lock', () => {
  const lost = new Error('the lock was taken by another run');
  test.each<readonly [string, number, readonly string[]]>([
    ['lost before the first request', 0, ['not_attempted', 'not_attempted']],
    ['lost before the second', 1, ['done', 'not_attempted']],
  ])('%s: nothing is sent after it', async (_name, after, expected) => {
    let sent = 0;
    const { outcomes, messages } = await apply([a, { ...b, needs: [a.id] }], {
      options: {
        journal: {
          intend: async () => {},
          outcome: async ({ outcome }) => {
            if (outcome === 'done') sent += 1;
          },
          lostLock: () => (sent >= after ? (lost as never) : null),
        },
      },
    });
    expect(outcomes).toEqual(expected);
    expect(messages).toContain('not sent: the lock was taken by another run');
  });
});
