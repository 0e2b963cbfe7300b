import { describe, expect, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { ItemState, ReadAsk } from '../../src/model/kind.ts';
import type { LiveState, NotRead, Reader, Unreadable } from '../../src/model/reader.ts';
import type { DeclaredRole } from '../../src/service/roles/types.generated.ts';
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

/** Reads as the kind does, and tells every request that it made. */
async function readWith(
  declared: readonly DeclaredRole[],
  tenant: Tenant,
  keep = keepNothing,
  {
    states = {},
    ...ask
  }: { readonly states?: Readonly<Record<string, ItemState>> } & Partial<ReadAsk<DeclaredRole>> = {},
): Promise<{ readonly state: LiveState<unknown> | undefined; readonly asked: string[] }> {
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
  return { state: await kind.reading?.read(snapshotOf(reader), { only: null, ...ask, desired, keep }), asked };
}

const readable = (...items: readonly object[]) => ({ readable: true, items, filtered: false });
const listed = roles.map(({ id, name, type }) => ({ id, name, isDeclarable: type !== 'organization' }));
const listing = 'list_roles {"type":"tenant"}';

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
  expect(asked).toEqual([listing, 'list_role_permissions {} rol_1']);
  expect(state).toMatchObject({ items: [{ id: 'rol_1', name: 'Support' }] });
  expect((await readWith([{ id: 'rol_1' }], tenant, keeping({ patterns: ['Admin*'] }))).asked).toEqual([]);
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
    expect(asked).toEqual([...(lists ? [listing] : []), 'list_role_permissions {} rol_1']);
    expect(state).toHaveProperty('filtered', false);
    expect('listed' in (state ?? {})).toBe(lists);
    if (lists) expect((await readWith([], tenant, keep, ask)).asked).toEqual([listing]);
  },
);

test('a role has its name whatever its type, and a role that is not listed has none', async () => {
  const declared = [
    { id: 'rol_9', permissions: [] },
    { id: 'rol_8', permissions: [] },
  ];
  const held = { rol_9: [], rol_8: [] };
  expect((await readWith(declared, { roles, held }, keeping({ patterns: ['Admin*'] }))).state).toMatchObject({
    items: [
      { id: 'rol_9', name: 'Support' },
      { id: 'rol_8', name: null },
    ],
    listed: expect.arrayContaining([{ id: 'rol_9', name: 'Support', isDeclarable: false }]),
  });
});

test('roles by id are read without a listing of roles', async () => {
  const declared = [
    { id: 'rol_1', permissions: [] },
    { id: 'rol_2', absent_permissions: [pair('x')] },
  ];
  expect(await readWith(declared, { held: { rol_1: [described('a'), described('b')], rol_2: [] } })).toEqual({
    asked: ['list_role_permissions {} rol_1', 'list_role_permissions {} rol_2'],
    state: readable(
      { state: 'found', key: 'rol_1', id: 'rol_1', name: null, permissions: [pair('a'), pair('b')] },
      { state: 'found', key: 'rol_2', id: 'rol_2', name: null, permissions: [] },
    ),
  });
});

test('one role by name is enough to list them, once, and then roles by id have names too', async () => {
  const declared = [
    { name: 'Support', permissions: [] },
    { name: 'Reader', permissions: [] },
    { id: 'rol_3', permissions: [] },
  ];
  expect(await readWith(declared, { roles, held: { rol_1: [], rol_2: [], rol_3: [] } })).toEqual({
    asked: [
      listing,
      'list_role_permissions {} rol_1',
      'list_role_permissions {} rol_2',
      'list_role_permissions {} rol_3',
    ],
    state: {
      ...readable(
        { state: 'found', key: 'Support', id: 'rol_1', name: 'Support', permissions: [] },
        { state: 'found', key: 'Reader', id: 'rol_2', name: 'Reader', permissions: [] },
        { state: 'found', key: 'rol_3', id: 'rol_3', name: 'Twin', permissions: [] },
      ),
      listed,
    },
  });
});

test('what manages nothing is not read, and its name is not looked up', async () => {
  const declared = [
    { name: 'Nobody' },
    { name: 'Nobody too', absent_permissions: [] },
    { id: 'rol_1', permissions: [] },
  ];
  expect((await readWith(declared, { held: { rol_1: [] } })).asked).toEqual(['list_role_permissions {} rol_1']);
});

test.each<readonly [string, DeclaredRole, object, readonly string[]]>([
  [
    'a misspelt name',
    { name: 'Suport', permissions: [] },
    { state: 'missing', key: 'Suport', near: 'Support' },
    [listing],
  ],
  [
    'a name in another case',
    { name: 'support', permissions: [] },
    { state: 'missing', key: 'support', near: 'Support' },
    [listing],
  ],
  [
    'a name far from all others',
    { name: 'Accountants', permissions: [] },
    { state: 'missing', key: 'Accountants', near: null },
    [listing],
  ],
  [
    'a name of two roles',
    { name: 'Twin', permissions: [] },
    { state: 'ambiguous', key: 'Twin', ids: ['rol_3', 'rol_4'] },
    [listing],
  ],
  [
    'a role that goes away between the two reads',
    { name: 'Reader', permissions: [] },
    { state: 'missing', key: 'Reader', near: null, isListed: true },
    [
      ...[listing, 'list_role_permissions {} rol_2', 'get_role rol_2'],
      ...Array<string[]>(11).fill(['list_role_permissions {} rol_2', 'get_role rol_2', listing]).flat(),
    ],
  ],
  [
    'an id that does not exist',
    { id: 'rol_7', permissions: [] },
    { state: 'missing', key: 'rol_7', near: null },
    ['list_role_permissions {} rol_7', 'get_role rol_7'],
  ],
])('%s', async (_name, role, live, asked) => {
  const state = { ...readable(live), ...(asked[0] === listing && { listed }) };
  expect(await readWith([role], { roles })).toEqual({ asked, state });
});

test('with a listing at hand, an id has near ones too', async () => {
  const declared = [
    { name: 'Support', permissions: [] },
    { id: 'rol_11', permissions: [] },
  ];
  expect((await readWith(declared, { roles, held: { rol_1: [] } })).state).toMatchObject({
    items: [{ key: 'Support' }, { key: 'rol_11', near: 'rol_1' }],
  });
});

const broken = notRead('page 2: HTTP 500', 500, 'Internal Server Error');
const why = (failure: NotRead): Unreadable => failure.why;

test.each<readonly [string, Tenant, NotRead]>([
  ['roles cannot be listed', { roles: broken }, broken],
  ['one role cannot be read', { roles, held: { rol_1: [], rol_2: broken } }, broken],
  [
    'a 404 does not speak of a role',
    { roles, held: { rol_1: notRead('HTTP 404', 404, 'Not Found'), rol_2: [] } },
    notRead('HTTP 404', 404, 'Not Found'),
  ],
  [
    'a 404 says nothing',
    { roles, held: { rol_1: notRead('HTTP 404', 404, null), rol_2: [] } },
    notRead('HTTP 404', 404, null),
  ],
  [
    'another status speaks of a role',
    { roles, held: { rol_1: notRead('HTTP 403', 403, 'not your role'), rol_2: [] } },
    notRead('HTTP 403', 403, 'not your role'),
  ],
  [
    'a role is gone by the response of its permissions alone',
    { roles, held: { rol_1: [] }, unlisted: { rol_2: { id: 'rol_2', name: 'Reader' } } },
    notRead('list_role_permissions: the response is that rol_2 does not exist, but get_role returns it', null, null),
  ],
])('the kind is unreadable when %s', async (_name, tenant, failure) => {
  const declared = [
    { name: 'Support', permissions: [] },
    { name: 'Reader', permissions: [] },
  ];
  expect((await readWith(declared, tenant)).state).toEqual(why(failure));
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
          { key: 'Support', id: 'rol_1', description: 'Pays back', permissions: null },
          { key: 'rol_2', id: 'rol_2', description: '', permissions: [] },
        ],
      },
    });
  });

  test('a role that is not listed is read by its id', async () => {
    const declared = [{ id: 'rol_8', description: 'Reads' }];
    const unlisted = { rol_8: { id: 'rol_8', name: 'Member', type: 'organization', description: 'Old' } };
    expect(await readWith(declared, { roles, unlisted })).toMatchObject({
      asked: [listing, 'get_role rol_8'],
      state: { items: [{ state: 'found', id: 'rol_8', name: 'Member', description: 'Old' }] },
    });
    // A list that may be long is not read for one role.
    expect((await readWith(declared, { roles, unlisted }, keepNothing, { only: ['rol_8'] })).asked).toEqual([
      'get_role rol_8',
    ]);
    expect((await readWith(declared, { roles })).state).toMatchObject({ items: [{ state: 'missing', key: 'rol_8' }] });
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
      state: { items: [{ id: 'rol_1', description: 'Pays back', permissions: [pair('a')] }] },
    });
  });

  test.each<readonly [string, readonly DeclaredRole[], string | null]>([
    ['another case', [{ name: 'SUPPORT', description: '' }], 'Support'],
    ['one letter', [{ name: 'Suport', description: '' }], 'Support'],
    ['two letters', [{ name: 'Sport', description: '' }], null],
    [
      'one letter, and the files declare both',
      [
        { name: 'Suport', description: '' },
        { name: 'Support', description: '' },
      ],
      null,
    ],
  ])('a live name that a new one may mean: %s', async (_name, declared, near) => {
    expect((await readWith(declared, { roles: described1 })).state).toMatchObject({
      items: [{ state: 'missing', near }, ...declared.slice(1).map(({ name }) => ({ key: name }))],
    });
  });
});
