// Whether the permissions of roles are defined by an API: by the tenant, by the plan, and by the files alone.
import { describe, expect, test } from 'vitest';
import {
  checkPermissions,
  checkTogether,
  nearPermissions,
  relyingOn,
} from '../../src/kinds/roles/check-permissions.ts';
import type { FoundRole, LiveRole } from '../../src/kinds/roles/match-roles.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/types.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection } from '../support/desired-section.ts';
import { isDefined, isDeleted, isRevoked } from '../support/permission-tokens.ts';

const billing = 'https://billing.example/';

type Defined = NonNullable<LiveRole['defined']>;

const defines = (names: Readonly<Record<string, readonly string[]>>): Defined => ({
  readable: true,
  values: new Map(Object.entries(names).map(([api, all]) => [api, new Set(all)])),
});
const unreadable: Defined = { readable: false, structural: false, code: 'LIVE_SCOPE_MISSING', message: 'no scope' };

function found(key: string, permissions: readonly PermissionPair[] | null, defined?: Defined): LiveRole {
  const role: FoundRole = { state: 'found', key, id: `rol_${key}`, name: key, permissions };
  return { ...role, ...(defined && { defined }) };
}

function input(declared: Readonly<Record<string, Partial<DeclaredRole>>>, live: readonly LiveRole[]) {
  const desired = desiredSection(
    Object.entries(declared).map(([name, value]) => [name, { name, ...value } as DeclaredRole]),
  );
  return { desired, live: { readable: true, items: live, filtered: false } as const };
}

function check(
  declared: Readonly<Record<string, readonly PermissionPair[]>>,
  live: readonly LiveRole[],
  actions: readonly Action[] = [],
) {
  const roles = Object.entries(declared).map(([name, permissions]) => [name, { permissions: [...permissions] }]);
  const decision = buildDecision(0, 0, { kind: 'roles', actions });
  return checkPermissions(input(Object.fromEntries(roles), live), decision);
}

describe('a permission that a role would get', () => {
  const why = (names: Readonly<Record<string, readonly string[]>>, wanted: PermissionPair, provided: string[] = []) =>
    check({ a: [wanted] }, [found('a', [], defines(names))]).requirements?.map(({ key, token, unmet }) => {
      expect(token).toBe(isDefined(wanted));
      const { code, message, source } = unmet(new Set(provided));
      return [key, code, source?.column, message];
    });
  const place = '/permissions/0'.length + 1;

  test('is no question if its API defines it, or the role has it', () => {
    expect(why({ [orders]: ['read'] }, pair('read'))).toEqual([]);
    const held = check({ a: [pair('x')], b: [] }, [found('a', [pair('x')], defines({})), found('b', null)]);
    expect(held).toMatchObject({ requirements: [], findings: [] });
    expect(held).not.toHaveProperty('conclusions');
  });

  test.each<readonly [string, PermissionPair, string]>([
    [
      'of another API',
      pair('read', 'https://ordrs.example/'),
      `no API on the tenant has the identifier "https://ordrs.example/"; did you mean "${orders}"?`,
    ],
    [
      'of an API that is like no other',
      pair('read', 'x'),
      'no API on the tenant has the identifier "x"; create the API or correct its identifier',
    ],
    [
      'that is misspelt',
      pair('raed:orders'),
      `${orders} does not define the permission "raed:orders", and this plan does not add it; did you mean "read:orders"?`,
    ],
    [
      'that is like no other',
      pair('unlike'),
      `${orders} does not define the permission "unlike", and this plan does not add it; correct the name, or add it to the scopes of the API`,
    ],
  ])('%s', (_name, wanted, message) => {
    expect(why({ [orders]: ['read:orders', 'b'] }, wanted)).toEqual([['a', 'LIVE_NOT_FOUND', place, message]]);
  });

  test.each([
    ['read:user', 'read:users'],
    ['get:users', 'set:users'],
    ['r:users', 'w:users'],
    ['read:app1', 'read:app2'],
    ['link:users', 'unlink:users'],
  ])('and that is gone, such as %s, does not become %s', (gone, wider) => {
    const [[, , , message] = []] = why({ [orders]: [wider] }, pair(gone)) ?? [];
    expect(message).toMatch(/; correct the name/);
    const apis = desiredSection<object>([[orders, { identifier: orders, scopes: [{ value: wider }] }]]).items;
    const roles = desiredSection<DeclaredRole>([['a', { name: 'a', permissions: [pair(gone)] }]]).items;
    expect(checkTogether(roles, () => apis)).toMatchObject([{ hint: expect.stringMatching(/^correct the name/) }]);
  });

  test('may be near one that the plan adds to the same API', () => {
    const provided = [isDefined(pair('refund:orders')), isDefined(pair('refund:bills', billing)), isDeleted('rol_a')];
    const [[, , , message] = []] = why({ [orders]: [] }, pair('refudn:orders'), provided) ?? [];
    expect(message).toMatch(/; did you mean "refund:orders"\?$/);
    const [[, , , other] = []] = why({ [orders]: [] }, pair('refund:bilsl'), provided) ?? [];
    expect(other).toMatch(/; correct the name/);
  });

  test('is not checked where APIs cannot be read: one note, at the first', () => {
    const live = [found('z', null), found('a', [pair('held')], unreadable), found('b', [])];
    const { findings, requirements } = check({ a: [pair('held'), pair('x')], b: [pair('y')] }, live);
    const message = (what: string) => `whether the APIs define ${what} that this plan adds is not checked: no scope`;
    expect(requirements).toEqual([]);
    expect(findings).toMatchObject([{ code: 'LIVE_NOT_CHECKED', key: 'a', message: message('the 2 permissions') }]);
    expect(findings[0]?.source?.column).toBe('/permissions/1'.length + 1);
    const one = check({ a: [pair('x')] }, [found('a', [], unreadable)]);
    expect(one.findings).toMatchObject([{ message: message('the permission') }]);
    expect(check({ a: [] }, [found('a', [], unreadable)]).findings).toEqual([]);
  });
});

test('an add follows what defines its permissions; a removal and a deletion say what they take', () => {
  const action = (name: string, key: string, permissions: readonly PermissionPair[] = []) =>
    buildAction({
      kind: 'roles',
      key,
      part: name,
      action: name as Action['action'],
      request: { operation: 'any', method: 'POST', path: '/roles/x', body: { permissions } },
    });
  const actions = [
    action('add', 'a', [pair('x'), pair('y')]),
    action('remove', 'a', [pair('x')]),
    action('delete', 'a'),
    action('update', 'a'),
    action('remove', 'not-read', [pair('x')]),
    action('delete', 'gone'),
  ];
  const live: LiveRole[] = [found('a', []), { state: 'missing', key: 'gone', near: null }];
  const [add, remove, deletion] = actions.map(({ id }) => id);
  expect(check({}, live, actions).links).toEqual([
    { id: add, after: [isDefined(pair('x')), isDefined(pair('y'))] },
    { id: remove, provides: [isRevoked('rol_a', pair('x'))] },
    { id: deletion, provides: [isDeleted('rol_a')] },
  ]);
});

describe('the files alone', () => {
  const roles = (...permissions: readonly PermissionPair[]) =>
    desiredSection<DeclaredRole>([
      ['a', { name: 'a' }],
      ['b', { name: 'b', permissions: [...permissions] }],
    ]).items;

  test('know that an API that they declare has no such scope', () => {
    const scopes = [{ value: 'read:orders' }];
    const apis = desiredSection<object>([
      [orders, { identifier: orders, scopes }],
      [billing, { identifier: billing }],
    ]).items;
    const declared = roles(pair('read:orders'), pair('raed:orders'), pair('x'), pair('y', billing), pair('z', 'other'));
    expect(checkTogether(declared, () => apis)).toEqual(
      (
        [
          ['raed:orders', 1, 'did you mean "read:orders"?'],
          ['x', 2, 'correct the name, or add it to the scopes of the API'],
        ] as const
      ).map(([name, index, hint]) => ({
        code: 'CONFIG_UNDEFINED_PERMISSION',
        severity: 'warning',
        message: `The files declare the scopes of the API, and ${name} of ${orders} is none of them.`,
        hint,
        source: { file: 'files.yaml', line: 3, column: `/permissions/${index}`.length + 1 },
      })),
    );
  });

  test('do not rely on what they remove', () => {
    const removed = isDefined(pair('x'));
    expect(relyingOn(roles(pair('y'), pair('x')), removed)).toMatchObject([
      { code: 'LIVE_NOT_FOUND', key: 'b', source: { line: 3, column: '/permissions/1'.length + 1 } },
    ]);
    expect(relyingOn(roles(pair('y'), pair('x', billing)), removed)).toEqual([]);
    expect(relyingOn(roles(pair('x')), isDeleted('x'))).toEqual([]);
  });
});

test('an absent permission that the role has in another case or with other slashes is a warning', () => {
  const near = (absent: PermissionPair, ...held: readonly PermissionPair[]) =>
    nearPermissions(input({ a: { absent_permissions: [pair('other'), absent] } }, [found('a', held)])).map(
      ({ code, message, source }) => [code, message, source?.column],
    );
  const column = '/absent_permissions/1'.length + 1;
  const text = (other: PermissionPair) =>
    `absent_permissions lists x of ${orders}, but the role has ${other.permission_name} of ${other.resource_server_identifier}; they differ only by case or slashes`;
  for (const other of [
    pair('X'),
    pair('x/'),
    pair('x', 'https://orders.example'),
    pair('x', 'HTTPS:/orders.example//'),
  ])
    expect(near(pair('x'), other)).toEqual([['LIVE_NEAR_PERMISSION', text(other), column]]);
  expect(near(pair('x'), pair('xy'), pair('/x'), pair('a/x'))).toEqual([]);
  expect(near(pair('x'), pair('x'), pair('X'))).toEqual([]);
  expect(near(pair('x/a'), pair('xa'))).toEqual([]);
  expect(near(pair('X'), pair('other'))).toEqual([]);
  expect(nearPermissions(input({ a: { absent_permissions: [pair('x')] } }, [found('a', null)]))).toEqual([]);
  const gone: LiveRole = { state: 'missing', key: 'a', near: null };
  expect(nearPermissions(input({ a: { absent_permissions: [pair('x')] } }, [gone]))).toEqual([]);
  expect(nearPermissions(input({ a: {} }, [found('a', [pair('X')])]))).toEqual([]);
});
