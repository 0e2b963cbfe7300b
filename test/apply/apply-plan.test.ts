// An apply from the first request to the last reading, on a tenant that does as scripted.
import { describe, expect, test } from 'vitest';
import { refusedOutcomes } from '../../src/apply/apply-plan.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, buildSummary, withUnreadable } from '../support/build-plan.ts';
import { runApply, type ScriptedApply } from '../support/run-apply.ts';

const create = (key: string, kind = 'rate_limit_policies'): Action =>
  buildAction({
    kind,
    key,
    action: 'create',
    reason: 'missing',
    before: null,
    request: { operation: 'o', method: 'POST', path: '/policies', body: { key } },
  });
const [p, q] = [create('p'), create('q')];
const stale = buildAction({ key: 'stale' });
const plan = buildPlan({ actions: [p, q, stale] });
const policies = (...keys: string[]) => keys.map((key) => `rate_limit_policies/${key}`).join(' ');

describe('promise 8: every request has an outcome', () => {
  const deletes = buildPlan({ actions: ['a', 'b', 'c'].map((key) => buildAction({ key })) });
  const ids = deletes.actions.map(({ id }) => id);

  test('all done, reported and recorded as they happen', async () => {
    const { document, reported, recorded, sent } = await runApply(deletes);
    expect(sent).toEqual(['a', 'b', 'c']);
    expect(reported).toEqual(['a done', 'b done', 'c done']);
    expect(recorded).toEqual(ids.map((id) => `${id} done`));
    expect(document).toEqual({
      format_version: '2.0',
      plan: deletes,
      outcomes: ids.map((id) => ({ id, outcome: 'done', status: 204, message: null })),
      summary: buildSummary({ done: 3 }),
      verification: {
        result: 'verified',
        verified: 3,
        not_shown: [],
        not_read: [],
        not_verifiable: [],
        secrets: [],
        skipped: [],
        message: null,
      },
    });
  });

  test('a failure does not stop what is independent of it', async () => {
    const { sent, outcomes } = await runApply(deletes, { tries: { a: ['refused'], b: ['lost'] } });
    expect([sent, outcomes]).toEqual([
      ['a', 'b', 'c'],
      ['failed', 'done', 'done'],
    ]);
  });

  test('an action after which nothing can succeed stops the others', async () => {
    const { outcomes, messages } = await runApply(
      buildPlan({ actions: [buildAction({ key: 'u', action: 'update' }), buildAction({ key: 'd' })] }),
      {
        options: {
          connection: {
            mayResend: () => false,
            perform: async ({ id }) => ({ id, outcome: 'failed', status: 401, message: 'no', fatal: true }),
          },
        },
      },
    );
    expect([outcomes, messages[1]]).toEqual([
      ['failed', 'not_attempted'],
      'not sent: no request can succeed after rate_limit_policies/u',
    ]);
  });

  test.each([
    ['is not begun again', false, ['failed', 1]],
    ['goes on if it has tries left', true, ['done', 3]],
  ] as const)('what was refused, and waits for a reading, %s', async (_name, hasTries, expected) => {
    let performed = 0;
    const perform = async ({ id }: Action) => {
      performed += 1;
      if (performed === 3) return { id, outcome: 'done', status: 204, message: null } as const;
      return { id, outcome: 'failed', status: 429, message: 'status 429; not sent: no reading', waits: true } as const;
    };
    const connection = { perform, mayResend: () => hasTries };
    const { outcomes } = await runApply(buildPlan({ actions: [stale] }), {
      options: { connection, unverified: [stale.kind] },
    });
    expect([...outcomes, performed]).toEqual(expected);
  });

  test('a signal lets the requests in flight finish and stops the rest', async () => {
    const controller = new AbortController();
    const actions = Array.from({ length: 20 }, (_, index) => buildAction({ key: `p${index}` }));
    const { document, messages } = await runApply(buildPlan({ actions }), {
      options: {
        signal: controller.signal,
        onOutcome: ({ key }) => {
          if (key === 'p0') controller.abort();
        },
      },
    });
    expect(document.summary).toEqual(buildSummary({ done: 16, not_attempted: 4 }));
    expect(messages.slice(16)).toEqual(Array(4).fill('not sent: interrupted'));
  });

  test('a refused plan has outcomes too', () => {
    expect(refusedOutcomes(deletes, 'GUARD_REFUSED').outcomes).toEqual(
      ids.map((id) => ({ id, outcome: 'not_attempted', status: null, message: 'GUARD_REFUSED' })),
    );
  });
});

describe('what is unknown', () => {
  test('what came through is not sent again, and what waited for it is sent now', async () => {
    const { events, reported, recorded, outcomes, messages } = await runApply(plan, { tries: { p: ['lost'] } });
    expect(events).toEqual([
      `send ${p.id}`,
      `send ${q.id}`,
      `read ${policies('p', 'q', 'stale')}`,
      `send ${stale.id}`,
      `read ${policies('p', 'q', 'stale')}`,
    ]);
    expect(reported).toEqual(['p unknown', 'q done', 'stale not_attempted', 'p done', 'stale done']);
    expect(recorded).toEqual([`${p.id} unknown`, `${q.id} done`, `${p.id} done`, `${stale.id} done`]);
    expect(outcomes).toEqual(['done', 'done', 'done']);
    expect(messages).toEqual(['verified by reading: it was carried out', null, null]);
  });

  test('what did not come through is sent again', async () => {
    const { sent, reported, outcomes } = await runApply(plan, { tries: { q: ['broken'] } });
    expect(sent).toEqual(['p', 'q', 'q', 'stale']);
    expect(reported).toEqual(['p done', 'q unknown', 'stale not_attempted', 'q done', 'stale done']);
    expect(outcomes).toEqual(['done', 'done', 'done']);
  });

  test('as often as it has tries: then it stays unknown, as the service may show it later', async () => {
    const { sent, outcomes, messages } = await runApply(plan, { tries: { p: Array(9).fill('broken') } });
    expect({ tries: sent.filter((key) => key === 'p').length, stale: sent.includes('stale') }).toEqual({
      tries: 5,
      stale: false,
    });
    expect(outcomes).toEqual(['unknown', 'done', 'not_attempted']);
    expect(messages[0]).toBe('broken; a reading does not show it');
  });

  test('what cannot be sent again, because no reading is ever young enough, stays unknown', async () => {
    let calls = 0;
    const perform = async ({ id }: Action) => {
      calls += 1;
      if (calls === 1) return { id, outcome: 'unknown', status: 503, message: 'status 503' } as const;
      if (calls > 100) return { id, outcome: 'failed', status: null, message: 'begun for ever' } as const;
      return { id, outcome: 'not_attempted', status: null, message: 'not sent: no reading shows it' } as const;
    };
    const { document } = await runApply(buildPlan({ actions: [p] }), {
      options: { connection: { perform, mayResend: () => true } },
    });
    expect(document.outcomes).toEqual([
      { id: p.id, outcome: 'unknown', status: 503, message: 'status 503; a reading does not show it' },
    ]);
    expect(calls).toBe(7);
  });

  test('a try that is refused after a reading ends it', async () => {
    const { sent, outcomes } = await runApply(plan, { tries: { p: ['broken', 'refused'], q: ['lost'] } });
    expect({ sent, outcomes }).toEqual({ sent: ['p', 'q', 'p'], outcomes: ['failed', 'done', 'not_attempted'] });
  });

  test.each<[string, ScriptedApply]>([
    ['when the reading fails', { knowledge: { read: () => Promise.reject(unreachable) } }],
    ['when the reading does not show it', { plans: () => withUnreadable(buildPlan(), 'rate_limit_policies') }],
    ['when somebody has changed it', { tries: { p: ['lost'] }, plans: changing(p) }],
  ])('it stays unknown %s', async (_name, script) => {
    const { sent, outcomes } = await runApply(plan, { tries: { p: ['broken'] }, ...script });
    expect([sent, outcomes[0], outcomes[2]]).toEqual([['p', 'q'], 'unknown', 'not_attempted']);
  });

  test('nothing is read after a signal', async () => {
    const controller = new AbortController();
    const connection = {
      mayResend: () => true,
      perform: async ({ id }: Action) => {
        controller.abort();
        return { id, outcome: 'unknown' as const, status: null, message: null };
      },
    };
    const aborted = await runApply(plan, { options: { connection, signal: controller.signal } });
    expect([aborted.reads, aborted.outcomes[0], aborted.outcomes[2]]).toEqual([[], 'unknown', 'not_attempted']);
  });

  test('an internal error ends it, and every outcome is there', async () => {
    const failingAt = (at: string): ScriptedApply => ({
      tries: { p: ['broken'] },
      options: {
        onOutcome: ({ key }: Action, { outcome }: Outcome) => {
          if (`${key} ${outcome}` === at) throw new Error('cannot report');
        },
      },
    });
    const cause = new Error('cannot report');
    const first = await runApply(plan, failingAt('q done'));
    expect([first.sent, first.reads, first.outcomes, first.error?.cause]).toEqual([
      ['p', 'q'],
      [],
      ['unknown', 'done', 'not_attempted'],
      cause,
    ]);
    const second = await runApply(plan, failingAt('p done'));
    expect([second.sent, second.outcomes, second.error?.cause]).toEqual([
      ['p', 'q', 'p'],
      ['done', 'done', 'not_attempted'],
      cause,
    ]);
  });
});

const unreachable = Object.assign(new Error('no connection'), { diagnostic: {} });

/** Another client has changed the item: the same request, on another state. */
function changing({ id }: Action): NonNullable<ScriptedApply['plans']> {
  return (read) => ({
    ...read,
    actions: plan.actions
      .filter((action) => action.id === id || read.actions.includes(action))
      .map((action) => (action.id === id ? { ...action, precondition: 'sha256:other' } : action)),
  });
}
