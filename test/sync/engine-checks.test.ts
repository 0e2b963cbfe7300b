// The checks of a saved plan, at their limits and in both directions; of refusals, the kind and the code as well as the items.
import { describe, expect, test } from 'vitest';
import { asReadNow } from '../../src/engine/as-read-now.ts';
import { runChecks, savedChecks, savedWithFresh } from '../../src/engine/checks.ts';
import type { Approval, Effect, Plan, Refusal } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan, buildRefusal } from '../support/build-plan.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { kindRead } from '../support/run-apply.ts';

const at = (seconds: number) => startFakeClock(Date.UTC(2026, 10, 20, 10, 0, seconds));
const day = 86_400;

describe('the age of a saved plan', () => {
  const saved = buildPlan({ generated_at: '2026-11-20T10:00:00Z' });
  test.each<readonly [string, number, number | undefined, string | null]>([
    ['just made', 0, undefined, null],
    ['a day', day, undefined, null],
    ['a second more', day + 1, undefined, 'is 25 h old; --max-age allows 24 h'],
    ['as old as allowed', 60, 60, null],
    ['a second older', 61, 60, 'is 61 s old; --max-age allows 60 s'],
    ['two minutes', 120, 0, 'is 120 s old; --max-age allows 0 s'],
    ['more', 121, 0, 'is 3 min old'],
    ['two hours', 7200, 0, 'is 120 min old'],
    ['more', 7201, 0, 'is 3 h old'],
    ['two days', 2 * day, 0, 'is 48 h old'],
    ['more', 2 * day + 1, 0, 'is 3 days old'],
    ['of a clock that is a little ahead', -300, undefined, null],
    ['of one that is further ahead', -301, undefined, 'is dated 2026-11-20T10:00:00Z, which is in the future'],
    ['the same, where plans may be old', -301, 10 * day, 'is dated 2026-11-20T10:00:00Z, which is in the future'],
  ])('%s (%i s)', async (_name, seconds, maxAge, message) => {
    const { refusals, warnings } = await runChecks(savedChecks, saved, {
      clock: at(seconds),
      ...(maxAge !== undefined && { maxAge }),
    });
    expect([refusals.map(({ code }) => code), warnings]).toEqual([message === null ? [] : ['PLAN_TOO_OLD'], []]);
    if (message !== null) expect(refusals[0]?.message).toContain(message);
  });

  test('and its digest are checked together', async () => {
    const codesOf = async (expected: string | undefined, seconds: number) =>
      (
        await runChecks(savedChecks, saved, { clock: at(seconds), ...(expected !== undefined && { expect: expected }) })
      ).refusals.map(({ code }) => code);
    expect(await codesOf(saved.digest, 0)).toEqual([]);
    expect(await codesOf(`${saved.digest}0`, 0)).toEqual(['PLAN_NOT_EXPECTED']);
    expect(await codesOf('sha256:x', day + 1)).toEqual(['PLAN_TOO_OLD', 'PLAN_NOT_EXPECTED']);
  });
});

describe('a refusal of what is read now', () => {
  const of = (items: readonly string[], parts: Partial<Refusal> = {}) => buildRefusal(items, parts);
  const unread = (kind: Plan['left_out'][number]['kind'], what = 'not_read'): Partial<Plan> => ({
    left_out: [{ kind, key: '*', what } as Plan['left_out'][number]],
  });
  const policies = 'rate_limit_policies';

  test.each<readonly [string, Refusal, Refusal, Partial<Plan>, boolean]>([
    ['of the same items', of(['a', 'b']), of(['b', 'a']), {}, false],
    ['of some of them', of(['a', 'b']), of(['b']), {}, false],
    ['of another one', of(['a', 'b']), of(['b', 'c']), {}, true],
    ['of the same names of another kind', of(['a']), of(['a'], { kind: 'roles' }), {}, true],
    ['for another reason', of(['a']), of(['a'], { code: 'GUARD_OWN_CLIENT' }), {}, true],
    ['for a weaker reason', of(['a'], { code: 'GUARD_EMPTIES_SECTION' }), of(['a']), {}, false],
    [
      'for a weaker reason, of items',
      of(['a'], { code: 'GUARD_EMPTIES_SECTION' }),
      of(['a'], { code: 'GUARD_EMPTIES_ITEM' }),
      {},
      false,
    ],
    [
      'for a weaker reason, of another kind',
      of(['a'], { code: 'GUARD_EMPTIES_SECTION' }),
      of(['a'], { kind: 'roles' }),
      {},
      true,
    ],
    ['for a stronger reason', of(['a']), of(['a'], { code: 'GUARD_EMPTIES_SECTION' }), {}, true],
    ['of a kind that was not read completely', of(['a']), of(['b']), unread(policies), false],
    ['of another kind than the one that was not', of(['a']), of(['b']), unread('roles'), true],
    ['where only an action is left out', of(['a']), of(['b']), unread(policies, 'delete'), true],
    [
      'of single items, however much was read',
      of(['a']),
      of(['b'], { code: 'GUARD_OWN_CLIENT' }),
      unread(policies),
      true,
    ],
    [
      'of what is destroyed, however much was read',
      of(['a']),
      of(['b'], { code: 'GUARD_DESTROYS' }),
      unread(policies),
      true,
    ],
  ])('%s', (_name, before, now, parts, isNew) => {
    const all = savedWithFresh(buildPlan({ refusals: [before] }), buildPlan({ refusals: [now], ...parts }), () => null);
    expect(all.refusals.map(({ code, kind, items }) => [code, kind, items])).toEqual(
      [before, ...(isNew ? [now] : [])].map(({ code, kind, items }) => [code, kind, items]),
    );
  });

  const option: Approval = { by: '--approve', source: null };
  const inFiles: Approval = { by: 'tenant.approvals', source: null };
  test.each<readonly [string, Approval | null, string | undefined, Approval | null, boolean]>([
    ['an option of the saved plan', option, undefined, null, true],
    ['an option of the saved plan, and a digest that does not cover it', option, 'sha256:x', null, false],
    ['the files of then', inFiles, undefined, null, false],
    ['the files of now', null, undefined, inFiles, true],
    ['the files of now, with a digest', null, 'sha256:x', inFiles, true],
  ])('what approves it: %s', (_name, before, digest, now, isApproved) => {
    const refused = buildPlan({ refusals: [of(['a'], { approved_by: before })] });
    const [refusal] = savedWithFresh(refused, buildPlan(), () => now, digest).refusals;
    expect(refusal?.approved_by !== null).toBe(isApproved);
  });
});

describe('what a saved plan shows of an action', () => {
  const effect = (message: string, users?: number): Effect => ({
    code: 'ACCESS_LOST',
    severity: 'warning',
    kind: 'roles',
    key: 'r',
    message,
    ...(users !== undefined && { users }),
  });
  const [mine, other] = [buildAction({ key: 'a' }), buildAction({ kind: 'roles', key: 'a' })];
  const saved = buildPlan({ actions: [mine, other].map((action) => ({ ...action, effects: [effect('saved', 1)] })) });
  const now = (parts: Partial<Plan>, change: Partial<typeof mine> = {}, each = false) =>
    asReadNow(
      saved,
      buildPlan({
        actions: [mine, other].map((action) => ({ ...action, effects: [effect('now', 2)], ...change })),
        ...parts,
      }),
      [kindRead('roles', { each })],
    ).actions.map(({ effects: [first] }) => [first?.message, first?.users]);

  test('is as it was read now', () => {
    expect(now({})).toEqual([
      ['now', 2],
      ['now', 2],
    ]);
  });

  test('is as it was saved, without counts, where not all of its kind was read', () => {
    const left_out = [{ kind: 'roles', key: '*', what: 'not_read' }] as Plan['left_out'];
    expect(now({ left_out })).toEqual([
      ['now', 2],
      ['saved', undefined],
    ]);
    // What is read item by item is read completely.
    expect(now({ left_out }, {}, true)[1]).toEqual(['now', 2]);
  });

  test('or where it is another action now', () => {
    expect(now({}, { precondition: 'sha256:other' })).toEqual([
      ['saved', undefined],
      ['saved', undefined],
    ]);
    expect(now({}, { kind: 'prompts' })).toEqual([
      ['saved', undefined],
      ['saved', undefined],
    ]);
  });
});
