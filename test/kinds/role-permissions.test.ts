// Permissions as pairs: what an action grants or revokes, and where each pair is written.
import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import { buildAction } from '../support/build-action.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';

const billing = 'https://billing.example/';
const key = (permission: string, api = orders) => JSON.stringify([api, permission]);

describe('access', () => {
  const request = (...permissions: readonly object[]) => ({
    operation: 'any',
    method: 'POST' as const,
    path: '/roles/rol_1/permissions',
    body: { permissions },
  });
  const accessOf = (parts: Parameters<typeof buildAction>[0]) =>
    kind.access?.(buildAction({ kind: 'roles', ...parts }));

  test('an added pair is granted and a removed one revoked', () => {
    const both = request(pair('read'), pair('read', billing));
    expect(accessOf({ action: 'add', request: both })).toEqual({ grants: [key('read'), key('read', billing)] });
    expect(accessOf({ action: 'remove', request: both })).toEqual({ revokes: [key('read'), key('read', billing)] });
  });

  test('a deleted role loses all that it had', () => {
    const before = { id: 'rol_1', permissions: [pair('read'), pair('write')] };
    expect(accessOf({ action: 'delete', before })).toEqual({ revokes: [key('read'), key('write')] });
    expect(accessOf({ action: 'delete', before: null })).toEqual({ revokes: [] });
  });

  test('a role that is created or renamed gets and loses nothing by it', () => {
    expect(accessOf({ action: 'create', request: request(pair('read')) })).toEqual({});
    expect(accessOf({ action: 'update', before: { permissions: [pair('read')] } })).toEqual({});
  });
});

describe('the canonical form', () => {
  const written = {
    name: 'Support',
    permissions: { [orders]: ['write', 'read'], [billing]: ['read'] },
    absent_permissions: [pair('b'), pair('a')],
  };
  const form = kind.canonical?.(written);

  test('has sorted pairs, whichever form they are written in', () => {
    const sorted = [pair('read', billing), pair('read'), pair('write')];
    const value = { name: 'Support', permissions: sorted, absent_permissions: [pair('a'), pair('b')] };
    expect(form?.value).toEqual(value);
    expect(kind.canonical?.(value).value).toEqual(value);
    expect(kind.canonical?.({ ...value, permissions: sorted.toReversed() }).value).toEqual(value);
    expect(kind.canonical?.({ name: 'Support' }).value).toEqual({ name: 'Support' });
  });

  test.each([
    ['a name in the short form', '/permissions/0', '/permissions/https:~1~1billing.example~1/0'],
    ['the second name of an API', '/permissions/1', '/permissions/https:~1~1orders.example~1/1'],
    [
      'a field of one has the place of its name',
      '/permissions/2/permission_name',
      '/permissions/https:~1~1orders.example~1/0',
    ],
    ['a pair', '/absent_permissions/0', '/absent_permissions/1'],
    ['a field of a pair', '/absent_permissions/1/permission_name', '/absent_permissions/0/permission_name'],
    ['a list', '/permissions', '/permissions'],
    ['a pair that does not exist', '/permissions/3', '/permissions/3'],
    ['another field', '/name', '/name'],
    ['another list', '/description/0', '/description/0'],
  ])('%s', (_name, pointer, place) => {
    expect(form?.writtenAt(pointer)).toBe(place);
  });
});
