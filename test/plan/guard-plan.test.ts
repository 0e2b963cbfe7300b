import { describe, expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { approves } from '../../src/plan/guard-plan.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision } from '../support/build-decision.ts';

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
    expect(refusals([buildDecision(deletes, live)], { guards }).map((refusal) => refusal.code)).toEqual(
      code === null ? [] : [code],
    );
  });

  test('a section that declares nothing is refused although something is left', () => {
    const population = { declared: 0, live: 9, filtered: false };
    expect(refusals([buildDecision(1, 9, { population })])).toMatchObject([
      { code: 'GUARD_EMPTIES_SECTION', losses: 1, live: 9, limit: 3 },
    ]);
  });

  test('whether one item asked for by name was the last cannot be judged', () => {
    expect(refusals([buildDecision(1, 1, { population: { declared: 1, live: 1, filtered: true } })])).toEqual([]);
  });

  test('a refusal names the items and is part of a valid plan', () => {
    const plan = assemblePlan(buildAssembleInput([buildDecision(2, 2)]));
    expect(plan.refusals).toEqual([
      {
        code: 'GUARD_EMPTIES_SECTION',
        kind: 'rate_limit_policies',
        message: expect.stringContaining('2 of 2'),
        losses: 2,
        live: 2,
        limit: 3,
        items: ['p000000', 'p000001'],
        approve: expect.stringMatching(/^[0-9a-f]{12}$/),
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

describe('promise 6: the approval code', () => {
  const codeOf = (...input: Parameters<typeof buildAssembleInput>) => refusals(...input)[0]?.approve;
  const two = buildDecision(2, 2);

  test('is the same for the same items', () => {
    expect(codeOf([buildDecision(2, 2)])).toBe(codeOf([two]));
  });

  test('one code covers every kind that is refused', () => {
    const both = refusals([two, buildDecision(1, 1, { kind: 'event_streams' })]);
    expect(both.map(({ approve }) => approve)).toEqual([both[0]?.approve, both[0]?.approve]);
    expect(approves(both[0]?.approve, both)).toBe(true);
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
        actions: two.actions.map((action) => ({ ...action, before: { id: action.key, limit: 2 } })),
      }),
    ],
    ['an item more is lost', buildDecision(3, 3)],
  ])('dies when %s', (_name, decision) => {
    expect(codeOf([decision])).toMatch(/^[0-9a-f]{12}$/);
    expect(codeOf([decision])).not.toBe(codeOf([two]));
  });

  test('does not hold for another tenant', () => {
    const tenant = { name: 'acme', base_url: 'https://other.example/api/v2', api: 'documented' } as const;
    expect(codeOf([two], { tenant })).not.toBe(codeOf([two]));
  });

  test('no code approves nothing, any code approves what needs none', () => {
    expect(approves(undefined, refusals([two]))).toBe(false);
    expect(approves('000000000000', refusals([two]))).toBe(false);
    expect(approves(undefined, [])).toBe(true);
  });
});

describe('what the plan grants', () => {
  const remove = buildAction({ kind: 'roles', id: 'roles/r#remove', key: 'r', action: 'remove' });
  const add = buildAction({
    kind: 'roles',
    id: 'roles/r#add',
    key: 'r',
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
      losses: [{ action: lost, item: 'x' }],
      population: { declared: 1, live: 1, filtered: false },
    });

  test.each<[string, Action, Action[], string | null]>([
    [
      'removing all there is empties the section',
      remove,
      [remove],
      'would remove 1 of 1 live permissions and leave the section empty',
    ],
    ['unless something is added', remove, [add, remove], null],
    [
      'clearing all texts empties the section',
      clear,
      [clear],
      'would remove 1 of 1 live texts and leave the section empty',
    ],
    ['unless another text is put', clear, [clear, put], null],
  ])('%s', (_name, lost, actions, message) => {
    const { refusals } = assemblePlan(buildAssembleInput([decide(lost, actions)]));
    expect(refusals.map((refusal) => refusal.message)).toEqual(message === null ? [] : [message]);
  });
});
