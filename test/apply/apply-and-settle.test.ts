// A run that reads again what it does not know, and sends again what was not carried out.
import { describe, expect, test } from 'vitest';
import { type ApplyAndSettleTerms, applyAndSettle } from '../../src/apply/apply-and-settle.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { requestDigest } from '../../src/plan/request-digest.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, withUnreadable } from '../support/build-plan.ts';

const create = (key: string): Action =>
  buildAction({
    key,
    action: 'create',
    reason: 'missing',
    request: { operation: 'o', method: 'POST', path: '/policies', body: { key } },
  });
const [p, q] = [create('p'), create('q')];
const stale = buildAction({ key: 'stale' });
const plan = buildPlan({ actions: [p, q, stale] });

type Try = 'done' | 'lost' | 'broken' | 'refused';

/**
 * A tenant that answers the n-th try of each key as told and with `done` after that: `lost` was carried out but nobody said so,
 * `broken` was not.
 */
async function run(
  tries: Readonly<Record<string, readonly Try[]>>,
  about: Partial<ApplyAndSettleTerms> = {},
  mostTries = 5,
) {
  const seen = { sent: [] as string[], read: [] as string[][], told: [] as string[], recorded: [] as string[] };
  const open = new Set(plan.actions.map(({ key }) => key));
  const counts = new Map<string, number>();
  const perform = async ({ id, key }: Action): Promise<Outcome> => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    seen.sent.push(key);
    const answer = tries[key]?.[count] ?? 'done';
    if (answer === 'done' || answer === 'lost') open.delete(key);
    const outcome = answer === 'done' ? 'done' : answer === 'refused' ? 'failed' : 'unknown';
    return { id, outcome, status: null, message: outcome === 'done' ? null : answer };
  };
  const terms: ApplyAndSettleTerms = {
    signal: new AbortController().signal,
    onOutcome: ({ key }, { outcome }) => seen.told.push(`${key} ${outcome}`),
    digestOf: requestDigest,
    managed: new Set(['rate_limit_policies']),
    readyAgain: async (id) => {
      const ready = (counts.get(id.split('/')[1] ?? '') ?? 0) < mostTries;
      return ready ? { ready } : { ready, why: 'no more tries' };
    },
    planAgain: async (items) => {
      seen.read.push([...items]);
      return buildPlan({ actions: plan.actions.filter(({ key }) => open.has(key)) });
    },
    record: async ({ id, outcome }) => void seen.recorded.push(`${id.split('/')[1]} ${outcome}`),
    ...about,
  };
  const { document, fault } = await applyAndSettle(plan, perform, terms);
  return {
    ...seen,
    outcomes: document.outcomes.map(({ outcome }) => outcome),
    messages: document.outcomes.map(({ message }) => message),
    fault,
  };
}

test('what is known is not read again', async () => {
  expect(await run({})).toEqual({
    sent: ['p', 'q', 'stale'],
    read: [],
    told: ['p done', 'q done', 'stale done'],
    recorded: [],
    outcomes: ['done', 'done', 'done'],
    messages: [null, null, null],
    fault: null,
  });
});

test('what came through is not sent again, and what waited for it is sent now', async () => {
  expect(await run({ p: ['lost'] })).toEqual({
    sent: ['p', 'q', 'stale'],
    read: [['rate_limit_policies/p', 'rate_limit_policies/stale']],
    told: ['p unknown', 'q done', 'stale not_attempted', 'p done', 'stale done'],
    recorded: ['p done'],
    outcomes: ['done', 'done', 'done'],
    messages: ['verified by reading: it was carried out', null, null],
    fault: null,
  });
});

test('what did not come through is sent again', async () => {
  expect(await run({ q: ['broken'] })).toEqual({
    sent: ['p', 'q', 'q', 'stale'],
    read: [['rate_limit_policies/q', 'rate_limit_policies/stale']],
    told: ['p done', 'q unknown', 'stale not_attempted', 'q failed', 'q done', 'stale done'],
    recorded: ['q failed'],
    outcomes: ['done', 'done', 'done'],
    messages: [null, null, null],
    fault: null,
  });
});

test('as often as it has tries', async () => {
  const broken = Array<Try>(9).fill('broken');
  const { sent, read, outcomes, messages } = await run({ p: broken });
  expect({ sent: sent.filter((key) => key === 'p').length, read: read.length, stale: sent.includes('stale') }).toEqual({
    sent: 5,
    read: 5,
    stale: false,
  });
  expect(outcomes).toEqual(['failed', 'done', 'not_attempted']);
  expect(messages[0]).toBe('broken; no more tries; verified by reading: it was not carried out');
  expect((await run({ p: ['broken'] }, {}, 1)).sent).toEqual(['p', 'q']);
});

test('a try that is refused after a reading ends it', async () => {
  const { sent, outcomes } = await run({ p: ['broken', 'refused'], q: ['lost'] });
  expect({ sent, outcomes }).toEqual({ sent: ['p', 'q', 'p'], outcomes: ['failed', 'done', 'not_attempted'] });
});

describe('it stays unknown', () => {
  const broken = { p: ['broken'] } as const;
  test.each<[string, Partial<ApplyAndSettleTerms>]>([
    ['when the reading fails', { planAgain: () => Promise.reject(new Error('no connection')) }],
    ['when the reading cannot tell', { planAgain: async () => withUnreadable(buildPlan(), 'rate_limit_policies') }],
    ['after a signal', { signal: AbortSignal.abort() }],
  ])('%s', async (_name, about) => {
    const { sent, outcomes } = await run(broken, about);
    const stopped = about.signal !== undefined;
    expect({ sent, outcomes }).toEqual({
      sent: stopped ? [] : ['p', 'q'],
      outcomes: stopped ? Array(3).fill('not_attempted') : ['unknown', 'done', 'not_attempted'],
    });
  });
});

test('nothing is sent again that the tenant does not need any more', async () => {
  const { sent, outcomes } = await run({ p: ['lost'] }, { planAgain: async () => buildPlan() });
  expect({ sent, outcomes }).toEqual({ sent: ['p', 'q'], outcomes: ['done', 'done', 'not_attempted'] });
});

test('what is waited for is waited for before the reading, and not after a signal', async () => {
  const order: string[] = [];
  const readyAgain = async (id: string) => {
    order.push(`ready ${id}`);
    return { ready: true } as const;
  };
  const planAgain = async () => {
    order.push('read');
    return buildPlan();
  };
  await run({ p: ['lost'], q: ['lost'] }, { readyAgain, planAgain });
  expect(order).toEqual([`ready ${p.id}`, `ready ${q.id}`, 'read']);
  const controller = new AbortController();
  const stopped = async () => {
    controller.abort();
    return { ready: false, why: null } as const;
  };
  const { outcomes } = await run(
    { p: ['lost'] },
    { signal: controller.signal, readyAgain: stopped, planAgain: () => expect.unreachable() },
  );
  expect(outcomes).toEqual(['unknown', 'done', 'not_attempted']);
});

test('a second turn that is stopped leaves what the first one said', async () => {
  const controller = new AbortController();
  const planAgain = async (): Promise<Plan> => {
    controller.abort();
    return buildPlan({ actions: [p, stale] });
  };
  const { sent, outcomes, messages, told } = await run({ p: ['broken'] }, { signal: controller.signal, planAgain });
  expect({ sent, outcomes }).toEqual({ sent: ['p', 'q'], outcomes: ['failed', 'done', 'not_attempted'] });
  expect(messages).toEqual(['broken; verified by reading: it was not carried out', null, 'stopped by a signal']);
  expect(told).toEqual(['p unknown', 'q done', 'stale not_attempted', 'p failed']);
});

test('a fault of our own ends it, and every outcome is there', async () => {
  const failing = (at: string) => ({
    onOutcome: ({ key }: Action, { outcome }: Outcome) => {
      if (`${key} ${outcome}` === at) throw new Error('cannot tell');
    },
  });
  const told = await run({ p: ['broken'] }, failing('p failed'));
  expect([told.sent, told.outcomes, told.fault?.cause]).toEqual([
    ['p', 'q'],
    ['failed', 'done', 'not_attempted'],
    new Error('cannot tell'),
  ]);
  const second = await run({ p: ['broken'] }, failing('p done'));
  expect([second.sent, second.outcomes, second.fault?.cause]).toEqual([
    ['p', 'q', 'p'],
    ['done', 'done', 'not_attempted'],
    new Error('cannot tell'),
  ]);
  const first = await run({ p: ['broken'] }, failing('q done'));
  expect([first.sent, first.outcomes, first.fault?.cause]).toEqual([
    ['p', 'q'],
    ['failed', 'done', 'not_attempted'],
    new Error('cannot tell'),
  ]);
  expect(first.recorded).toEqual(['p failed']);
  // Nothing is sent again after it, so nothing is waited for.
  await run({ p: ['broken'] }, { ...failing('q done'), readyAgain: () => expect.unreachable() });
});

test('many items are read by kind', async () => {
  const actions = Array.from({ length: 51 }, (_, index) => create(`n${index}`));
  const read: (readonly string[])[] = [];
  const lose = async ({ id }: Action): Promise<Outcome> => ({ id, outcome: 'unknown', status: null, message: null });
  const { document } = await applyAndSettle(buildPlan({ actions }), lose, {
    signal: new AbortController().signal,
    onOutcome: () => {},
    digestOf: requestDigest,
    managed: new Set(['rate_limit_policies']),
    readyAgain: async () => ({ ready: false, why: null }),
    planAgain: async (only) => {
      read.push(only);
      return buildPlan();
    },
    record: async () => {},
  });
  expect({ read, done: document.summary.done }).toEqual({ read: [['rate_limit_policies']], done: 51 });
});
