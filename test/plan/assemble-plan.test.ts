import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validatePlan } from '../../src/contract/plan.generated.ts';
import type { Unreadable } from '../../src/model/reader.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
import { sealPlan } from '../../src/plan/digest.ts';
import { hasDrift } from '../../src/plan/summary.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildAction } from '../support/build-action.ts';
import { buildAssembleInput, buildDecision, buildPopulation } from '../support/build-decision.ts';
import { buildFinding } from '../support/build-plan.ts';
import { propertyRuns } from '../support/thorough.ts';

const structural: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' };
const broken: Unreadable = { ...structural, structural: false, code: 'LIVE_LISTING_INCOMPLETE' };

describe('the document', () => {
  test('is valid against its schema and adds up', () => {
    const decisions = [
      buildDecision(2, 10, { findings: [buildFinding('LIVE_MISSING')] }),
      buildDecision(0, 0, {
        kind: 'roles',
        unreadable: structural,
        actions: [buildAction({ kind: 'roles', key: 'r', action: 'remove', reason: 'unreadable' })],
      }),
    ];
    const plan = sealPlan(assemblePlan(buildAssembleInput(decisions)));
    expect(validatePlan(plan)).toBe(true);
    expect(plan.summary).toEqual({
      create: 0,
      update: 0,
      delete: 2,
      add: 0,
      remove: 1,
      put: 0,
      findings: 1,
      requests: 3,
      unreadable: ['roles'],
    });
    expect(plan.complete).toBe(true);
  });

  test('is incomplete when a kind that can be read was not', () => {
    expect(assemblePlan(buildAssembleInput([buildDecision(0, 0, { unreadable: broken })])).complete).toBe(false);
  });

  test('says which kinds the selection left unread, and which items it left out', () => {
    const decision = buildDecision(2, 10, { findings: [buildFinding('LIVE_MISSING', { key: 'p000001' })] });
    const plan = assemblePlan(
      buildAssembleInput([decision], {
        notRead: [{ kind: 'event_streams', key: '*' }],
        selection: { only: ['rate_limit_policies/p000000'], except: [], rotate: [] },
      }),
    );
    expect(plan.actions.map(({ key }) => key)).toEqual(['p000000']);
    expect(plan.findings).toEqual([]);
    expect(plan.left_out).toEqual([
      { kind: 'event_streams', key: '*', what: 'not_read' },
      { kind: 'rate_limit_policies', key: 'p000001', what: 'delete' },
      { kind: 'rate_limit_policies', key: 'p000001', what: 'LIVE_MISSING' },
    ]);
  });

  test('says that the rest of a kind was not read when one key was asked for', () => {
    const decision = buildDecision(1, 1, { population: buildPopulation({ filtered: true }) });
    const plan = assemblePlan(
      buildAssembleInput([decision], { selection: { only: ['rate_limit_policies/p000000'], except: [], rotate: [] } }),
    );
    expect(plan.left_out).toEqual([{ kind: 'rate_limit_policies', key: '*', what: 'not_read' }]);
  });

  test('an item named * is selected like any other', () => {
    const star = buildAction({ key: '*' });
    const findings = [buildFinding('LIVE_PROTECTED', { key: '*' })];
    const decision = buildDecision(0, 9, { actions: [star, buildAction({ key: 'x' })], findings });
    const { actions, findings: kept } = assemblePlan(
      buildAssembleInput([decision], { selection: { only: ['rate_limit_policies/x'], except: [], rotate: [] } }),
    );
    expect([actions.map(({ key }) => key), kept]).toEqual([['x'], []]);
  });

  test('a finding about a whole kind survives any selection of its items', () => {
    const decision = buildDecision(0, 0, {
      unreadable: broken,
      findings: [buildFinding('LIVE_LISTING_INCOMPLETE', { key: '*' })],
    });
    const plan = assemblePlan(
      buildAssembleInput([decision], { selection: { only: ['rate_limit_policies/x'], except: [], rotate: [] } }),
    );
    expect(plan.findings).toHaveLength(1);
  });
});

describe('promise 10: deterministic', () => {
  test('any order of the same decisions gives the same bytes', () => {
    const actions = [
      buildAction({ key: 'b' }),
      buildAction({ key: 'a' }),
      buildAction({ key: 'c', action: 'put', kind: 'prompts' }),
      buildAction({ key: 'a', part: 'second' }),
    ];
    const findings = [
      buildFinding('LIVE_MISSING', { key: 'b' }),
      buildFinding('LIVE_UNREADABLE', { key: '*' }),
      buildFinding('LIVE_DIFFERENT', { key: 'b' }),
      buildFinding('LIVE_MISSING', { key: 'b', message: 'z' }),
    ];
    const expected = JSON.stringify(assemblePlan(buildAssembleInput([buildDecision(0, 90, { actions, findings })])));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(actions, { minLength: 4 }),
        fc.shuffledSubarray(findings, { minLength: 4 }),
        (someActions, someFindings) => {
          expect(
            JSON.stringify(
              assemblePlan(
                buildAssembleInput([buildDecision(0, 90, { actions: someActions, findings: someFindings })]),
              ),
            ),
          ).toBe(expected);
        },
      ),
      propertyRuns(100),
    );
  });
});

describe('promise 4: no access dip', () => {
  test('whatever is planned, what grants comes before what takes away', () => {
    const names = ['create', 'update', 'delete', 'add', 'remove', 'put'] as const;
    const action = fc.record({
      action: fc.constantFrom(...names),
      kind: fc.constantFrom('rate_limit_policies' as const, 'roles' as const, 'prompts' as const),
      key: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(action), (parts) => {
        const { actions } = assemblePlan(
          buildAssembleInput([
            buildDecision(0, 0, { actions: parts.map((part, index) => buildAction({ ...part, id: `${index}` })) }),
          ]),
        );
        const stages = actions.map((planned) =>
          ['create', 'add'].includes(planned.action) ? 0 : ['delete', 'remove'].includes(planned.action) ? 2 : 1,
        );
        expect(stages).toEqual([...stages].sort());
        expect(actions).toHaveLength(parts.length);
      }),
      propertyRuns(100),
    );
  });
});

describe('drift', () => {
  test.each([
    ['an action for something that was read', { actions: [buildAction()] }, true],
    ['a request planned because nothing could be read', { actions: [buildAction({ reason: 'unreadable' })] }, false],
    ['a declared item that is missing', { findings: [buildFinding('LIVE_MISSING')] }, true],
    ['an item kept because it is protected', { findings: [buildFinding('LIVE_PROTECTED')] }, false],
    ['something that could not be checked', { findings: [buildFinding('LIVE_NOT_CHECKED')] }, false],
  ])('%s', (_name, parts, drift) => {
    expect(hasDrift(sealPlan(assemblePlan(buildAssembleInput([buildDecision(0, 9, parts)]))))).toBe(drift);
  });
});

describe('scopes', () => {
  const policies = kinds.find(({ name }) => name === 'rate_limit_policies');

  test('of a plan are those of its reads; apply reads again and then writes', () => {
    const actions = [buildAction({}), buildAction({ key: 'two' })];
    const { scopes } = assemblePlan(
      buildAssembleInput([buildDecision(0, 9, { actions })], { reads: policies?.reading?.operations ?? [] }),
    );
    expect(scopes).toEqual({
      plan: ['read:rate_limit_policies'],
      apply: ['delete:rate_limit_policies', 'read:rate_limit_policies'],
    });
  });

  test('nothing to do needs no scope of a write', () => {
    expect(assemblePlan(buildAssembleInput([])).scopes).toEqual({ plan: [], apply: [] });
  });
});
