// An apply and its journal together: whatever fails, the outcomes are told and the file is closed.
import { describe, expect, test } from 'vitest';
import { internalError } from '../../src/cli/print-document.ts';
import { performPlan } from '../../src/engine/perform-plan.ts';
import { cannotUse, JournalTrouble } from '../../src/journal/journal-trouble.ts';
import type { ApplyState } from '../../src/journal/open-apply-state.ts';
import { emptyChain } from '../../src/journal/parse-journal.ts';
import { writeJournal } from '../../src/journal/write-journal.ts';
import type { WriteConnection } from '../../src/model/client.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { scriptedKnowledge } from '../support/run-apply.ts';
import { takenLock } from '../support/taken-lock.ts';

/** One stage after the other, so that the records have one order. */
const plan = buildPlan({ actions: [buildAction({ key: 'a', action: 'update' }), buildAction({ key: 'b' })] });

/** Appends work until the one at `failsAt`, counted from 1. */
function termsWith(
  failsAt: number,
  about: { readonly signal?: AbortSignal; readonly outcome?: Outcome['outcome'] } = {},
) {
  const seen = { records: [] as string[], closed: 0, sent: 0, read: 0 };
  const journal = writeJournal(
    {
      append: async (text) => {
        if (seen.records.length + 1 >= failsAt) throw new Error('no space left');
        for (const line of text.trimEnd().split('\n')) {
          const { record, outcome } = JSON.parse(line);
          seen.records.push(outcome === undefined ? record : `${record} ${outcome}`);
        }
      },
      sync: async () => {},
      close: async () => {
        seen.closed += 1;
        throw new Error('closing fails too');
      },
    },
    { path: 'the journal', chain: emptyChain, lock: takenLock },
  );
  const { knowledge, clock } = scriptedKnowledge(plan, {
    plans: () => {
      seen.read += 1;
      return buildPlan();
    },
  });
  const connection: Pick<WriteConnection, 'perform' | 'mayResend'> = {
    mayResend: () => false,
    perform: async ({ id }) => {
      seen.sent += 1;
      return { id, outcome: about.outcome ?? 'done', status: null, message: null };
    },
  };
  const session = {
    connection,
    emit: () => {},
    options: { kinds, clock, ...about },
    loaded: { desired: { sections: new Map() } },
  };
  const state: ApplyState = { last: null, begin: async () => journal, release: () => {} };
  const unverified = kinds.map(({ name }) => name);
  const terms = {
    knowledge,
    perform: (known = knowledge, performed: Plan = plan) =>
      performPlan(performed, plan, session as never, state, known, { approved: { since: '', parts: [] }, unverified }),
  };
  return { terms, seen, journal, connection };
}

const outcomesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ outcome }) => outcome);

test('two actions with one id are a bug, before the journal begins', async () => {
  const { terms, seen } = termsWith(99);
  const twice = { ...plan, actions: [...plan.actions, ...plan.actions] };
  await expect(terms.perform(terms.knowledge, twice)).rejects.toThrow('two actions have the id');
  expect(seen).toMatchObject({ records: [], sent: 0 });
});

test('what is resolved is recorded before the end', async () => {
  const { terms, seen } = termsWith(99, { outcome: 'unknown' });
  const { outcomes: document, bug: error } = await terms.perform();
  expect({ outcomes: outcomesOf(document.outcomes), error }).toEqual({ outcomes: ['done', 'done'], error: null });
  expect(seen).toEqual({
    records: ['intent', 'outcome unknown', 'intent', 'outcome unknown', 'outcome done', 'outcome done', 'end'],
    closed: 1,
    sent: 2,
    read: 1,
  });
});

describe('the journal fails', () => {
  test.each([
    [1, 0, ['not_attempted', 'not_attempted']],
    [2, 1, ['done', 'not_attempted']],
    [3, 1, ['done', 'not_attempted']],
    [4, 2, ['done', 'done']],
    [5, 2, ['done', 'done']],
  ])('at record %i: %i requests were sent', async (failsAt, sent, outcomes) => {
    const { terms, seen, journal } = termsWith(failsAt);
    const { outcomes: document } = await terms.perform();
    expect({ sent: seen.sent, outcomes: outcomesOf(document.outcomes), closed: seen.closed }).toEqual({
      sent,
      outcomes,
      closed: 1,
    });
    expect(journal.failure?.message).toBe(
      'Cannot use the journal: Error: no space left. No request is sent without a journal.',
    );
  });

  test('what is unknown is resolved all the same', async () => {
    const { terms, seen } = termsWith(2, { outcome: 'unknown' });
    const { outcomes: document } = await terms.perform();
    expect({ outcomes: outcomesOf(document.outcomes), read: seen.read }).toEqual({
      outcomes: ['done', 'not_attempted'],
      read: 1,
    });
  });
});

test.each([
  ['before its reading', null],
  ['after its reading', Promise.resolve(null)],
])('a lock that is lost while a request waits for its quota, %s: it is not sent', async (_name, before) => {
  const lost = new JournalTrouble('APPLY_LOCK_LOST', 'The lock is lost.', 'rerun');
  const { terms, seen, journal, connection } = termsWith(99);
  const knowledge = { ...terms.knowledge, before: () => before };
  const { perform } = connection;
  connection.perform = async (action, ready) => {
    journal.lostLock = () => lost;
    return (await ready?.()) ?? perform(action, ready);
  };
  const { outcomes: document } = await terms.perform(knowledge);
  expect(document.outcomes[0]).toMatchObject({ outcome: 'not_attempted', message: 'not sent: The lock is lost.' });
  expect({ outcomes: outcomesOf(document.outcomes), sent: seen.sent }).toEqual({
    outcomes: ['not_attempted', 'not_attempted'],
    sent: 0,
  });
});

test('a bug before anything is sent closes the journal', async () => {
  const signal = {
    get aborted(): boolean {
      throw new Error('no signal');
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  } as Partial<AbortSignal> as AbortSignal;
  const { terms, seen } = termsWith(99, { signal });
  const { bug: error } = await terms.perform();
  expect([error?.cause, seen]).toEqual([new Error('no signal'), { records: ['end'], closed: 1, sent: 0, read: 0 }]);
});

test('what is thrown need not be an error', () => {
  expect(cannotUse('x', 'odd').message).toBe('Cannot use x: odd. No request is sent without a journal.');
  expect(internalError('odd', { talk: () => expect.unreachable() } as never, true).message).toBe('Internal error: odd');
});
