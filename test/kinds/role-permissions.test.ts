// Permissions as pairs: what an action grants or revokes, and where each pair is written.
import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { PermissionPair } from '../../src/service/roles/permissions.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import { buildAction } from '../support/build-action.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';

const billing = 'https://billing.example/';
describe('access', () => {
  const [read, write, ofBilling] = [pair('read'), pair('write'), pair('read', billing)];
  const holder = canonicalJson({ name: 'roles', holder: ['Support'] });
  const token = ({ resource_server_identifier: api, permission_name: name }: PermissionPair) =>
    canonicalJson({ name: 'roles', thing: [api, name] });
  const accessOf = (parts: Parameters<typeof buildAction>[0]) =>
    kind.access?.(buildAction({ kind: 'roles', key: 'Support', before: null, after: null, ...parts }));

  test('an added pair is granted and a removed one revoked', () => {
    const permissions = { permissions: [read, ofBilling] };
    const tokens = [holder, token(read), token(ofBilling)];
    expect(accessOf({ action: 'add', after: permissions })).toEqual({ grants: tokens, revokes: [] });
    expect(accessOf({ action: 'remove', before: permissions })).toEqual({ grants: [], revokes: tokens });
    expect(accessOf({ action: 'remove', after: { absent_permissions: [read] } })).toEqual({
      grants: [],
      revokes: [holder, token(read)],
    });
  });

  test('a deleted role loses all that it had', () => {
    const before = { id: 'rol_1', permissions: [read, write] };
    expect(accessOf({ action: 'delete', before })).toEqual({
      grants: [],
      revokes: [holder, token(read), token(write)],
    });
    expect(accessOf({ action: 'delete' })).toEqual({ grants: [], revokes: [] });
  });

  test('a role that is created or renamed gets and loses nothing by it', () => {
    expect(accessOf({ action: 'create', after: { permissions: [read] } })).toEqual({ grants: [], revokes: [] });
    expect(accessOf({ action: 'update', before: { permissions: [read] } })).toEqual({ grants: [], revokes: [] });
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
