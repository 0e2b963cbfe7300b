// What a conflict says: who changed what since the plan was made.

import { describe, expect, test } from 'vitest';
import { newNotes } from '../../src/apply/compare-plans.ts';
import { conflictOutcome, type Declared, grantChanged } from '../../src/apply/conflict.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import { type ActionParts, buildAction } from '../support/build-action.ts';
import { buildFinding } from '../support/build-plan.ts';

const update = buildAction({ key: 'p', action: 'update', before: { limit: 100 }, after: { limit: 50 } });
const create = buildAction({ key: 'p', action: 'create', before: null, after: { limit: 50 } });
const remove = buildAction({ key: 'p', action: 'delete', before: { limit: 100 } });

const as = (action: Action, parts: ActionParts): Action => ({ ...action, ...(parts as Partial<Action>) });
const same: Declared = { isSame: true, value: update.after };
const declaredNow = (value: Declared['value']): Declared => ({ isSame: false, value });

interface Moved {
  readonly now?: Action | null;
  readonly finding?: Finding | null;
  readonly declared?: Declared;
}

function conflictOf(action: Action, { now = null, finding = null, declared = same }: Moved) {
  const { message, ...outcome } = conflictOutcome(action, {
    now,
    finding,
    notes: now === null ? [] : newNotes(action, now),
    declared,
  });
  const [first, ...sides] = (message ?? '').split('; ');
  expect(first).toBe('not sent, because it changed after it was planned');
  return { ...outcome, sides: sides.join('; ') };
}

describe('who moved', () => {
  test.each<readonly [string, Action, Moved, 'files' | 'tenant' | 'both', string]>([
    ['a field of the item', update, { now: as(update, { before: { limit: 80 } }) }, 'tenant', 'limit was 100, is 80'],
    [
      'a field in the files',
      update,
      { now: as(update, { after: { limit: 60 } }), declared: declaredNow({ limit: 60 }) },
      'files',
      'limit was 50, is 60',
    ],
    [
      'both',
      update,
      { now: as(update, { before: { limit: 80 }, after: { limit: 60 } }), declared: declaredNow({ limit: 60 }) },
      'both',
      'limit was 50, is 60; the tenant changed: limit was 100, is 80',
    ],
    ['a section that is gone', update, {}, 'files', 'they do not manage rate_limit_policies any more'],
    ['an entry that is gone', update, { declared: declaredNow(null) }, 'files', 'they do not declare it any more'],
    ['an entry for what was to be deleted', remove, { declared: declaredNow({}) }, 'files', 'they declare it now'],
    [
      'an entry for another action',
      remove,
      { declared: declaredNow(null) },
      'files',
      'they declare something else now',
    ],
    [
      'an entry that leads to no action',
      update,
      { declared: declaredNow({ limit: 60 }) },
      'files',
      'they declare something else now',
    ],
    [
      'an entry that leads to the same fields',
      update,
      { now: update, declared: declaredNow({ limit: 60 }) },
      'files',
      'they declare something else now',
    ],
    [
      'what only the files can keep',
      remove,
      { finding: buildFinding('LIVE_UNMANAGED') },
      'files',
      'as the message says',
    ],
    [
      'what only the files can keep, of an item that changed as well',
      remove,
      { now: as(remove, { before: { limit: 80 } }), finding: buildFinding('LIVE_UNMANAGED') },
      'both',
      'as the message says; the tenant changed: limit was 100, is 80',
    ],
    [
      'what only the files can keep, of an item that is as it was',
      remove,
      { now: remove, finding: buildFinding('LIVE_UNDECLARED') },
      'files',
      'as the message says',
    ],
    [
      'a name that a rule protects now',
      remove,
      { finding: buildFinding('LIVE_PROTECTED') },
      'tenant',
      'as the message says',
    ],
    [
      'a rule, and the files as well',
      remove,
      { finding: buildFinding('LIVE_PROTECTED'), declared: declaredNow({}) },
      'files',
      'they declare it now',
    ],
    [
      'an action with a finding that is no reason',
      update,
      { now: as(update, { before: { limit: 80 } }), finding: buildFinding('LIVE_DIFFERENT') },
      'tenant',
      'limit was 100, is 80',
    ],
    ['the item is gone', update, { now: create }, 'tenant', 'it does not exist any more'],
    ['the item is there', create, { now: update }, 'tenant', 'it exists now, as {"limit":100}'],
    ['the item is there, unread', create, { now: as(update, { before: null }) }, 'tenant', 'it exists now'],
    ['another action', update, { now: as(update, { action: 'put' }) }, 'tenant', 'another put is needed now'],
    ['the same create, with a loss', create, { now: as(create, { notes: ['needs x'] }) }, 'tenant', 'now it needs x'],
    [
      'a loss that nobody was shown',
      update,
      { now: as(update, { notes: ['deletes burst', 'deletes more'] }) },
      'tenant',
      'now it deletes burst',
    ],
    [
      'a loss and a field',
      update,
      { now: as(update, { before: { limit: 80 }, notes: ['deletes burst'] }) },
      'tenant',
      'limit was 100, is 80',
    ],
  ])('%s', (_name, action, moved, who, text) => {
    const { conflict, sides } = conflictOf(action, moved);
    const first = who === 'tenant' ? 'the tenant changed' : 'the files changed';
    expect([conflict?.moved, sides]).toEqual([who, `${first}: ${text}`]);
  });

  test('the document has what each side was and is', () => {
    const now = as(update, { before: { limit: 80 }, after: { limit: 60 } });
    const { sides: _sides, ...outcome } = conflictOf(update, { now, declared: declaredNow({ limit: 70 }) });
    expect(outcome).toEqual({
      id: update.id,
      outcome: 'conflict',
      status: null,
      conflict: {
        moved: 'both',
        before: { limit: 100 },
        now: { limit: 80 },
        declared: { before: { limit: 50 }, now: { limit: 60 } },
      },
    });
    expect(conflictOf(update, { declared: declaredNow({ limit: 70 }) }).conflict).toMatchObject({
      now: null,
      declared: { before: { limit: 50 }, now: { limit: 70 } },
    });
  });

  test('a removal is left alone when what replaces it was changed', () => {
    const now = as(update, { before: { limit: 80 } });
    expect(grantChanged(remove, update, { now, finding: null, notes: [] })).toEqual({
      id: remove.id,
      outcome: 'conflict',
      status: null,
      message:
        'not sent, because rate_limit_policies/p, which it relies on, was changed after it was sent; the tenant changed: limit was 100, is 80',
      conflict: expect.objectContaining({ moved: 'tenant', before: { limit: 100 }, now: { limit: 80 } }),
    });
    const kept = grantChanged(remove, update, { now: null, finding: buildFinding('LIVE_UNMANAGED'), notes: [] });
    expect(kept.conflict).toMatchObject({ moved: 'files', declared: { before: { limit: 50 }, now: null } });
  });
});

describe('what changed', () => {
  const time = (day: number) => `2026-11-${day}T10:00:00.000Z`;
  const text = (length: number) => 'x'.repeat(length - 2);

  test.each<readonly [string, object, object, string]>([
    ['an object', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b was 1, is 2'],
    ['a new field', {}, { a: 1 }, 'a was absent, is 1'],
    ['a field that is gone', { a: null }, {}, 'a was null, is absent'],
    ['a field named like one of every object', { a: 1 }, { a: 1, toString: 1 }, 'toString was absent, is 1'],
    ['an object in place of a value', { a: { b: 1 } }, { a: 1 }, 'a was {"b":1}, is 1'],
    ['three fields', { a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, 'a was 1, is 2; b was 1, is 2; c was 1, is 2'],
    [
      'five fields, in the order of their names',
      { e: 1, d: 1, c: 1, b: 1, a: 1 },
      { e: 2, d: 2, c: 2, b: 2, a: 2 },
      'a was 1, is 2; b was 1, is 2; c was 1, is 2; and 2 more',
    ],
    ['a time alone', { at: time(20) }, { at: time(21) }, `at was "${time(20)}", is "${time(21)}"`],
    ['a time and a field', { at: time(20), b: 1 }, { at: time(21), b: 2 }, 'b was 1, is 2'],
    ['the first time and a field', { b: 1 }, { at: time(21), b: 2 }, 'b was 1, is 2'],
    ['the last time and a field', { at: time(20), b: 1 }, { b: 2 }, 'b was 1, is 2'],
    ['a time without a fraction', { at: null, b: 1 }, { at: '2026-11-20T10:00:00Z', b: 2 }, 'b was 1, is 2'],
    [
      'no time: a text before it',
      { at: 1 },
      { at: 'x2026-11-20T10:00:00Z', b: 1 },
      'at was 1, is "x2026-11-20T10:00:00Z"; b was absent, is 1',
    ],
    [
      'no time: a text after it',
      { at: 1 },
      { at: '2026-11-20T10:00:00Zx', b: 1 },
      'at was 1, is "2026-11-20T10:00:00Zx"; b was absent, is 1',
    ],
    ['no time: a date', { at: 1 }, { at: '2026-11-20', b: 1 }, 'at was 1, is "2026-11-20"; b was absent, is 1'],
    ['a text that is just short enough', { a: 1 }, { a: text(60) }, `a was 1, is "${text(60)}"`],
    ['a long text', { a: 1 }, { a: text(61) }, `a was 1, is "${text(61)}…`],
    ['a new member', { l: ['a'] }, { l: ['a', 'b'] }, 'in l, "b" is new'],
    ['a member that is gone', { l: ['a', 'b'] }, { l: ['b'] }, 'in l, "a" is gone'],
    ['both', { l: ['a', 'b'] }, { l: ['b', 'c', 'd'] }, 'in l, "a" is gone, "c", "d" are new'],
    ['three members', { l: [] }, { l: [1, 2, 3] }, 'in l, 1, 2, 3 are new'],
    ['five members', { l: [] }, { l: [1, 2, 3, 4, 5] }, 'in l, 1, 2, 3 and 2 more are new'],
    ['another order', { l: ['a', 'b'] }, { l: ['b', 'a'] }, 'l was ["a","b"], is ["b","a"]'],
    ['a list in place of a value', { l: 1 }, { l: ['a'] }, 'l was 1, is ["a"]'],
    ['a value in place of a list', { l: ['a'] }, { l: 1 }, 'l was ["a"], is 1'],
    [
      'flat members, by their values',
      { l: [{ api: 'a', name: 'x' }] },
      {
        l: [
          { api: 'a', name: 'x' },
          { api: 'b', name: 'x' },
        ],
      },
      'in l, b x is new',
    ],
    [
      'the same member with its fields in another order',
      { l: [{ a: 'a', b: 'b' }] },
      { l: [{ b: 'b', a: 'a' }, 1] },
      'in l, 1 is new',
    ],
    ['members with other values', { l: [] }, { l: [{ a: 'a', b: 1 }] }, 'in l, {"a":"a","b":1} is new'],
    ['members without values', { l: [] }, { l: [{}] }, 'in l, {} is new'],
  ])('%s', (_name, before, live, expected) => {
    const planned = as(update, { before });
    const { sides } = conflictOf(planned, { now: as(planned, { before: live }) });
    expect(sides).toBe(`the tenant changed: ${expected}`);
  });

  test('an item that was not read before', () => {
    const planned = as(update, { before: null });
    const { sides } = conflictOf(planned, { now: as(planned, { before: { a: 1 } }) });
    expect(sides).toBe('the tenant changed: it was null, is {"a":1}');
  });
});
