// Which access roles gain and lose.
import { expect, test } from 'vitest';
import { roles } from '../../src/kinds/roles/index.ts';
import type { LiveRole } from '../../src/kinds/roles/match-roles.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { effectsOf } from '../support/effects-of.ts';
import { keepNothing } from '../support/keep-rules.ts';

const billing = 'https://billing.example/';
const found = (about: object): LiveRole => ({
  state: 'found',
  key: 'Support',
  id: 'rol_1',
  name: 'Support',
  description: '',
  permissions: [pair('a'), pair('b')],
  ...about,
});
const role = { kind: 'roles', key: 'Support' };

test('what a role gains and loses, by API', () => {
  const declared = {
    name: 'Support',
    permissions: [pair('b'), pair('d'), pair('c'), { ...pair('x'), resource_server_identifier: billing }],
  };
  expect(effectsOf(roles, [['Support', declared]], [found({})])).toEqual([
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
      api: orders,
      permissions: ['a'],
      message: `loses a of ${orders}`,
    },
  ]);
});

test.each<readonly [string, number, string]>([
  ['several users', 7, '7 users have this role'],
  ['one user', 1, '1 user has this role'],
  ['no user', 0, 'no user has this role'],
])('a role that is emptied, with %s', (_name, users, text) => {
  expect(effectsOf(roles, [['Support', { name: 'Support', permissions: [] }]], [found({ users })])).toEqual([
    {
      ...role,
      code: 'ACCESS_LOST',
      severity: 'warning',
      api: orders,
      permissions: ['a', 'b'],
      message: `loses a, b of ${orders}; ${text}`,
      users,
    },
  ]);
});

test('a role whose users cannot be counted', () => {
  const [, unknown] = effectsOf(
    roles,
    [['Support', { name: 'Support', permissions: [] }]],
    [found({ users: { why: 'status 403' } })],
  );
  expect(unknown).toEqual({
    ...role,
    code: 'ACCESS_USERS_UNKNOWN',
    severity: 'note',
    message: 'has an unknown number of users: status 403',
  });
});

test('a role that is deleted', () => {
  const desired = withStates(desiredSection([['Support', { name: 'Support' }]]), { Support: 'absent' });
  const live = { readable: true, items: [found({ users: 2 })], filtered: false } as const;
  expect(effectsOf(roles, [], [], { desired, live, keep: keepNothing })).toMatchObject([
    {
      code: 'ROLE_DELETED',
      severity: 'warning',
      message: 'is deleted, and taken from its users; 2 users have this role',
      users: 2,
    },
    { code: 'ACCESS_LOST', permissions: ['a', 'b'], users: 2 },
  ]);
});

test('a role that is created', () => {
  const declared = { name: 'Support', description: 'New', permissions: [pair('a')] };
  expect(effectsOf(roles, [['Support', declared]], [{ state: 'missing', key: 'Support', near: null }])).toMatchObject([
    { code: 'ROLE_CREATED', severity: 'note', message: 'is a new role; no user has it' },
    { code: 'ACCESS_GAINED', permissions: ['a'] },
  ]);
});

test('a role whose permissions cannot be read', () => {
  const live = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' } as const;
  const declared = { id: 'rol_1', absent_permissions: [pair('a')] };
  expect(effectsOf(roles, [['rol_1', declared]], [], { live, api: 'documented' })).toMatchObject([
    {
      code: 'ACCESS_NOT_READ',
      severity: 'note',
      message: `loses a of ${orders}, if it has them: the permissions of the role cannot be read`,
    },
  ]);
});

test('many permissions: the message has the first ones, the data all of them', () => {
  const many = Array.from({ length: 12 }, (_empty, index) => pair(`p${String(index).padStart(2, '0')}`));
  const [lost] = effectsOf(roles, [['Support', { name: 'Support', permissions: [] }]], [found({ permissions: many })]);
  expect(lost?.message).toBe(`loses p00, p01, p02, p03, p04, p05, p06, p07, p08, p09 and 2 more of ${orders}`);
  expect(lost?.permissions).toHaveLength(12);
});
