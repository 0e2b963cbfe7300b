// Which access roles gain and lose.
import { describe, expect, test } from 'vitest';
import { roles } from '../../src/kinds/roles/index.ts';
import type { Reader, Unreadable } from '../../src/model/reader.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { effectsOf } from '../support/effects-of.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { liveRoles } from '../support/live-roles.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

const billing = 'https://billing.example/';
const live = (permissions = [pair('a'), pair('b')]) => ({
  live: liveRoles([{ id: 'rol_1', name: 'Support', description: '', permissions }]),
});
const role = { kind: 'roles', key: 'Support' };

test('what a role gains and loses, by API', () => {
  const declared = {
    name: 'Support',
    permissions: [pair('b'), pair('d'), pair('c'), { ...pair('x'), resource_server_identifier: billing }],
  };
  expect(effectsOf(roles, [['Support', declared]], [], live())).toEqual([
    {
      ...role,
      code: 'ACCESS_GAINED',
      severity: 'note',
      api: billing,
      permissions: ['x'],
      message: `gains x of ${billing}`,
    },
    {
      ...role,
      code: 'ACCESS_GAINED',
      severity: 'note',
      api: orders,
      permissions: ['c', 'd'],
      message: `gains c, d of ${orders}`,
    },
    {
      ...role,
      code: 'ACCESS_LOST',
      severity: 'warning',
      id: 'rol_1',
      api: orders,
      permissions: ['a'],
      message: `loses a of ${orders}`,
    },
  ]);
});

test('a role that is deleted', () => {
  const desired = withStates(desiredSection([['Support', { name: 'Support' }]]), { Support: 'absent' });
  expect(effectsOf(roles, [], [], { desired, ...live(), keep: keepNothing })).toMatchObject([
    {
      code: 'ROLE_DELETED',
      severity: 'warning',
      id: 'rol_1',
      message: 'is deleted, and taken from its users and groups',
    },
    { code: 'ACCESS_LOST', id: 'rol_1', permissions: ['a', 'b'] },
  ]);
});

describe('who has a role', () => {
  type Counted = Awaited<ReturnType<Reader['count']>>;
  const count = (items: number, hasMore = false): Counted => ({ ok: true, value: { items, hasMore } });
  const refused = (code: Unreadable['code'], message: string): Counted => {
    const why = { readable: false, structural: false, code, message } as const;
    return { ok: false, why, status: 403, serviceMessage: null };
  };
  const counts = (users: Counted, groups: Counted) =>
    roles.holderCounts?.(snapshotOf({ count: async ({ id }) => (id === 'list_role_users' ? users : groups) }), 'rol_1');

  test.each<readonly [string, Counted, Counted, object]>([
    ['users and groups', count(7), count(2), { users: 7, groups: 2 }],
    ['a further page of groups', count(0), count(100, true), { users: 0, groups: 100, more_groups: true }],
    [
      'a token without the scopes',
      refused('LIVE_SCOPE_MISSING', 'list_role_users: status 403'),
      refused('LIVE_SCOPE_MISSING', 'list_role_groups: status 403'),
      { not_counted: ['users not counted: needs read:users', 'groups not counted: needs read:group_roles'] },
    ],
    [
      'a tenant without groups',
      count(1),
      refused('LIVE_FORBIDDEN', 'list_role_groups: status 403: no groups'),
      { users: 1, not_counted: ['groups not counted: list_role_groups: status 403: no groups'] },
    ],
  ])('%s', async (_name, users, groups, expected) => {
    expect(await counts(users, groups)).toEqual(expected);
  });
});

test('a role that is created', () => {
  const declared = { name: 'Support', description: 'New', permissions: [pair('a')] };
  expect(effectsOf(roles, [['Support', declared]], [])).toMatchObject([
    { code: 'ROLE_CREATED', severity: 'note', message: 'is a new role; no user has it' },
    { code: 'ACCESS_GAINED', permissions: ['a'] },
  ]);
});

test('a role whose permissions cannot be read', () => {
  const unread = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' } as const;
  const declared = { id: 'rol_1', absent_permissions: [pair('a')] };
  expect(effectsOf(roles, [['rol_1', declared]], [], { live: unread, api: 'documented' })).toMatchObject([
    {
      code: 'ACCESS_NOT_READ',
      severity: 'note',
      message: `loses a of ${orders}, if it has them: the permissions of the role cannot be read`,
    },
  ]);
});

test('many permissions: the message has the first ones, the data all of them', () => {
  const many = Array.from({ length: 12 }, (_empty, index) => pair(`p${String(index).padStart(2, '0')}`));
  const [lost] = effectsOf(roles, [['Support', { name: 'Support', permissions: [] }]], [], live(many));
  expect(lost?.message).toBe(`loses p00, p01, p02, p03, p04, p05, p06, p07, p08, p09 and 2 more of ${orders}`);
  expect(lost?.permissions).toHaveLength(12);
});
