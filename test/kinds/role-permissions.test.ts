import { expect, describe as group, test } from 'vitest';
import { rolePermissions as kind } from '../../src/kinds/role-permissions/index.ts';
import type { DeclaredRole } from '../../src/kinds/role-permissions/types.generated.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { InternalError } from '../../src/model/internal-error.ts';
import type { Unreadable } from '../../src/model/live-state.ts';
import { desiredItem, desiredSection } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';

const why: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation reads role permissions' };
const unreadable = { code: 'LIVE_UNREADABLE', kind: 'role_permissions', key: '*', message: why.message, source: { file: 'files.yaml', line: 1, column: 1 } };
const pair = (permission_name: string) => ({ resource_server_identifier: 'https://orders.example/', permission_name });

group('decide', () => {
  test('absent pairs of a role go in one removal', () => {
    const role: DeclaredRole = { id: 'rol/1', absent_permissions: [pair('delete:orders'), pair('refund:orders')] };
    const decision = kind.decide({ desired: desiredSection([['rol/1', role]]), live: why, keep: keepNothing });
    expect(decision.actions).toEqual([
      {
        id: 'role_permissions/rol/1#remove',
        kind: 'role_permissions',
        key: 'rol/1',
        action: 'remove',
        reason: 'unreadable',
        request: {
          operation: 'remove_role_permissions',
          method: 'DELETE',
          path: '/roles/rol%2F1/permissions',
          body: { permissions: [pair('delete:orders'), pair('refund:orders')] },
        },
        before: null,
        after: { absent_permissions: [pair('delete:orders'), pair('refund:orders')] },
        source: { file: 'files.yaml', line: 2, column: '/absent_permissions'.length + 1 },
      },
    ]);
    expect(decision.findings).toEqual([unreadable]);
  });

  test('pairs that were asked for one by one are not counted by guards', () => {
    const decision = kind.decide({ desired: desiredSection([['r', { id: 'r', absent_permissions: [pair('a')] }]]), live: why, keep: keepNothing });
    expect(decision.losses).toEqual([]);
  });

  test.each([
    ['neither list', { id: 'r' }],
    ['an empty list', { id: 'r', absent_permissions: [] }],
  ])('a role with %s asks for nothing', (_name, role) => {
    expect(kind.decide({ desired: desiredSection([['r', role]]), live: why, keep: keepNothing })).toMatchObject({ actions: [], findings: [unreadable] });
  });

  test('declared permissions are told as not checked, at their place', () => {
    const decision = kind.decide({ desired: desiredSection([['r', { id: 'r', permissions: [] }]]), live: why, keep: keepNothing });
    const place = { file: 'files.yaml', line: 2, column: '/permissions'.length + 1 };
    expect(decision.findings).toEqual([
      unreadable,
      { code: 'LIVE_NOT_CHECKED', kind: 'role_permissions', key: 'r', message: expect.any(String), source: place },
    ]);
  });

  test('a protected role keeps its pairs, and that is said', () => {
    const desired = desiredSection([['r', { id: 'r', absent_permissions: [pair('a')] }]]);
    const decision = kind.decide({ desired, live: why, keep: keeping({ isProtected: () => true }) });
    expect(decision).toMatchObject({ actions: [], findings: [unreadable, { code: 'LIVE_PROTECTED', key: 'r' }] });
  });

  test('a readable state is a bug, not an empty one', () => {
    expect(() => kind.decide({ desired: desiredSection([]), live: { readable: true, items: [], filtered: false }, keep: keepNothing })).toThrow(InternalError);
  });
});

group('check', () => {
  function faultsOf(role: DeclaredRole): Pick<Diagnostic, 'code' | 'source'>[] {
    const faults: Diagnostic[] = [];
    kind.check?.(desiredItem('r', role), (diagnostic) => faults.push(diagnostic));
    return faults.map(({ code, source }) => ({ code, ...(source && { source }) }));
  }
  const at = (pointer: string) => ({ file: 'files.yaml', line: 2, column: pointer.length + 1 });

  test('a sound role has no fault', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('a')], absent_permissions: [pair('b')] })).toEqual([]);
  });

  test('a pair in both lists contradicts itself', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('x'), pair('a')], absent_permissions: [pair('a')] })).toEqual([
      { code: 'CONFIG_CONTRADICTION', source: at('/absent_permissions/0') },
    ]);
  });

  test('a pair twice in a list', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('a'), pair('b'), pair('a')] })).toEqual([
      { code: 'CONFIG_DUPLICATE_PERMISSION', source: at('/permissions/2') },
    ]);
  });

  test('a role by name cannot be looked up', () => {
    expect(faultsOf({ name: 'Support' })).toEqual([{ code: 'CONFIG_ROLE_NAME_UNSUPPORTED', source: at('/name') }]);
  });
});

test('entries are named by id, or by name', () => {
  expect(kind.entries([{ id: 'rol_1' }, { name: 'Support' }])).toEqual([
    { key: 'rol_1', pointer: '/0', keyPointer: '/0/id' },
    { key: 'Support', pointer: '/1', keyPointer: '/1/name' },
  ]);
});

test('describe lists the pairs', () => {
  const [action] = kind.decide({ desired: desiredSection([['r', { id: 'r', absent_permissions: [pair('a')] }]]), live: why, keep: keepNothing }).actions;
  expect(action && kind.describe(action)).toEqual({ title: 'r', lines: ['a of https://orders.example/'] });
});
