// What an approved plan covers of a later one.
import { describe, expect, test } from 'vitest';
import type { Action, Plan } from '../../src/model/plan.generated.ts';
import { approvedBefore, approvedParts } from '../../src/plan/approved-before.ts';
import { buildAction } from '../support/build-action.ts';
import { buildRefusal } from '../support/build-plan.ts';

type Parts = Pick<Plan, 'refusals' | 'actions'>;

const approved = { approved_by: { by: '--approve', source: null } } as const;
const refusal = (items: readonly string[], more: object = {}) => ({ ...buildRefusal([...items]), ...more });
const deletion = (key: string, more: Partial<Action> = {}) => buildAction({ key, action: 'delete', ...more });
const update = (key: string, limit: number) =>
  buildAction({
    key,
    action: 'update',
    request: { operation: 'update', method: 'PATCH', path: `/${key}`, body: { limit } },
  });
const put = (text: string) =>
  buildAction({ key: 'login', action: 'put', kind: 'prompts', before: { text }, precondition: text });
const updates: Parts = {
  refusals: [refusal(['a', 'b'], { ...approved, code: 'GUARD_TOO_MANY_UPDATES' })],
  actions: [update('a', 1), update('b', 1)],
};
const before: Parts = {
  refusals: [refusal(['a', 'b', 'c'], approved)],
  actions: ['a', 'b', 'c'].map((key) => deletion(key)),
};
const isLeft = (left: Parts, of = before, isReviewed = false, done: readonly string[] = []) =>
  approvedBefore(left, { since: '', parts: new Set(approvedParts(of, isReviewed)), done: new Set(done) }) !== null;

describe('covers', () => {
  test.each<[string, Parts, Parts?]>([
    ['all of it again', before],
    ['a part', { refusals: [refusal(['b'])], actions: [deletion('b')] }],
    ['a part that no guard refuses', { refusals: [], actions: [deletion('c')] }],
    ['what takes nothing away', { refusals: [], actions: [update('new', 1)] }],
    [
      'the same losses for a weaker reason',
      { refusals: [refusal(['a'], { code: 'GUARD_TOO_MANY_DELETES' })], actions: [] },
      { ...before, refusals: [refusal(['a', 'b'], { ...approved, code: 'GUARD_EMPTIES_SECTION' })] },
    ],
    [
      'a part of the updates',
      { refusals: [refusal(['b'], { code: 'GUARD_TOO_MANY_UPDATES' })], actions: [update('b', 1)] },
      updates,
    ],
  ])('%s', (_name, left, of) => expect(isLeft(left, of)).toBe(true));

  test('the deletions of a plan that a project approves', () => {
    const reviewed = { refusals: [], actions: before.actions };
    expect(isLeft({ refusals: [], actions: [deletion('a')] }, reviewed, true)).toBe(true);
    expect(isLeft({ refusals: [], actions: [deletion('x')] }, reviewed, true)).toBe(false);
  });
});

describe('does not cover', () => {
  test.each<[string, Parts, Parts?]>([
    ['one more item', { refusals: [refusal(['b', 'x'])], actions: [deletion('b')] }],
    ['one more deletion', { refusals: [refusal(['b'])], actions: [deletion('b'), deletion('x')] }],
    [
      'an item that is another one by now',
      { refusals: [refusal(['b'])], actions: [deletion('b', { precondition: 'changed' as never })] },
    ],
    ['an item of another kind', { refusals: [refusal(['b'], { kind: 'roles' })], actions: [] }],
    ['a deletion of another kind', { refusals: [], actions: [deletion('b', { kind: 'event_streams' })] }],
    ['another reason', { refusals: [refusal(['b'], { code: 'GUARD_OWN_CLIENT' })], actions: [] }],
    [
      'a stronger reason',
      { refusals: [refusal(['b'], { code: 'GUARD_EMPTIES_SECTION' })], actions: [] },
      { ...before, refusals: [refusal(['a', 'b'], { ...approved, code: 'GUARD_TOO_MANY_DELETES' })] },
    ],
    [
      'another update of the same item',
      { refusals: [refusal(['b'], { code: 'GUARD_TOO_MANY_UPDATES' })], actions: [update('b', 2)] },
      updates,
    ],
    ['what was not approved', before, { ...before, refusals: [refusal(['a', 'b', 'c'])] }],
    ['another text of a prompt', { refusals: [], actions: [put('new text')] }, { ...before, actions: [put('text')] }],
  ])('%s', (_name, left, of) => expect(isLeft(left, of)).toBe(false));

  test('what was done: people may have restored it', () => {
    const [{ id = '' } = {}] = before.actions;
    expect(isLeft(before, before, false, [id])).toBe(false);
    expect(isLeft({ refusals: [refusal(['b'])], actions: [deletion('b')] }, before, false, [id])).toBe(true);
  });
});
