// What is known while time passes: which readings are made, what they prove, and what no reading changes.

import { describe, expect, test } from 'vitest';
import type { KnowledgeOptions } from '../../src/apply/knowledge.ts';
import type { PerformedAction } from '../../src/model/outcome.ts';
import { notAttempted } from '../../src/model/outcome.ts';
import type { Action, Finding, Plan } from '../../src/model/plan.generated.ts';
import { type ActionParts, buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan, withUnreadable } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { kindRead, listedBy, preferring, type ScriptedApply, scriptedKnowledge } from '../support/run-apply.ts';

const maxStalenessMs = 10_000;
const visibleWithinMs = 30_000;
const kind = 'rate_limit_policies';
const done: Pick<PerformedAction, 'outcome'> = { outcome: 'done' };

interface Scene {
  readonly shown?: readonly Action[];
  readonly plan?: Partial<Plan>;
  readonly pages?: number;
  readonly knowledge?: Partial<KnowledgeOptions>;
  readonly kinds?: ScriptedApply['kinds'];
  readonly findings?: readonly Finding[];
}

/** Readings that take `tenant.ms` after their first response, and show `tenant.shown`. */
function setUp(actions: readonly Action[], scene: Scene = {}) {
  const tenant = { ms: 0, pages: scene.pages ?? 1, shown: scene.shown ?? actions, plan: scene.plan ?? {} };
  const reads: string[] = [];
  const clock = startFakeClock();
  const { knowledge } = scriptedKnowledge(buildPlan({ actions: [...actions], findings: [...(scene.findings ?? [])] }), {
    clock,
    ...(scene.kinds !== undefined && { kinds: scene.kinds }),
    knowledge: {
      prefersList: preferring(() => tenant.pages),
      read: async (about, _since, what) => {
        reads.push(`${what} ${about.map(({ key }) => key).join(' ')}`);
        const began = clock.monotonic();
        clock.advance(tenant.ms);
        return { plan: buildPlan({ actions: [...tenant.shown], ...tenant.plan }), began, arrivedAt: began };
      },
      ...scene.knowledge,
    },
  });
  return { knowledge, clock, reads, tenant };
}

const update = (key: string, parts: ActionParts = {}) => buildAction({ key, action: 'update', ...parts });
const create = (key: string, parts: ActionParts = {}) => buildAction({ key, action: 'create', ...parts });
const deletion = (key: string, parts: ActionParts = {}) => buildAction({ key, ...parts });
const [a, b] = [update('a'), update('b')] as const;

test('what a listing read too long ago is read again', async () => {
  const { knowledge, clock, reads, tenant } = setUp([a, b]);
  tenant.ms = maxStalenessMs + 1;
  clock.advance(maxStalenessMs + 1);
  await knowledge.before(a);
  expect(reads).toEqual(['list a b', 'list a b']);
});

test('what is sent again was read again since, unless that was a moment ago', async () => {
  const x = create('x');
  const { knowledge, clock, reads } = setUp([x], { pages: 99 });
  expect(knowledge.before(x)).toBeNull();
  knowledge.responded(x, { outcome: 'unknown' });
  await knowledge.readAgain([x]);
  expect([knowledge.before(x), reads.length]).toEqual([null, 1]);
  knowledge.responded(x, { outcome: 'unknown' });
  clock.advance(maxStalenessMs + 1);
  expect([knowledge.isRecent(x), await knowledge.before(x), reads.length]).toEqual([false, null, 2]);
});

describe('a list that cannot be read any more', () => {
  const unread = { complete: false, summary: { ...buildPlan().summary, unreadable: [kind] } };

  test('shows nothing: what waits for it is read item by item', async () => {
    let isLost = false;
    const { knowledge, reads, tenant, clock } = setUp([a, b], {
      plan: unread,
      knowledge: {
        prefersList: () => !isLost,
        read: async (about, _since, what) => {
          reads.push(`${what} ${about.map(({ key }) => key).join(' ')}`);
          isLost = true;
          const plan = buildPlan(what === 'list' ? { actions: [], ...tenant.plan } : { actions: [a, b] });
          return { plan, began: clock.monotonic(), arrivedAt: clock.monotonic() };
        },
      },
    });
    knowledge.expire();
    expect(await knowledge.before(a)).toBeNull();
    expect(await knowledge.before(b)).toBeNull();
    expect(reads).toEqual(['list a b', 'items a', 'items b']);
  });

  test('is what it is where nothing reads one item by itself', async () => {
    const { knowledge, reads } = setUp([a, b], { shown: [], plan: unread });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({ outcome: 'not_attempted' });
    expect(reads).toEqual(['list a b']);
  });
});

describe('a listing or items, whichever takes fewer requests', () => {
  test.each([
    [5, 'list'],
    [6, 'items'],
  ])('a deletion that was sent takes two: a listing of %i pages', async (pages, expected) => {
    const [x, y] = [deletion('x'), deletion('y')];
    const { knowledge, reads } = setUp([x, y, a], { pages, shown: [] });
    for (const action of [x, y, a]) {
      expect(knowledge.before(action)).toBeNull();
      knowledge.responded(action, done);
    }
    await knowledge.readAgain([x, y, a]);
    expect(reads[0]?.split(' ')[0]).toBe(expected);
  });

  test.each([
    [3, 'list'],
    [4, 'items'],
  ])('one that was not sent takes one: a listing of %i pages', async (pages, expected) => {
    const { knowledge, reads } = setUp([deletion('x'), deletion('y'), a], { pages });
    await knowledge.readAgain([deletion('x'), deletion('y'), a]);
    expect(reads[0]?.split(' ')[0]).toBe(expected);
  });

  test.each<readonly [string, ScriptedApply['kinds'], string]>([
    ['what has no filter is listed, however long that is', [kindRead(kind, { source: listedBy() })], 'list a b'],
    ['what has no list is read item by item', [kindRead(kind, { each: true })], 'items a'],
    ['and so is what nothing says anything about', [{ ...kindRead(kind), reading: undefined } as never], 'items a'],
  ])('%s', async (_name, kinds, expected) => {
    const { knowledge, reads } = setUp([a, b], { pages: kinds?.[0]?.reading?.each === false ? 99 : 1, kinds });
    knowledge.expire();
    await knowledge.before(a);
    expect(reads).toEqual([expected]);
  });

  test('many items of a kind that is read item by item are planned in one go', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_none, index) => update(`p${index}`, { kind: 'prompts', action: 'put' }));
    const readsOf = async (count: number) => {
      const { knowledge, reads } = setUp(many(count));
      await knowledge.readAgain(many(count));
      return reads.length;
    };
    expect([await readsOf(16), await readsOf(17)]).toEqual([16, 1]);
  });
});

describe('what ended, and what was sent', () => {
  test('stays so, whatever later readings show', async () => {
    const { knowledge, tenant, clock } = setUp([a], { shown: [] });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({ outcome: 'done', message: 'the tenant is already as planned' });
    knowledge.responded(a, done);
    expect(knowledge.shown(a)).toEqual({ state: 'reached' });
    tenant.shown = [{ ...a, precondition: 'sha256:other' }];
    clock.advance(1);
    await knowledge.readAgain([a]);
    expect(knowledge.ended(a)).toMatchObject({ outcome: 'done' });
  });

  test('a reading shows nothing of what was not sent', async () => {
    const { knowledge } = setUp([a]);
    await knowledge.readAgain([a]);
    expect([knowledge.shown(a), knowledge.ended(a)]).toEqual([null, null]);
  });

  test('a reading does not end what was sent', async () => {
    const { knowledge } = setUp([a], { shown: [] });
    expect(knowledge.before(a)).toBeNull();
    knowledge.responded(a, done);
    await knowledge.readAgain([a]);
    expect([knowledge.shown(a), knowledge.ended(a)]).toEqual([{ state: 'reached' }, null]);
  });

  test('an older reading does not replace what a newer one shows', async () => {
    const { knowledge, clock } = setUp([a], { shown: [] });
    expect(knowledge.before(a)).toBeNull();
    knowledge.responded(a, done);
    const began = clock.monotonic();
    clock.advance(10);
    await knowledge.readAgain([a]);
    const reading = (arrivedAt: number) => ({ plan: buildPlan({ actions: [a] }), began, arrivedAt });
    knowledge.learn(reading(clock.monotonic() - 1), [a]);
    expect(knowledge.shown(a)).toEqual({ state: 'reached' });
    knowledge.learn(reading(clock.monotonic()), [a]);
    expect(knowledge.shown(a)).toMatchObject({ state: 'unchanged' });
  });

  test('what was not attempted may still be sent', async () => {
    const { knowledge, clock, reads } = setUp([a]);
    expect(knowledge.before(a)).toBeNull();
    knowledge.responded(a, { outcome: 'not_attempted' });
    clock.advance(maxStalenessMs + 1);
    expect(await knowledge.before(a)).toBeNull();
    expect([reads, knowledge.isRecent(a)]).toEqual([['list a'], true]);
    clock.advance(maxStalenessMs + 1);
    expect(knowledge.isRecent(a)).toBe(false);
  });

  test('an action of another plan is a bug', () => {
    expect(() => setUp([a]).knowledge.ended(b)).toThrow(`${b.id} is no action of the plan`);
  });
});

describe('a reading that fails', () => {
  const failing = (error: Error) =>
    setUp([a], {
      knowledge: {
        read: async () => {
          throw error;
        },
      },
    });

  test('with a diagnostic leaves its action alone', async () => {
    const { knowledge } = failing(Object.assign(new Error('no connection'), { diagnostic: {} }));
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({
      outcome: 'not_attempted',
      message: 'not sent, because it could not be read again: no connection',
    });
  });

  test('without one is a bug', async () => {
    const { knowledge } = failing(new TypeError('a bug'));
    knowledge.expire();
    await expect(Promise.resolve(knowledge.before(a))).rejects.toThrow('a bug');
  });
});

describe('how an action ends that is not sent', () => {
  const unread = withUnreadable(buildPlan({ complete: false }), kind);
  const notSame = { isSame: false, value: null };
  const moved = buildAction({ ...a, precondition: 'sha256:other' });

  test.each<readonly [string, readonly Action[], Scene, object]>([
    ['the tenant is as planned', [], {}, { outcome: 'done' }],
    [
      'it is, and the files are not',
      [],
      { knowledge: { declaredNow: () => notSame } },
      { outcome: 'conflict', conflict: { moved: 'files', declared: { now: null } } },
    ],
    ['the item was changed', [moved], {}, { outcome: 'conflict', conflict: { moved: 'tenant' } }],
    [
      'both were',
      [{ ...moved, before: { id: 'x' } }],
      { knowledge: { declaredNow: () => notSame } },
      { outcome: 'conflict', conflict: { moved: 'both', now: { id: 'x' } } },
    ],
    [
      'its section is gone',
      [],
      { knowledge: { managed: new Set(['roles']) } },
      { outcome: 'conflict', message: expect.stringContaining(`they do not manage ${kind} any more`) },
    ],
    [
      'it could not be read',
      [],
      { plan: unread },
      { outcome: 'not_attempted', message: `not sent, because it could not be read again: ${kind} could not be read` },
    ],
  ])('%s', async (_name, shown, scene, expected) => {
    const { knowledge } = setUp([a], { shown, ...scene });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject(expected);
  });

  const open = buildFinding('LIVE_DIFFERENT', { key: 'a' });
  test.each<readonly [string, Partial<Finding>, 'done' | 'conflict']>([
    ['the same', {}, 'done'],
    ['with another place', { source: { file: 'a.yaml', line: 1, column: 1 } }, 'done'],
    ['with another message', { message: 'other' }, 'conflict'],
    ['with another code', { code: 'LIVE_MISSING' }, 'conflict'],
  ])('a finding that the plan had is no news: %s', async (_name, parts, outcome) => {
    const { knowledge } = setUp([a], { shown: [], findings: [open], plan: { findings: [{ ...open, ...parts }] } });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({ outcome });
  });

  test.each<readonly [string, Partial<Finding>]>([
    ['of another item', { key: 'b' }],
    ['of another kind', { kind: 'roles' }],
  ])('a finding that the plan had %s is no reason', async (_name, parts) => {
    const { knowledge } = setUp([a], { shown: [], findings: [{ ...open, ...parts }], plan: { findings: [open] } });
    knowledge.expire();
    expect(await knowledge.before(a)).toMatchObject({ outcome: 'conflict' });
  });
});

describe('the deadline of a kind', () => {
  const [x, y] = [create('x'), create('y')];
  const old = deletion('old');
  const stream = create('s', { kind: 'event_streams' });

  /** `x` is sent at 0, another one at 20 s; x is read at 0 and at `at`. */
  async function isOverdue(at: number, other: Action | null = null, readings = 2) {
    const { knowledge, clock } = setUp([x, y, stream, old], { pages: 99 });
    expect(knowledge.before(x)).toBeNull();
    knowledge.responded(x, done);
    if (readings > 1) await knowledge.readAgain([x]);
    clock.advance(20_000);
    if (other !== null) knowledge.responded(other, done);
    clock.advance(at - 20_000);
    await knowledge.readAgain([x]);
    return knowledge.isOverdue(x);
  }

  test.each<readonly [string, number, Action | null, number, boolean]>([
    ['is not over when it is reached', visibleWithinMs, null, 2, false],
    ['is over after it', visibleWithinMs + 1, null, 2, true],
    ['is not over after one reading', visibleWithinMs + 1, null, 1, false],
    ['counts from the last grant of the kind', visibleWithinMs + 1, y, 2, false],
    ['and is over some time', visibleWithinMs + 20_001, y, 2, true],
    ['not from a grant of another kind', visibleWithinMs + 1, stream, 2, true],
    ['not from a deletion', visibleWithinMs + 1, old, 2, true],
  ])('%s', async (_name, at, other, readings, expected) => {
    expect(await isOverdue(at, other, readings)).toBe(expected);
  });

  test('is over for nothing that a reading has shown', async () => {
    const { knowledge, clock } = setUp([x, y], { pages: 99, shown: [] });
    expect(knowledge.before(x)).toBeNull();
    knowledge.responded(x, done);
    for (const ms of [1, visibleWithinMs, visibleWithinMs]) {
      clock.advance(ms);
      await knowledge.readAgain([x]);
    }
    expect([knowledge.shown(x)?.state, knowledge.isOverdue(x)]).toEqual(['reached', false]);
  });

  test('is over for nothing that was not sent', () => {
    expect(setUp([x]).knowledge.isOverdue(x)).toBe(false);
  });
});

describe('what a deletion relies on', () => {
  const [x, old] = [create('x'), deletion('old')];
  const sendX = (scene: Scene = {}, actions: readonly Action[] = [x, old]) => {
    const all = setUp(actions, { shown: [old], ...scene });
    expect(all.knowledge.before(x)).toBeNull();
    all.knowledge.responded(x, done);
    all.clock.advance(1);
    return all;
  };

  test('is read once for all of them, and again when that is too old', async () => {
    const other = deletion('other');
    const { knowledge, clock, reads } = sendX({ shown: [old, other] }, [x, old, other]);
    expect([knowledge.isRecent(old), await knowledge.before(old)]).toEqual([false, null]);
    expect([knowledge.isRecent(other), knowledge.before(other), reads.length]).toEqual([true, null, 1]);
    clock.advance(maxStalenessMs);
    expect(knowledge.isRecent(other)).toBe(true);
    clock.advance(1);
    expect(knowledge.isRecent(other)).toBe(false);
    knowledge.responded(other, { outcome: 'not_attempted' });
    expect(await knowledge.before(other)).toBeNull();
    expect(reads).toHaveLength(2);
  });

  test('is read again when that is too old, also where the item itself was read since', async () => {
    const { knowledge, clock, reads } = sendX({ pages: 99 });
    expect(await knowledge.before(old)).toBeNull();
    knowledge.responded(old, { outcome: 'not_attempted' });
    clock.advance(maxStalenessMs);
    await knowledge.readAgain([old]);
    expect(knowledge.isRecent(old)).toBe(true);
    clock.advance(1);
    expect(knowledge.isRecent(old)).toBe(false);
    expect(await knowledge.before(old)).toBeNull();
    expect(reads).toEqual(['items x', 'items old', 'items x']);
  });

  test('is read again after a further response of it', async () => {
    const { knowledge, clock } = sendX();
    await knowledge.before(old);
    knowledge.responded(x, done);
    clock.advance(1);
    expect(knowledge.isRecent(old)).toBe(false);
    expect(await knowledge.before(old)).toBeNull();
  });

  test('has not been lost while a long reading went on: its age counts from its end', async () => {
    const { knowledge, tenant } = sendX({ pages: 99 });
    tenant.ms = maxStalenessMs + 1;
    expect(await knowledge.before(old)).toBeNull();
  });

  test('is given up where it was shown, others had a response since, and it cannot be read any more', async () => {
    const stream = create('s', { kind: 'event_streams' });
    const needing = { ...old, needs: [stream.id, x.id] };
    const { knowledge, clock, tenant } = setUp([stream, x, needing], { pages: 99, shown: [needing] });
    expect(knowledge.before(stream)).toBeNull();
    knowledge.responded(stream, done);
    await knowledge.readAgain([stream]);
    clock.advance(1);
    expect([knowledge.before(x), knowledge.shown(stream)?.state]).toEqual([null, 'reached']);
    knowledge.responded(x, done);
    clock.advance(1);
    tenant.plan = { complete: false, summary: withUnreadable(buildPlan(), 'event_streams').summary };
    expect(await knowledge.before(needing)).toMatchObject({ waits: true });
    clock.advance(visibleWithinMs);
    const message = `not sent: no reading shows that ${stream.id} was carried out, which has to come first`;
    expect(await knowledge.before(needing)).toEqual({ ...notAttempted(old, message), not_shown: true });
  });

  test('waits with the reason why it was not read', async () => {
    const { knowledge, tenant } = sendX({ pages: 99 });
    tenant.shown = [old, x];
    const waiting = { outcome: 'not_attempted', waits: true, not_shown: true };
    const text = `not sent: no reading shows that ${x.id} was carried out, which has to come first`;
    expect(await knowledge.before(old)).toMatchObject({ ...waiting, message: text });
    const { knowledge: other, tenant: unreadable } = sendX({ pages: 99 });
    unreadable.plan = { summary: withUnreadable(buildPlan(), kind).summary };
    expect(await other.before(old)).toMatchObject({ ...waiting, message: `${text}: ${kind} could not be read` });
  });

  test.each<readonly [string, Action]>([
    ['cannot be read', { ...create('x'), precondition: null }],
    ['takes something away itself', deletion('x')],
  ])('is nothing that %s', (_name, needed) => {
    const { knowledge } = setUp([needed, { ...old, needs: [needed.id] }]);
    expect([knowledge.isRecent(old), knowledge.before(old)]).toEqual([true, null]);
  });

  test('is nothing for an add, which takes nothing away', () => {
    const add = buildAction({ key: 'y', action: 'add', needs: [x.id] });
    const { knowledge } = setUp([x, add]);
    expect(knowledge.before(add)).toBeNull();
  });

  test.each(['create', 'update', 'put'] as const)('is something for a %s, which may take something away', (action) => {
    const change = buildAction({ key: 'y', action, needs: [x.id] });
    const { knowledge } = setUp([x, change]);
    expect(knowledge.before(change)).not.toBeNull();
  });

  test('needs that the plan does not have are done', () => {
    const { knowledge } = setUp([{ ...old, needs: ['roles/none'] }]);
    expect(knowledge.relied({ ...old, needs: ['roles/none'] })).toEqual([]);
    expect(knowledge.before(old)).toBeNull();
  });
});
