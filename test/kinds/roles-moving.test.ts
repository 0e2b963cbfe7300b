// Roles whose listings have several pages: what is concluded from them, and what is read again.
import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { DesiredItem } from '../../src/model/kind.ts';
import type { Reader } from '../../src/model/reader.ts';
import type { DeclaredRole } from '../../src/service/roles/permissions.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { desiredItem } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { listRoles } from '../support/role-operations.ts';
import { snapshotKnowing, snapshotOf } from '../support/snapshot-of.ts';

/** One reading of the tenant: the roles of the listing, and the permissions of each by its id. */
interface Moment {
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly held: Readonly<Record<string, readonly string[]>>;
}

/** Decides over a tenant whose list of roles, and whose permissions of a role, are at the next moment in each pass. */
async function decideOver(
  declared: readonly (DeclaredRole & { readonly renamedFrom?: string })[],
  pages: number,
  ...moments: readonly Moment[]
) {
  const asked: string[] = [];
  const list = async (operation: { readonly id: string }, _query: object, params?: { readonly id: string }) => {
    const name = params?.id ?? operation.id;
    const passes = asked.filter((one) => one === name).length;
    const { roles = [], held = {} } = moments[Math.min(passes, moments.length - 1)] ?? {};
    asked.push(name);
    if (operation.id === 'list_resource_servers') return { ok: true, items: [api] };
    const items = params?.id === undefined ? roles : (held[params.id] ?? []).map((permission) => pair(permission));
    return { ok: true, items, ...(pages > 1 && { pages }) };
  };
  const desired = {
    items: declared.map(({ renamedFrom, ...role }, index) => ({
      ...desiredItem<DeclaredRole>(role.id ?? role.name ?? '', role, index),
      ...(renamedFrom !== undefined && { renamedFrom }),
    })),
    source: { file: 'files.yaml', line: 1, column: 1 },
  };
  const snapshot = snapshotOf({ list } as unknown as Reader);
  const live = await kind.reading?.read(snapshot, { desired, only: null, keep: keepNothing });
  const decision = kind.decide({ desired, keep: keepNothing, api: 'full', rotate: new Set(), live: live as never });
  return {
    actions: decision.actions.map(({ action, key }) => `${action} ${key}`),
    findings: decision.findings.map(({ code }) => code),
    asked,
  };
}

const api = { id: 'api_1', identifier: pair('a').resource_server_identifier, scopes: [{ value: 'a' }] };
const declared = ['rol_1', 'rol_2'].map((id): DeclaredRole => ({ id, permissions: [pair('a')] }));
const moment = (...held: readonly string[][]): Moment => ({
  roles: [],
  held: Object.fromEntries(held.map((names, index) => [`rol_${index + 1}`, names])),
});

describe('permissions of several pages', () => {
  test('that are removed are read twice, those of this role only', async () => {
    expect(await decideOver(declared, 2, moment(['a', 'x'], ['a']))).toEqual({
      actions: ['remove rol_1'],
      findings: [],
      asked: ['rol_1', 'rol_2', 'rol_1'],
    });
  });

  test('are not removed if the second reading does not have them', async () => {
    const { actions } = await decideOver(declared, 2, moment(['a', 'x'], ['a']), moment(['a'], ['a']));
    expect(actions).toEqual([]);
  });

  test('that are added are read once: adding one that the role has changes nothing', async () => {
    expect(await decideOver(declared, 2, moment([], ['a']))).toMatchObject({
      actions: ['add rol_1'],
      asked: ['rol_1', 'rol_2', 'list_resource_servers'],
    });
  });

  test('of one page are read once', async () => {
    expect(await decideOver(declared, 1, moment(['a', 'x'], ['a']))).toMatchObject({
      actions: ['remove rol_1'],
      asked: ['rol_1', 'rol_2'],
    });
  });
});

describe('a role by name, in a list of several pages', () => {
  const support: DeclaredRole = { name: 'Support', permissions: [pair('a')] };
  const role = (id: string) => ({ id, name: 'Support' });
  const held = { rol_1: ['a'], rol_9: ['a'] };

  test('that is created again while the list is read is not two roles', async () => {
    const moments = [
      { roles: [role('rol_1'), role('rol_9')], held },
      { roles: [role('rol_9')], held },
    ];
    expect(await decideOver([support], 2, ...moments)).toMatchObject({ actions: [], findings: [] });
  });

  test('that moves to a page that was read before is not missing', async () => {
    expect(await decideOver([support], 2, { roles: [], held }, { roles: [role('rol_1')], held })).toMatchObject({
      actions: [],
      findings: [],
    });
  });

  test('that is missing twice, or there twice, is an error', async () => {
    expect(await decideOver([support], 2, { roles: [], held })).toMatchObject({
      findings: ['LIVE_NOT_FOUND'],
      asked: ['list_roles', 'list_roles'],
    });
    expect(await decideOver([support], 2, { roles: [role('rol_1'), role('rol_9')], held })).toMatchObject({
      findings: ['LIVE_AMBIGUOUS'],
    });
  });
});

describe('a role that is renamed, in a list of several pages', () => {
  const support = { name: 'Support', renamedFrom: 'Help', permissions: [pair('a')] };
  const [old, taken] = [
    { id: 'rol_1', name: 'Help' },
    { id: 'rol_2', name: 'Support' },
  ];
  const held = { rol_1: ['a'], rol_2: ['a'] };

  test('is renamed if the new name is missing twice', async () => {
    expect(await decideOver([support], 2, { roles: [old], held })).toMatchObject({
      actions: ['update Support'],
      findings: [],
      asked: ['list_roles', 'list_roles', 'rol_1'],
    });
  });

  test('is not renamed if the new name was on a page that was read before', async () => {
    expect(await decideOver([support], 2, { roles: [old], held }, { roles: [old, taken], held })).toMatchObject({
      actions: [],
      findings: ['LIVE_RENAME_CONFLICT'],
    });
  });
});

describe('one of many roles', () => {
  const live = [
    { id: 'rol_1', name: 'Support' },
    { id: 'rol_2', name: 'Support 2' },
    { id: 'rol_3', name: 'Auditor' },
  ];
  const readOne = async (
    name: string,
    pages: number | undefined,
    filtered = live.slice(0, 2),
    about: Partial<DesiredItem<DeclaredRole>> = {},
  ) => {
    const asked: unknown[] = [];
    const list = async (
      _operation: unknown,
      query: { readonly name_filter?: string },
      params?: { readonly id: string },
    ) => {
      asked.push(params?.id ?? query.name_filter ?? 'all roles');
      if (params !== undefined) return { ok: true, items: [] };
      return { ok: true, items: query.name_filter === undefined ? live : filtered };
    };
    const get = async (_operation: unknown, { id }: { readonly id: string }) => {
      asked.push(`by id ${id}`);
      return { ok: true, value: live.find((role) => role.id === id) };
    };
    const reader = { list, get } as unknown as Reader;
    const source = { list: listRoles, query: { type: 'tenant' } };
    const snapshot = pages === undefined ? snapshotOf(reader) : await snapshotKnowing(source, pages, reader);
    const state = await kind.reading?.read(snapshot, {
      desired: {
        items: [{ ...desiredItem<DeclaredRole>(name, { name, permissions: [] }), ...about }],
        source: { file: 'files.yaml', line: 1, column: 1 },
      },
      only: [name],
      keep: keepNothing,
    });
    return { asked, items: state?.readable ? state.items : null };
  };

  test('is found by the filter of the listing, and matched exactly', async () => {
    const found = await readOne('Support', 40);
    expect(found.asked).toEqual(['Support', 'rol_1']);
    expect(found.items).toMatchObject([{ id: 'rol_1' }]);
  });

  test('is found by the filter if nothing is known about the tenant', async () => {
    expect((await readOne('Support', undefined)).asked).toEqual(['Support', 'rol_1']);
  });

  test('is found in the complete list if that is one page, which other roles may share', async () => {
    expect((await readOne('Support', 1)).asked).toEqual(['all roles', 'rol_1']);
  });

  test('is missing only if the complete list does not have it', async () => {
    const hidden = await readOne('Auditor', 40, []);
    expect(hidden.asked).toEqual(['Auditor', 'all roles', 'rol_3']);
    expect(hidden.items).toMatchObject([{ id: 'rol_1' }, { id: 'rol_2' }, { id: 'rol_3' }]);
    expect((await readOne('Suport', 40)).asked).toEqual(['Suport', 'all roles']);
  });

  test('that has its new name is found without the complete list, and its old name is looked for', async () => {
    const { asked, items } = await readOne('Support', 40, live.slice(0, 2), { renamedFrom: 'Support 2' });
    expect(asked).toEqual(['Support', 'Support 2']);
    expect(items).toMatchObject([{ id: 'rol_1' }, { id: 'rol_2' }]);
  });

  test('that is to be renamed is found in the complete list: only that shows that the new name is free', async () => {
    const { asked, items } = await readOne('Help', 40, live.slice(0, 1), { renamedFrom: 'Support' });
    expect(asked).toEqual(['Help', 'Support', 'all roles', 'rol_1']);
    expect(items).toMatchObject(live);
  });

  test('by its id needs no complete list: another role with its name is looked for', async () => {
    const value = { id: 'rol_3', name: 'Support', permissions: [] };
    const { asked, items } = await readOne('rol_3', 40, live, { value });
    expect(asked).toEqual(['by id rol_3', 'Support', 'rol_3']);
    expect(items).toMatchObject([
      { id: 'rol_1', name: 'Support' },
      { id: 'rol_3', name: 'Auditor' },
    ]);
  });

  test('is ambiguous if the filter finds two of this name', async () => {
    const twins = ['rol_1', 'rol_9'].map((id) => ({ id, name: 'Support' }));
    expect((await readOne('Support', 40, twins)).items).toMatchObject([{ id: 'rol_1' }, { id: 'rol_9' }]);
  });
});
