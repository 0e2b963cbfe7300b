// Why an action is not sent: something that it depends on is not known to be done.
import { describe, expect, test } from 'vitest';
import { unmetNeeds } from '../../src/apply/unmet-needs.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';

const add = buildAction({ kind: 'roles', key: 'r', part: 'add', action: 'add' });
const second = buildAction({ kind: 'roles', key: 'r', part: 'add', batch: 2, action: 'add' });
const remove = buildAction({ kind: 'roles', key: 'r', part: 'remove', action: 'remove', needs: [add.id, second.id] });
const create = buildAction({ key: 'new', action: 'create' });
const stale = buildAction({ key: 'old' });
const otherKind = buildAction({ kind: 'event_streams', key: 'old' });
const actions = [add, second, create, remove, stale, otherKind];

const because = ({ id }: Action) => `not sent because it depends on ${id}, which is not known to be done`;

function reasonsAfter(outcomes: Readonly<Record<string, Outcome['outcome']>>, level: readonly Action[] = []) {
  const known = Object.entries(outcomes).map(
    ([id, outcome]) => [id, { id, outcome, status: null, message: null }] as const,
  );
  const needs = unmetNeeds(actions, new Map(known));
  needs.endLevel(level);
  return {
    remove: needs.reasonAgainst(remove),
    stale: needs.reasonAgainst(stale),
    other: needs.reasonAgainst(otherKind),
  };
}

describe('needs', () => {
  test.each<[string, Readonly<Record<string, Outcome['outcome']>>, string | null]>([
    ['all are done', { [add.id]: 'done', [second.id]: 'done' }, null],
    ['one failed', { [add.id]: 'done', [second.id]: 'failed' }, because(second)],
    ['one is unknown', { [add.id]: 'unknown', [second.id]: 'done' }, because(add)],
    ['one was not attempted', { [add.id]: 'not_attempted', [second.id]: 'done' }, because(add)],
    ['one conflicts', { [add.id]: 'conflict', [second.id]: 'done' }, because(add)],
    ['one has no outcome yet', { [add.id]: 'done' }, because(second)],
  ])('%s', (_name, outcomes, expected) => {
    expect(reasonsAfter(outcomes).remove).toBe(expected);
  });

  test('what the plan does not hold is not waited for', () => {
    expect(unmetNeeds([remove], new Map()).reasonAgainst(remove)).toBeNull();
  });
});

describe('deletes of a kind', () => {
  test.each<[Outcome['outcome'], string | null]>([
    ['done', null],
    ['failed', because(create)],
    ['unknown', because(create)],
    ['not_attempted', because(create)],
    ['conflict', because(create)],
  ])('after a create of the kind that is %s', (outcome, expected) => {
    expect(reasonsAfter({ [create.id]: outcome }, [create])).toMatchObject({ stale: expected, other: null });
  });

  test('wait for no other action of the kind', () => {
    expect(reasonsAfter({}, [buildAction({ key: 'u', action: 'update' })]).stale).toBeNull();
  });
});
