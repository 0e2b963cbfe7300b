// What refusals count and say, case by case: asked deletions, containers, losses of other items, own clients.
import { describe, expect, test } from 'vitest';
import type { Decision, KindName, LiveCount, Loss } from '../../src/model/kind.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import { assemblePlan } from '../../src/plan/assemble-plan.ts';
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
const messages = (...input: Parameters<typeof buildAssembleInput>) =>
  refusals(...input).map(({ code, message }) => `${code}: ${message}`);
const codes = (...input: Parameters<typeof buildAssembleInput>) => refusals(...input).map(({ code }) => code);

const loss = (action: Action, item: string, more: Partial<Loss> = {}): Loss => ({
  id: action.id,
  item,
  ...more,
});
const live = (key: string, parts: number): LiveCount => ({ key, parts });

describe('a section of which nothing is left', () => {
  const absent = (key: string) => buildAction({ key, reason: 'absent' });
  const undeclared = (key: string) => buildAction({ key });
  const emptied = (actions: Action[], undeclaredStay: boolean, stays = false) =>
    codes([
      buildDecision(0, 0, {
        actions,
        population: buildPopulation({
          live: [...liveCounts(actions.length, actions), ...(stays ? [{ ...live('kept', 0), stays }] : [])],
          undeclaredStay,
        }),
      }),
    ]);

  test.each<readonly [string, Action[], boolean, boolean, boolean]>([
    ['is asked for where the files name it and undeclared items stay', [absent('a')], true, false, false],
    ['is refused where undeclared items are deleted', [absent('a')], false, false, true],
    ['is refused where one of them is not asked for', [absent('a'), undeclared('b')], true, false, true],
    ['is not empty if an item stays without parts that count', [undeclared('a')], false, true, false],
  ])('%s', (_name, actions, undeclaredStay, stays, isRefused) => {
    expect(emptied(actions, undeclaredStay, stays)).toEqual(isRefused ? ['GUARD_EMPTIES_SECTION'] : []);
  });

  test('one of two that stay is enough, and nothing lost is nothing emptied', () => {
    const actions = [undeclared('a')];
    const population = buildPopulation({ live: [live('a', 1), { ...live('kept', 0), stays: true }, live('b', 0)] });
    expect(codes([buildDecision(0, 0, { actions, population })])).toEqual([]);
    expect(codes([buildDecision(0, 0, { population: buildPopulation({ live: [live('a', 1)] }) })])).toEqual([]);
  });
});

describe('what a refusal counts', () => {
  const unit = { verb: 'remove', one: 'permission', many: 'permissions' } as const;
  const containers = { one: 'role', many: 'roles' };
  const erase = (key: string) => buildAction({ kind: 'roles', key });
  const remove = (key: string, reason: Action['reason'] = 'undeclared') =>
    buildAction({ kind: 'roles', key, part: 'remove', action: 'remove', reason });
  const roles = (actions: Action[], losses: Loss[], counts: LiveCount[], about: Partial<Decision> = {}) =>
    buildDecision(0, 0, {
      kind: 'roles',
      actions,
      losses,
      gains: [],
      population: buildPopulation({ declared: 9, live: counts, unit, containers }),
      ...about,
    });
  const lossesOf = (action: Action, count: number, more: Partial<Loss> = {}) =>
    Array.from({ length: count }, (_none, index) => loss(action, `${action.key}#${index}`, more));

  test.each<readonly [string, Decision, readonly string[]]>([
    ['items', buildDecision(4, 5), ['GUARD_TOO_MANY_DELETES: would delete 4 of 5 live items; the limit is 3']],
    [
      'parts',
      roles([remove('a')], lossesOf(remove('a'), 4), [live('a', 5)]),
      ['GUARD_TOO_MANY_DELETES: would remove 4 of 5 live permissions; the limit is 3'],
    ],
    [
      'a deleted container and its parts',
      roles(
        [erase('a'), remove('b')],
        [...lossesOf(erase('a'), 4), ...lossesOf(remove('b'), 1)],
        [live('a', 4), live('b', 3)],
      ),
      [
        'GUARD_TOO_MANY_DELETES: would delete 1 role and remove 5 of 7 live permissions; the limit is 3',
        'GUARD_EMPTIES_ITEM: would remove every permission of 1 role',
      ],
    ],
    [
      'two of them, of the only part',
      roles(
        [erase('a'), erase('b')],
        [...lossesOf(erase('a'), 1), ...lossesOf(erase('b'), 0)],
        [live('a', 1), live('b', 0)],
      ),
      ['GUARD_EMPTIES_SECTION: would delete 2 roles and remove 1 of 1 live permission and leave the section empty'],
    ],
    [
      'losses of other items',
      roles(
        [remove('a')],
        [...lossesOf(remove('a'), 3), ...lossesOf(remove('a'), 2, { holder: { kind: 'prompts', id: 'p', key: 'p' } })],
        [live('a', 9)],
      ),
      ['GUARD_TOO_MANY_DELETES: would remove 3 of 9 live permissions, with 2 losses of other items; the limit is 3'],
    ],
    [
      'one loss of another item, and those of its own holders',
      roles(
        [remove('a')],
        [
          ...lossesOf(remove('a'), 3, { holder: { kind: 'roles', id: 'r', key: 'r' } }),
          ...lossesOf(remove('a'), 1, { holder: { kind: 'prompts', id: 'p', key: 'p' } }),
        ],
        [live('a', 9)],
      ),
      ['GUARD_TOO_MANY_DELETES: would remove 3 of 9 live permissions, with 1 loss of other items; the limit is 3'],
    ],
    [
      'two emptied containers',
      roles(
        [remove('a'), remove('b')],
        [...lossesOf(remove('a'), 1), ...lossesOf(remove('b'), 1)],
        [live('a', 1), live('b', 1), live('c', 90)],
      ),
      ['GUARD_EMPTIES_ITEM: would remove every permission of 2 roles'],
    ],
    [
      'no container whose parts are declared absent, and no other one',
      roles(
        [remove('a', 'absent'), remove('b')],
        [...lossesOf(remove('a', 'absent'), 1), ...lossesOf(remove('b'), 1)],
        [live('a', 1), live('b', 9), live('c', 90)],
      ),
      [],
    ],
  ])('%s', (_name, decision, expected) => {
    expect(messages([decision])).toEqual(expected);
  });

  test('items are named in text order', () => {
    const actions = [remove('b'), remove('a')];
    const losses = [loss(actions[0] as Action, 'b'), loss(actions[1] as Action, 'a')];
    const decision = roles(actions, losses, [live('a', 1), live('b', 1), live('c', 9)]);
    expect(refusals([decision])).toMatchObject([{ items: ['a', 'b'], losses: 2 }]);
  });

  test('where a part of a kind was not read, no percentage of it is known', () => {
    const decision = buildDecision(4, 40);
    const notRead = [{ kind: 'rate_limit_policies', key: 'x' }];
    expect(messages([decision])).toEqual([]);
    expect(messages([decision], { notRead: [{ kind: 'roles', key: 'x' }] })).toEqual([]);
    expect(messages([decision], { notRead })).toEqual([
      'GUARD_TOO_MANY_DELETES: would delete 4 of 40 live items that were read; the limit is 3',
    ]);
    const filtered = buildDecision(4, 40, { population: buildPopulation({ live: liveCounts(40), filtered: true }) });
    expect(codes([filtered])).toEqual(['GUARD_TOO_MANY_DELETES']);
  });

  test('updates of items that are not selected, and other actions, are none', () => {
    const updates = ['a', 'b', 'c'].map((key) => buildAction({ key, action: 'update', reason: 'different' }));
    const decision = buildDecision(0, 0, {
      actions: [...updates, buildAction({ key: 'x', part: '1', action: 'add', reason: 'missing' })],
      population: buildPopulation({ live: liveCounts(4) }),
    });
    const rules = rulesWith({ guards: { max_update_percent: 25 } });
    expect(refusals([decision], { rules })).toMatchObject([
      { items: ['a', 'b', 'c'].map((key) => `rate_limit_policies/${key}`), losses: 3, live: 4, limit: 1 },
    ]);
    const selection = { only: ['rate_limit_policies/a', 'rate_limit_policies/x'], except: [], rotate: [] };
    expect(refusals([decision], { rules, selection })).toEqual([]);
  });
});

describe('own clients', () => {
  const update = (key: string) => buildAction({ key, action: 'update', reason: 'different' });
  const [a, b] = [update('a'), update('b')] as [Action, Action];
  const locking = (of: (actions: readonly Action[]) => readonly Action[]) =>
    buildDecision(0, 0, {
      actions: [b, a],
      population: buildPopulation({ live: liveCounts(9) }),
      lockedOut: (actions) =>
        of(actions).map((action) => ({
          client: { id: `client ${action.key}`, name: `client ${action.key}` },
          why: 'its limit is 0',
          causes: [...new Set([action, b])],
        })),
    });
  const only = { only: ['rate_limit_policies/b'], except: [], rotate: [] };

  test('that would get no token are named, with every cause once', () => {
    expect(refusals([locking((actions) => actions)])).toMatchObject([
      {
        code: 'GUARD_OWN_CLIENT',
        message:
          'would leave clients of this tool without a token: client b, because its limit is 0; client a, because its limit is 0',
        items: [
          'rate_limit_policies/a for client a',
          'rate_limit_policies/b for client a',
          'rate_limit_policies/b for client b',
        ],
        losses: 2,
        limit: 0,
      },
    ]);
  });

  test('are asked about what is selected', () => {
    expect(refusals([locking((actions) => actions)], { selection: only })).toMatchObject([{ losses: 1 }]);
    expect(refusals([locking(() => [])])).toEqual([]);
  });
});

describe('what destroys more than its item', () => {
  const drop = (key: string) => buildAction({ kind: 'event_streams', key, action: 'delete', reason: 'absent' });
  const change = buildAction({ kind: 'event_streams', key: 'c', action: 'update', reason: 'different' });
  const kinds = buildAssembleInput([]).kinds.map((kind) =>
    kind.name === 'event_streams' ? { ...kind, destroys: 'its users' } : kind,
  );
  const decision = (actions: readonly Action[], kind: KindName = 'event_streams') =>
    buildDecision(0, 0, { kind, actions, population: buildPopulation({ live: liveCounts(99, actions) }) });

  test('is refused at any size, with its items', () => {
    expect(refusals([decision([drop('a'), change])], { kinds })).toMatchObject([
      {
        code: 'GUARD_DESTROYS',
        message: 'would delete 1 event stream for good, with its users',
        items: ['a'],
        ...{ losses: 1, limit: 0 },
      },
    ]);
    expect(messages([decision([drop('a'), drop('b')])], { kinds })).toEqual([
      'GUARD_DESTROYS: would delete 2 event streams for good, each with its users',
    ]);
  });

  test('is approved by the code of these items, and no other', () => {
    const [refused] = refusals([decision([drop('a')])], { kinds });
    const approved = (actions: readonly Action[]) =>
      refusals([decision(actions)], { kinds, approve: refused?.approve ?? '' }).map(({ approved_by }) => approved_by);
    expect(approved([drop('a')])).toEqual([{ by: '--approve', source: null }]);
    expect(approved([drop('a'), drop('b')])).toEqual([null]);
  });

  test('names what goes along without counting it, and counts no update, nor another kind', () => {
    const along = {
      ...decision([drop('a')]),
      losses: [loss(drop('a'), 'one'), loss(drop('a'), 'x', { along: 'roles' })],
    };
    expect(refusals([along], { kinds })).toMatchObject([{ losses: 1, items: ['one', 'x'] }]);
    expect(codes([decision([change])], { kinds })).toEqual([]);
    expect(codes([decision([buildAction({ kind: 'roles', key: 'a' })], 'roles')], { kinds })).toEqual([]);
  });
});

test.each<readonly [string, number, 'resource_servers' | 'roles', number, number]>([
  ['every part, by an API', 2, 'resource_servers', 0, 1],
  ['all but one', 3, 'resource_servers', 0, 0],
  ['all but one, which the files ask to remove', 3, 'resource_servers', 1, 1],
  ['all but two, one of which the files ask to remove', 4, 'resource_servers', 1, 0],
  ['by its own actions alone, which its kind judges', 2, 'roles', 0, 0],
])('an item that loses %s', (_name, parts, kind, asked, count) => {
  const action = buildAction({ kind, key: 'k', action: 'remove' });
  const holder = { kind: 'roles', id: 'r', key: 'r' } as const;
  const decision = buildDecision(0, 0, {
    kind,
    actions: [action],
    losses: ['p', 'q'].map((part) => loss(action, part, { holder })),
    asked: Array.from({ length: asked }, () => loss(action, 'asked', { holder })),
    holders: new Map([['r', parts]]),
    population: buildPopulation({ declared: 1, live: [live('k', 10_000)] }),
  });
  const found = refusals([decision]).filter(({ code }) => code === 'GUARD_EMPTIES_ITEM');
  expect(found.map(({ items }) => items)).toEqual(Array(count).fill(['p', 'q']));
});

test('the holders of a refusal are named in text order, and every action that takes from them is covered', () => {
  const action = buildAction({ kind: 'roles', key: 'k', action: 'remove' });
  const ids = ['d', 'b', 'a', 'c'];
  const decision = (precondition: string) =>
    buildDecision(0, 0, {
      kind: 'roles',
      actions: [{ ...action, precondition }],
      losses: [
        loss(action, 'without a holder'),
        ...ids.map((id) => loss(action, id, { holder: { kind: 'roles', id, key: id } })),
      ],
      population: buildPopulation({ declared: 1, live: [live('k', 10_000)] }),
    });
  const [one] = refusals([decision('sha256:1')]);
  expect(one).toMatchObject({
    code: 'GUARD_TOO_MANY_ROLES',
    items: ['a', 'b', 'c', 'd'],
    live: 4,
  });
  expect(refusals([decision('sha256:2')])[0]?.approve).not.toBe(one?.approve);
});
