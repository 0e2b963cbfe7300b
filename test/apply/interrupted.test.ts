// A fault of our own, or of the disk, at any call: nothing more is sent, and what is told and recorded is true.
import { describe, expect, test } from 'vitest';
import type { ActionJournal } from '../../src/apply/pipeline.ts';
import type { OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, buildSummary } from '../support/build-plan.ts';
import { runApply } from '../support/run-apply.ts';

/** Of one item, so that they go one after the other. */
const plan = buildPlan({
  actions: ['a', 'b', 'c'].map((part) => buildAction({ id: `rate_limit_policies/${part}`, key: 'one' })),
});
const idOf = (key: string) => `rate_limit_policies/${key}`;
const unverified = ['rate_limit_policies'];
const mayResend = () => false;

/** Every call in its order; the one at `at`, counted from 1, throws. */
async function applyFailingAt(at: number) {
  const calls: string[] = [];
  const call = (text: string) => {
    calls.push(text);
    if (calls.length === at) throw new Error('broken');
  };
  const journal: ActionJournal = {
    intend: async ({ id }) => call(`intent ${id.at(-1)}`),
    outcome: async ({ id, outcome }) => call(`record ${id.at(-1)} ${outcome}`),
    lostLock: () => null,
  };
  const { document, error } = await runApply(plan, {
    options: {
      unverified,
      journal,
      connection: {
        mayResend,
        perform: async ({ id }) => {
          call(`send ${id.at(-1)}`);
          return { id, outcome: 'done', status: 204, message: null };
        },
      },
      onOutcome: ({ id }, { outcome }) => call(`tell ${id.at(-1)} ${outcome}`),
    },
  });
  return { calls, document, cause: error?.cause };
}

const outcomesOf = ({ outcomes }: OutcomesDocument) => outcomes.map(({ outcome }) => outcome).join(' ');

describe('the n-th call throws', () => {
  test.each([
    [1, 'intent a', 'not_attempted not_attempted not_attempted', false],
    [2, 'send a', 'unknown not_attempted not_attempted', true],
    [3, 'record a done', 'done not_attempted not_attempted', false],
    [4, 'tell a done', 'done not_attempted not_attempted', true],
    [5, 'intent b', 'done not_attempted not_attempted', false],
    [6, 'send b', 'done unknown not_attempted', true],
    [7, 'record b done', 'done done not_attempted', false],
    [12, 'tell c done', 'done done done', true],
    [13, 'none', 'done done done', false],
  ])('call %i, %s', async (at, name, outcomes, interrupted) => {
    const { calls, document, cause } = await applyFailingAt(at);
    expect([outcomesOf(document), cause instanceof Error]).toEqual([outcomes, interrupted]);
    expect(calls[at - 1] ?? 'none').toBe(name);
    expect(calls.slice(at).filter((call) => /^(intent|send|record)/.test(call))).toEqual([]);
  });

  test('every action has a reason', async () => {
    expect((await applyFailingAt(1)).document.outcomes).toEqual([
      { id: idOf('a'), outcome: 'not_attempted', status: null, message: 'not sent: broken' },
      {
        id: idOf('b'),
        outcome: 'not_attempted',
        status: null,
        message: `not sent: no request can succeed after ${idOf('a')}`,
      },
      {
        id: idOf('c'),
        outcome: 'not_attempted',
        status: null,
        message: `not sent: no request can succeed after ${idOf('a')}`,
      },
    ]);
    const message = `not sent: internal error at ${idOf('b')}`;
    expect((await applyFailingAt(6)).document).toEqual({
      format_version: '2.0',
      plan,
      outcomes: [
        { id: idOf('a'), outcome: 'done', status: 204, message: null },
        {
          id: idOf('b'),
          outcome: 'unknown',
          status: null,
          message: 'internal error; it may have been carried out',
        },
        { id: idOf('c'), outcome: 'not_attempted', status: null, message },
      ],
      summary: buildSummary({ done: 1, not_attempted: 1, unknown: 1 }),
      verification: null,
    });
  });
});

test('the n-th call throws while sixteen are under way: what is told is true, and nothing new begins', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const all = buildPlan({ actions: keys.map((key) => buildAction({ key })) });
  for (let at = 1; at <= 81; at += 1) {
    let calls = 0;
    let begunSince = 0;
    const sent = new Set<string>();
    const call = async () => {
      calls += 1;
      await Promise.resolve();
      if (calls >= at) throw new Error('broken');
    };
    const journal: ActionJournal = {
      intend: async () => {
        if (calls >= at) begunSince += 1;
        await call();
      },
      outcome: call,
      lostLock: () => null,
    };
    const perform = async ({ id }: { readonly id: string }) => {
      sent.add(id);
      await call();
      return { id, outcome: 'done' as const, status: 204, message: null };
    };
    const connection = { mayResend, perform };
    const { document } = await runApply(all, { options: { unverified, journal, connection } });
    expect(document.outcomes.map(({ id }) => id)).toEqual(all.actions.map(({ id }) => id));
    for (const { id, outcome } of document.outcomes)
      expect(sent.has(id), `${at}: ${id} ${outcome}`).toBe(outcome !== 'not_attempted');
    expect(begunSince, `${at}`).toBeLessThan(16);
    expect(document.summary.done, `${at}`).toBe(at > 60 ? 20 : document.summary.done);
  }
});

test('what is thrown need not be an error', async () => {
  const journal: ActionJournal = {
    intend: () => Promise.reject('odd'),
    outcome: async () => {},
    lostLock: () => null,
  };
  const { messages } = await runApply(plan, { options: { journal } });
  expect(messages[0]).toBe('not sent: odd');
});

test('an outcome that ends a run is recorded without that mark', async () => {
  const recorded: unknown[] = [];
  const journal: ActionJournal = {
    intend: async () => {},
    outcome: async (outcome) => void recorded.push(outcome),
    lostLock: () => null,
  };
  const failed = { id: idOf('a'), outcome: 'failed' as const, status: 401, message: 'no' };
  const perform = async () => ({ ...failed, fatal: true });
  await runApply(plan, { options: { journal, connection: { mayResend, perform } } });
  expect(recorded).toEqual([failed]);
});
