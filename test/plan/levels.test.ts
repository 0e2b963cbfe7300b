// The order in which actions are performed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, ActionName } from '../../src/model/plan.generated.ts';
import { levelsOf } from '../../src/plan/order-actions.ts';
import { buildAction } from '../support/build-action.ts';
import { propertyRuns } from '../support/thorough.ts';

const names: readonly ActionName[] = ['create', 'add', 'update', 'put', 'remove', 'delete'];
const planned = (key: string, action: ActionName, ...needs: string[]) =>
  buildAction({ key, action, needs: needs.map((needed) => `rate_limit_policies/${needed}`) });
const keysOf = (levels: readonly (readonly Action[])[]) => levels.map((level) => level.map(({ key }) => key).join(' '));

test('grants come first, then changes, then revocations, whatever the order of a plan', () => {
  const actions = names.map((name) => planned(name, name));
  expect(keysOf(levelsOf(actions))).toEqual(['create add', 'update put', 'remove delete']);
  expect(keysOf(levelsOf(actions.toReversed()))).toEqual(['add create', 'put update', 'delete remove']);
  expect(levelsOf([])).toEqual([]);
});

describe('needs', () => {
  test('an action comes after those that it needs, within a stage and across stages', () => {
    const actions = [
      planned('c', 'add', 'b'),
      planned('b', 'create', 'a'),
      planned('a', 'create'),
      planned('alone', 'create'),
      planned('gone', 'delete', 'a'),
      planned('last', 'delete', 'gone'),
    ];
    expect(keysOf(levelsOf(actions))).toEqual(['a alone', 'b', 'c', 'gone', 'last']);
  });

  test('what is not in the plan is ignored: a selection may leave it out', () => {
    expect(keysOf(levelsOf([planned('a', 'add', 'unknown'), planned('b', 'create')]))).toEqual(['a b']);
  });

  test.each([
    ['itself', [planned('a', 'create', 'a')], 'rate_limit_policies/a needs itself'],
    [
      'itself by another',
      [planned('a', 'create', 'b'), planned('b', 'add', 'a')],
      'rate_limit_policies/a needs itself',
    ],
  ])('an action that needs %s is an internal error', (_name, actions, message) => {
    expect(() => levelsOf(actions)).toThrow(expect.objectContaining({ name: 'InternalError', message }));
  });

  test('laws: every action once, after what it needs, and never a revocation before a grant', () => {
    const parts = fc.array(
      fc.record({ action: fc.constantFrom(...names), needs: fc.array(fc.nat(20), { maxLength: 3 }) }),
      {
        maxLength: 20,
      },
    );
    const stage = ({ action }: Action) => Math.floor(names.indexOf(action) / 2);
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (all, picks) => {
        const actions: Action[] = [];
        for (const [index, { action, needs }] of all.entries()) {
          const needed = needs
            .flatMap((at) => actions[at] ?? [])
            .filter((other) => stage(other) <= names.indexOf(action) / 2);
          actions.push(planned(String(index), action, ...needed.map(({ key }) => key)));
        }
        const shuffled = actions
          .map((action) => ({ action, at: picks.next().value ?? 0 }))
          .sort((one, other) => one.at - other.at)
          .map(({ action }) => action);
        const levels = levelsOf(shuffled);
        const levelOf = new Map(levels.flatMap((level, at) => level.map(({ id }) => [id, at] as const)));
        expect(levels.flat()).toHaveLength(actions.length);
        expect(levelOf.size).toBe(actions.length);
        for (const { id, needs } of actions)
          for (const needed of needs) expect(levelOf.get(needed)).toBeLessThan(levelOf.get(id) ?? -1);
        const stages = levels.map(([first]) => (first === undefined ? -1 : stage(first)));
        expect(stages).toEqual(stages.toSorted());
        for (const level of levels) expect(new Set(level.map(stage)).size).toBe(1);
      }),
      propertyRuns(100),
    );
  });
});
