// What an API loses with its scopes: who has them, what waits for it, and what people read.
import { describe, expect, test } from 'vitest';
import {
  describe as describeAction,
  effectsOf,
  type Holder,
  type LiveApi,
  lossesOfRoles,
  missingScopes,
  removalLink,
  rolesWith,
  rolesWithAny,
} from '../../src/kinds/resource-servers/scopes.ts';
import { isReleased } from '../../src/model/nodes.ts';
import { isDefined, isDeleted, isRevoked } from '../../src/service/roles/permissions.ts';
import { buildAction } from '../support/build-action.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';

const unreadable = { readable: false, structural: false, code: 'LIVE_UNREADABLE', message: 'no' } as const;

function holder(
  id: string,
  name: string,
  scopes: readonly string[],
  api = orders,
  permissions = scopes.length,
): Holder {
  return { id, name, scopes: new Map([[api, new Set(scopes)]]), permissions };
}

function api(holders: readonly Holder[]): Pick<LiveApi, 'identifier' | 'holders'> {
  return { identifier: orders, holders: { readable: true, read: new Map(holders.map((one) => [one.id, one])) } };
}

const scopes = (...values: readonly string[]) => ({ scopes: values.map((value) => ({ value })) });

const held = api([
  holder('rol_3', 'Support', ['read', 'write']),
  holder('rol_2', 'Auditor', ['read']),
  holder('rol_1', 'Support', ['read']),
  holder('rol_4', 'Other', ['read'], 'https://billing.example/'),
  holder('rol_5', 'None', [], orders),
]);

test('the roles that have a scope are sorted by name, then by id', () => {
  const idsOf = (of: Parameters<typeof rolesWith>[0], value: string) => rolesWith(of, value).map(({ id }) => id);
  expect(idsOf(held, 'read')).toEqual(['rol_2', 'rol_1', 'rol_3']);
  expect(idsOf(held, 'write')).toEqual(['rol_3']);
  expect(idsOf(held, 'other')).toEqual([]);
  expect(idsOf({ identifier: orders, holders: unreadable }, 'read')).toEqual([]);
  expect(idsOf({ identifier: orders, holders: null }, 'read')).toEqual([]);
});

test('roles with any permission are counted once for all APIs', () => {
  const counts = new Map([
    ['rol_3', 2],
    ['rol_2', 1],
    ['rol_1', 1],
    ['rol_4', 1],
  ]);
  expect(rolesWithAny([{ identifier: 'a', holders: null }, { identifier: 'b', holders: unreadable }, held])).toEqual(
    counts,
  );
  expect(rolesWithAny([{ identifier: 'a', holders: null }])).toEqual(new Map());
});

test('each role with a removed scope loses it, unless its own action takes it', () => {
  expect(lossesOfRoles('action', held, ['write', 'other'])).toEqual([
    {
      id: 'action',
      item: `roles/Support (rol_3)#write of ${orders}`,
      unless: [isRevoked('rol_3', pair('write')), isDeleted('rol_3')],
      holder: { kind: 'roles', id: 'rol_3', key: 'Support' },
      part: 'write',
    },
  ]);
});

const released = (value: string) => isReleased({ kind: 'resource_servers', key: orders, below: `scopes/${value}` });

test('a removal follows those actions, and withdraws the definition', () => {
  expect(removalLink('action', held, ['write', 'other'])).toEqual({
    id: 'action',
    after: [isRevoked('rol_3', pair('write')), isDeleted('rol_3'), released('write'), released('other')],
    withdraws: [isDefined(pair('write')), isDefined(pair('other'))],
  });
});

test('scopes that one side has and the other has not', () => {
  expect(missingScopes(scopes('a', 'b'), scopes('b', 'c'))).toEqual(['a']);
  expect(missingScopes(scopes('a'), null)).toEqual(['a']);
  expect(missingScopes(scopes('a'), {})).toEqual(['a']);
  expect(missingScopes(null, scopes('a'))).toEqual([]);
  expect(missingScopes({}, scopes('a'))).toEqual([]);
});

describe('people read', () => {
  const change = (action: 'update' | 'remove', before: readonly string[], sent: readonly string[]) =>
    buildAction({
      kind: 'resource_servers',
      key: orders,
      action,
      before: scopes(...before),
      after: scopes(...sent),
      request: { operation: 'any', method: 'PATCH', path: '/resource-servers/x', body: scopes(...sent) },
    });
  const parts = (does: string, lead: string, ...names: readonly string[]) => ({
    parts: [{ does, lead, parts: names.map((name) => ({ name })) }],
  });

  test.each([
    ['the scope that goes', change('remove', ['a', 'b'], ['a']), parts('deletes', 'scope', 'b')],
    ['scopes that go', change('remove', ['a', 'b'], []), parts('deletes', 'scopes', 'a', 'b')],
    ['the scope that comes', change('update', ['a'], ['a', 'b']), parts('adds', 'scope', 'b')],
    ['scopes that come', change('update', [], ['a', 'b']), parts('adds', 'scopes', 'a', 'b')],
    ['nothing of a description', change('update', ['a'], ['a']), {}],
  ])('%s', (_name, action, expected) => {
    expect(describeAction(action)).toEqual(expected);
  });

  test('who loses what with it', () => {
    const removal = change('remove', ['read', 'write'], []);
    const losses = lossesOfRoles(removal.id, held, ['read', 'write']);
    const effects = effectsOf({
      actions: [removal],
      losses: [...losses, { id: removal.id, item: 'other' }],
    });
    const lost = (id: string, key: string, message: string, permissions: readonly string[]) =>
      expect.objectContaining({ code: 'ACCESS_LOST', kind: 'roles', id, key, message, api: orders, permissions });
    expect(effects(removal)).toEqual([
      {
        code: 'SCOPE_REMOVED',
        severity: 'warning',
        message: 'no longer defines read, write',
        kind: 'resource_servers',
        key: orders,
      },
      lost('rol_2', 'Auditor', `loses read of ${orders}`, ['read']),
      lost('rol_1', 'Support', `loses read of ${orders}`, ['read']),
      lost('rol_3', 'Support', `loses read, write of ${orders}`, ['read', 'write']),
    ]);
    expect(effects({ ...removal, id: 'another' })).toHaveLength(1);
    expect(effects(change('update', [], ['a']))).toEqual([]);
  });
});
