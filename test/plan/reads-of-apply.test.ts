import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { readsOfApply } from '../../src/plan/reads-of-apply.ts';
import { buildAction, deletePolicy, putPartials, removePermissions } from '../support/build-action.ts';

const responses = new Map([['list_rate_limit_policies', 3]]);
const reads = (actions: Parameters<typeof readsOfApply>[0]['actions'], seconds = 0) =>
  Object.fromEntries(readsOfApply({ actions, kinds, responses, seconds, maxStaleness: 10 }));

const deletions = ['a', 'b', 'c'].map((name) => deletePolicy(name));
const puts = ['login', 'signup'].map((prompt) => ({ ...putPartials(prompt, {}), precondition: 'sha256:then' }));

describe('the reads of an apply', () => {
  test('verify deletions with one listing', () => {
    expect(reads(deletions)).toEqual({ list_rate_limit_policies: 3 });
  });

  test('repeat a listing as often as it gets too old', () => {
    expect(reads(deletions, 25)).toEqual({ list_rate_limit_policies: 3 + 2 * 3 });
    // Not more often than there are writes.
    expect(reads(deletions, 1000)).toEqual({ list_rate_limit_policies: 3 + 3 * 3 });
  });

  test('read every changed prompt at the end, and before it is overwritten if that takes long', () => {
    expect(reads(puts)).toEqual({ get_prompt_partials: 2 });
    expect(reads(puts, 11)).toEqual({ get_prompt_partials: 4 });
  });

  test('show what replaces what is removed', () => {
    const create = buildAction({ action: 'create' });
    expect(reads([create])).toEqual({ list_rate_limit_policies: 3 });
    expect(reads([create, ...deletions])).toEqual({ list_rate_limit_policies: 6 });
    const remove = { ...removePermissions('rol_1', ['a']), precondition: 'sha256:then' };
    const add = (key: string) => buildAction({ kind: 'roles', key, part: 'add', action: 'add' });
    // What shows the grant to another role is its verification.
    expect(reads([add('rol_1'), add('rol_2'), remove])).toEqual({ list_role_permissions: 3 });
  });

  test('repeat everything that a removal of scopes was planned on', () => {
    const kind = 'resource_servers';
    const request = { operation: 'update_resource_server', method: 'PATCH', path: '/resource-servers/1' } as const;
    const removal = buildAction({ kind, action: 'remove', part: 'remove', request });
    const taken = new Map([
      ['list_resource_servers', 2],
      ['list_roles', 4],
      ['list_role_permissions', 130],
    ]);
    const input = { kinds, responses: taken, seconds: 0, maxStaleness: 10 };
    const atTheEnd = { list_resource_servers: 1 };
    expect(Object.fromEntries(readsOfApply({ ...input, actions: [removal] }))).toEqual({
      ...Object.fromEntries(taken),
      list_resource_servers: 2 + 2,
    });
    const one = new Map([['list_resource_servers', 1]]);
    expect(
      Object.fromEntries(readsOfApply({ ...input, responses: one, actions: [{ ...removal, action: 'add' }] })),
    ).toEqual(atTheEnd);
  });

  test('count a role once', () => {
    const role = { ...removePermissions('rol_1', ['a']), precondition: 'sha256:then' };
    expect(reads([role, { ...role, batch: 2, id: 'roles/rol_1#remove-2' }])).toEqual({ list_role_permissions: 1 });
  });

  test('are none for what cannot be read', () => {
    expect(reads([removePermissions('rol_1', ['a']), putPartials('login', {})], 1000)).toEqual({});
  });
});
