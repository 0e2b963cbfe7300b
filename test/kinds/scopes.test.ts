// The scopes of an API as a set that roles name: what is planned beside its fields, who loses what, what waits for it, and what
// people read.
import { describe, expect, test } from 'vitest';
import { resourceServers } from '../../src/kinds/resource-servers/index.ts';
import type { Decision, KeepRules } from '../../src/model/kind.ts';
import { isReleased, isThere } from '../../src/model/nodes.ts';
import type { ElementHolder, LiveParts } from '../../src/model/reader.ts';
import type { DeclaredAPI, LiveAPI } from '../../src/service/resource-servers/types.generated.ts';
import { scopeOf } from '../../src/service/roles/permissions.ts';
import { buildAction } from '../support/build-action.ts';
import { ordersApi as orders, buildPermission as pair } from '../support/build-permission.ts';
import { desiredSection, withStates } from '../support/desired-section.ts';
import { keepNothing } from '../support/keep-rules.ts';
import { isDefined, isDeleted, isRevoked } from '../support/permission-tokens.ts';

const unreadable = { readable: false, structural: false, code: 'LIVE_UNREADABLE', message: 'no' } as const;
const id = '5f0000000000000000000001';

function holder(roleId: string, name: string, scopes: readonly string[], parts = scopes.length): ElementHolder {
  return { kind: 'roles', id: roleId, name, elements: new Set(scopes), parts };
}

const held = [
  holder('rol_3', 'Support', ['read', 'write']),
  holder('rol_2', 'Auditor', ['read']),
  holder('rol_1', 'Support', ['read']),
  holder('rol_4', 'Other', [], 3),
  holder('rol_5', 'None', []),
];

interface Case {
  readonly declared: Omit<DeclaredAPI, 'identifier'>;
  readonly live?: Omit<LiveAPI, 'id' | 'identifier'> | null;
  readonly holders?: LiveParts['holders'];
  readonly keep?: Partial<KeepRules>;
}

function decide({ declared, live = {}, holders, keep }: Case): Decision {
  const item: LiveAPI = { id, identifier: orders, ...live };
  const parts = { others: [], nested: {}, ...(holders && { holders }) };
  return resourceServers.decide({
    desired: withStates(desiredSection([[orders, { identifier: orders, ...declared }]]), {
      ...(declared.absent && { [orders]: 'absent' }),
    }),
    live: { readable: true, filtered: false, items: live === null ? [] : [item], more: new Map([[item, parts]]) },
    keep: { ...keepNothing, undeclared: 'report', ...keep },
    api: 'full',
    rotate: new Set(),
  });
}

const values = (...names: readonly string[]) => names.map((value) => ({ value }));
const known = (items: readonly ElementHolder[]) => ({ readable: true, items }) as const;
const summary = ({ actions }: Decision) => actions.map(({ id: of, request: { body } }) => [of, body]);
const own = `resource_servers/${orders}`;
const removing: Case = {
  declared: { scopes: values('keep') },
  live: { scopes: values('keep', 'write', 'other') },
  holders: known(held),
};

describe('fields and scopes of one API', () => {
  test('change by requests of their own, each with a precondition of its own', () => {
    const declared = { name: 'New', scopes: [{ value: 'a', description: 'A' }] };
    const decision = decide({ declared, live: { name: 'Old', scopes: values('a') } });
    expect(summary(decision)).toEqual([
      [own, { name: 'New' }],
      [`${own}#scopes`, { scopes: [{ value: 'a', description: 'A' }] }],
    ]);
    const others = decide({ declared, live: { name: 'Old', scopes: values('a', 'b') }, holders: known([]) });
    expect(others.actions[0]?.precondition).toBe(decision.actions[0]?.precondition);
  });

  test('are in the one request that creates it, which provides the scopes', () => {
    const decision = decide({ declared: { name: 'New', scopes: values('a') }, live: null });
    expect(summary(decision)).toEqual([[own, { identifier: orders, name: 'New', scopes: values('a') }]]);
    expect(decision.links).toEqual([{ id: own, provides: [isDefined(pair('a'))] }]);
  });

  test('a new API with an identifier near that of an undeclared one is a warning', () => {
    const decision = resourceServers.decide({
      desired: desiredSection([['https://order.example/', { identifier: 'https://order.example/', name: 'New' }]]),
      live: { readable: true, filtered: false, items: [{ id, identifier: orders }] },
      keep: { ...keepNothing, undeclared: 'ignore' },
      api: 'full',
      rotate: new Set(),
    });
    expect(decision.actions.map(({ action }) => action)).toEqual(['create']);
    expect(decision.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `LIVE_NEAR_NAME: the API is created, but the tenant has an undeclared one, "${orders}", with a similar identifier; if it was meant, correct the identifier, or pull it into the files`,
    ]);
  });

  test('are left alone where files declare one of the two', () => {
    expect(summary(decide({ declared: { name: 'New' }, live: { name: 'Old', scopes: values('a') } }))).toEqual([
      [own, { name: 'New' }],
    ]);
  });

  test('of the service itself: what it accepts changes, and declared scopes are an error', () => {
    const live = { is_system: true, token_lifetime: 60, name: 'Management', scopes: values('read:users') };
    expect(summary(decide({ declared: { token_lifetime: 30 }, live }))).toEqual([[own, { token_lifetime: 30 }]]);
    const both = decide({ declared: { token_lifetime: 30, scopes: [] }, live });
    expect([both.actions, both.findings.map(({ message }) => message)]).toEqual([
      [],
      ['this is an API of the service itself: its scopes cannot be changed; delete them'],
    ]);
    const name = decide({ declared: { name: 'Mine' }, live });
    expect([name.actions, name.findings.map(({ code }) => code)]).toEqual([[], ['LIVE_DIFFERENT']]);
    const gone = decide({ declared: { absent: true }, live });
    expect([gone.actions, gone.findings.map(({ code }) => code)]).toEqual([[], ['LIVE_RESERVED']]);
  });
});

describe('a scope that goes', () => {
  test('is a loss of each role that has it, by name and id, unless an action of the role takes it', () => {
    const {
      nested: [set] = [],
      holders,
      links,
    } = decide({
      ...removing,
      live: { scopes: values('keep', 'read') },
    });
    const lost = (role: string, name: string) => ({
      id: `${own}#remove`,
      item: `roles/${name} (${role})#read of ${orders}`,
      unless: [isRevoked(role, pair('read')), isDeleted(role)],
      holder: { kind: 'roles', id: role, key: name },
      part: 'read',
    });
    expect(set?.losses).toEqual([
      { id: `${own}#remove`, item: `${own}#read` },
      lost('rol_2', 'Auditor'),
      lost('rol_1', 'Support'),
      lost('rol_3', 'Support'),
    ]);
    expect(holders).toEqual(new Map(Object.entries({ rol_1: 1, rol_2: 1, rol_3: 2, rol_4: 3 })));
    expect(links).toEqual([
      {
        id: `${own}#remove`,
        after: [
          ...['rol_2', 'rol_1', 'rol_3'].flatMap((role) => [isRevoked(role, pair('read')), isDeleted(role)]),
          isReleased(scopeOf(pair('read'))),
        ],
        withdraws: [isThere(scopeOf(pair('read')))],
      },
    ]);
  });

  test('stays if a protected role has it, or if roles could not be read', () => {
    const isProtected = (name: string, kind?: string) => kind === 'roles' && name === 'rol_3';
    const kept = decide({ ...removing, keep: { isProtected } });
    expect(summary(kept)).toEqual([[`${own}#remove`, { scopes: values('keep', 'write') }]]);
    expect(kept.findings.map(({ message }) => message)).toEqual([
      'would be removed: write; kept because a role has it that is protected: Support',
    ]);
    const unread = decide({ ...removing, holders: unreadable });
    expect([unread.actions, unread.unreadable]).toEqual([[], unreadable]);
  });
});

describe('what is not known', () => {
  test('declared scopes are not checked where no operation reads APIs', () => {
    const none = { ...unreadable, structural: true, message: 'no operation of api: documented reads resource servers' };
    const {
      actions,
      findings,
      unreadable: why,
    } = resourceServers.decide({
      desired: desiredSection<DeclaredAPI>([
        [orders, { identifier: orders, scopes: [] }],
        ['urn:b', { identifier: 'urn:b', name: 'B' }],
      ]),
      live: none,
      keep: keepNothing,
      api: 'documented',
      rotate: new Set(),
    });
    expect([actions, why]).toEqual([[], none]);
    expect(findings.map(({ code, key, message }) => [code, key, message])).toEqual([
      ['LIVE_UNREADABLE', '*', none.message],
      [
        'LIVE_NOT_CHECKED',
        orders,
        'its scopes are declared, but no available operation can read the live ones; they are neither compared nor changed',
      ],
    ]);
  });

  test('an update of scopes notes what it replaces without knowing it, and an update of fields does not', () => {
    const item: LiveAPI = { id, identifier: orders, name: 'Old', scopes: values('a') };
    const { actions } = resourceServers.decide({
      desired: desiredSection([[orders, { identifier: orders, name: 'New', scopes: values('a', 'b') }]]),
      live: {
        readable: true,
        filtered: false,
        items: [item],
        odd: new Map([[item, [{ field: 'scopes[].level', what: 'unknown' }]]]),
      },
      keep: keepNothing,
      api: 'full',
      rotate: new Set(),
    });
    expect(actions.map(({ id: of, notes = [] }) => [of, notes])).toEqual([
      [own, []],
      [`${own}#add`, ['replaces what is not as this version expects it: scopes[].level']],
    ]);
  });

  test('a request adds and changes at once, and says what it changes', () => {
    const { actions } = decide({
      declared: { scopes: [{ value: 'b', description: 'B' }, { value: 'c' }, { value: 'a', description: 'A' }] },
      live: { scopes: [{ value: 'a', description: 'old' }, { value: 'b' }] },
    });
    expect(actions.map(({ id: of, notes, request: { body } }) => [of, notes, body])).toEqual([
      [
        `${own}#add`,
        ['also changes descriptions: b, a'],
        { scopes: [{ value: 'a', description: 'A' }, { value: 'b', description: 'B' }, { value: 'c' }] },
      ],
    ]);
  });
});

describe('an API that goes', () => {
  const deleting: Case = { declared: { absent: true }, live: { scopes: values('read') }, holders: known(held) };

  test('takes every scope along, and what roles have of it beside them', () => {
    const decision = decide(deleting);
    const [set] = decision.nested ?? [];
    expect(decision.actions.map(({ id: of, action }) => [of, action])).toEqual([[own, 'delete']]);
    expect(decision.losses.map(({ item }) => item)).toEqual([`${own}#${id}`]);
    expect(set?.losses.map(({ item }) => item)).toEqual([
      `roles/Auditor (rol_2)#read of ${orders}`,
      `roles/Support (rol_1)#read of ${orders}`,
      `roles/Support (rol_3)#read of ${orders}`,
      `roles/Support (rol_3)#write of ${orders}`,
    ]);
    expect(decision.links).toMatchObject([{ id: own, withdraws: [isDefined(pair('read')), isDefined(pair('write'))] }]);
    const planned = { actions: decision.actions, losses: set?.losses ?? [] };
    const effects = decision.actions.map((action) =>
      decision
        .effectsOf?.(planned)(action)
        .map(({ message }) => message),
    );
    expect(effects).toEqual([
      [
        'no longer defines read',
        `loses read of ${orders}`,
        `loses read of ${orders}`,
        `loses read, write of ${orders}`,
      ],
    ]);
  });

  test('stays if a protected role has a permission of it, or if roles could not be read', () => {
    const kept = decide({ ...deleting, keep: { isProtected: (name, kind) => kind === 'roles' && name === 'Auditor' } });
    expect([kept.actions, kept.losses, kept.nested?.[0]?.losses]).toEqual([[], [], []]);
    expect(kept.findings.map(({ message }) => message)).toEqual([
      'on the tenant but declared absent; kept because a role has it that is protected: Auditor',
    ]);
    const unread = decide({ ...deleting, holders: unreadable });
    expect([unread.actions, unread.unreadable]).toEqual([[], unreadable]);
  });

  test('is deleted only if the files say so', () => {
    const { actions, findings } = resourceServers.decide({
      desired: desiredSection([]),
      live: { readable: true, filtered: false, items: [{ id, identifier: orders }] },
      keep: { ...keepNothing, undeclared: 'report' },
      api: 'full',
      rotate: new Set(),
    });
    expect([actions, findings.map(({ code }) => code)]).toEqual([[], ['LIVE_UNDECLARED']]);
  });
});

describe('people read', () => {
  const scopes = (...names: readonly string[]) => ({ scopes: values(...names) });
  const change = (action: 'add' | 'remove', before: readonly string[], after: readonly string[]) =>
    buildAction({ kind: 'resource_servers', key: orders, action, before: scopes(...before), after: scopes(...after) });
  const parts = (does: string, lead: string, ...names: readonly string[]) => ({
    parts: [{ does, lead, parts: names.map((name) => ({ name })) }],
  });

  test.each([
    ['the scope that goes', change('remove', ['a', 'b'], ['a']), parts('deletes', 'scope', 'b')],
    ['scopes that go', change('remove', ['a', 'b'], []), parts('deletes', 'scopes', 'a', 'b')],
    ['the scope that comes', change('add', ['a'], ['a', 'b']), parts('adds', 'scope', 'b')],
    ['scopes that come', change('add', [], ['a', 'b']), parts('adds', 'scopes', 'a', 'b')],
  ])('%s', (_name, action, expected) => {
    expect(resourceServers.describe(action)).toEqual(expected);
  });
});

test('a row of a new or deleted API has its name, or else its scopes', () => {
  const create = (item: object) =>
    resourceServers.describe(
      buildAction({ kind: 'resource_servers', key: orders, action: 'create', after: { ...item } }),
    );
  expect(create({ name: 'Orders', scopes: values('a') })).toEqual({ summary: 'Orders' });
  expect(create({ token_lifetime: 60, scopes: values('a', 'b') })).toEqual({
    parts: [{ lead: 'scopes', parts: [{ name: 'a' }, { name: 'b' }] }],
  });
  expect(create({ token_lifetime: 60 })).toEqual({ summary: '' });
});
