import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { ItemState, ReadAsk } from '../../src/model/kind.ts';
import type { LiveState, NotRead, Reader, Unreadable } from '../../src/model/reader.ts';
import type { DeclaredRole } from '../../src/service/roles/permissions.ts';
import type { LiveRole } from '../../src/service/roles/types.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';
import { snapshotOf } from '../support/snapshot-of.ts';

interface ListedRole {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  readonly description?: string | null;
}

const described = (permission_name: string) => ({
  ...pair(permission_name),
  description: 'words',
  resource_server_name: 'Orders',
});
const roles: readonly ListedRole[] = [
  { id: 'rol_1', name: 'Support', type: 'tenant' },
  { id: 'rol_2', name: 'Reader' },
  { id: 'rol_4', name: 'Twin' },
  { id: 'rol_3', name: 'Twin' },
  { id: 'rol_9', name: 'Support', type: 'organization' },
];

function notRead(message: string, status: number | null, serviceMessage: string | null): NotRead {
  return {
    ok: false,
    why: { readable: false, structural: false, code: 'LIVE_LISTING_INCOMPLETE', message },
    status,
    serviceMessage,
    ...(status === 404 && serviceMessage === noRole && { gone: true }),
  };
}

const noRole = 'The role does not exist.';

interface Tenant {
  readonly roles?: readonly ListedRole[] | NotRead;
  /** By role id; a role without an entry does not exist. */
  readonly held?: Readonly<Record<string, readonly object[] | NotRead>>;
  /** Roles that only their ids find. */
  readonly unlisted?: Readonly<Record<string, ListedRole | NotRead>>;
}

const noSuchRole = notRead('list_role_permissions: HTTP 404', 404, noRole);

/** Each role with its permissions, or with why they were not read. */
function shown(state: LiveState<LiveRole> | undefined): unknown {
  if (state?.readable !== true) return state;
  const { items, more, ...rest } = state;
  return {
    ...rest,
    items: items.map((item) => {
      const { permissions } = more?.get(item)?.nested ?? {};
      return { ...item, ...(permissions && { permissions: permissions.readable ? permissions.items : permissions }) };
    }),
  };
}

/** Reads as the kind does, and tells every request that it made. */
async function readWith(
  declared: readonly DeclaredRole[],
  tenant: Tenant,
  keep = keepNothing,
  {
    states = {},
    ...ask
  }: { readonly states?: Readonly<Record<string, ItemState>> } & Partial<ReadAsk<DeclaredRole>> = {},
): Promise<{ readonly state: unknown; readonly asked: string[] }> {
  const asked: string[] = [];
  const reader = {
    list: async ({ id }: { readonly id: string }, query: object, params?: { readonly id: string }) => {
      const name = `${id} ${JSON.stringify(query)}${params === undefined ? '' : ` ${params.id}`}`;
      const roles = asked.includes(name) ? [] : (tenant.roles ?? []);
      asked.push(name);
      const items = params === undefined ? roles : (tenant.held?.[params.id] ?? noSuchRole);
      return 'ok' in items ? items : { ok: true, items };
    },
    get: async ({ id }: { readonly id: string }, params: { readonly id: string }) => {
      asked.push(`${id} ${params.id}`);
      const role = tenant.unlisted?.[params.id] ?? noSuchRole;
      return 'ok' in role ? role : { ok: true, value: role };
    },
    count: async () => expect.fail('nothing is counted'),
  } as unknown as Reader;
  const desired = withStates(
    desiredSection(declared.map((role) => [role.id ?? role.name ?? '', role] as const)),
    states,
  );
  return { state: shown(await kind.reading?.read(snapshotOf(reader), { only: null, ...ask, desired, keep })), asked };
}

const readable = (...items: readonly object[]) => ({ readable: true, items, filtered: false });
const unlisted = (...items: readonly object[]) => ({ ...readable(...items), isPart: true });
const listing = 'list_roles {"type":"tenant"}';
const permissionsOf = (id: string) => `list_role_permissions {} ${id}`;

test('both listings are needed, and each role is read by itself', () => {
  expect(kind.reading).toMatchObject({
    operations: [{ id: 'list_roles' }, { id: 'list_role_permissions' }],
    each: true,
  });
});

test('roles by id are listed when some roles are protected, which may be by name', async () => {
  const tenant = { roles: [{ id: 'rol_1', name: 'Support' }], held: { rol_1: [] } };
  const { asked, state } = await readWith(
    [{ id: 'rol_1', permissions: [] }],
    tenant,
    keeping({ patterns: ['Admin*'] }),
  );
  expect(asked).toEqual([listing, permissionsOf('rol_1')]);
  expect(state).toMatchObject({ items: [{ id: 'rol_1', name: 'Support' }] });
});

test.each([
  ['undeclared roles are reported', keeping({ undeclared: 'report' }), {}, true],
  ['they are ignored', keeping({ undeclared: 'ignore' }), {}, false],
  ['a few roles are selected', keeping({ undeclared: 'report' }), { only: ['rol_1'] }, false],
  ['the plan is made again', keeping({ undeclared: 'report' }), { watched: [buildAction()] }, false],
] as const)(
  'roles by id alone are listed once if undeclared ones are reported: %s',
  async (_name, keep, ask, lists) => {
    const tenant = { roles: [{ id: 'rol_1', name: 'Support' }], held: { rol_1: [] } };
    const { asked, state } = await readWith([{ id: 'rol_1', permissions: [] }], tenant, keep, ask);
    expect(asked).toEqual([...(lists ? [listing] : []), permissionsOf('rol_1')]);
    expect(state).toHaveProperty('filtered', false);
    expect('isPart' in (state as object)).toBe(!lists);
    if (lists) expect((await readWith([], tenant, keep, ask)).asked).toEqual([listing]);
  },
);

test('under protect, a role that is not listed is read by its id, so that its name is known', async () => {
  const declared = [{ id: 'rol_8', permissions: [] }];
  const unlisted = { rol_8: { id: 'rol_8', name: 'Member', type: 'organization' } };
  expect(
    await readWith(declared, { roles: [], unlisted, held: { rol_8: [] } }, keeping({ patterns: ['A*'] })),
  ).toMatchObject({
    asked: [listing, 'get_role rol_8', permissionsOf('rol_8')],
    state: { items: [{ id: 'rol_8', name: 'Member', permissions: [] }] },
  });
});

test('roles by id are read without a listing of roles', async () => {
  const declared = [
    { id: 'rol_1', permissions: [] },
    { id: 'rol_2', absent_permissions: [pair('x')] },
  ];
  const held = { rol_1: [described('a'), described('b')], rol_2: [] };
  expect(await readWith(declared, { held })).toEqual({
    asked: [permissionsOf('rol_1'), permissionsOf('rol_2')],
    state: unlisted({ id: 'rol_1', permissions: held.rol_1 }, { id: 'rol_2', permissions: [] }),
  });
});

test('one role by name is enough to list them, once, and then roles by id have names too', async () => {
  const declared = [
    { name: 'Support', permissions: [] },
    { name: 'Reader', permissions: [] },
    { id: 'rol_3', permissions: [] },
  ];
  const held = { rol_1: [], rol_2: [], rol_3: [] };
  expect(await readWith(declared, { roles: roles.slice(0, 4), held })).toEqual({
    asked: [listing, permissionsOf('rol_1'), permissionsOf('rol_2'), permissionsOf('rol_3')],
    state: readable(
      { id: 'rol_1', name: 'Support', type: 'tenant', permissions: [] },
      { id: 'rol_2', name: 'Reader', permissions: [] },
      { id: 'rol_4', name: 'Twin' },
      { id: 'rol_3', name: 'Twin', permissions: [] },
    ),
  });
});

test.each<readonly [string, DeclaredRole, readonly string[]]>([
  ['a misspelt name', { name: 'Suport', permissions: [] }, [listing]],
  ['a name of two roles', { name: 'Twin', permissions: [] }, [listing]],
  [
    'a role that goes away between the two reads',
    { name: 'Reader', permissions: [] },
    [
      ...[listing, permissionsOf('rol_2'), 'get_role rol_2'],
      ...Array<string[]>(11)
        .fill([permissionsOf('rol_2'), 'get_role rol_2', listing])
        .flat(),
    ],
  ],
])('%s', async (_name, role, asked) => {
  expect((await readWith([role], { roles })).asked).toEqual(asked);
});

test('an id that does not exist is no role', async () => {
  expect(await readWith([{ id: 'rol_7', permissions: [] }], { roles })).toEqual({
    asked: [permissionsOf('rol_7'), 'get_role rol_7'],
    state: unlisted(),
  });
});

const broken = notRead('page 2: HTTP 500', 500, 'Internal Server Error');
const why = (failure: NotRead): Unreadable => failure.why;

test('the kind is unreadable when roles cannot be listed', async () => {
  const declared = [{ name: 'Support', permissions: [] }];
  expect((await readWith(declared, { roles: broken })).state).toEqual(why(broken));
});

test.each<readonly [string, NotRead]>([
  ['one cannot be read', broken],
  ['a 404 does not speak of a role', notRead('HTTP 404', 404, 'Not Found')],
  ['a 404 says nothing', notRead('HTTP 404', 404, null)],
  ['another status speaks of a role', notRead('HTTP 403', 403, 'not your role')],
])('only the permissions of that role are unreadable when %s', async (_name, failure) => {
  const declared = [
    { name: 'Support', permissions: [] },
    { name: 'Reader', permissions: [] },
  ];
  expect((await readWith(declared, { roles, held: { rol_1: [], rol_2: failure } })).state).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ id: 'rol_1', permissions: [] }),
      expect.objectContaining({ id: 'rol_2', permissions: why(failure) }),
    ]),
  });
});

describe('roles as items', () => {
  const absent = { states: { Support: 'absent', rol_1: 'absent' } } as const;
  const held = { rol_1: [described('a')], rol_2: [] };
  const described1 = [{ id: 'rol_1', name: 'Support', description: 'Pays back' }];

  test('a description is listed, and permissions are read only where they are declared', async () => {
    const declared = [
      { name: 'Support', description: '' },
      { id: 'rol_2', description: 'Reads', permissions: [] },
    ];
    const listed = [...described1, { id: 'rol_2', name: 'Reader', description: null }];
    expect(await readWith(declared, { roles: listed, held })).toMatchObject({
      asked: [listing, 'list_role_permissions {} rol_2'],
      state: {
        items: [
          { id: 'rol_1', description: 'Pays back' },
          { id: 'rol_2', description: null, permissions: [] },
        ],
      },
    });
  });

  test('a role that is not listed is read by its id', async () => {
    const declared = [{ id: 'rol_8', description: 'Reads' }];
    const unlisted = { rol_8: { id: 'rol_8', name: 'Member', type: 'organization', description: 'Old' } };
    expect(await readWith(declared, { roles, unlisted })).toMatchObject({
      asked: [listing, 'get_role rol_8'],
      state: { items: expect.arrayContaining([unlisted.rol_8]) },
    });
    // A list that may be long is not read for one role.
    expect((await readWith(declared, { roles, unlisted }, keepNothing, { only: ['rol_8'] })).asked).toEqual([
      'get_role rol_8',
    ]);
    expect((await readWith(declared, { roles })).state).toMatchObject({ items: roles });
    const forbidden = notRead('get_role: status 403', 403, 'Insufficient scope');
    expect((await readWith(declared, { roles, unlisted: { rol_8: forbidden } })).state).toEqual(forbidden.why);
  });

  test.each<readonly [string, DeclaredRole]>([
    ['by name', { name: 'Support' }],
    ['by id', { id: 'rol_1' }],
  ])('a role that is declared absent %s is read with its permissions', async (_name, role) => {
    const tenant = { roles: described1, held };
    expect(await readWith([role], tenant, keepNothing, absent)).toMatchObject({
      asked: [listing, 'list_role_permissions {} rol_1'],
      state: { items: [{ id: 'rol_1', description: 'Pays back', permissions: [described('a')] }] },
    });
  });
});
