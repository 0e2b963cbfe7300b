import { describe, expect, test } from 'vitest';
import type { KnowledgeOptions } from '../../src/apply/knowledge.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import { buildAction, deletePolicy } from '../support/build-action.ts';
import { buildFinding, buildPlan } from '../support/build-plan.ts';
import { kindRead, listedBy, preferring, scriptedKnowledge } from '../support/run-apply.ts';

const maxStalenessMs = 10_000;

interface Reads {
  /** How long a reading takes. */
  readonly ms?: number;
  readonly pages?: number;
  readonly fresh?: readonly Action[];
  readonly knowledge?: Partial<KnowledgeOptions>;
}

/** Knowledge of these actions; each reading shows `tenant`. */
function setUp(actions: readonly Action[], { ms = 0, pages = 1, fresh = actions, knowledge: more = {} }: Reads = {}) {
  const tenant: { actions: readonly Action[]; findings: readonly Finding[] } = { actions: fresh, findings: [] };
  const signal = new AbortController();
  const { knowledge, clock, happened } = scriptedKnowledge(buildPlan({ actions: [...actions] }), {
    readMs: ms,
    plans: () => buildPlan({ actions: [...tenant.actions], findings: [...tenant.findings] }),
    knowledge: { signal: signal.signal, prefersList: preferring(() => pages), ...more },
  });
  return { knowledge, clock, reads: happened.reads, tenant, signal };
}

const [a, b, c] = ['a', 'b', 'c'].map((key) => buildAction({ key })) as [Action, Action, Action];
const all = 'rate_limit_policies/a rate_limit_policies/b rate_limit_policies/c';
const put = buildAction({ kind: 'prompts', key: 'login', action: 'put' });

describe('fresh knowledge', () => {
  test('reads nothing while the reading of the plan is recent', async () => {
    const { knowledge, clock, reads } = setUp([a, b]);
    clock.advance(maxStalenessMs);
    expect([knowledge.before(a), knowledge.before(b), reads]).toEqual([null, null, []]);
  });

  test('reads a listed kind once for all that wait for it', async () => {
    const { knowledge, clock, reads } = setUp([a, b, c]);
    clock.advance(maxStalenessMs + 1);
    expect(await Promise.all([knowledge.before(a), knowledge.before(b)])).toEqual([null, null]);
    expect(knowledge.before(c)).toBeNull();
    expect(reads).toEqual([all]);
  });

  test('repeats a listing at most once per maximal age', async () => {
    const { knowledge, clock, reads } = setUp([a, b, c]);
    for (let second = 0; second < 40; second += 1) {
      clock.advance(1000);
      await knowledge.before(a);
    }
    expect(reads).toHaveLength(3);
  });

  test.each([
    [3, [all]],
    [4, ['rate_limit_policies/a']],
    [17, ['rate_limit_policies/a']],
  ])('reads with the fewest requests: a listing of %i pages for three items', async (pages, expected) => {
    const { knowledge, clock, reads } = setUp([a, b, c], { pages });
    clock.advance(maxStalenessMs + 1);
    await knowledge.before(a);
    expect(reads).toEqual(expected);
  });

  test('reads an item again that a listing read too long ago', async () => {
    const { knowledge, clock, reads } = setUp([a, b], { ms: maxStalenessMs + 1 });
    clock.advance(maxStalenessMs + 1);
    expect(await knowledge.before(a)).toBeNull();
    expect(reads[0]).toBe('rate_limit_policies/a rate_limit_policies/b');
  });

  test('nor is a newer reading replaced by an older one', async () => {
    const { knowledge, clock } = setUp([a]);
    clock.advance(maxStalenessMs + 1);
    const old = { plan: buildPlan(), began: clock.monotonic() - 20_000, arrivedAt: clock.monotonic() - 20_000 };
    expect(await knowledge.before(a)).toBeNull();
    knowledge.expire();
    expect(await knowledge.before(a)).toBeNull();
    knowledge.learn(old, [a]);
    expect([knowledge.ended(a), knowledge.isRecent(a)]).toEqual([null, true]);
  });

  test('reads nothing about what was sent', async () => {
    const { knowledge, clock, reads } = setUp([a, b]);
    expect(knowledge.before(a)).toBeNull();
    clock.advance(maxStalenessMs + 1);
    await knowledge.before(b);
    expect(reads).toEqual(['rate_limit_policies/b']);
    // A further try is a reason to read it.
    clock.advance(maxStalenessMs + 1);
    await knowledge.before(a);
    expect(reads.at(-1)).toContain('rate_limit_policies/a');
  });

  test('what was sent while it was read is not ended by that reading', async () => {
    const { knowledge, clock } = setUp([a, b], { fresh: [] });
    const reading = { plan: buildPlan(), began: clock.monotonic(), arrivedAt: clock.monotonic() };
    expect(knowledge.before(a)).toBeNull();
    knowledge.learn(reading, [a]);
    expect([knowledge.ended(a), knowledge.shown(a)]).toEqual([null, null]);
    clock.advance(1);
    knowledge.responded(a, { outcome: 'done' });
    knowledge.learn(reading, [a]);
    expect(knowledge.shown(a)).toBeNull();
    await knowledge.readAgain([a]);
    expect(knowledge.shown(a)).toEqual({ state: 'reached' });
  });

  test('reads an item of the other kinds by itself', async () => {
    const { knowledge, clock, reads } = setUp([put, a]);
    clock.advance(maxStalenessMs + 1);
    await knowledge.before(put);
    expect(reads).toEqual(['prompts/login']);
  });

  test('the age of a reading counts from its first response', async () => {
    const role = buildAction({ kind: 'roles', key: 'Support', action: 'remove' });
    const read: KnowledgeOptions['read'] = async () => ({
      plan: buildPlan({ actions: [role] }),
      began: clock.monotonic(),
      arrivedAt: clock.monotonic() - 4000,
    });
    let reads = 0;
    const { knowledge, clock } = setUp([role], {
      knowledge: {
        read: (...about) => {
          reads += 1;
          return read(...about);
        },
      },
    });
    clock.advance(maxStalenessMs + 1);
    await knowledge.before(role);
    clock.advance(maxStalenessMs - 3999);
    await knowledge.before(role);
    expect(reads).toBe(2);
  });

  test('what takes more than its precondition covers is never sent on the reading of the plan', async () => {
    const scopes = buildAction({ kind: 'resource_servers', key: 'api', action: 'remove' });
    const kinds = [kindRead('resource_servers', { source: listedBy(), rereads: ['remove'] })];
    const { knowledge, happened } = scriptedKnowledge(buildPlan({ actions: [scopes] }), { kinds });
    expect(await knowledge.before(scopes)).toBeNull();
    expect(happened.reads).toEqual(['resource_servers/api']);
  });

  test('creates and adds need none, except after a confirmation', async () => {
    const request = { operation: 'create_rate_limit_policy', method: 'POST', path: '/rate-limit-policies' } as const;
    const create = buildAction({ key: 'new', action: 'create', before: null, request });
    const { knowledge, clock, reads } = setUp([create]);
    clock.advance(60_000);
    expect([knowledge.before(create), reads]).toEqual([null, []]);
    knowledge.expire();
    expect(await knowledge.before(create)).toBeNull();
    expect(reads).toHaveLength(1);
    clock.advance(60_000);
    expect(knowledge.before(create)).toBeNull();
  });

  test('what cannot be read needs none', async () => {
    const blind = { ...put, precondition: null };
    const { knowledge, reads } = setUp([blind]);
    knowledge.expire();
    expect([knowledge.before(blind), reads]).toEqual([null, []]);
  });

  test.each<[string, readonly Action[], object | null]>([
    ['unchanged: it is sent', [a], null],
    ['not planned any more: it is done', [], { outcome: 'done', status: null }],
    ['on another state: a conflict', [{ ...a, precondition: 'sha256:other' }], { outcome: 'conflict' }],
    [
      'with another request: a conflict',
      [{ ...a, request: { ...a.request, path: '/other' } }],
      { outcome: 'conflict' },
    ],
    [
      'with a field that reviewers did not see and the request would lose: a conflict',
      [{ ...a, notes: ['deletes what is not as this version expects it: burst'] }],
      { outcome: 'conflict', message: expect.stringContaining('now it deletes what is not as this version expects') },
    ],
    [
      'with an effect on another item that reviewers did not see: a conflict',
      [
        {
          ...a,
          effects: [{ code: 'ACCESS_LOST', severity: 'warning', kind: 'roles', key: 'H', message: 'loses old' }],
        },
      ],
      { outcome: 'conflict', message: expect.stringContaining('now it has an effect on roles/H: loses old') },
    ],
  ])('%s', async (_name, fresh, expected) => {
    const { knowledge } = setUp([a], { fresh });
    knowledge.expire();
    const ended = await knowledge.before(a);
    if (expected === null) expect(ended).toBeNull();
    else expect(ended).toMatchObject(expected);
    expect(await knowledge.before(a)).toEqual(ended);
  });

  test('a removal that a rule prevents now is a conflict', async () => {
    const remove = buildAction({ kind: 'roles', key: 'Support', part: 'remove', action: 'remove' });
    const { knowledge, tenant } = setUp([remove], { fresh: [] });
    tenant.findings = [buildFinding('LIVE_PROTECTED', { kind: 'roles', key: 'Support' })];
    knowledge.expire();
    expect(await knowledge.before(remove)).toMatchObject({ outcome: 'conflict' });
  });

  test('a change after the last reading is seen by the next one', async () => {
    const { knowledge, clock, tenant } = setUp([a, b]);
    clock.advance(maxStalenessMs + 1);
    expect(await knowledge.before(a)).toBeNull();
    tenant.actions = [a, { ...b, precondition: 'sha256:other' }];
    expect(knowledge.before(b)).toBeNull();
    clock.advance(maxStalenessMs + 1);
    expect(await knowledge.before(b)).toMatchObject({ outcome: 'conflict' });
  });

  // One listing is the fastest for all of them, and reading it is not for any of them alone.
  test.each([3, 20])(
    'a kind whose items cannot be read is not taken for one whose list cannot: %i items',
    async (count) => {
      const kind = 'roles';
      const roles = Array.from({ length: count }, (_, index) =>
        buildAction({ kind, key: `r${index}`, part: 'remove' }),
      );
      const unreadable = { ...buildPlan().summary, unreadable: [kind] };
      const { knowledge, clock, happened } = scriptedKnowledge(buildPlan({ actions: roles }), {
        kinds: [kindRead(kind, { each: true, source: listedBy() })],
        plans: () => buildPlan({ complete: false, summary: unreadable }),
        knowledge: { prefersList: (_source, requests) => requests > 2 },
      });
      clock.advance(maxStalenessMs + 1);
      for (const role of roles) expect(await knowledge.before(role)).toMatchObject({ outcome: 'not_attempted' });
      expect(happened.reads.length).toBeLessThanOrEqual(2 * count);
    },
  );

  test('time of unknown length ends everything that was known, and begins nothing that has ended', async () => {
    const { knowledge, tenant } = setUp([a, b], { fresh: [b] });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({ outcome: 'done' });
    tenant.actions = [a, { ...b, precondition: 'sha256:other' }];
    knowledge.expire();
    expect(await knowledge.before(b)).toMatchObject({ outcome: 'conflict' });
    expect(await knowledge.before(a)).toMatchObject({ outcome: 'done' });
    // It is read again at the end.
    expect(knowledge.shown(a)).toBeNull();
  });

  test('a reading that a signal stops leaves its action alone', async () => {
    const { knowledge, tenant, signal } = setUp([a]);
    knowledge.expire();
    Object.defineProperty(tenant, 'actions', {
      get: () => {
        signal.abort({ name: 'SIGINT', number: 2 });
        throw signal.signal.reason;
      },
    });
    expect(await knowledge.before(a)).toEqual({
      id: a.id,
      outcome: 'not_attempted',
      status: null,
      message: 'not sent, because it could not be read again: interrupted',
    });
  });

  test('a conflict shows no times of the service, unless nothing else changed', async () => {
    const planned = deletePolicy('one');
    const [old, now] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z'];
    const before = { ...planned.before, updated_at: old };
    const messageOf = async (live: object) => {
      const action = { ...planned, before };
      const { knowledge } = setUp([action], {
        fresh: [{ ...action, before: { ...live }, precondition: 'sha256:other' }],
      });
      knowledge.expire();
      const performed = await knowledge.before(action);
      return performed !== null && 'message' in performed ? performed.message : null;
    };
    expect(await messageOf({ ...before, updated_at: now, added: true })).toMatch(/added was absent, is true$/);
    expect(await messageOf({ ...before, updated_at: now })).toContain('updated_at was');
  });

  test('a conflict shows what changed', async () => {
    const planned = deletePolicy('one');
    const live = { ...planned.before, configuration: { action: 'block', limit: 7 }, added: true };
    const { knowledge } = setUp([planned], { fresh: [{ ...planned, before: live, precondition: 'sha256:other' }] });
    knowledge.expire();
    expect(await knowledge.before(planned)).toMatchObject({
      message: expect.stringMatching(
        /^not sent, because it changed after it was planned; the tenant changed: added was absent, is true/,
      ),
      conflict: { moved: 'tenant', before: planned.before, now: live },
    });
  });
});

describe('what a removal relies on is shown by readings after the last response', () => {
  const [x, y] = ['x', 'y'].map((key) => buildAction({ key, action: 'create' })) as [Action, Action];
  const old = buildAction({ key: 'old', action: 'delete' });

  test.each<readonly [string, boolean, number]>([
    ['carried out, by a listing', true, 1],
    ['carried out, item by item', true, 9],
    ['already there, by a listing', false, 1],
    ['already there, item by item', false, 9],
  ])('of two grants, the first one %s, is lost while the second one is sent', async (_name, isSent, pages) => {
    const { knowledge, tenant, clock } = setUp([x, y, old], { pages, fresh: [y, old] });
    if (isSent) {
      await knowledge.before(x);
      knowledge.responded(x, { outcome: 'done' });
      await knowledge.readAgain([x]);
    } else
      knowledge.learn(
        { plan: buildPlan({ actions: [y, old] }), began: clock.monotonic(), arrivedAt: clock.monotonic() },
        [x],
      );
    clock.advance(1);
    await knowledge.before(y);
    knowledge.responded(y, { outcome: 'done' });
    tenant.actions = [x, old];
    clock.advance(1);
    expect(await knowledge.before(old)).toMatchObject({ outcome: 'not_attempted', waits: true });
    expect(knowledge.isRecent(old)).toBe(false);
    tenant.actions = [old];
    clock.advance(1);
    expect(await knowledge.before(old)).toBeNull();
  });
});
