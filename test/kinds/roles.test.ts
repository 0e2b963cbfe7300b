import { expect, describe as group, test } from 'vitest';
import { roles as kind } from '../../src/kinds/roles/index.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Decision, KeepRules } from '../../src/model/kind.ts';
import type { ApiLevel } from '../../src/model/operation.ts';
import type { Action, Finding } from '../../src/model/plan.generated.ts';
import type { Unreadable } from '../../src/model/reader.ts';
import type { DeclaredRole, PermissionPair } from '../../src/service/roles/permissions.ts';
import { memberOf } from '../../src/values/json-pointer.ts';
import { buildAction, someState } from '../support/build-action.ts';
import { buildPopulation } from '../support/build-decision.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { buildFinding } from '../support/build-plan.ts';
import { desiredItem, desiredSection, withStates } from '../support/desired-section.ts';
import { keeping, keepNothing } from '../support/keep-rules.ts';
import { type HeldRole, liveRoles } from '../support/live-roles.ts';
import { listRolePermissions, listRoles } from '../support/role-operations.ts';

const unit = { verb: 'remove', one: 'permission', many: 'permissions' } as const;
const containers = { one: 'role', many: 'roles' };
const billing = 'https://billing.example/';
const pairs = (count: number): PermissionPair[] =>
  Array.from({ length: count }, (_empty, index) => pair(`p${String(index).padStart(4, '0')}`));
const at = (pointer: string, index = 0) => ({ file: 'files.yaml', line: index + 2, column: pointer.length + 1 });

const keyOf = (role: DeclaredRole) => role.id ?? role.name ?? '';
const section = (...roles: readonly DeclaredRole[]) =>
  desiredSection(roles.map((role) => [keyOf(role), role] as const));

group('decide, where roles can be read', () => {
  function held(
    key: string,
    permissions: readonly PermissionPair[] | null,
    about: { readonly id?: string; readonly name?: string } = {},
  ): HeldRole {
    return { id: key, permissions, ...about };
  }

  function decide(roles: readonly DeclaredRole[], live: readonly HeldRole[], keep: KeepRules = keepNothing): Decision {
    return kind.decide({
      desired: section(...roles),
      live: liveRoles(live),
      keep,
      api: 'full',
      rotate: new Set(),
    });
  }

  function addition(key: string, added: readonly PermissionPair[], path = `/roles/${key}/permissions`): Action {
    return buildAction({
      kind: 'roles',
      key,
      part: 'add',
      action: 'add',
      reason: 'missing',
      request: { operation: 'add_role_permissions', method: 'POST', path, body: { permissions: added } },
      before: null,
      after: { permissions: added },
      precondition: someState,
      source: at('/permissions'),
    });
  }

  function removal(
    key: string,
    removed: readonly PermissionPair[],
    about: Partial<Action> & { readonly path?: string } = {},
  ): Action {
    const { path = `/roles/${key}/permissions`, ...rest } = about;
    return buildAction({
      kind: 'roles',
      key,
      part: 'remove',
      action: 'remove',
      reason: 'undeclared',
      request: { operation: 'remove_role_permissions', method: 'DELETE', path, body: { permissions: removed } },
      before: { permissions: removed },
      after: null,
      precondition: someState,
      source: at('/permissions'),
      ...rest,
    });
  }

  function finding(code: Finding['code'], message: string, pointer: string): Finding {
    return buildFinding(code, { kind: 'roles', key: 'r', message, source: at(pointer) });
  }

  interface Row {
    readonly name: string;
    readonly role: DeclaredRole;
    readonly live: HeldRole;
    readonly keep?: KeepRules;
    readonly actions?: readonly Action[];
    readonly findings?: readonly Finding[];
    readonly losses?: readonly string[];
    /** Pairs that guards count as live; default: none. */
    readonly population?: number;
  }

  /** What a removal beside an addition needs. */
  const afterAdd = { needs: ['roles/r#add'] };
  const lost = (name: string) => `roles/r#${name} of ${orders}`;
  const isR = keeping({ isProtected: (name) => name === 'r' });
  const ofBase = keeping({ keepsParts: true });

  const rows: readonly Row[] = [
    { name: 'nothing wanted and nothing held', role: { id: 'r', permissions: [] }, live: held('r', []) },
    {
      name: 'equal sets in another order',
      role: { id: 'r', permissions: [pair('a'), pair('b')] },
      live: held('r', [pair('b'), pair('a')]),
      population: 2,
    },
    {
      name: 'one pair swapped: one add and one remove, and no pair that stays',
      role: { id: 'r', permissions: [pair('new'), pair('stays')] },
      live: held('r', [pair('old'), pair('stays')]),
      actions: [addition('r', [pair('new')]), removal('r', [pair('old')], afterAdd)],
      losses: [lost('old')],
      population: 2,
    },
    {
      name: 'adds in declared order, removes by API and permission',
      role: { id: 'r', permissions: [pair('z'), pair('a')] },
      live: held('r', [pair('y'), pair('x'), pair('y', billing)]),
      actions: [
        addition('r', [pair('z'), pair('a')]),
        removal('r', [pair('y', billing), pair('x'), pair('y')], afterAdd),
      ],
      losses: [`roles/r#y of ${billing}`, lost('x'), lost('y')],
      population: 3,
    },
    {
      name: 'one permission name of two APIs is two pairs',
      role: { id: 'r', permissions: [pair('read', billing)] },
      live: held('r', [pair('read')]),
      actions: [addition('r', [pair('read', billing)]), removal('r', [pair('read')], afterAdd)],
      losses: [lost('read')],
      population: 1,
    },
    {
      name: 'a role by name: the key is the name, the path has the id',
      role: { name: 'Support / EU', permissions: [pair('a')] },
      live: held('Support / EU', [], { id: 'rol_1', name: 'Support / EU' }),
      actions: [addition('Support / EU', [pair('a')], '/roles/rol_1/permissions')],
    },
    {
      name: 'without permissions only what must be absent is removed, and it is no loss',
      role: { id: 'r', absent_permissions: [pair('b'), pair('not-held')] },
      live: held('r', [pair('a'), pair('b')]),
      actions: [
        removal('r', [pair('b')], {
          reason: 'different',
          source: at('/absent_permissions'),
          notes: ['removes only permissions listed in absent_permissions'],
        }),
      ],
    },
    {
      name: 'nothing that must be absent is held',
      role: { id: 'r', absent_permissions: [pair('b')] },
      live: held('r', [pair('a')]),
    },
    {
      name: 'undeclared and absent pairs go in one request, and only the undeclared one is a loss',
      role: { id: 'r', permissions: [], absent_permissions: [pair('b')] },
      live: held('r', [pair('c'), pair('b')]),
      actions: [removal('r', [pair('b'), pair('c')], { notes: [`listed in absent_permissions: b of ${orders}`] })],
      losses: [lost('c')],
      population: 2,
    },
    {
      name: 'a protected role loses nothing and still gains',
      role: { id: 'r', permissions: [pair('new')], absent_permissions: [pair('b')] },
      live: held('r', [pair('c'), pair('b')]),
      keep: isR,
      actions: [addition('r', [pair('new')])],
      findings: [
        finding(
          'LIVE_PROTECTED',
          `2 permissions would be removed (b of ${orders}, c of ${orders}); kept because it is protected`,
          '/permissions',
        ),
      ],
      population: 0,
    },
    {
      name: 'protected, with an absent pair alone',
      role: { id: 'r', absent_permissions: [pair('b')] },
      live: held('r', [pair('b')]),
      keep: isR,
      findings: [
        finding(
          'LIVE_PROTECTED',
          `1 permission would be removed (b of ${orders}); kept because it is protected`,
          '/absent_permissions',
        ),
      ],
    },
    {
      name: 'protected, with nothing to lose',
      role: { id: 'r', permissions: [pair('a')] },
      live: held('r', [pair('a')]),
      keep: isR,
      population: 1,
    },
    {
      name: 'a base with keep_undeclared keeps what is undeclared, and not what must be absent',
      role: { id: 'r', permissions: [pair('new')], absent_permissions: [pair('b')] },
      live: held('r', [pair('c'), pair('b')]),
      keep: ofBase,
      actions: [
        addition('r', [pair('new')]),
        removal('r', [pair('b')], {
          ...afterAdd,
          reason: 'different',
          source: at('/absent_permissions'),
          notes: ['removes only permissions listed in absent_permissions'],
        }),
      ],
      population: 1,
    },
    {
      name: 'of many pairs that are kept ten are named',
      role: { id: 'r', permissions: [] },
      live: held('r', pairs(12)),
      keep: isR,
      findings: [
        finding(
          'LIVE_PROTECTED',
          expect.stringMatching(/^12 permissions would be removed \(p0000 of .* p0009 of \S+ and 2 more\); kept/),
          '/permissions',
        ),
      ],
      population: 0,
    },
    {
      name: 'a contradiction that the check of the files would refuse takes the side of less',
      role: { id: 'r', permissions: [pair('a')], absent_permissions: [pair('a')] },
      live: held('r', []),
    },
  ];

  test.each(rows)('$name', ({ role, live, keep, actions = [], findings = [], losses = [], population = 0 }) => {
    const {
      links: _links,
      requirements: _requirements,
      effectsOf: _effectsOf,
      ...decision
    } = decide([role], [live], keep);
    const removing = decision.actions.find(({ action }) => action === 'remove');
    expect(decision).toEqual({
      kind: 'roles',
      actions,
      findings,
      losses: losses.map((item) => ({
        id: removing?.id,
        item,
        holder: expect.objectContaining({ kind: 'roles', key: role.id ?? role.name }),
      })),
      holders: new Map(
        Array.isArray(live.permissions) && live.permissions.length > 0 ? [[live.id, live.permissions.length]] : [],
      ),
      asked: expect.any(Array),
      gains: decision.actions.filter(({ action }) => action === 'add').map(({ id }) => id),
      unreadable: null,
      population: buildPopulation({
        live:
          role.permissions === undefined
            ? []
            : [expect.objectContaining({ key: expect.any(String), parts: population })],
        unit,
        containers,
      }),
      names: null,
    });
  });

  test.each([
    ['its id', 'rol_1'],
    ['its name', 'Support'],
  ])('a pattern protects a role by %s', (_what, pattern) => {
    const live = held('key', [pair('a')], { id: 'rol_1', name: 'Support' });
    const decision = decide(
      [{ id: 'rol_1', permissions: [] }],
      [live],
      keeping({ isProtected: (name) => name === pattern }),
    );
    expect(decision).toMatchObject({ actions: [], findings: [{ code: 'LIVE_PROTECTED' }], losses: [] });
  });

  test('one request adds what a role can have, another one removes it, and each loss belongs to it', () => {
    const declared = pairs(1000).map(({ permission_name: name }) => pair(name, billing));
    const { actions, losses } = decide([{ id: 'r', permissions: declared }], [held('r', pairs(1000))]);
    expect(actions.map(({ id, request }) => [id, memberOf(request.body, 'permissions')])).toEqual([
      ['roles/r#add', declared],
      ['roles/r#remove', pairs(1000)],
    ]);
    expect(losses).toHaveLength(1000);
    expect(losses.at(-1)).toMatchObject({
      id: 'roles/r#remove',
      item: lost(String(pairs(1000).at(-1)?.permission_name)),
    });
  });

  test('a role that manages nothing is left alone', () => {
    expect(decide([{ id: 'r' }], [held('r', null)])).toMatchObject({
      actions: [],
      findings: [],
      population: { live: [] },
    });
  });

  test('guards count what is held by the roles that declare what they hold', () => {
    const roles = [
      { id: 'r1', permissions: [pair('a'), pair('b')] },
      { id: 'r2', absent_permissions: [pair('x')] },
    ];
    const live = [held('r1', [pair('a'), pair('b')]), held('r2', [pair('a'), pair('b'), pair('c')])];
    expect(decide(roles, live).population).toEqual(
      buildPopulation({ declared: 2, live: [{ key: 'r1', parts: 2 }], unit, containers }),
    );
  });

  group('declarations that do not name one role of their own are errors, and are left out', () => {
    const found = held('Support', [pair('a')], { id: 'rol_1', name: 'Support' });
    const error = (code: Finding['code'], key: string, message: string, source: Finding['source']) =>
      buildFinding(code, { kind: 'roles', key, message, source });

    test.each<readonly [string, DeclaredRole, readonly HeldRole[], Finding['code'], string, string]>([
      [
        'a name that no role has, with a near one',
        { name: 'Suport', permissions: [] },
        [held('rol_1', null, { name: 'Support' })],
        'LIVE_NOT_FOUND',
        'no role on the tenant has this name; names are case-sensitive; did you mean "Support"?',
        '/name',
      ],
      [
        'a name that no role has, far from all others',
        { name: 'Support', permissions: [] },
        [],
        'LIVE_NOT_FOUND',
        'no role on the tenant has this name; names are case-sensitive; create the role, correct its name, or declare a description to have it created',
        '/name',
      ],
      [
        'an id that no role has',
        { id: 'rol_9', permissions: [] },
        [],
        'LIVE_NOT_FOUND',
        'no role on the tenant has this id; create the role or correct its id',
        '/id',
      ],
      [
        'a name that two roles have',
        { name: 'Support', permissions: [] },
        [held('rol_1', [], { name: 'Support' }), held('rol_2', [], { name: 'Support' })],
        'LIVE_AMBIGUOUS',
        '2 live items have this name (rol_1, rol_2); name one of them by its id: { id: rol_1 }',
        '',
      ],
    ])('%s', (_name, role, live, code, message, pointer) => {
      const other = held('r', [pair('x')]);
      const keep = keeping({ undeclared: 'ignore' });
      const decision = decide([role, { id: 'r', permissions: [] }], [...live, other], keep);
      expect(decision.findings).toEqual([error(code, keyOf(role), message, at(pointer))]);
      expect(decision.actions.map(({ id }) => id)).toEqual(['roles/r#remove']);
    });

    test('one role declared by name and by id: it is unknown which to follow', () => {
      const decision = decide(
        [
          { name: 'Support', permissions: [] },
          { id: 'rol_1', permissions: [pair('b')] },
        ],
        [found],
      );
      const message =
        '"Support" at files.yaml:2:6 and "rol_1" at files.yaml:3:4 are the same role, rol_1; merge them into one entry';
      expect(decision.actions).toEqual([]);
      expect(decision.findings).toEqual([
        error('LIVE_DECLARED_TWICE', 'Support', message, at('/name')),
        error('LIVE_DECLARED_TWICE', 'rol_1', message, at('/id', 1)),
      ]);
    });
  });

  group('roles as items', () => {
    const withDescription = { name: 'Support', description: 'Pays back', permissions: [pair('a')] };
    const live = (about: Partial<HeldRole> = {}): HeldRole => ({
      id: 'rol_1',
      name: 'Support',
      description: 'Old',
      permissions: [pair('a')],
      ...about,
    });
    const requests = ({ actions }: Decision) =>
      actions.map(({ action, needs, request }) => [action, request.path, request.body, needs]);
    const decideAbsent = (role: HeldRole | null, keep: KeepRules = keepNothing) =>
      kind.decide({
        desired: withStates(section({ name: 'Support' }), { Support: 'absent' }),
        live: liveRoles(role === null ? [] : [role]),
        keep,
        api: 'full',
        rotate: new Set(),
      });

    test('a missing role with a description is created, and gets its permissions', () => {
      const decision = decide([withDescription], []);
      const reference = '/roles/{result:roles/Support:id}/permissions';
      expect(requests(decision)).toEqual([
        ['create', '/roles', { name: 'Support', description: 'Pays back' }, []],
        ['add', reference, { permissions: [pair('a')] }, ['roles/Support']],
      ]);
      expect(decision).toMatchObject({ findings: [], losses: [], gains: ['roles/Support', 'roles/Support#add'] });
    });

    test('an empty description is not sent with a new role', () => {
      const decision = decide([{ name: 'Support', description: '' }], []);
      expect(requests(decision)).toEqual([['create', '/roles', { name: 'Support' }, []]]);
    });

    test('a new role takes a second request for its permissions', () => {
      const { actions } = decide([{ ...withDescription, permissions: pairs(2) }], []);
      expect(actions.map(({ id, needs }) => [id, needs])).toEqual([
        ['roles/Support', []],
        ['roles/Support#add', ['roles/Support']],
      ]);
    });

    test('a name near a live one is a warning', () => {
      const message =
        'the role is created, but the tenant has an undeclared one, "support", with a similar name or the same description; if it was meant, add renamed_from: support to rename it, correct the name, or pull it into the files';
      const near = { id: 'rol_9', name: 'support', permissions: null };
      const decision = decide([withDescription], [near], keeping({ undeclared: 'ignore' }));
      expect(decision.findings).toEqual([
        buildFinding('LIVE_NEAR_NAME', { kind: 'roles', key: 'Support', message, source: at('/name') }),
      ]);
      expect(decision.actions).toHaveLength(2);
    });

    test('a missing role by its id is not created', () => {
      expect(decide([{ id: 'Support', description: 'Pays back' }], [])).toMatchObject({
        actions: [],
        findings: [{ code: 'LIVE_NOT_FOUND' }],
      });
    });

    test.each<readonly [string, string, string, number]>([
      ['another text', 'Pays back', 'Old', 1],
      ['an empty one', '', 'Old', 1],
      ['the same text', 'Old', 'Old', 0],
      ['none on either side', '', '', 0],
    ])('its description is kept as declared: %s', (_name, declared, description, count) => {
      const decision = decide([{ name: 'Support', description: declared }], [live({ description, permissions: null })]);
      expect(requests(decision)).toEqual(
        count === 0 ? [] : [['update', '/roles/rol_1', { description: declared }, []]],
      );
    });

    test('an update shows what changes', () => {
      const decision = decide([{ id: 'rol_1', description: 'Pays back' }], [live()]);
      expect(decision.actions).toMatchObject([
        {
          key: 'rol_1',
          before: { id: 'rol_1', name: 'Support', description: 'Old' },
          after: { id: 'rol_1', description: 'Pays back' },
          changes: [{ field: 'description', before: 'Old', after: 'Pays back' }],
        },
      ]);
    });

    test('a role that is declared absent is deleted, with every permission as a loss', () => {
      const decision = decideAbsent(live({ permissions: [pair('b'), pair('a')] }));
      expect(decision.actions).toMatchObject([
        {
          id: 'roles/Support',
          action: 'delete',
          request: { operation: 'delete_role', method: 'DELETE', path: '/roles/rol_1' },
          before: { id: 'rol_1', name: 'Support', description: 'Old', permissions: [pair('a'), pair('b')] },
        },
      ]);
      expect(decision.losses.map(({ item }) => item)).toEqual([
        `roles/Support#a of ${orders}`,
        `roles/Support#b of ${orders}`,
      ]);
    });

    test('a role that is declared absent and does not exist needs nothing', () => {
      expect(decideAbsent(null)).toMatchObject({ actions: [], findings: [] });
    });

    test('a protected role is not deleted', () => {
      expect(decideAbsent(live(), isR)).toMatchObject({ actions: [{ action: 'delete' }] });
      const keep = keeping({ isProtected: (name) => name === 'rol_1' });
      expect(decideAbsent(live(), keep)).toMatchObject({ actions: [], findings: [{ code: 'LIVE_PROTECTED' }] });
    });

    test('what a plan shows of them', () => {
      const [create, add] = decide([withDescription], []).actions;
      const [update] = decide([withDescription], [live()]).actions;
      const [remove] = decideAbsent(live({ description: '' })).actions;
      const shown = [create, add, update, remove].map((action) => kind.describe(action ?? expect.fail('planned')));
      expect(shown).toEqual([
        { summary: 'Pays back' },
        { parts: [{ does: 'gained', parts: [{ name: 'a', of: 'https://orders.example/' }] }], access: 'gained' },
        {},
        { summary: '' },
      ]);
    });

    test('where no operation reads roles, a description is not checked', () => {
      const why: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' };
      const desired = section({ id: 'rol_1', description: 'Pays back' });
      const decision = kind.decide({ desired, live: why, keep: keepNothing, api: 'documented', rotate: new Set() });
      expect(decision).toMatchObject({
        actions: [],
        findings: [{ code: 'LIVE_UNREADABLE' }, { code: 'LIVE_NOT_CHECKED', source: at('/description') }],
      });
    });
  });

  group('permissions that could not be read', () => {
    const why: Unreadable = { readable: false, structural: false, code: 'LIVE_FORBIDDEN', message: 'status 403' };
    const decideUnread = (declared: readonly DeclaredRole[], permissions: HeldRole['permissions']) => {
      const states = declared[0]?.permissions === undefined ? { Support: 'absent' as const } : {};
      const desired = withStates(section(...declared), states);
      const live = liveRoles([
        { id: 'rol_1', name: 'Support', permissions },
        { id: 'rol_2', name: 'Reader', permissions: [] },
      ]);
      return kind.decide({ desired, live, keep: keepNothing, api: 'full', rotate: new Set() });
    };
    const reader = { name: 'Reader', permissions: [pair('a')] };

    test('leave the other roles alone, and make the plan incomplete', () => {
      const decision = decideUnread([{ name: 'Support', permissions: [] }, reader], why);
      expect(decision).toMatchObject({
        actions: [{ id: 'roles/Reader#add' }],
        findings: [
          {
            code: 'LIVE_FORBIDDEN',
            key: 'Support',
            message: 'its permissions could not be read, and are not changed: status 403',
            source: at('/permissions'),
          },
        ],
        unreadable: why,
      });
    });

    test('keep a role that is declared absent', () => {
      const decision = decideUnread([{ name: 'Support' }, reader], why);
      expect(decision).toMatchObject({
        actions: [{ id: 'roles/Reader#add' }],
        findings: [{ code: 'LIVE_FORBIDDEN', message: expect.stringContaining('kept because its permissions') }],
        losses: [],
      });
    });

    test('are an error if the role was deleted in the meantime, and nothing if it is to be absent', () => {
      const gone = { ...why, gone: true } as const;
      expect(decideUnread([{ name: 'Support', permissions: [] }, reader], gone)).toMatchObject({
        findings: [{ code: 'LIVE_NOT_FOUND', message: 'the role was deleted while it was read' }],
        unreadable: null,
      });
      expect(decideUnread([{ name: 'Support' }, reader], gone)).toMatchObject({
        actions: [{ id: 'roles/Reader#add' }],
        findings: [],
        unreadable: null,
      });
    });
  });

  group('protection by a name that is not known', () => {
    const withPatterns = (...patterns: readonly string[]) =>
      keeping({ patterns, isProtected: (name) => patterns.includes(name) });

    test('where no operation reads names, a removal is not sent', () => {
      const why: Unreadable = { readable: false, structural: true, code: 'LIVE_UNREADABLE', message: 'no operation' };
      const decideUnread = (...patterns: readonly string[]) =>
        kind.decide({
          desired: section({ id: 'rol_2', absent_permissions: [pair('a')] }, { id: 'rol_1' }),
          live: why,
          keep: withPatterns(...patterns),
          api: 'documented',
          rotate: new Set(),
        });
      expect(decideUnread('rol_1').actions).toHaveLength(1);
      expect(decideUnread('Administrators')).toMatchObject({
        actions: [],
        findings: [
          { code: 'LIVE_UNREADABLE' },
          { code: 'LIVE_PROTECTED', message: expect.stringContaining('its name is not known') },
        ],
      });
    });
  });
});

group('decide, where reading failed', () => {
  test('nothing is planned, not even what must be absent', () => {
    const why: Unreadable = {
      readable: false,
      structural: false,
      code: 'LIVE_SCOPE_MISSING',
      message: 'the token lacks read:roles',
    };
    const desired = section({ id: 'r', permissions: [pair('a')], absent_permissions: [pair('b')] });
    expect(kind.decide({ desired, live: why, keep: keepNothing, api: 'full', rotate: new Set() })).toEqual({
      kind: 'roles',
      actions: [],
      findings: [
        buildFinding('LIVE_SCOPE_MISSING', {
          kind: 'roles',
          key: '*',
          message: why.message,
          source: { file: 'files.yaml', line: 1, column: 1 },
        }),
      ],
      losses: [],
      asked: [],
      gains: [],
      unreadable: why,
      population: buildPopulation({ live: [] }),
      names: null,
    });
  });
});

group('a pair under absent_permissions that misses by case or a slash', () => {
  const absent = (permission_name: string, api: string = orders): DeclaredRole => ({
    id: 'r',
    absent_permissions: [pair(permission_name, api)],
  });
  const held = (...permissions: readonly PermissionPair[]): HeldRole => ({ id: 'r', permissions });
  const findingsOf = (roles: readonly DeclaredRole[], ...live: readonly HeldRole[]) =>
    kind
      .decide({
        desired: section(...roles),
        live: liveRoles(live),
        keep: keepNothing,
        api: 'full',
        rotate: new Set(),
      })
      .findings.map(({ code, severity, message, source }) => [code, severity, message, source]);
  const noSlash = orders.replace(/\/$/, '');

  test.each([
    ['a slash', absent('a', noSlash), `a of ${noSlash}`],
    ['case of the permission', absent('A'), `A of ${orders}`],
    ['case of the API', absent('a', orders.toUpperCase()), `a of ${orders.toUpperCase()}`],
  ])('%s: a warning with the live pair', (_what, role, text) => {
    const message = `absent_permissions lists ${text}, but the role has a of ${orders}; they differ only by case or slashes`;
    expect(findingsOf([role], held(pair('a')))).toEqual([
      ['LIVE_NEAR_PERMISSION', 'warning', message, at('/absent_permissions/0')],
    ]);
  });

  test.each<readonly [string, readonly DeclaredRole[], HeldRole]>([
    ['the pair is live', [absent('a')], held(pair('a'), pair('A'))],
    ['nothing is near', [absent('b')], held(pair('a'))],
    ['both are listed', [{ id: 'r', absent_permissions: [pair('A'), pair('a')] }], held(pair('a'))],
    ['the role has neither', [absent('a')], held()],
  ])('not if %s', (_what, roles, live) => {
    expect(findingsOf(roles, live)).toEqual([]);
  });
});

group('decide, where no operation reads roles', () => {
  const why: Unreadable = {
    readable: false,
    structural: true,
    code: 'LIVE_UNREADABLE',
    message: 'no operation reads role permissions',
  };
  const unreadable = buildFinding('LIVE_UNREADABLE', {
    kind: 'roles',
    key: '*',
    message: why.message,
    source: { file: 'files.yaml', line: 1, column: 1 },
  });
  const decide = (role: DeclaredRole, keep: KeepRules = keepNothing) =>
    kind.decide({ desired: section(role), live: why, keep, api: 'documented', rotate: new Set() });

  test('absent pairs of a role go in one removal', () => {
    const decision = decide({ id: 'rol/1', absent_permissions: [pair('delete:orders'), pair('refund:orders')] });
    expect(decision.actions).toEqual([
      buildAction({
        kind: 'roles',
        key: 'rol/1',
        part: 'remove',
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
        source: at('/absent_permissions'),
      }),
    ]);
    expect(decision.findings).toEqual([unreadable]);
  });

  test('pairs that were asked for one by one are not counted by guards', () => {
    expect(decide({ id: 'r', absent_permissions: [pair('a')] }).losses).toEqual([]);
  });

  test.each<readonly [string, DeclaredRole]>([
    ['neither list', { id: 'r' }],
    ['an empty list', { id: 'r', absent_permissions: [] }],
  ])('a role with %s asks for nothing', (_name, role) => {
    expect(decide(role)).toMatchObject({ actions: [], findings: [unreadable] });
  });

  test('declared permissions are reported as not checked, at their place', () => {
    const message =
      'its permissions are declared, but no available operation can read the live ones; they are neither compared nor changed';
    expect(decide({ id: 'r', permissions: [] }).findings).toEqual([
      unreadable,
      buildFinding('LIVE_NOT_CHECKED', { kind: 'roles', key: 'r', message, source: at('/permissions') }),
    ]);
  });

  test('a protected role keeps its pairs, and that is said', () => {
    const decision = decide({ id: 'r', absent_permissions: [pair('a')] }, keeping({ isProtected: () => true }));
    const message = 'its live state cannot be read; not changed because it is protected';
    const kept = buildFinding('LIVE_PROTECTED', {
      kind: 'roles',
      key: 'r',
      message,
      source: at('/absent_permissions'),
    });
    expect(decision).toMatchObject({ actions: [], findings: [unreadable, kept] });
  });
});

group('check', () => {
  function faultsOf(role: DeclaredRole, api: ApiLevel = 'full'): Diagnostic[] {
    const faults: Diagnostic[] = [];
    kind.check?.(desiredItem('r', role), (diagnostic) => faults.push(diagnostic), api);
    return faults;
  }

  test('a sound role has no fault', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('a')], absent_permissions: [pair('b')] })).toEqual([]);
  });

  test('a pair in both lists contradicts itself', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('x'), pair('a')], absent_permissions: [pair('a')] })).toMatchObject([
      { code: 'CONFIG_CONTRADICTION', source: at('/absent_permissions/0') },
    ]);
  });

  test.each(['permissions', 'absent_permissions'])('%s: no more than a role can have', (list) => {
    expect(faultsOf({ id: 'r', [list]: pairs(1000) })).toEqual([]);
    expect(faultsOf({ id: 'r', [list]: pairs(1001) })).toMatchObject([
      { code: 'CONFIG_TOO_LONG', source: at(`/${list}`) },
    ]);
  });

  test('a pair twice in a list', () => {
    expect(faultsOf({ id: 'r', permissions: [pair('a'), pair('b'), pair('a')] })).toMatchObject([
      { code: 'CONFIG_DUPLICATE_ELEMENT', source: at('/permissions/2') },
    ]);
  });

  test('a role about which nothing is declared is an error', () => {
    expect(faultsOf({ name: 'Suport' }, 'full')).toMatchObject([{ code: 'CONFIG_ROLE_EMPTY' }]);
    expect(faultsOf({ id: 'rol_1' }, 'documented')).toMatchObject([{ code: 'CONFIG_ROLE_EMPTY' }]);
    expect(faultsOf({ name: 'Support', absent_permissions: [] }, 'full')).toEqual([]);
  });

  test('a role by name cannot be looked up where roles cannot be listed', () => {
    expect(faultsOf({ name: 'Support', permissions: [] }, 'full')).toEqual([]);
    expect(faultsOf({ id: 'rol_1', permissions: [] }, 'documented')).toEqual([]);
    expect(faultsOf({ name: 'Support', permissions: [] }, 'documented')).toMatchObject([
      {
        code: 'CONFIG_ROLE_NAME_UNSUPPORTED',
        hint: "use the role's id instead of its name, or set api: full",
        source: at('/name'),
      },
    ]);
  });
});

test('items are named by id, or by name', () => {
  const written = [{ id: 'rol_1' }, { name: 'Support' }, { id: 'rol_1', name: 'Support' }];
  expect(written.map((role) => kind.keyOf(role, ''))).toEqual(['rol_1', 'Support', 'rol_1']);
});

function actionOf(permissions: readonly PermissionPair[], action: 'add' | 'remove' = 'add'): Action {
  const request = { operation: 'any', method: 'POST', path: '/roles/r/permissions', body: { permissions } } as const;
  return buildAction({
    kind: 'roles',
    key: 'r',
    action,
    reason: 'missing',
    request,
    before: null,
    after: { permissions },
  });
}

test('describe lists the pairs', () => {
  expect(kind.describe(actionOf([pair('a'), pair('b', billing)]))).toEqual({
    parts: [
      {
        does: 'gained',
        parts: [
          { name: 'a', of: 'https://orders.example/' },
          { name: 'b', of: 'https://billing.example/' },
        ],
      },
    ],
    access: 'gained',
  });
});

group('answers of the service', () => {
  const listed = {
    permission_name: 'read:foo',
    description: 'Can read Foo',
    resource_server_name: 'Foo',
    resource_server_identifier: 'https://foo.example/',
  };
  const totals = { start: 0, limit: 100, total: 1 };

  test.each<readonly [string, { readonly validate: (value: unknown) => boolean }, unknown, boolean]>([
    [
      'roles with totals',
      listRoles.response,
      { roles: [{ id: 'rol_1', name: 'Reader', description: 'x', type: 'tenant' }], ...totals },
      true,
    ],
    ['no roles', listRoles.response, { roles: [], start: 0, limit: 100, total: 0 }, true],
    [
      'roles without type, with null, with new fields',
      listRoles.response,
      { roles: [{ id: 'rol_1', name: 'R', description: null, new: 1 }], ...totals, new: 1 },
      true,
    ],
    [
      'a role of an organization',
      listRoles.response,
      { roles: [{ id: 'rol_1', name: 'R', type: 'organization', owner_id: 'org_1' }], ...totals },
      true,
    ],
    ['roles in a bare list', listRoles.response, [{ id: 'rol_1', name: 'R' }], true],
    ['a role without a name', listRoles.response, { roles: [{ id: 'rol_1' }], ...totals }, false],
    [
      'a role with an id that is no segment of a path',
      listRoles.response,
      { roles: [{ id: '..', name: 'R' }], ...totals },
      false,
    ],
    ['roles without a total', listRoles.response, { roles: [], start: 0, limit: 100 }, false],
    ['permissions with totals', listRolePermissions.response, { permissions: [listed], ...totals }, true],
    [
      'permissions without words',
      listRolePermissions.response,
      { permissions: [{ ...listed, description: null, resource_server_name: null }], ...totals },
      true,
    ],
    ['permissions in a bare list', listRolePermissions.response, [listed], true],
    [
      'a permission without its API',
      listRolePermissions.response,
      { permissions: [{ permission_name: 'read:foo' }], ...totals },
      false,
    ],
    ['neither form', listRolePermissions.response, null, false],
  ])('%s', (_name, answer, body, accepted) => {
    expect(answer.validate(body)).toBe(accepted);
  });
});
