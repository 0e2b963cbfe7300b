import { describe, expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import type { Decision, KindName, LiveCount } from '../../src/model/kind.ts';
import type { Action, Selection } from '../../src/model/plan.generated.ts';
import { openRefusals } from '../../src/model/refusals.ts';
import type { AssembleInput } from '../../src/plan/assemble-input.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { sealPlan } from '../../src/plan/digest.ts';
import { buildAction } from '../support/build-action.ts';
import {
  buildAssembleInput,
  buildDecision,
  buildPopulation,
  liveCounts,
  rulesWith,
} from '../support/build-decision.ts';

const refusals = (...input: Parameters<typeof buildAssembleInput>) =>
  assemblePlan(buildAssembleInput(...input)).refusals;

describe('promise 6: guards', () => {
  test.each([
    // deletes, live, limits, refused
    [3, 5, {}, null],
    [4, 5, {}, 'GUARD_TOO_MANY_DELETES'],
    [4, 13, {}, 'GUARD_TOO_MANY_DELETES'],
    [4, 14, {}, null],
    [30, 100, {}, null],
    [31, 100, {}, 'GUARD_TOO_MANY_DELETES'],
    [1, 5, { max_delete_count: 0, max_delete_percent: 0 }, 'GUARD_TOO_MANY_DELETES'],
    [1, 5, { max_delete_count: 0 }, null],
    [50, 100, { max_delete_percent: 50 }, null],
    [51, 100, { max_delete_percent: 50 }, 'GUARD_TOO_MANY_DELETES'],
    [10, 11, { max_delete_count: 10 }, null],
    [9, 9, { max_delete_count: 10, max_delete_percent: 100 }, 'GUARD_EMPTIES_SECTION'],
    [1, 1, {}, 'GUARD_EMPTIES_SECTION'],
    [0, 0, {}, null],
  ] as const)('%i deletes of %i live with %j: %s', (deletes, live, guards, code) => {
    expect(
      refusals([buildDecision(deletes, live)], { rules: rulesWith({ guards }) }).map((refusal) => refusal.code),
    ).toEqual(code === null ? [] : [code]);
  });

  test('a section that declares nothing is refused although something is left', () => {
    const population = buildPopulation({ declared: 0, live: liveCounts(9) });
    expect(refusals([buildDecision(1, 9, { population })])).toMatchObject([
      { code: 'GUARD_EMPTIES_SECTION', losses: 1, live: 9, limit: 3 },
    ]);
  });

  test('whether one item that was read alone is the last is not known', () => {
    expect(refusals([buildDecision(1, 1, { population: buildPopulation({ filtered: true }) })])).toEqual([]);
  });

  test('a refusal names the items and is part of a valid plan', () => {
    const plan = sealPlan(assemblePlan(buildAssembleInput([buildDecision(2, 2)])));
    expect(plan.refusals).toEqual([
      {
        code: 'GUARD_EMPTIES_SECTION',
        kind: 'rate_limit_policies',
        message: expect.stringContaining('2 of 2'),
        losses: 2,
        live: 2,
        limit: 3,
        items: ['p000000', 'p000001'],
        approve: expect.stringMatching(/^[0-9a-f]{24}$/),
        approved_by: null,
        approve_in: null,
      },
    ]);
    expect(validatePlan(plan)).toBe(true);
  });

  test('what the selection leaves out is not counted', () => {
    expect(
      refusals([buildDecision(5, 5)], { selection: { only: ['rate_limit_policies/p000000'], except: [], rotate: [] } }),
    ).toEqual([]);
  });

  test('removals that are not losses are not counted', () => {
    expect(refusals([buildDecision(9, 9, { losses: [] })])).toEqual([]);
  });
});

describe('guards count what is live and not kept', () => {
  const deleting = (key: string) => buildAction({ key });
  const policies = (live: LiveCount[], ...keys: readonly string[]) =>
    buildDecision(0, 0, {
      actions: keys.map(deleting),
      population: buildPopulation({ live }),
    });
  const kept = (...keys: readonly string[]) => keys.map((key) => ({ key, parts: 1 }));
  const lost = (...keys: readonly string[]) => keys.map((key) => ({ key, parts: 1 }));
  const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code);

  test('items that a rule keeps are no survivors: they are not among the live ones', () => {
    expect(codes(refusals([policies(lost('a', 'b'), 'a', 'b')]))).toEqual(['GUARD_EMPTIES_SECTION']);
    expect(refusals([policies([...lost('a', 'b'), ...kept('c')], 'a', 'b')])).toEqual([]);
  });

  test('excluded items are no survivors', () => {
    const decision = policies([...lost('a', 'b'), ...kept('default')], 'a', 'b');
    const except = { only: [], except: ['rate_limit_policies/default'], rotate: [] };
    expect(codes(refusals([decision], { selection: except }))).toEqual(['GUARD_EMPTIES_SECTION']);
    const only = { only: ['rate_limit_policies/a*', 'rate_limit_policies/b'], except: [], rotate: [] };
    expect(codes(refusals([decision], { selection: only }))).toEqual(['GUARD_EMPTIES_SECTION']);
  });

  test('items named by their complete keys are asked for', () => {
    const decision = policies([...lost('a', 'b'), ...kept('default')], 'a', 'b');
    const only = { only: ['rate_limit_policies/a', 'rate_limit_policies/b'], except: [], rotate: [] };
    expect(refusals([decision], { selection: only })).toEqual([]);
  });
});

describe('a role or a prompt that is left empty', () => {
  const unit = { verb: 'remove', one: 'permission', many: 'permissions' } as const;
  const containers = { one: 'role', many: 'roles' };
  const removing = (key: string, action: 'remove' | 'add' = 'remove') =>
    buildAction({ kind: 'roles', key, part: action, action, before: { key } });
  const permissions = (key: string, count: number) =>
    Array.from({ length: count }, (_empty, index) => ({
      id: `roles/${key}#remove`,
      item: `roles/${key}#p${index}`,
    }));
  const decision = (
    live: LiveCount[],
    actions: readonly Action[],
    counts: Readonly<Record<string, number>>,
    asked = 0,
  ) =>
    buildDecision(0, 0, {
      kind: 'roles',
      actions,
      losses: Object.entries(counts).flatMap(([key, count]) => permissions(key, count)),
      asked: permissions('r', asked),
      gains: actions.filter(({ action }) => action === 'add').map(({ id }) => id),
      population: buildPopulation({ declared: 9, live, unit, containers }),
    });
  const rest = { key: 'big', parts: 140 };

  test('is a loss of its own: 60 of 200 permissions are within the limit', () => {
    const emptied = { key: 'r', parts: 60 };
    const found = refusals([decision([emptied, rest], [removing('r')], { r: 60 })]);
    expect(found).toMatchObject([
      {
        code: 'GUARD_EMPTIES_ITEM',
        message: 'would remove every permission of 1 role',
        losses: 60,
        live: 200,
        limit: 60,
      },
    ]);
  });

  test('also if one of the role is added while all others are removed', () => {
    const swapped = { key: 'r', parts: 4 };
    const found = refusals([decision([swapped, rest], [removing('r', 'add'), removing('r')], { r: 4 })]);
    expect(found.map(({ code }) => code)).toEqual(['GUARD_EMPTIES_ITEM']);
  });

  test('also if some of them are listed as absent', () => {
    const found = refusals([decision([{ key: 'r', parts: 5 }, rest], [removing('r')], { r: 1 }, 4)]);
    expect(found).toMatchObject([{ code: 'GUARD_EMPTIES_ITEM', losses: 1 }]);
  });

  test.each<[string, LiveCount, readonly Action[], number, number]>([
    ['some permission stays', { key: 'r', parts: 60 }, [removing('r')], 59, 0],
    ['a few are replaced by others', { key: 'r', parts: 3 }, [removing('r', 'add'), removing('r')], 3, 0],
    ['every permission is listed as absent', { key: 'r', parts: 60 }, [removing('r')], 0, 60],
    ['the role was empty', { key: 'r', parts: 0 }, [], 0, 0],
  ])('not when %s', (_name, live, actions, losses, asked) => {
    expect(refusals([decision([live, rest], actions, { r: losses }, asked)])).toEqual([]);
  });
});

describe('roles that lose a permission', () => {
  const unit = { verb: 'remove', one: 'permission', many: 'permissions' } as const;
  const losing = (kind: KindName, ids: readonly string[], about: Partial<Decision> = {}) => {
    const action = buildAction({ kind, key: 'k', action: 'remove' });
    const loss = (id: string) => ({ id: action.id, item: `roles/${id}#p` });
    return buildDecision(0, 0, {
      kind,
      actions: [action],
      losses: ids.map((id) => ({ ...loss(id), holder: { kind: 'roles', id, key: `key of ${id}` } })),
      // Among so many permissions, a few are within every other limit.
      population: buildPopulation({ declared: 1, live: [{ key: 'k', parts: 10_000 }], unit }),
      ...about,
    });
  };
  const ids = (count: number, start = 0) => Array.from({ length: count }, (_empty, index) => `r${start + index}`);
  const holding = (count: number, parts = 9) => ({ holders: new Map(ids(count).map((id) => [id, parts])) });

  test.each<readonly [string, readonly Decision[], number | null]>([
    ['12 of 40', [losing('roles', ids(12), holding(40))], null],
    ['13 of 40', [losing('roles', ids(13), holding(40))], 12],
    ['38 of 40', [losing('roles', ids(38), holding(40))], 12],
    ['3 of 3', [losing('roles', ids(3), holding(3))], null],
    ['4 of 5', [losing('roles', ids(4), holding(5))], 3],
    [
      'the same ones by two kinds',
      [losing('roles', ids(12), holding(40)), losing('resource_servers', ids(12), holding(40))],
      null,
    ],
    [
      'others by each kind',
      [losing('roles', ids(7), holding(40)), losing('resource_servers', ids(7, 7), holding(40))],
      12,
    ],
    ['of those that only another kind has read', [losing('roles', ids(5)), losing('prompts', [], holding(20))], null],
    [
      'many that only an API has read do not allow more',
      [losing('roles', ids(13), holding(40)), losing('resource_servers', [], holding(200))],
      12,
    ],
    ['4 empty ones that are deleted', [losing('roles', ids(4), holding(0))], 3],
  ])('%s: the limit that refuses is %s', (_name, decisions, limit) => {
    const found = refusals(decisions).filter(({ code }) => code === 'GUARD_TOO_MANY_ROLES');
    expect(found.map((refusal) => refusal.limit)).toEqual(limit === null ? [] : [limit]);
  });

  test('a refusal names them and counts them, and the same code approves all kinds', () => {
    const [refusal] = refusals([losing('roles', ids(4), holding(5))]);
    expect(refusal).toMatchObject({
      code: 'GUARD_TOO_MANY_ROLES',
      kind: 'roles',
      message: 'would take access from 4 of 5 roles; the limit is 3',
      losses: 4,
      live: 5,
      limit: 3,
      items: ids(4).map((id) => `roles/${id}#p`),
    });
  });

  test.each([
    ['--only', { only: ['roles/k'], except: [], rotate: [] }, 3],
    ['--changed', { only: ['roles/k'], except: [], rotate: [], changed: true }, 3],
    ['--except', { only: [], except: ['prompts'], rotate: [] }, null],
  ])('in a part of a plan the limit is the count: %s', (_name, selection, limit) => {
    const found = refusals([losing('roles', ids(12), holding(40))], { selection });
    expect(found.map((refusal) => refusal.limit)).toEqual(limit === null ? [] : [limit]);
  });

  test('what is not selected or not sent is not counted', () => {
    const decision = losing('roles', ids(20), holding(40));
    const except = { only: [], except: ['roles/k'], rotate: [] };
    expect(refusals([decision], { selection: except })).toEqual([]);
    expect(refusals([decision], { again: { selection: except, isSent: () => false, watched: [] } })).toEqual([]);
  });
});

describe('guards.max_update_percent', () => {
  const updating = (count: number, about: Partial<Decision> = {}) =>
    buildDecision(0, 0, {
      actions: Array.from({ length: count }, (_empty, index) =>
        buildAction({ key: `u${index}`, action: index % 2 === 0 ? 'update' : 'put', reason: 'different' }),
      ),
      population: buildPopulation({ live: liveCounts(10) }),
      ...about,
    });

  test.each([
    [10, {}, null],
    [3, { max_update_percent: 30 }, null],
    [4, { max_update_percent: 30 }, 'would change 4 of 10 live items; the limit is 3'],
    [1, { max_update_percent: 0 }, 'would change 1 of 10 live items; the limit is 0'],
    [10, { max_update_percent: 100 }, null],
  ])('%i updates with %j: %s', (count, guards, message) => {
    const found = refusals([updating(count)], { rules: rulesWith({ guards }) });
    expect(found.map((refusal) => [refusal.code, refusal.message, refusal.items.length])).toEqual(
      message === null ? [] : [['GUARD_TOO_MANY_UPDATES', message, count]],
    );
  });

  test('what cannot be read is compared with what is declared', () => {
    const unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: '' } as const;
    const population = buildPopulation({ declared: 4, live: [] });
    const found = refusals([updating(4, { unreadable, population })], {
      rules: rulesWith({ guards: { max_update_percent: 50 } }),
    });
    expect(found).toMatchObject([{ message: 'would change 4 of 4 declared items; the limit is 2', live: 4, limit: 2 }]);
  });
});

describe('promise 6: the approval code', () => {
  const codeOf = (...input: Parameters<typeof buildAssembleInput>) => refusals(...input)[0]?.approve;
  const two = buildDecision(2, 2);

  test('is the same for the same items', () => {
    expect(codeOf([buildDecision(2, 2)])).toBe(codeOf([two]));
  });

  test('one code covers every kind that is refused', () => {
    const both = refusals([two, buildDecision(1, 1, { kind: 'event_streams' })]);
    expect(both.map(({ approve }) => approve)).toEqual([both[0]?.approve, both[0]?.approve]);
    const approve = both[0]?.approve;
    const approved = refusals([two, buildDecision(1, 1, { kind: 'event_streams' })], { approve });
    expect(openRefusals(approved)).toEqual([]);
  });

  test.each([
    [
      'an item is another',
      buildDecision(2, 2, {
        actions: [buildAction({ key: 'p000000' }), buildAction({ key: 'x' })],
      }),
    ],
    [
      'an item has changed',
      buildDecision(2, 2, {
        actions: two.actions.map(({ key }) => buildAction({ key, before: { id: key, limit: 2 } })),
      }),
    ],
    ['an item more is lost', buildDecision(3, 3)],
  ])('stops matching when %s', (_name, decision) => {
    expect(codeOf([decision])).toMatch(/^[0-9a-f]{24}$/);
    expect(codeOf([decision])).not.toBe(codeOf([two]));
  });

  test('does not match for another reason', () => {
    const rules = rulesWith({ guards: { max_delete_count: 0, max_delete_percent: 0 } });
    expect(refusals([two])).toMatchObject([{ code: 'GUARD_EMPTIES_SECTION', items: ['p000000', 'p000001'] }]);
    const many = [buildDecision(2, 20)];
    expect(refusals(many, { rules })).toMatchObject([
      { code: 'GUARD_TOO_MANY_DELETES', items: ['p000000', 'p000001'] },
    ]);
    expect(codeOf(many, { rules })).not.toBe(codeOf([two]));
  });

  test('does not match for another tenant', () => {
    const tenant = { name: 'acme', base_url: 'https://other.example/api/v2', api: 'documented' } as const;
    expect(codeOf([two], { tenant })).not.toBe(codeOf([two]));
  });

  test('approves in the files, where the plan shows its place, or as an option', () => {
    const approvalIn = (about: Parameters<typeof refusals>[1]) => refusals([two], about)[0]?.approved_by;
    const code = codeOf([two]) ?? '';
    const source = { file: 'tenant.yaml', line: 1, column: '/approvals/1'.length + 1 };
    expect(approvalIn({})).toBe(null);
    expect(approvalIn({ approve: '0'.repeat(24), rules: rulesWith({ approvals: ['1'.repeat(24)] }) })).toBe(null);
    expect(approvalIn({ approve: code })).toEqual({ by: '--approve', source: null });
    expect(approvalIn({ approve: code, rules: rulesWith({ approvals: ['1'.repeat(24), code] }) })).toEqual({
      by: 'tenant.approvals',
      source,
    });
  });

  test('in the files is a note if it matches nothing, unless a part was planned', () => {
    const code = codeOf([two]) ?? '';
    const rules = rulesWith({ approvals: [code, '1'.repeat(24)] });
    const notes = (decision: Decision, about: Partial<AssembleInput> = {}) =>
      assemblePlan(buildAssembleInput([decision], { rules, ...about })).findings.map(({ severity, kind, key }) => [
        severity,
        kind,
        key,
      ]);
    const note = (of: string) => ['note', 'tenant', `approvals: ${of}`];
    expect(notes(two)).toEqual([note('1'.repeat(24))]);
    expect(notes(buildDecision(0, 2))).toEqual([note('1'.repeat(24)), note(code)]);
    const selection = { only: ['rate_limit_policies'], except: [], rotate: [] };
    expect(notes(buildDecision(0, 2), { selection })).toEqual([]);
    const unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'm' } as const;
    expect(notes(buildDecision(0, 2, { unreadable }))).toEqual([]);
  });
});

describe('a plan that is made again', () => {
  const all = { only: [], except: [], rotate: [] };
  const now = (deletes: number, live: number, sent: readonly string[], selection: Selection = all) => {
    const again = { selection, isSent: ({ key }: Action) => sent.includes(key), watched: [] };
    const only = { only: sent.map((key) => `rate_limit_policies/${key}`), except: [], rotate: [] };
    return refusals([buildDecision(deletes, live)], { again, selection: only }).map(({ code, items }) => [code, items]);
  };
  const [one, two] = ['p000000', 'p000001'] as const;

  test('is guarded for what is sent of the first one', () => {
    expect(now(9, 12, [one, two])).toEqual([]);
    expect(now(2, 2, [one, two])).toEqual([['GUARD_EMPTIES_SECTION', [one, two]]]);
  });

  test('an item that the first plan does not delete counts as left, unless its selection left it out', () => {
    expect(now(2, 2, [one])).toEqual([]);
    const selection = { ...all, except: [`rate_limit_policies/${two}`] };
    expect(now(2, 2, [one], selection)).toEqual([['GUARD_EMPTIES_SECTION', [one]]]);
  });

  test('items that the first plan named by their complete keys were asked for', () => {
    expect(now(1, 1, [one], { ...all, only: [`rate_limit_policies/${one}`] })).toEqual([]);
  });
});

describe('what the plan grants', () => {
  const remove = buildAction({ kind: 'roles', key: 'r', part: 'remove', action: 'remove' });
  const add = buildAction({
    kind: 'roles',
    key: 'r',
    part: 'add',
    action: 'add',
    reason: 'missing',
  });
  const clear = buildAction({ kind: 'prompts', key: 'login', action: 'put', reason: 'different', after: {} });
  const put = buildAction({
    kind: 'prompts',
    key: 'signup',
    action: 'put',
    reason: 'different',
    after: { signup: {} },
  });
  const decide = (lost: Action, actions: Action[]) =>
    buildDecision(0, 1, {
      kind: lost.kind,
      actions,
      losses: [{ id: lost.id, item: 'x' }],
      gains: actions.filter((action) => action !== lost).map(({ id }) => id),
      population: buildPopulation({
        live: [{ key: lost.key, parts: 1 }],
        unit: { verb: 'remove', one: 'thing', many: 'things' },
      }),
    });

  test.each<[string, Action, Action[], string | null]>([
    [
      'removing all there is empties the section',
      remove,
      [remove],
      'would remove 1 of 1 live thing and leave the section empty',
    ],
    ['unless something is added', remove, [add, remove], null],
    [
      'clearing all texts empties the section',
      clear,
      [clear],
      'would remove 1 of 1 live thing and leave the section empty',
    ],
    ['unless another text is put', clear, [clear, put], null],
  ])('%s', (_name, lost, actions, message) => {
    const { refusals } = assemblePlan(buildAssembleInput([decide(lost, actions)]));
    expect(refusals.map((refusal) => refusal.message)).toEqual(message === null ? [] : [message]);
  });
});
