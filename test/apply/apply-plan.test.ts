import { describe, expect, test } from 'vitest';
import { applyPlan, refusedOutcomes } from '../../src/apply/apply-plan.ts';
import { explaining } from '../../src/apply/explaining.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import type { Outcome, Perform } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { Reader } from '../../src/model/reader.ts';
import { assemblePlan, sealPlan } from '../../src/plan/assemble-plan.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision } from '../support/build-decision.ts';
import { buildSummary } from '../support/build-plan.ts';

const plan = sealPlan(
  assemblePlan(
    buildAssembleInput([buildDecision(0, 99, { actions: ['a', 'b', 'c'].map((key) => buildAction({ key })) })]),
  ),
);
const ids = plan.actions.map(({ id }) => id);

function recording(answers: Readonly<Record<string, Partial<Outcome & { fatal: boolean }>>> = {}): {
  readonly perform: Perform;
  readonly sent: Action[];
} {
  const sent: Action[] = [];
  return {
    sent,
    perform: async (action) => {
      sent.push(action);
      return { id: action.id, outcome: 'done', status: 204, message: null, ...answers[action.key] };
    },
  };
}

async function apply(perform: Perform, signal = new AbortController().signal) {
  const told: string[] = [];
  const document = await applyPlan(plan, perform, {
    signal,
    onOutcome: (action, { outcome }) => told.push(`${action.key}: ${outcome}`),
  });
  return { document, told };
}

describe('promise 8: every request has an outcome', () => {
  test('all done, reported as they happen', async () => {
    const { perform, sent } = recording();
    const { document, told } = await apply(perform);
    expect(sent).toEqual(plan.actions);
    expect(told).toEqual(['a: done', 'b: done', 'c: done']);
    expect(document).toEqual({
      format_version: '2.0',
      plan,
      outcomes: ids.map((id) => ({ id, outcome: 'done', status: 204, message: null })),
      summary: buildSummary({ done: 3 }),
      verification: null,
    });
  });

  test('a failure does not stop what is independent of it', async () => {
    const { perform, sent } = recording({
      a: { outcome: 'failed', status: 400 },
      b: { outcome: 'unknown', status: null },
    });
    const { document } = await apply(perform);
    expect(sent).toHaveLength(3);
    expect(document.summary).toEqual(buildSummary({ done: 1, failed: 1, unknown: 1 }));
  });

  test('a fatal failure stops the rest, which is not attempted', async () => {
    const { perform, sent } = recording({ a: { outcome: 'failed', status: 401, fatal: true } });
    const actions = [buildAction({ key: 'a', action: 'update' }), buildAction({ key: 'b' }), buildAction({ key: 'c' })];
    const document = await applyPlan({ ...plan, actions }, perform, {
      signal: new AbortController().signal,
      onOutcome: () => {},
    });
    expect(sent).toHaveLength(1);
    expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'not_attempted', 'not_attempted']);
    expect(document.outcomes[0]).not.toHaveProperty('fatal');
  });

  test('a signal lets the requests under way finish and stops the rest', async () => {
    const controller = new AbortController();
    const { perform } = recording();
    const actions = Array.from({ length: 20 }, (_, index) => buildAction({ key: `p${index}` }));
    const stopping: Perform = async (action) => {
      if (action.key === 'p15') controller.abort();
      return perform(action);
    };
    const document = await applyPlan({ ...plan, actions }, stopping, {
      signal: controller.signal,
      onOutcome: () => {},
    });
    expect(document.summary).toEqual(buildSummary({ done: 16, not_attempted: 4 }));
    expect(document.outcomes.slice(16).map(({ message }) => message)).toEqual(Array(4).fill('stopped by a signal'));
  });

  test('what is kept is not sent again, and still holds back what waits for it', async () => {
    const { perform, sent } = recording();
    const actions = [
      buildAction({ key: 'a', action: 'create' }),
      buildAction({ key: 'b', action: 'create' }),
      buildAction({ key: 'c' }),
    ];
    const kept = { id: actions[0]?.id ?? '', outcome: 'failed' as const, status: 400, message: 'no' };
    const told: string[] = [];
    const document = await applyPlan({ ...plan, actions }, perform, {
      signal: new AbortController().signal,
      onOutcome: ({ key }) => told.push(key),
      before: { outcomes: new Map([[kept.id, kept]]), again: new Set() },
    });
    expect(sent.map(({ key }) => key)).toEqual(['b']);
    expect(told).toEqual(['b', 'c']);
    expect(document.outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'done', 'not_attempted']);
  });

  test('a refused plan has outcomes too', () => {
    expect(refusedOutcomes(plan, 'GUARD_REFUSED').outcomes).toEqual(
      ids.map((id) => ({ id, outcome: 'not_attempted', status: null, message: 'GUARD_REFUSED' })),
    );
  });
});

describe('revocations wait for grants', () => {
  const add = (key: string) => buildAction({ kind: 'roles', key, part: 'add', action: 'add', reason: 'missing' });
  const remove = (key: string) =>
    buildAction({ kind: 'roles', key, part: 'remove', action: 'remove', needs: [`roles/${key}#add`] });
  const create = buildAction({ kind: 'event_streams', key: 'new', action: 'create', reason: 'missing' });
  const deleteStream = buildAction({ kind: 'event_streams', key: 'old' });
  const deletePolicy = buildAction({ key: 'stale' });

  test.each<[string, Action[], string, Outcome['outcome'], string[]]>([
    [
      'a role keeps what it holds when its add failed',
      [add('r1'), add('r2'), remove('r1'), remove('r2')],
      'r1',
      'failed',
      ['roles/r1#remove'],
    ],
    ['also when nobody knows what became of the add', [add('r1'), remove('r1')], 'r1', 'unknown', ['roles/r1#remove']],
    [
      'nothing of a kind is deleted when a creation of it failed',
      [create, deletePolicy, deleteStream],
      'new',
      'failed',
      ['event_streams/old'],
    ],
    [
      'an update that failed holds up nothing',
      [buildAction({ key: 'u', action: 'update' }), deletePolicy],
      'u',
      'failed',
      [],
    ],
  ])('%s', async (_name, actions, failing, outcome, notSent) => {
    const { perform, sent } = recording();
    const partly: Perform = async (action) =>
      action.key === failing && action.action !== 'remove'
        ? { id: action.id, outcome, status: null, message: 'no' }
        : perform(action);
    const ordered = { ...plan, actions };
    const document = await applyPlan(ordered, partly, { signal: new AbortController().signal, onOutcome: () => {} });
    expect(document.outcomes.filter((each) => each.outcome === 'not_attempted').map(({ id }) => id)).toEqual(notSent);
    expect(sent.map(({ id }) => id)).toEqual(
      actions
        .map(({ id }) => id)
        .filter((id) => !notSent.includes(id) && !(id.includes(failing) && !id.includes('remove'))),
    );
    if (notSent.length > 0)
      expect(document.outcomes.at(-1)?.message ?? '').toMatch(
        /^not sent because it depends on .*, which is not known to be done$|^$/,
      );
  });
});

describe('what was not done is explained', () => {
  const action = buildAction({ action: 'create', reason: 'missing' });
  const failed =
    (status: number): Perform =>
    async ({ id }) => ({ id, outcome: 'failed', status, message: `status ${status}` });
  const about = (more: Partial<AnyKind>) => [{ name: 'rate_limit_policies', ...more } as AnyKind];
  const reader = {} as Reader;
  const message = async (status: number, kind: Partial<AnyKind>) =>
    (await explaining(failed(status), about(kind), reader)(action)).message;

  test('a conflict names who holds the identity', async () => {
    const readBack = async () => () => 'the tenant now has rlp_9';
    expect(await message(409, { readBack })).toBe('status 409; conflict: the tenant now has rlp_9; run plan again');
    expect(await message(400, { readBack })).toBe('status 400');
  });

  test('a kind is read once, however many creates conflict', async () => {
    let readings = 0;
    const readBack = async () => {
      readings += 1;
      return ({ key }: Action) => (key.includes('1') ? `the tenant now has ${key}` : null);
    };
    const perform = explaining(failed(409), about({ readBack }), reader);
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    const outcomes = await Promise.all(keys.map((key) => perform({ ...action, key })));
    expect(outcomes.map((outcome) => outcome.message)).toEqual(
      keys.map((key) =>
        key.includes('1') ? `status 409; conflict: the tenant now has ${key}; run plan again` : 'status 409',
      ),
    );
    expect(readings).toBe(1);
  });

  test('the kind adds what helps', async () => {
    expect(await message(400, { fix: (_action, said) => `${said} means that you should wait` })).toBe(
      'status 400; status 400 means that you should wait',
    );
    expect(await message(400, { fix: () => null })).toBe('status 400');
  });

  test('an explanation that cannot be had ends nothing', async () => {
    const readBack = async () => {
      throw new Error('no connection');
    };
    expect(await message(409, { readBack })).toBe('status 409');
    expect(await message(409, {})).toBe('status 409');
  });

  test('what was done, or belongs to no kind, is passed on as it is', async () => {
    const done: Perform = async ({ id }) => ({ id, outcome: 'done', status: 201, message: null });
    expect(await explaining(done, about({ fix: () => 'x' }), reader)(action)).toEqual({
      id: action.id,
      outcome: 'done',
      status: 201,
      message: null,
    });
    expect((await explaining(failed(400), [], reader)(action)).message).toBe('status 400');
  });
});
