import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { PullReading, PullRules } from '../../src/model/kind.ts';
import { noNames } from '../../src/model/names.ts';
import { renamedItems } from '../../src/pull/item-changes.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/permissions.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection } from '../support/desired-section.ts';
import { type HeldRole, liveRoles } from '../support/live-roles.ts';

const billing = 'https://billing.example/';
const names = { secret: () => expect.unreachable() };
const pull = kind.pull as PullRules<object, object>;
const live = (about: Partial<HeldRole> = {}): HeldRole => ({
  id: 'rol_1',
  name: 'Support',
  description: 'Pays back',
  permissions: [pair('write'), pair('read'), pair('a', billing)],
  ...about,
});
const readingOf = (
  roles: readonly HeldRole[],
  items: PullReading<object>['items'] = [],
): PullReading<object> & { readonly first: object } => {
  const known = liveRoles(roles);
  return { items, live: known, undeclared: known, names: noNames, first: known.items[0] ?? {} };
};
const declare = (...roles: readonly HeldRole[]) => {
  const { first, ...reading } = readingOf(roles);
  return pull.declare(first, names, reading);
};
const adopt = (written: object, role: HeldRole) => {
  const value = kind.canonical?.(written).value as DeclaredRole;
  const { first, ...reading } = readingOf([role], desiredSection([['Support', value]]).items);
  return pull.adopt(written, first, names, reading);
};

describe('a new role', () => {
  test.each<readonly [string, Partial<HeldRole>, object]>([
    [
      'in the short form, sorted',
      {},
      {
        name: 'Support',
        description: 'Pays back',
        permissions: { [billing]: ['a'], [orders]: ['read', 'write'] },
      },
    ],
    [
      'in pairs, if an API cannot be a key',
      { description: '', permissions: [pair('write'), pair('a', '${api}')] },
      { name: 'Support', permissions: [pair('a', '${api}'), pair('write')] },
    ],
    ['without a description', { description: '', permissions: [] }, { name: 'Support', permissions: [] }],
  ])('%s', (_name, about, written) => {
    expect(declare(live(about))).toEqual({ written });
  });

  test('of a name that several have', () => {
    const twin = live({ id: 'rol_2' });
    expect(declare(live({ description: '', permissions: [] }), twin)).toEqual({
      written: { id: 'rol_1', permissions: [] },
    });
  });
});

describe('a declared role', () => {
  test.each<readonly [string, object, readonly PermissionPair[], object]>([
    ['nothing declared but absent ones', { name: 'Support' }, [pair('read')], { name: 'Support' }],
    [
      'equal in another order stays',
      { name: 'Support', permissions: { [orders]: ['write', 'read'] } },
      [pair('read'), pair('write')],
      { name: 'Support', permissions: { [orders]: ['write', 'read'] } },
    ],
    [
      'names that are sorted stay sorted',
      { name: 'Support', permissions: { [orders]: ['read', 'write'] } },
      [pair('delete'), pair('write'), pair('a', billing)],
      { name: 'Support', permissions: { [billing]: ['a'], [orders]: ['delete', 'write'] } },
    ],
    [
      'names in an order of their own keep it',
      { name: 'Support', permissions: { [orders]: ['write', 'read'] } },
      [pair('delete'), pair('write'), pair('read')],
      { name: 'Support', permissions: { [orders]: ['write', 'read', 'delete'] } },
    ],
    [
      'a list of pairs stays one',
      { name: 'Support', permissions: [pair('write'), pair('read')] },
      [pair('write'), pair('new')],
      { name: 'Support', permissions: [pair('new'), pair('write')] },
    ],
    [
      'nothing left',
      { name: 'Support', permissions: { [orders]: ['read'] } },
      [],
      { name: 'Support', permissions: {} },
    ],
    [
      'its name and its description',
      { name: 'Old', description: '' },
      [],
      { name: 'Support', description: 'Pays back' },
    ],
  ])('%s', (_name, written, permissions, adopted) => {
    expect(adopt(written, live({ permissions }))).toEqual({ written: adopted });
  });

  test('what absent_permissions removes is not declared, and is reported', () => {
    const written = {
      name: 'Support',
      permissions: { [orders]: ['read'] },
      absent_permissions: { [orders]: ['write'] },
    };
    const permissions = [pair('read'), pair('write')];
    expect(adopt(written, live({ permissions }))).toEqual({
      written,
      policy: [`the role has write of ${orders}, which absent_permissions removes`],
    });
  });

  test('an empty description stays a field: without one, the item would declare nothing', () => {
    expect(adopt({ name: 'Support', description: 'Old' }, live({ description: null }))).toEqual({
      written: { name: 'Support', description: '' },
    });
  });
});

describe('a role that was renamed', () => {
  const declared = { name: 'Old', description: 'Pays back', permissions: [pair('read')] };
  const now = live({ name: 'New', permissions: [pair('read')] });

  test.each<readonly [string, readonly DeclaredRole[], readonly HeldRole[], readonly string[]]>([
    ['exactly one is as declared', [declared], [now], ['Old']],
    ['without a declared description', [{ name: 'Old', permissions: [pair('read')] }], [now], ['Old']],
    ['another description', [{ ...declared, description: 'Other' }], [now], []],
    ['other permissions', [{ ...declared, permissions: [pair('write')] }], [now], []],
    ['two are as declared', [declared], [now, { ...now, id: 'rol_2', name: 'Newer' }], []],
    ['it is as two declared ones', [declared, { ...declared, name: 'Older' }], [now], []],
    ['declared by its id', [{ id: 'Old', permissions: [pair('read')] }], [now], []],
    ['nothing special is declared', [{ name: 'Old', permissions: [] }], [{ ...now, permissions: [] }], []],
  ])('%s', (_name, missing, undeclared, renamed) => {
    const items = desiredSection(missing.map((role) => [role.id ?? role.name ?? '', role] as const)).items;
    const { first: _first, ...reading } = readingOf(undeclared, items);
    expect([...renamedItems(pull as PullRules, items, reading.live.items, reading).keys()]).toEqual(renamed);
  });
});
