// Whether the permissions of roles are defined by an API: by the tenant, by the plan, and by the files alone.
import { describe, expect, test } from 'vitest';
import { checkPermissions, checkTogether, type Defined, relyingOn } from '../../src/kinds/roles/check-permissions.ts';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { Action } from '../../src/model/plan.generated.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/permissions.ts';
import { buildAction } from '../support/build-action.ts';
import { buildDecision } from '../support/build-decision.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection } from '../support/desired-section.ts';
import { keeping } from '../support/keep-rules.ts';
import { type HeldRole, liveRoles } from '../support/live-roles.ts';
import { isDefined, isDeleted, isRevoked } from '../support/permission-tokens.ts';

const billing = 'https://billing.example/';

const defines = (names: Readonly<Record<string, readonly string[]>>): Defined => ({
  readable: true,
  values: new Map(Object.entries(names).map(([api, all]) => [api, new Set(all)])),
});
const unreadable: Defined = { readable: false, structural: false, code: 'LIVE_SCOPE_MISSING', message: 'no scope' };

const found = (name: string, permissions: readonly PermissionPair[] | null): HeldRole => ({
  id: `rol_${name}`,
  name,
  permissions,
});

function input(
  declared: Readonly<Record<string, readonly PermissionPair[]>>,
  live: readonly HeldRole[],
  defined?: Defined,
) {
  return {
    desired: desiredSection(
      Object.entries(declared).map(([name, permissions]): [string, DeclaredRole] => [name, { name, permissions }]),
    ),
    live: { ...liveRoles(live), ...(defined !== undefined && { defined }) },
    keep: keeping({ undeclared: 'ignore' }),
    api: 'full',
    rotate: new Set<string>(),
  } as const;
}

const check = (...given: Parameters<typeof input>) => kind.decide(input(...given));

describe('a permission that a role would get', () => {
  const why = (names: Readonly<Record<string, readonly string[]>>, wanted: PermissionPair, provided: string[] = []) =>
    check({ a: [wanted] }, [found('a', [])], defines(names)).requirements?.map(({ key, token, unmet }) => {
      expect(token).toBe(isDefined(wanted));
      const { code, message, source } = unmet(new Set(provided));
      return [key, code, source?.column, message];
    });
  const place = '/permissions/0'.length + 1;

  test('is no question if its API defines it, or the role has it', () => {
    expect(why({ [orders]: ['read'] }, pair('read'))).toEqual([]);
    const held = check({ a: [pair('x')], b: [] }, [found('a', [pair('x')]), found('b', [])], defines({}));
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
    const live = [found('z', null), found('a', [pair('held')]), found('b', [])];
    const { findings, requirements } = check({ a: [pair('held'), pair('x')], b: [pair('y')] }, live, unreadable);
    const message = (what: string) => `whether the APIs define ${what} that this plan adds is not checked: no scope`;
    expect(requirements).toEqual([]);
    expect(findings).toMatchObject([{ code: 'LIVE_NOT_CHECKED', key: 'a', message: message('the 2 permissions') }]);
    expect(findings[0]?.source?.column).toBe('/permissions/1'.length + 1);
    const one = check({ a: [pair('x')] }, [found('a', [])], unreadable);
    expect(one.findings).toMatchObject([{ message: message('the permission') }]);
    expect(check({ a: [] }, [found('a', [])], unreadable).findings).toEqual([]);
  });
});

test('an add follows what defines its permissions; a removal and a deletion say what they take', () => {
  const action = (name: string, permissions: readonly PermissionPair[] = [], path = '/roles/rol_a') =>
    buildAction({
      kind: 'roles',
      key: 'a',
      part: name,
      action: name as Action['action'],
      request: { operation: 'any', method: 'POST', path, body: { permissions } },
      before: name === 'add' ? null : { id: 'rol_a' },
    });
  const permissions = '/roles/rol_a/permissions';
  const actions = [
    action('add', [pair('x'), pair('y')], permissions),
    action('remove', [pair('x')], permissions),
    action('delete'),
    action('update'),
  ];
  const [add, remove, deletion] = actions.map(({ id }) => id);
  expect(checkPermissions(input({}, []), buildDecision(0, 0, { kind: 'roles', actions })).links).toEqual([
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
