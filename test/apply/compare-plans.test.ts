// What a plan that is made again shows of an action, of its item, and of others.
import { describe, expect, test } from 'vitest';
import { canBeRead, comparePlans, type EarlierPlan, newNotes } from '../../src/apply/compare-plans.ts';
import type { Action, Effect, Finding, Plan } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildFinding, buildPlan, withUnreadable } from '../support/build-plan.ts';

const kind = 'rate_limit_policies';
const managed = new Set([kind, 'roles']);
const update = buildAction({ key: 'p', action: 'update' });
const deletion = buildAction({ key: 'p' });
const removal = buildAction({ key: 'p', action: 'remove', part: 'remove' });
const about = (code: Finding['code'], parts: Partial<Finding> = {}) => buildFinding(code, { kind, key: 'p', ...parts });
const stateOf = (action: Action, plan: Plan, earlier?: EarlierPlan) => comparePlans(plan, managed, earlier).of(action);

test('a secret that is set again is not what is left of another change', () => {
  const rotated = buildAction({ key: 'p', action: 'update', reason: 'rotated' });
  expect(stateOf(update, buildPlan({ actions: [rotated] }))).toEqual({ state: 'reached' });
  expect(stateOf(rotated, buildPlan({ actions: [rotated] }))).toMatchObject({ state: 'unchanged' });
});

describe('the same request does not do the same any more', () => {
  const before = buildAction({ key: 'default', action: 'update' });
  const needing = { ...deletion, needs: [before.id] };

  test('once it needs what the plan does not do', () => {
    expect(stateOf(deletion, buildPlan({ actions: [before, needing] }))).toMatchObject({
      state: 'changed',
      notes: [`needs update of ${before.id} before it, which was not planned`],
    });
  });

  test('but it may need what the plan does', () => {
    const earlier: EarlierPlan = {
      plannedFor: ({ key }) => (key === 'default' ? [before] : []),
      reported: () => false,
    };
    expect(stateOf(deletion, buildPlan({ actions: [before, needing] }), earlier)).toMatchObject({ state: 'unchanged' });
  });

  test('once it has a critical effect that nobody was shown', () => {
    const shown = (severity: Effect['severity'], message = `is ${severity}`) => ({
      ...deletion,
      effects: [{ code: 'POLICY_FALLBACK', severity, message, kind, key: 'p' } as const],
    });
    const fresh = buildPlan({ actions: [shown('critical')] });
    expect(stateOf(shown('warning'), fresh)).toMatchObject({ state: 'changed' });
    expect(stateOf(shown('critical'), fresh)).toMatchObject({ state: 'unchanged' });
    expect(stateOf(shown('critical'), buildPlan({ actions: [shown('warning')] }))).toMatchObject({
      state: 'unchanged',
    });
    // A receiver that others have made a new one is no other receiver.
    expect(stateOf(shown('warning', 'is critical'), fresh)).toMatchObject({ state: 'unchanged' });
  });
});

describe('a finding leaves an action open', () => {
  test.each<readonly [string, Action, Finding, boolean]>([
    ['a difference', update, about('LIVE_DIFFERENT'), true],
    ['a difference of another item', update, about('LIVE_DIFFERENT', { key: 'q' }), false],
    ['a difference of the same name in another kind', update, about('LIVE_DIFFERENT', { kind: 'roles' }), false],
    ['a difference of an item named *', update, about('LIVE_AMBIGUOUS', { key: '*' }), false],
    ['a difference of another kind', update, about('LIVE_DIFFERENT', { kind: 'roles', key: '*' }), false],
    ['what could not be checked', update, about('LIVE_NOT_CHECKED'), false],
    ['an undeclared item, which is kept', deletion, about('LIVE_UNDECLARED'), true],
    ['an undeclared item that was not to be deleted', update, about('LIVE_UNDECLARED'), false],
    ['an unmanaged item', deletion, about('LIVE_UNMANAGED'), true],
    ['an unmanaged item that was not to be deleted', update, about('LIVE_UNMANAGED'), false],
    ['another item that is kept', deletion, about('LIVE_UNMANAGED', { key: 'q' }), false],
    ['a rule that keeps parts', removal, about('LIVE_PROTECTED'), true],
    ['a rule that keeps the item', deletion, about('LIVE_PROTECTED'), true],
    ['a rule that keeps what was not to be removed', update, about('LIVE_PROTECTED'), false],
    ['a finding of parts that is no rule', removal, about('LIVE_UNMANAGED'), false],
  ])('%s: %#', (_name, action, finding, isOpen) => {
    const comparison = stateOf(action, buildPlan({ findings: [finding] }));
    expect(comparison).toEqual(isOpen ? { state: 'changed', now: null, finding, notes: [] } : { state: 'reached' });
    expect(comparePlans(buildPlan({ findings: [finding] }), managed).isReached(action)).toBe(!isOpen);
  });

  test('a part of a removal, which a journal has without the name of its action', () => {
    const compared = comparePlans(buildPlan({ findings: [about('LIVE_PROTECTED')] }), managed);
    expect(compared.isReached({ kind, key: 'p', part: 'remove' })).toBe(false);
    expect(compared.isReached({ kind, key: 'p', part: 'add' })).toBe(true);
    expect(compared.isReached({ kind, key: 'p', part: 'remove', action: 'add' })).toBe(true);
  });

  test('what the plan reported is no news', () => {
    const finding = about('LIVE_DIFFERENT');
    const earlier: EarlierPlan = { plannedFor: () => [], reported: ({ code }) => code === 'LIVE_DIFFERENT' };
    expect(stateOf(update, buildPlan({ findings: [finding] }), earlier)).toEqual({ state: 'reached' });
    const kept = about('LIVE_UNMANAGED');
    expect(stateOf(deletion, buildPlan({ findings: [kept] }), earlier)).toMatchObject({ finding: kept });
  });
});

describe('requests that each have some elements of a set', () => {
  const clients = (does: 'add' | 'remove', names: readonly string[], set = 'enabled_clients') => {
    const [before, after] = does === 'add' ? [null, { [set]: names }] : [{ [set]: names }, null];
    return buildAction({
      ...{ kind: 'roles', key: 'p', action: does, part: `${does} ${set} ${names[0]}`, before, after },
      request: { operation: 'o', method: 'PATCH', path: '/p/clients', body: names.map((id) => ({ id })) },
    });
  };
  const [first, second] = [clients('add', ['a', 'b']), clients('add', ['c', 'd'])];

  test.each<readonly [string, readonly Action[], string, string]>([
    ['none is carried out', [first, second], 'unchanged', 'unchanged'],
    ['the first is carried out', [second], 'reached', 'unchanged'],
    ['the second is carried out', [first], 'unchanged', 'reached'],
    ['both are', [], 'reached', 'reached'],
    ['a part of the first is', [clients('add', ['b', 'c']), clients('add', ['d'])], 'changed', 'changed'],
    ['others have done the start of the second', [first, clients('add', ['d'])], 'unchanged', 'changed'],
    ['others have added what is removed', [clients('remove', ['a', 'c'])], 'reached', 'reached'],
    ['elements of another set are missing', [clients('add', ['a', 'c'], 'others')], 'reached', 'reached'],
  ])('%s', (_name, actions, ofFirst, ofSecond) => {
    const states = [first, second].map((action) => stateOf(action, buildPlan({ actions: [...actions] })).state);
    expect(states).toEqual([ofFirst, ofSecond]);
  });

  test('a removal', () => {
    const removed = clients('remove', ['a', 'b']);
    expect(stateOf(removed, buildPlan({ actions: [clients('remove', ['b'])] }))).toMatchObject({ state: 'changed' });
    expect(stateOf(removed, buildPlan({ actions: [clients('remove', ['c'])] }))).toEqual({ state: 'reached' });
    const kept = buildPlan({ findings: [about('LIVE_PROTECTED', { kind: 'roles' })] });
    const { part = '' } = removed;
    expect(comparePlans(kept, managed).isReached({ kind: 'roles', key: 'p', part })).toBe(false);
  });
});

describe('an action is not read', () => {
  const failed = withUnreadable(buildPlan({ complete: false }), kind);
  const entire = about('LIVE_UNREADABLE', { key: '*', message: 'why' });

  test.each<readonly [string, Plan, string | null]>([
    ['its kind', failed, `${kind} could not be read`],
    ['its kind, with the reason', { ...failed, findings: [entire] }, 'why'],
    [
      'its kind, with reasons for others',
      {
        ...failed,
        findings: [
          { ...entire, kind: 'roles' },
          { ...entire, key: 'p' },
        ],
      },
      `${kind} could not be read`,
    ],
    ['another kind', withUnreadable(buildPlan(), 'roles'), null],
  ])('%s', (_name, plan, why) => {
    const comparison = stateOf(update, plan);
    expect(comparison).toEqual(
      why === null ? { state: 'reached' } : { state: 'unread', why, failed: plan === failed || !plan.complete },
    );
    expect(comparePlans(plan, managed).isReached(update)).toBe(why === null);
  });

  test('a kind that the tenant does not have any more', () => {
    const lost = withUnreadable(
      buildPlan({ findings: [about('LIVE_NOT_ON_TENANT', { key: '*', message: 'why' })] }),
      kind,
    );
    expect(stateOf(update, lost)).toEqual({ state: 'unread', why: 'why', failed: true });
  });

  test('a kind that the files do not manage', () => {
    const compared = comparePlans(buildPlan(), managed);
    expect(compared.of(buildAction({ kind: 'prompts', key: 'p' }))).toEqual({
      state: 'unread',
      why: 'the files do not manage prompts',
      failed: false,
    });
  });
});

describe('another action for the item', () => {
  const add = (permissions: readonly string[]): Action =>
    buildAction({
      kind: 'roles',
      key: 'H',
      part: 'add',
      action: 'add',
      request: { operation: 'add_role_permissions', method: 'POST', path: '/roles/H', body: { permissions } },
    });
  const remove = buildAction({ kind: 'roles', key: 'H', part: 'remove', action: 'remove' });
  const earlier = (...actions: Action[]): EarlierPlan => ({ plannedFor: () => actions, reported: () => false });

  test.each<readonly [string, readonly Action[], readonly Action[], string]>([
    ['the same request', [add(['a'])], [add(['a'])], 'unchanged'],
    ['another request of the same part', [add(['a'])], [add(['b'])], 'changed'],
    ['one of another part', [add(['a'])], [remove], 'reached'],
    ['the same request on another state', [add(['a'])], [{ ...add(['a']), precondition: 'sha256:x' }], 'changed'],
  ])('%s', (_name, planned, fresh, state) => {
    expect(stateOf(planned[0] as Action, buildPlan({ actions: [...fresh] }), earlier(...planned)).state).toBe(state);
  });
});

// A connection is left out alone where the clients that it names could not be read: that proves nothing of it.
test.each<readonly [string, Finding['code'], string, string]>([
  ['of the item', 'LIVE_LISTING_INCOMPLETE', 'p', 'unread'],
  ['of another item', 'LIVE_LISTING_INCOMPLETE', 'q', 'reached'],
  ['of fields that were read', 'LIVE_UNEXPECTED_FIELD', 'p', 'reached'],
])('an action that is not planned any more, with a finding %s', (_name, code, key, state) => {
  const action = buildAction({ key: 'p' });
  const findings = [buildFinding(code, { kind: action.kind, key, message: 'not read' })];
  expect(stateOf(action, buildPlan({ actions: [], findings }))).toMatchObject({
    state,
    ...(state === 'unread' && { why: 'not read', failed: true }),
  });
});

describe('a create whose item needs an update afterwards', () => {
  const create = buildAction({ key: 'p', action: 'create', before: null });
  const updateWith = (body: object, parts: Partial<Action> = {}): Action => {
    const request = { operation: 'update_policy', method: 'PATCH', path: '/policies/p', body } as const;
    return buildAction({ key: 'p', action: 'update', request, ...parts });
  };
  const followUp = updateWith({ web: 5, lamp: { late: 1 } }, { part: 'update', needs: [create.id] });

  test.each<readonly [string, object, string, readonly string[]]>([
    ['what it leaves to the next action', { web: 5, lamp: { late: 1 } }, 'reached', []],
    ['that, with what the service has filled in', { lamp: { late: 1, color: 'red' } }, 'reached', ['lamp.late']],
    ['a change of what it does not leave', { lamp: { late: 1, color: 'red' } }, 'changed', ['lamp.late', 'lamp.color']],
    ['a part of that', { lamp: { late: 1 } }, 'reached', []],
    ['more than that', { web: 5, name: 'other' }, 'changed', []],
    ['more of an object', { lamp: { late: 1, color: 'red' } }, 'changed', []],
  ])('%s', (_name, body, state, changed) => {
    const earlier: EarlierPlan = { plannedFor: () => [create, followUp], reported: () => false };
    const fresh = updateWith(body, { changes: changed.map((field) => ({ field, before: 1, after: 2 })) });
    expect(stateOf(create, buildPlan({ actions: [fresh] }), earlier).state).toBe(state);
  });
});

describe('what reviewers were not shown', () => {
  const effect = (parts: Partial<Effect> = {}): Effect => ({
    code: 'ACCESS_LOST',
    severity: 'warning',
    kind: 'roles',
    key: 'H',
    message: 'loses it',
    ...parts,
  });
  const of = (...effects: Effect[]): Action => ({ ...update, effects });
  const news = ['has an effect on roles/H: loses it'];

  test.each<readonly [string, readonly Effect[], Effect, readonly string[]]>([
    ['nothing before', [], effect(), news],
    ['the same', [effect()], effect(), []],
    ['the same in other words', [effect({ message: 'other' })], effect(), []],
    ['the same among others', [effect({ key: 'I' }), effect()], effect(), []],
    ['another code', [effect({ code: 'LIMIT_ADDED' as Effect['code'] })], effect(), news],
    ['another kind', [effect({ kind: 'prompts' })], effect(), news],
    ['another name', [effect({ key: 'I' })], effect(), news],
    ['another id', [effect({ id: 'rol_1' })], effect({ id: 'rol_2' }), news],
    ['another name of the id', [effect({ key: 'I', id: 'rol_2' })], effect({ id: 'rol_2' }), []],
    ['an id', [effect()], effect({ id: 'rol_2' }), news],
    ['another API', [effect({ api: 'a' })], effect({ api: 'b' }), news],
    ['an API', [effect()], effect({ api: 'b' }), news],
    ['a further permission', [effect({ permissions: ['x'] })], effect({ permissions: ['x', 'y'] }), news],
    ['the first permissions', [effect()], effect({ permissions: ['x'] }), news],
    ['fewer permissions', [effect({ permissions: ['x', 'y'] })], effect({ permissions: ['y'] }), []],
    ['an effect of another code', [], effect({ code: 'LIMIT_ADDED' as Effect['code'] }), []],
    ['an effect on the item itself', [], effect({ kind, key: 'p' }), []],
    ['an effect on its name in another kind', [], effect({ key: 'p' }), ['has an effect on roles/p: loses it']],
    ['an effect on another item of its kind', [], effect({ kind }), [`has an effect on ${kind}/H: loses it`]],
  ])('an effect: %s', (_name, shown, fresh, expected) => {
    expect(newNotes(of(...shown), of(fresh))).toEqual(expected);
  });

  test('a note', () => {
    const noted = (...notes: string[]): Action => ({ ...update, notes });
    expect(newNotes(noted('a'), noted('a', 'b'))).toEqual(['b']);
    expect(newNotes(noted('a', 'b'), noted('a'))).toEqual([]);
    expect(newNotes(update, noted('a'))).toEqual(['a']);
    expect(newNotes(noted('a'), update)).toEqual([]);
    expect(newNotes(update, update)).toEqual([]);
  });
});

test.each<readonly [string, Partial<Action>, boolean]>([
  ['as planned', {}, true],
  ['without a precondition', { precondition: null }, false],
  ['of an item that could not be read', { reason: 'unreadable' }, false],
  ['of a secret that is set again', { reason: 'rotated' }, false],
])('whether a plan shows an action: %s', (_name, parts, expected) => {
  expect(canBeRead({ ...update, ...parts })).toBe(expected);
});
