// An apply that reads what is unknown again, and resends what was not carried out.

import { describe, expect, test } from 'vitest';
import { type ApplyAndResolveOptions, applyAndResolve } from '../../src/apply/apply-and-resolve.ts';
import { itemsToRead } from '../../src/apply/items-to-read.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
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
 * A tenant that handles the n-th try of each key as listed and with `done` after that: `lost` was carried out but its response did
 * not arrive, `broken` was not carried out.
 */
async function run(
  tries: Readonly<Record<string, readonly Try[]>>,
  about: Partial<ApplyAndResolveOptions> = {},
  mostTries = 5,
) {
  const seen = { sent: [] as string[], read: [] as string[][], reported: [] as string[], recorded: [] as string[] };
  const open = new Set(plan.actions.map(({ key }) => key));
  const counts = new Map<string, number>();
  const perform = async ({ id, key }: Action): Promise<Outcome> => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    seen.sent.push(key);
    const response = tries[key]?.[count] ?? 'done';
    if (response === 'done' || response === 'lost') open.delete(key);
    const outcome = response === 'done' ? 'done' : response === 'refused' ? 'failed' : 'unknown';
    return { id, outcome, status: null, message: outcome === 'done' ? null : response };
  };
  const options: ApplyAndResolveOptions = {
    signal: new AbortController().signal,
    onOutcome: ({ key }, { outcome }) => seen.reported.push(`${key} ${outcome}`),
    managed: new Set(['rate_limit_policies']),
    readyAgain: async (id) => {
      const ready = (counts.get(id.split('/')[1] ?? '') ?? 0) < mostTries;
      return ready ? { ready } : { ready, why: 'no more tries' };
    },
    planAgain: async (items) => {
      seen.read.push(items.map(({ kind, key }) => `${kind}/${key}`));
      return buildPlan({ actions: plan.actions.filter(({ key }) => open.has(key)) });
    },
    record: async ({ id, outcome }) => void seen.recorded.push(`${id.split('/')[1]} ${outcome}`),
    ...about,
  };
  const { document, error } = await applyAndResolve(plan, perform, options);
  return {
    ...seen,
    outcomes: document.outcomes.map(({ outcome }) => outcome),
    messages: document.outcomes.map(({ message }) => message),
    error,
  };
}

test('what is known is not read again', async () => {
  expect(await run({})).toEqual({
    sent: ['p', 'q', 'stale'],
    read: [],
    reported: ['p done', 'q done', 'stale done'],
    recorded: [],
    outcomes: ['done', 'done', 'done'],
    messages: [null, null, null],
    error: null,
  });
});

test('what came through is not sent again, and what waited for it is sent now', async () => {
  expect(await run({ p: ['lost'] })).toEqual({
    sent: ['p', 'q', 'stale'],
    read: [['rate_limit_policies/p', 'rate_limit_policies/stale']],
    reported: ['p unknown', 'q done', 'stale not_attempted', 'p done', 'stale done'],
    recorded: ['p done'],
    outcomes: ['done', 'done', 'done'],
    messages: ['verified by reading: it was carried out', null, null],
    error: null,
  });
});

test('what did not come through is sent again', async () => {
  expect(await run({ q: ['broken'] })).toEqual({
    sent: ['p', 'q', 'q', 'stale'],
    read: [['rate_limit_policies/q', 'rate_limit_policies/stale']],
    reported: ['p done', 'q unknown', 'stale not_attempted', 'q failed', 'q done', 'stale done'],
    recorded: ['q failed'],
    outcomes: ['done', 'done', 'done'],
    messages: [null, null, null],
    error: null,
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
  test.each<[string, Partial<ApplyAndResolveOptions>]>([
    ['when the reading fails', { planAgain: () => Promise.reject(new Error('no connection')) }],
    [
      'when the reading does not show it',
      { planAgain: async () => withUnreadable(buildPlan(), 'rate_limit_policies') },
    ],
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

test('a second round that is stopped keeps the outcomes of the first', async () => {
  const controller = new AbortController();
  const planAgain = async (): Promise<Plan> => {
    controller.abort();
    return buildPlan({ actions: [p, stale] });
  };
  const { sent, outcomes, messages, reported } = await run({ p: ['broken'] }, { signal: controller.signal, planAgain });
  expect({ sent, outcomes }).toEqual({ sent: ['p', 'q'], outcomes: ['failed', 'done', 'not_attempted'] });
  expect(messages).toEqual(['broken; verified by reading: it was not carried out', null, 'stopped by a signal']);
  expect(reported).toEqual(['p unknown', 'q done', 'stale not_attempted', 'p failed']);
});

test('an internal error ends it, and every outcome is there', async () => {
  const failing = (at: string) => ({
    onOutcome: ({ key }: Action, { outcome }: Outcome) => {
      if (`${key} ${outcome}` === at) throw new Error('cannot report');
    },
  });
  const reported = await run({ p: ['broken'] }, failing('p failed'));
  expect([reported.sent, reported.outcomes, reported.error?.cause]).toEqual([
    ['p', 'q'],
    ['failed', 'done', 'not_attempted'],
    new Error('cannot report'),
  ]);
  const second = await run({ p: ['broken'] }, failing('p done'));
  expect([second.sent, second.outcomes, second.error?.cause]).toEqual([
    ['p', 'q', 'p'],
    ['done', 'done', 'not_attempted'],
    new Error('cannot report'),
  ]);
  const first = await run({ p: ['broken'] }, failing('q done'));
  expect([first.sent, first.outcomes, first.error?.cause]).toEqual([
    ['p', 'q'],
    ['failed', 'done', 'not_attempted'],
    new Error('cannot report'),
  ]);
  expect(first.recorded).toEqual(['p failed']);
  // Nothing is sent again after it, so nothing is waited for.
  await run({ p: ['broken'] }, { ...failing('q done'), readyAgain: () => expect.unreachable() });
});

test('many items are read by kind', async () => {
  const actions = Array.from({ length: 51 }, (_, index) => create(`n${index}`));
  const read: unknown[] = [];
  const lose = async ({ id }: Action): Promise<Outcome> => ({ id, outcome: 'unknown', status: null, message: null });
  const { document } = await applyAndResolve(buildPlan({ actions }), lose, {
    signal: new AbortController().signal,
    onOutcome: () => {},
    managed: new Set(['rate_limit_policies']),
    readyAgain: async () => ({ ready: false, why: null }),
    planAgain: async (about) => {
      read.push(itemsToRead(about));
      return buildPlan();
    },
    record: async () => {},
  });
  expect({ read, done: document.summary.done }).toEqual({
    read: [[{ kind: 'rate_limit_policies', key: null }]],
    done: 51,
  });
});
