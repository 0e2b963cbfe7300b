// The end of an apply: what it wrote is read, and no response is believed.
import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { buildAction, putPartials } from '../support/build-action.ts';
import { buildPlan, withUnreadable } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { kindRead, listedBy, runApply, type ScriptedApply } from '../support/run-apply.ts';

const a = buildAction({ key: 'a', action: 'update' });
const b = buildAction({ key: 'b', kind: 'event_streams', action: 'update' });
const plan = buildPlan({ actions: [a, b] });

async function verified(script: ScriptedApply, of: Plan = plan) {
  const { reads, document, clock, reported } = await runApply(of, script);
  const unknown = document.outcomes.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id);
  return { reads, verification: document.verification, unknown, waits: clock.waits, reported };
}

const failing = (...readings: readonly (Plan | Error)[]): ScriptedApply => {
  let count = 0;
  return {
    plans: () => {
      const reading = readings[Math.min(count++, readings.length - 1)];
      if (reading instanceof Error) throw reading;
      return reading ?? buildPlan();
    },
  };
};
const unreachable = Object.assign(new Error('no connection'), { diagnostic: {} });

describe('a deletion that is only accepted', () => {
  const [p, q] = [buildAction({ key: 'p' }), buildAction({ key: 'q' })];
  const both = buildPlan({ actions: [p, { ...q, needs: [p.id] }] });

  test.each([[500], [29_000]])('is done once a reading shows that it is gone: after %i ms', async (goneMs) => {
    const result = await runApply(both, { tries: { p: [{ goneMs }] } });
    expect(result.reported).toEqual(['p done', 'q done']);
    expect(result.recorded).toEqual([`${p.id} done`, `${q.id} done`]);
    expect(result.document.outcomes[0]).toMatchObject({ status: 202, message: null });
    expect(result.verification).toMatchObject({ result: 'verified', verified: 2 });
    expect(result.events.indexOf(`send ${q.id}`)).toBeGreaterThan(
      result.events.lastIndexOf('read rate_limit_policies/p'),
    );
  });

  test('is unknown if none does, and nothing relies on it', async () => {
    const { reported, recorded, sent, messages, reads, clock, verification } = await runApply(both, {
      tries: { p: ['accepted'] },
      mostTries: 1,
    });
    expect(sent).toEqual(['p']);
    expect(reported.at(-1)).toBe('p unknown');
    expect(recorded.filter((text) => text.includes('done'))).toEqual([]);
    expect(messages[0]).toBe('accepted; a reading does not show it');
    // As long as the service may take to show it, and not longer.
    expect(reads.length).toBeLessThan(20);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(120_000);
    expect(verification).toBeNull();
  });

  test('is unknown if it cannot be read, after a few readings', async () => {
    const { outcomes, reads } = await runApply(buildPlan({ actions: [p] }), {
      tries: { p: ['accepted'] },
      ...failing(unreachable),
    });
    expect(outcomes).toEqual(['unknown']);
    expect(reads.length).toBeLessThan(6);
  });

  test('is unknown if the apply is interrupted before a reading shows it', async () => {
    const interrupt = new AbortController();
    const { outcomes, reads } = await runApply(buildPlan({ actions: [p] }), {
      tries: { p: ['accepted'] },
      plans: (same) => {
        interrupt.abort();
        return same;
      },
      options: { signal: interrupt.signal },
    });
    expect({ outcomes, reads: reads.length }).toEqual({ outcomes: ['unknown'], reads: 1 });
  });
});

describe('the verification', () => {
  test('ends with the first reading that shows everything', async () => {
    const { reads, verification, waits } = await verified({});
    expect([reads, waits]).toEqual([['rate_limit_policies/a', 'event_streams/b'], []]);
    expect(verification).toMatchObject({ result: 'verified', verified: 2, not_shown: [], message: null });
  });

  test('believes no response: what is confirmed and never performed is unknown', async () => {
    const { verification, unknown, reported } = await verified({ tries: { b: ['ignored'] } });
    expect(verification).toMatchObject({ result: 'not_shown', verified: 1, not_shown: [b.id] });
    expect([unknown, reported.at(-1)]).toEqual([[b.id], 'b unknown']);
  });

  test.each([
    [4_000, 'verified'],
    [29_000, 'verified'],
    [60_000, 'not_shown'],
  ])('waits for what is shown late: after %i ms', async (lateMs, result) => {
    const { reads, verification } = await verified({ tries: { b: [{ lateMs }] } });
    expect(verification?.result).toBe(result);
    // Of what is shown, nothing is read again.
    expect(reads.filter((read) => read === 'rate_limit_policies/a')).toHaveLength(1);
  });

  test('reads twice at least, however small the quota is, and not for minutes', async () => {
    const { reads, verification } = await verified({ tries: { a: ['ignored'], b: ['ignored'] }, readMs: 60_000 });
    expect(reads).toEqual(Array(2).fill(['rate_limit_policies/a', 'event_streams/b']).flat());
    expect(verification?.result).toBe('not_shown');
  });

  test('what a reading did not show is not forgotten when the next ones fail', async () => {
    const unread = withUnreadable(buildPlan({ complete: false }), 'event_streams');
    const { verification, unknown } = await verified(failing(buildPlan(), buildPlan({ actions: [b] }), unread));
    expect(verification).toMatchObject({ result: 'not_shown', not_shown: [b.id], verified: 1 });
    expect(unknown).toEqual([b.id]);
  });

  test('fails when nothing can be read, without believing or doubting anything', async () => {
    const { verification, unknown } = await verified(failing(unreachable));
    expect({ unknown, verification }).toMatchObject({
      unknown: [],
      verification: {
        result: 'not_read',
        verified: 0,
        not_shown: [],
        not_read: [a.id, b.id],
        message: 'no connection',
      },
    });
  });

  test('names what it did not read any more, although something else is not shown', async () => {
    const half = withUnreadable(buildPlan({ actions: [a], complete: false }), 'event_streams');
    const { verification } = await verified(failing(half));
    expect(verification).toMatchObject({ result: 'not_shown', verified: 0, not_shown: [a.id], not_read: [b.id] });
  });

  test('an internal error ends it, and the outcomes stay', async () => {
    const { error, outcomes, verification } = await runApply(plan, failing(new TypeError('a bug')));
    expect([error?.cause, outcomes, verification]).toEqual([new TypeError('a bug'), ['done', 'done'], null]);
  });

  test('leaves out the kinds of --no-verify, and names them', async () => {
    const { reads, verification } = await verified({ options: { unverified: ['event_streams'] } });
    expect(reads).toEqual(['rate_limit_policies/a']);
    expect(verification).toMatchObject({ result: 'verified', verified: 1, skipped: [b.id] });
    const none = await verified({ options: { unverified: ['event_streams', 'rate_limit_policies'] } });
    expect(none).toMatchObject({ reads: [], verification: { result: 'skipped', verified: 0 } });
  });

  test('names what nothing can read, and secrets', async () => {
    const blind: Action = { ...putPartials('login', {}), precondition: null };
    const secret = { ...b, request: { ...b.request, secrets: [{ pointer: '/token', env: 'TENANT_VAR_T' }] } };
    const { verification } = await verified({}, buildPlan({ actions: [blind, secret] }));
    expect(verification).toMatchObject({
      result: 'verified',
      verified: 1,
      not_verifiable: [blind.id],
      secrets: [secret.id],
    });
    const { verification: none } = await verified({}, buildPlan({ actions: [blind] }));
    expect(none).toMatchObject({ result: 'not_verifiable', not_verifiable: [blind.id] });
  });

  test('what another action relied on is read again after that, and not believed for having been there', async () => {
    const request = { operation: 'o', method: 'POST', path: '/p', body: { permissions: ['q'] } } as const;
    const given = buildAction({ kind: 'roles', key: 'A', part: 'add', action: 'add', request });
    const taken = buildAction({ kind: 'roles', key: 'B', part: 'remove', action: 'remove', request });
    const { events } = await runApply(buildPlan({ actions: [given, taken] }), { readMs: 10 });
    expect(events).toEqual([
      'send roles/A#add',
      'read roles/A#add',
      'send roles/B#remove',
      'read roles/A#add',
      'read roles/B#remove',
    ]);
  });

  test('and is not verified if it cannot be read again', async () => {
    const request = { operation: 'o', method: 'POST', path: '/p', body: { permissions: ['q'] } } as const;
    const given = buildAction({ kind: 'roles', key: 'A', part: 'add', action: 'add', request });
    const taken = buildAction({ kind: 'roles', key: 'B', part: 'remove', action: 'remove', request });
    let removed = false;
    const { document } = await runApply(buildPlan({ actions: [given, taken] }), {
      readMs: 10,
      plans(fresh) {
        if (removed) throw unreachable;
        removed = fresh.actions.every(({ id }) => id !== given.id);
        return fresh;
      },
    });
    expect(document.verification).toMatchObject({ result: 'not_read', verified: 0, not_read: [given.id, taken.id] });
  });

  test('what was never sent, because it was as planned, is not attempted if it is not there in the end', async () => {
    const early = buildAction({ key: 'early', action: 'update' });
    const late = buildAction({ key: 'late', action: 'update' });
    const readings = [buildPlan({ actions: [late] })];
    const { document, sent } = await runApply(buildPlan({ actions: [early, late] }), {
      knowledge: { plannedAt: Number.NEGATIVE_INFINITY },
      plans: () => readings.shift() ?? buildPlan({ actions: [early] }),
    });
    expect(sent).toEqual(['late']);
    expect(document.outcomes).toMatchObject([
      {
        outcome: 'not_attempted',
        message: 'not sent, because it was as planned, which a later reading does not show',
      },
      { outcome: 'done' },
    ]);
  });

  test.each([
    ['is read again, and sent if a later reading shows that it is needed', 3, ['old']],
    ['is done once the service has to show what was there then', Number.POSITIVE_INFINITY, []],
  ])('what a reading soon after the plan shows as done %s', async (_name, late, expected) => {
    const old = buildAction({ key: 'old' });
    const clock = startFakeClock();
    const madeAt = clock.monotonic();
    let count = 0;
    const { document, sent } = await runApply(buildPlan({ actions: [old] }), {
      readMs: 10,
      clock,
      knowledge: { plannedAt: Number.NEGATIVE_INFINITY, madeAt },
      plans: (fresh) => {
        count += 1;
        return count <= late ? buildPlan({ actions: [] }) : fresh;
      },
    });
    expect({ sent, outcome: document.outcomes[0]?.outcome }).toEqual({ sent: expected, outcome: 'done' });
    expect(clock.monotonic() - madeAt > 30_000).toBe(expected.length === 0);
    expect(count).toBeLessThan(20);
  });

  test('what a late reading shows as done, before it shows what was sent, is sent', async () => {
    const create = buildAction({ key: 'new', action: 'create' });
    const old = buildAction({ key: 'old' });
    for (const late of [1, 2, 5]) {
      const clock = startFakeClock();
      // As a replica has it that does not have the new one yet, and not the old one either.
      const readings = Array(late).fill(buildPlan({ actions: [create] }));
      const { document, sent } = await runApply(buildPlan({ actions: [create, old] }), {
        readMs: 10,
        clock,
        knowledge: { madeAt: clock.monotonic() },
        plans: (fresh) => readings.shift() ?? fresh,
      });
      expect(sent).toEqual(['new', 'old']);
      expect(document.verification).toMatchObject({ result: 'verified', verified: 2 });
    }
  });

  test('what was refused and a late reading shows as done is not there, and what relies on it is not sent', async () => {
    const create = buildAction({ key: 'new', action: 'create' });
    const old = buildAction({ key: 'old' });
    const clock = startFakeClock();
    const late = Array(4).fill(buildPlan({ actions: [old] }));
    const { document, sent } = await runApply(buildPlan({ actions: [create, old] }), {
      readMs: 10,
      clock,
      tries: { new: ['broken'] },
      mostTries: 1,
      knowledge: { madeAt: clock.monotonic() },
      plans: (fresh) => late.shift() ?? fresh,
    });
    expect({ sent, outcomes: document.outcomes.map(({ outcome }) => outcome) }).toEqual({
      sent: ['new'],
      outcomes: ['unknown', 'not_attempted'],
    });
    expect(late).toEqual([]);
  });

  test('what a reading has shown since the response is read again only by a listing that is needed anyway', async () => {
    const create = buildAction({ key: 'new', action: 'create' });
    const { reads } = await runApply(buildPlan({ actions: [create, buildAction({ key: 'old' })] }));
    // The first one proves that the old one is replaced, and the second one is a listing, which shows both.
    expect(reads).toEqual(Array(2).fill('rate_limit_policies/new rate_limit_policies/old'));
  });

  test('what a failed reading may have shown as undone is read again', async () => {
    const changed = buildAction({ key: 'changed', action: 'update' });
    const old = buildAction({ key: 'old' });
    const unread = withUnreadable(buildPlan({ complete: false }), 'rate_limit_policies');
    const undone = buildPlan({ actions: [changed] });
    const readings = [buildPlan({ actions: [old] }), unread];
    const { document } = await runApply(buildPlan({ actions: [changed, old] }), {
      readMs: 10,
      kinds: [kindRead('rate_limit_policies', { source: listedBy() })],
      knowledge: { plannedAt: Number.NEGATIVE_INFINITY },
      plans: () => readings.shift() ?? undone,
    });
    expect(document.verification).toMatchObject({ result: 'not_shown', verified: 1, not_shown: [changed.id] });
  });
});
