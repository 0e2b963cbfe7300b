import { describe, expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { sealPlan } from '../../src/plan/digest.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision, rulesWith } from '../support/build-decision.ts';

const rulesIn = (...input: Parameters<typeof buildAssembleInput>) => {
  const plan = sealPlan(assemblePlan(buildAssembleInput(...input)));
  expect(validatePlan(plan)).toBe(true);
  return plan.findings
    .filter(({ kind }) => kind === 'tenant')
    .map(({ code, severity, key, message, source }) => ({ code, severity, key, message, column: source?.column }));
};
const messagesIn = (...input: Parameters<typeof buildAssembleInput>) =>
  rulesIn(...input).map(({ key, message }) => `${key}: ${message}`);

describe('guards wider than the defaults', () => {
  test('are a note in every plan, with their place', () => {
    const rules = rulesWith({ guards: { max_delete_percent: 100, max_delete_count: 10 } });
    expect(rulesIn([buildDecision(0, 9)], { rules })).toEqual([
      {
        code: 'RULE_GUARD_WIDENED',
        severity: 'note',
        key: 'guards.max_delete_count',
        message: 'allows 10 of a kind to be deleted in one plan; the default is 3',
        column: '/guards/max_delete_count'.length + 1,
      },
      {
        code: 'RULE_GUARD_WIDENED',
        severity: 'note',
        key: 'guards.max_delete_percent',
        message: 'allows 100% of a kind to be deleted in one plan; the default is 30%',
        column: '/guards/max_delete_percent'.length + 1,
      },
    ]);
  });

  test('but not those that are as wide, or narrower', () => {
    const guards = { max_delete_percent: 30, max_delete_count: 0, max_update_percent: 100 };
    expect(rulesIn([buildDecision(0, 9)], { rules: rulesWith({ guards }) })).toEqual([]);
  });
});

describe('rules that match nothing are warnings with near names', () => {
  const names = ['default', 'client_id:web'];

  test('protect', () => {
    const rules = rulesWith({ protect: { rate_limit_policies: ['client_id:*', 'defualt', 'nothing like it'] } });
    expect(rulesIn([buildDecision(0, 9, { names })], { rules })).toEqual([
      {
        code: 'RULE_UNMATCHED',
        severity: 'warning',
        key: 'protect.rate_limit_policies: defualt',
        message: 'protects nothing: no declared or live item has this name; did you mean "default"?',
        column: '/protect/rate_limit_policies/1'.length + 1,
      },
      expect.objectContaining({
        key: 'protect.rate_limit_policies: nothing like it',
        message: 'protects nothing: no declared or live item has this name',
      }),
    ]);
    expect(rulesIn([buildDecision(0, 9, { names: null })], { rules })).toEqual([]);
  });

  test('protect, in the names of its own kind', () => {
    const decisions = [buildDecision(0, 9, { names }), buildDecision(0, 9, { kind: 'roles', names: ['Support'] })];
    const rules = rulesWith({ protect: { rate_limit_policies: ['Suport'], roles: ['Suport'] } });
    const text = 'protects nothing: no declared or live item has this name';
    expect(messagesIn(decisions, { rules })).toEqual([
      `protect.rate_limit_policies: Suport: ${text}`,
      `protect.roles: Suport: ${text}; did you mean "Support"?`,
    ]);
  });

  test('undeclared for a kind without a section', () => {
    const rules = rulesWith({ undeclared: { rate_limit_policies: 'report', event_streams: 'ignore' } });
    const policies = buildDecision(0, 9);
    expect(messagesIn([policies], { rules })).toEqual([
      'undeclared.event_streams: has no effect: the files have no section for this kind',
    ]);
    expect(messagesIn([policies], { rules, managed: ['rate_limit_policies', 'event_streams'] })).toEqual([]);
  });

  test('--except', () => {
    const decision = buildDecision(0, 9, { actions: [buildAction({ key: 'live' })] });
    const declared = [{ kind: 'rate_limit_policies', key: 'declared' }];
    const excluding = (...except: string[]) =>
      messagesIn([decision], { declared, selection: { only: [], except, rotate: [] } });
    expect(excluding('rate_limit_policies/live', 'rate_limit_policies/decl*', 'rate_limit_policies')).toEqual([]);
    expect(excluding('rate_limit_policies/decalred', 'event_streams')).toEqual([
      '--except event_streams: excludes nothing: the files have no section for event_streams',
      '--except rate_limit_policies/decalred: excludes nothing: no declared item and no undeclared live item matches it; did you mean "declared"?',
    ]);
  });

  test('--except of a kind that was not read is not checked', () => {
    const unreadable = { readable: false, structural: false, code: 'LIVE_UNREADABLE', message: '' } as const;
    const selection = { only: [], except: ['rate_limit_policies/x'], rotate: [] };
    expect(messagesIn([buildDecision(0, 0, { unreadable })], { selection })).toEqual([]);
  });
});
