import { describe, expect, test } from 'vitest';
import type { FoundRole, LiveRole } from '../../src/kinds/roles/match-roles.ts';
import { pull } from '../../src/kinds/roles/pull.ts';
import type { PullRules } from '../../src/model/kind.ts';
import { renamedItems } from '../../src/pull/item-changes.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/types.generated.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection } from '../support/desired-section.ts';

const billing = 'https://billing.example/';
const names = { secret: () => expect.unreachable() };
const live = (about: Partial<FoundRole> = {}): FoundRole => ({
  state: 'found',
  key: 'Support',
  id: 'rol_1',
  name: 'Support',
  description: 'Pays back',
  permissions: [pair('write'), pair('read'), pair('a', billing)],
  ...about,
});

describe('a new role', () => {
  test.each<readonly [string, Partial<FoundRole>, object]>([
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
    [
      'of a name that several have',
      { key: 'rol_1', description: '', permissions: [] },
      { id: 'rol_1', permissions: [] },
    ],
  ])('%s', (_name, about, written) => {
    expect(pull.declare(live(about), names)).toEqual({ written });
  });
});

describe('a declared role', () => {
  type Written = Parameters<typeof pull.adopt>[0];

  test.each<readonly [string, Written, readonly PermissionPair[], Written]>([
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
    expect(pull.adopt(written, live({ permissions }), names)).toEqual({ written: adopted });
  });

  test('what absent_permissions removes is not declared, and is reported', () => {
    const written = {
      name: 'Support',
      permissions: { [orders]: ['read'] },
      absent_permissions: { [orders]: ['write'] },
    };
    const permissions = [pair('read'), pair('write')];
    expect(pull.adopt(written, live({ permissions }), names)).toEqual({
      written,
      policy: [`the role has write of ${orders}, which absent_permissions removes`],
    });
  });

  test('a name that several roles have is not adopted', () => {
    const ambiguous: LiveRole = { state: 'ambiguous', key: 'Support', ids: ['rol_1', 'rol_2'] };
    expect(pull.adopt({ name: 'Support' }, ambiguous, names)).toEqual({ inexpressible: '2 roles have this name' });
    expect(pull.keyOf(ambiguous)).toBe('Support');
    expect(pull.keyOf({ state: 'missing', key: 'Support', near: null })).toBeNull();
  });
});

describe('a role that was renamed', () => {
  const declared = { name: 'Old', description: 'Pays back', permissions: [pair('read')] };
  const now = live({ key: 'New', name: 'New', permissions: [pair('read')] });

  test.each<readonly [string, readonly DeclaredRole[], readonly LiveRole[], readonly string[]]>([
    ['exactly one is as declared', [declared], [now], ['Old']],
    ['without a declared description', [{ name: 'Old', permissions: [pair('read')] }], [now], ['Old']],
    ['another description', [{ ...declared, description: 'Other' }], [now], []],
    ['other permissions', [{ ...declared, permissions: [pair('write')] }], [now], []],
    ['two are as declared', [declared], [now, { ...now, id: 'rol_2', key: 'Newer' }], []],
    ['it is as two declared ones', [declared, { ...declared, name: 'Older' }], [now], []],
    ['declared by its id', [{ id: 'Old', permissions: [pair('read')] }], [now], []],
    ['nothing special is declared', [{ name: 'Old', permissions: [] }], [{ ...now, permissions: [] }], []],
  ])('%s', (_name, missing, undeclared, renamed) => {
    const items = desiredSection(missing.map((role) => [role.id ?? role.name ?? '', role] as const)).items;
    expect([...renamedItems(pull as PullRules, items, undeclared).keys()]).toEqual(renamed);
  });
});
