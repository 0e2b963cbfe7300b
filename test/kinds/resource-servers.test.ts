// The scopes of APIs: what is planned, in which order, and what is read for it.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { resourceServers } from '../../src/kinds/resource-servers/index.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import type { LiveAPI, LiveScope } from '../../src/service/resource-servers/types.generated.ts';
import { buildPermission as pair } from '../support/build-permission.ts';
import { pullTenant } from '../support/pull-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { fixedClock, type StartedTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const orders = 'https://orders.example/';
const id = '5f0000000000000000000001';

/** An API with these scopes, and roles with these permissions of it. */
function seedOf(
  scopes: readonly (string | { readonly value: string; readonly description?: string })[],
  roles: Readonly<Record<string, readonly string[]>> = {},
): Seed {
  return {
    resource_servers: [
      { id, identifier: orders, scopes: scopes.map((one) => (typeof one === 'string' ? { value: one } : { ...one })) },
    ],
    roles: Object.entries(roles).map(([name, held]) => ({
      id: `rol_${name}`,
      name,
      permissions: held.map((permission) => pair(permission)),
    })),
  };
}

const api = (...scopes: readonly string[]) =>
  `resource_servers:\n  - identifier: ${orders}\n    scopes: [${scopes.map((scope) => (scope.startsWith('{') ? scope : `{ value: "${scope}" }`)).join(', ')}]\n`;
const role = (name: string, ...held: readonly string[]) =>
  `roles:\n  - name: ${name}\n    permissions:\n      ${orders}: [${held.join(', ')}]\n`;

interface Planned {
  readonly code: number;
  readonly actions: readonly {
    readonly id: string;
    readonly needs: readonly string[];
    readonly request: { readonly body: unknown };
    readonly effects: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly findings: readonly {
    readonly code: string;
    readonly severity: string;
    readonly key: string;
    readonly message: string;
  }[];
  readonly refusals: readonly { readonly message: string; readonly items: readonly string[] }[];
  readonly complete: boolean;
}

async function plan(tenant: StartedTenant, files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const { code, stdout } = await runCommand(['plan', await folder(files), '--format', 'json', ...options], {
    env: tenant.env,
  });
  return { code, ...JSON.parse(stdout) } as Planned;
}

const requestsOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.filter(({ operation }) => operation !== 'token').map(({ operation }) => operation);
const scopesOf = (tenant: StartedTenant) => tenant.tenant.snapshot().resource_servers?.[0]?.scopes;
const bodies = ({ actions }: Planned) => actions.map(({ id: of, request }) => [of, request.body]);

describe('one API', () => {
  test('in sync in any order, with undeclared descriptions: one request, no action', async () => {
    const tenant = await tenantWith(seedOf([{ value: 'b', description: 'B' }, 'a']));
    expect(await plan(tenant, { 'a.yaml': api('a', 'b') })).toMatchObject({ code: 0, actions: [], findings: [] });
    expect(requestsOf(tenant)).toEqual(['list_resource_servers']);
  });

  test('what is new is appended in the order of the files, and descriptions stay', async () => {
    const tenant = await tenantWith(seedOf([{ value: 'b', description: 'B' }, 'a']));
    const files = { 'a.yaml': api('z', 'a', '{ value: x, description: X }', 'b') };
    const scopes = [{ value: 'b', description: 'B' }, { value: 'a' }, { value: 'z' }, { value: 'x', description: 'X' }];
    expect(bodies(await plan(tenant, files))).toEqual([[`resource_servers/${orders}#add`, { scopes }]]);
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
    expect(scopesOf(tenant)).toEqual(scopes);
    expect((await plan(tenant, files)).actions).toEqual([]);
  });

  test('a description is an update; an empty one is the same as none', async () => {
    const tenant = await tenantWith(seedOf([{ value: 'a', description: 'old' }, 'b']));
    const planned = await plan(tenant, {
      'a.yaml': api('{ value: a, description: new }', '{ value: b, description: "" }'),
    });
    expect(bodies(planned)).toEqual([
      [`resource_servers/${orders}`, { scopes: [{ value: 'a', description: 'new' }, { value: 'b' }] }],
    ]);
  });

  test('what goes is removed last, by a second request, and is read in no other plan', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b', 'c', 'd'], { Support: ['a'] }));
    const files = { 'a.yaml': api('a', 'new', 'c', 'd') };
    const planned = await plan(tenant, files);
    expect(planned.actions.map(({ id: of, needs }) => [of, needs])).toEqual([
      [`resource_servers/${orders}#add`, []],
      [`resource_servers/${orders}#remove`, [`resource_servers/${orders}#add`]],
    ]);
    expect(requestsOf(tenant)).toEqual(['list_resource_servers', 'list_roles', 'list_role_permissions']);
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
    expect(scopesOf(tenant)?.map(({ value }) => value)).toEqual(['a', 'c', 'd', 'new']);
  });

  test('that another client changed meanwhile is a conflict', async () => {
    const tenant = await tenantWith(seedOf(['a']));
    const cwd = await folder({ 'a.yaml': api('a', 'new') });
    const saved = `${cwd}/plan.json`;
    await runCommand(['plan', cwd, '--out', saved], { env: tenant.env });
    await tenant.tenant.change((state) => state.resource_servers?.[0]?.scopes?.push({ value: 'theirs' }));
    const { code } = await runCommand(['apply', cwd, '--plan', saved, '--yes'], { env: tenant.env });
    expect({ code, scopes: scopesOf(tenant) }).toEqual({ code: 4, scopes: [{ value: 'a' }, { value: 'theirs' }] });
  });

  test('its scopes are kept by protect, and then no role is read', async () => {
    const header = `protect: { resource_servers: ["${orders}"] }`;
    const tenant = await tenantWith(seedOf(['a', 'b']));
    const planned = await plan(tenant, { 't.yaml': `tenant:\n  ${header}\n`, 'a.yaml': api('a') });
    expect(planned).toMatchObject({ code: 0, actions: [], findings: [{ key: orders }] });
    expect(requestsOf(tenant)).toEqual(['list_resource_servers']);
  });

  test('with the same scope twice is an error of the files: CONFIG_DUPLICATE_ELEMENT', async () => {
    const { code, stdout } = await runCommand(['validate', await folder({ 'a.yaml': api('a', 'b', 'a') })]);
    expect(code).toBe(3);
    expect(stdout).toContain('CONFIG_DUPLICATE_ELEMENT');
    expect(stdout).toContain('This element is listed twice in scopes, first at a.yaml:3:23.');
  });

  test('that is unmanaged or not on the tenant, or is one of the service itself: LIVE_SYSTEM_API', async () => {
    const seed = seedOf(['a']);
    seed.resource_servers?.push({ identifier: 'urn:system', is_system: true, scopes: [{ value: 's' }] });
    const tenant = await tenantWith(seed);
    const yaml = `resource_servers:\n  - { identifier: ${orders}, unmanaged: true }\n  - { identifier: urn:system, scopes: [] }\n  - { identifier: urn:sistem, scopes: [] }\n`;
    expect(await plan(tenant, { 'a.yaml': yaml })).toMatchObject({
      code: 1,
      actions: [],
      findings: [
        { code: 'LIVE_UNMANAGED', severity: 'note', key: orders },
        {
          code: 'LIVE_NOT_FOUND',
          severity: 'error',
          key: 'urn:sistem',
          message: expect.stringContaining('"urn:system"'),
        },
        { code: 'LIVE_SYSTEM_API', severity: 'error', key: 'urn:system' },
      ],
    });
  });
});

describe('a scope that roles have', () => {
  test('is a loss and an effect of each of them, and guards count them', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b'], { One: ['a'], Two: ['a', 'b'], Three: ['a'] }));
    const { actions, refusals } = await plan(tenant, { 'a.yaml': api('b') });
    expect(actions[0]?.effects).toEqual([
      {
        code: 'SCOPE_REMOVED',
        severity: 'warning',
        message: 'no longer defines a',
        kind: 'resource_servers',
        key: orders,
      },
      ...['One', 'Three', 'Two'].map((key) => ({
        code: 'ACCESS_LOST',
        severity: 'warning',
        message: `loses a of ${orders}`,
        kind: 'roles',
        key,
        id: `rol_${key}`,
        api: orders,
        permissions: ['a'],
        users: 0,
        groups: 0,
      })),
    ]);
    expect(refusals).toMatchObject([
      {
        message: 'would remove 1 of 2 live scopes, with 3 losses of other items; the limit is 3',
        items: [
          `resource_servers/${orders}#a`,
          ...['One', 'Three', 'Two'].map((name) => `roles/${name} (rol_${name})#a of ${orders}`),
        ],
      },
      {
        code: 'GUARD_EMPTIES_ITEM',
        message: 'would take everything from 2 of 3 roles',
        items: ['One', 'Three'].map((name) => `roles/${name} (rol_${name})#a of ${orders}`),
      },
    ]);
  });

  test('is removed after the revocation that the files ask for, which alone counts it', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b'], { Support: ['a', 'b'] }));
    const files = { 'a.yaml': api('b'), 'r.yaml': role('Support', 'b') };
    const { actions } = await plan(tenant, files);
    expect(actions.map(({ id: of, needs, effects }) => [of, needs, effects.map(({ code }) => code)])).toEqual([
      ['roles/Support#remove', [], ['ACCESS_LOST']],
      [`resource_servers/${orders}#remove`, ['roles/Support#remove'], ['SCOPE_REMOVED']],
    ]);
    // What two kinds read is requested once; only the listings of roles differ.
    expect(requestsOf(tenant).sort()).toEqual([
      'list_resource_servers',
      'list_role_groups',
      'list_role_permissions',
      'list_role_users',
      'list_roles',
      'list_roles',
    ]);
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
    expect(scopesOf(tenant)).toEqual([{ value: 'b' }]);
  });

  test('is removed after the role that has it is deleted, which is no loss of the API', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b', 'c'], { Old: ['a'] }));
    const files = { 'a.yaml': api('b', 'c'), 'r.yaml': 'roles:\n  - { name: Old, absent: true }\n' };
    const { actions } = await plan(tenant, files);
    expect(actions.map(({ id: of, needs }) => [of, needs])).toEqual([
      ['roles/Old', []],
      [`resource_servers/${orders}#remove`, ['roles/Old']],
    ]);
    expect(actions[1]?.effects).toMatchObject([{ code: 'SCOPE_REMOVED' }]);
  });

  test('is kept if the files declare the role to have it', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b'], { Support: ['a', 'b'] }));
    const planned = await plan(tenant, { 'a.yaml': api('b'), 'r.yaml': role('Support', 'a', 'b') });
    expect(planned).toMatchObject({
      code: 1,
      actions: [],
      findings: [{ code: 'LIVE_NOT_FOUND', severity: 'error', message: expect.stringContaining('the files remove') }],
    });
  });

  test('is kept if not every role can be read, and the plan is incomplete', async () => {
    const seed = seedOf(['a', 'b'], { One: ['a'] });
    const tenant = await tenantWith(seed, {
      faults: [{ operation: 'list_role_permissions', kind: 'status', status: 403 }],
    });
    const planned = await plan(tenant, { 'a.yaml': api('b', 'new') });
    expect(planned).toMatchObject({ code: 4, complete: false, actions: [{ id: `resource_servers/${orders}#add` }] });
    expect(planned.findings[0]?.message).toContain('no scope is removed, because the roles that have it are not known');
  });

  test('is kept if a role is gone by the response of its permissions alone', async () => {
    const seed = seedOf(['a', 'b'], { One: ['a'] });
    const faults = [{ operation: 'list_role_permissions', kind: 'status', status: 404 }] as const;
    const planned = await plan(await tenantWith(seed, { faults }), { 'a.yaml': api('b') });
    expect(planned).toMatchObject({ code: 4, complete: false, actions: [] });
    expect(planned.findings[0]?.message).toContain(
      'list_role_permissions: the response is that rol_One does not exist, but get_role returns it',
    );
  });

  test('is kept if a role was gone for another kind, and is there by its second response', async () => {
    const { roles: [one] = [], ...seed } = seedOf(['a', 'b'], { One: ['a'] });
    const tenant = await tenantWith(
      { ...seed, roles: one === undefined ? [] : [{ ...one, type: 'organization' }] },
      {
        faults: [
          { operation: 'list_role_permissions', kind: 'status', status: 404 },
          { operation: 'get_role', kind: 'status', status: 404, nth: 1 },
        ],
      },
    );
    const files = {
      'a.yaml': `tenant: { undeclared: { roles: ignore } }\n${api('b')}`,
      'r.yaml': 'roles: [{ id: rol_One, description: x }]\n',
    };
    expect(await plan(tenant, files)).toMatchObject({ complete: false, actions: [] });
    expect(requestsOf(tenant).filter((operation) => operation === 'get_role').length).toBeGreaterThan(1);
  });

  test('is removed if a listed role is gone by two responses, and not listed any more', async () => {
    const tenant = await tenantWith(seedOf(['a', 'b'], { One: ['a'] }), {
      onRequest: ({ operation }) => {
        if (operation === 'list_roles') gone = tenant.tenant.change(({ roles }) => void roles?.splice(0));
      },
      latencyMs: 1,
      clock: { ...fixedClock, sleep: () => gone },
    });
    let gone = Promise.resolve();
    const { complete, actions } = await plan(tenant, { 'a.yaml': api('b') });
    expect({ complete, count: actions.length }).toEqual({ complete: true, count: 1 });
    expect(requestsOf(tenant)).toContain('get_role');
  });

  test('is kept if a listed role is gone by two responses and a list, and is back: they may have been late', async () => {
    const seed = seedOf(['a', 'b'], { One: ['a'] });
    const changes: Record<string, (roles: object[]) => unknown> = {
      'list_roles 1': (roles) => roles.splice(0),
      'get_role 3': (roles) => roles.push(...(seed.roles ?? [])),
    };
    const counts = new Map<string, number>();
    let changed = Promise.resolve();
    const tenant = await tenantWith(seed, {
      onRequest: ({ operation: name }) => {
        const operation = String(name);
        counts.set(operation, (counts.get(operation) ?? 0) + 1);
        const change = changes[`${operation} ${counts.get(operation)}`];
        if (change !== undefined) changed = tenant.tenant.change(({ roles = [] }) => void change(roles));
      },
      latencyMs: 1,
      clock: { ...fixedClock, sleep: () => changed },
    });
    // Guards refuse what the role would lose.
    expect(await plan(tenant, { 'a.yaml': api('b') })).toMatchObject({ complete: true, code: 4 });
    expect(counts.get('get_role')).toBe(3);
  });

  test('takes one list for all roles that others delete meanwhile', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Role${index}`);
    const tenant = await tenantWith(seedOf(['a', 'b'], Object.fromEntries(names.map((name) => [name, ['a']]))), {
      onRequest: ({ operation }) => {
        if (operation === 'list_roles') gone = tenant.tenant.change(({ roles }) => void roles?.splice(0));
      },
      latencyMs: 1,
      clock: { ...fixedClock, sleep: () => gone },
    });
    let gone = Promise.resolve();
    expect(await plan(tenant, { 'a.yaml': api('b') })).toMatchObject({ complete: true, actions: [{}] });
    const lists = requestsOf(tenant).filter((operation) => operation === 'list_roles');
    // Each of them is asked for again until 30 seconds are over.
    expect(lists.length).toBeLessThan(40);
  });

  test('is kept while a listed role does not exist by its id: it may be new', async () => {
    const late = (times: number) =>
      ['list_role_permissions', 'get_role'].flatMap((operation) =>
        Array.from(
          { length: times },
          (_, index) => ({ operation, kind: 'status', status: 404, nth: index + 1 }) as const,
        ),
      );
    const read = async (times: number) => {
      const tenant = await tenantWith(seedOf(['a', 'b'], { One: ['a'] }), { faults: late(times) });
      return plan(tenant, { 'a.yaml': api('b') });
    };
    // Guards refuse what the role would lose.
    expect(await read(2)).toMatchObject({ complete: true, code: 4 });
    const never = await read(50);
    expect(never).toMatchObject({ complete: false, code: 4, actions: [] });
    expect(never.findings[0]?.message).toContain('rol_One does not exist, but a list has it');
  });
});

describe('a permission that a role would get', () => {
  test('raed:orders is an error in a plan, with read:orders as the suggestion', async () => {
    const tenant = await tenantWith(seedOf(['read:orders'], { Support: [], Other: [] }));
    const files = {
      'r.yaml': `${role('Support', '"raed:orders"')}${role('Other', '"read:orders"').replace('roles:\n', '')}`,
    };
    expect(await plan(tenant, files)).toMatchObject({
      code: 1,
      actions: [{ id: 'roles/Other#add' }],
      findings: [
        {
          code: 'LIVE_NOT_FOUND',
          severity: 'error',
          key: 'Support',
          message: expect.stringContaining('did you mean "read:orders"?'),
          source: { file: 'r.yaml', line: 4, column: 33 },
        },
      ],
    });
    const drift = await runCommand(['drift', await folder(files)], { env: tenant.env });
    expect(drift.code).toBe(2);
    const applied = await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env });
    expect(applied.code).toBe(1);
    expect(tenant.tenant.snapshot().roles?.map(({ permissions }) => permissions?.length)).toEqual([1, 0]);
  });

  test('is granted in the apply that defines it; the suggestion knows what the files add', async () => {
    const tenant = await tenantWith(seedOf(['a'], { Support: [], Other: [] }));
    const files = { 'a.yaml': api('a', 'import:all'), 'r.yaml': role('Support', '"import:all"') };
    const { actions } = await plan(tenant, files);
    expect(actions.map(({ id: of, needs }) => [of, needs])).toEqual([
      [`resource_servers/${orders}#add`, []],
      ['roles/Support#add', [`resource_servers/${orders}#add`]],
    ]);
    const misspelt = { ...files, 'r.yaml': role('Support', '"improt:all"') };
    expect((await plan(tenant, misspelt)).findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('did you mean "import:all"?') }),
    );
    expect(await plan(tenant, files, '--only', 'roles')).toMatchObject({ code: 1, actions: [] });
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
    const support = tenant.tenant.snapshot().roles?.find(({ name }) => name === 'Support');
    expect(support?.permissions).toEqual([pair('import:all')]);
    expect((await plan(tenant, files)).actions).toEqual([]);
  });

  test('and the role itself can be new: three requests, one after the other', async () => {
    const tenant = await tenantWith(seedOf(['a'], { Support: [] }));
    const created = role('Import', '"import:all"').replace(
      '    permissions:',
      '    description: Imports\n    permissions:',
    );
    const files = { 'a.yaml': api('a', 'import:all'), 'r.yaml': created };
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
    const { roles = [] } = tenant.tenant.snapshot();
    expect(roles.find(({ name }) => name === 'Import')?.permissions).toEqual([pair('import:all')]);
    expect((await plan(tenant, files)).actions).toEqual([]);
    const misspelt = {
      ...files,
      'r.yaml': created.replace('Import\n', 'Imports\n').replace('import:all', 'imporl:all'),
    };
    expect(await plan(tenant, misspelt)).toMatchObject({ code: 1, actions: [] });
  });

  test('and that the role has already is not checked: APIs are not read', async () => {
    const tenant = await tenantWith(seedOf(['a'], { Support: ['a'] }));
    expect((await plan(tenant, { 'r.yaml': role('Support', 'a') })).code).toBe(0);
    expect(requestsOf(tenant)).not.toContain('list_resource_servers');
  });

  test.each([
    ['without the scope', { faults: [{ operation: 'list_resource_servers', kind: 'status', status: 403 }] } as const],
    ['where the service has no such operation', {}],
  ])('is not checked %s: one note, and the service decides', async (name, options) => {
    const { resource_servers: _apis, ...withoutApis } = seedOf([], { Support: [], Other: [] });
    const tenant = await tenantWith(
      name.startsWith('where') ? withoutApis : seedOf(['a', 'b'], { Support: [], Other: [] }),
      options,
    );
    const files = { 'r.yaml': `${role('Support', 'a', 'b')}${role('Other', 'a').replace('roles:\n', '')}` };
    expect(await plan(tenant, files)).toMatchObject({
      code: 0,
      complete: true,
      actions: [{ id: 'roles/Other#add' }, { id: 'roles/Support#add' }],
      findings: [
        {
          code: 'LIVE_NOT_CHECKED',
          severity: 'note',
          message: expect.stringMatching(
            /^whether the APIs define the 3 permissions that this plan adds is not checked: /,
          ),
        },
      ],
    });
    expect((await runCommand(['apply', await folder(files), '--yes'], { env: tenant.env })).code).toBe(0);
  });
});

describe('a signing secret in a listing', () => {
  test('is in no output, not even with --debug', async () => {
    const seed = seedOf(['a', 'b'], { One: ['b'] });
    const [first] = seed.resource_servers ?? [];
    const tenant = await tenantWith({
      ...seed,
      resource_servers: first === undefined ? [] : [{ ...first, signing_secret: 'planted-signing-secret' }],
    });
    const cwd = await folder({ 'a.yaml': api('b', 'new') });
    for (const argv of [
      ['plan', cwd, '--debug'],
      ['plan', cwd, '--format', 'json', '--out', `${cwd}/plan.json`],
      ['apply', cwd, '--yes', '--debug', '--format', 'json', '--report', `html=${cwd}/page.html`],
    ]) {
      const { code, stdout, stderr } = await runCommand(argv, { env: tenant.env });
      expect({ code, shown: (stdout + stderr).includes('planted-signing') }).toEqual({ code: 0, shown: false });
    }
    const written = await Promise.all(['plan.json', 'page.html'].map((file) => readFile(`${cwd}/${file}`, 'utf8')));
    expect(written.join('')).not.toContain('planted-signing');
    expect(tenant.tenant.snapshot().resource_servers?.[0]?.signing_secret).toBe('planted-signing-secret');
  });
});

describe('written into files', () => {
  const { pull } = resourceServers;
  const live = (...scopes: readonly LiveScope[]): LiveAPI => ({ id, identifier: orders, scopes: [...scopes] });
  const names = { secret: () => '' };

  test('a new item has the scopes in the order of the tenant', () => {
    const scopes = [{ value: 'z', description: 'Z' }, { value: 'a', description: '' }, { value: 'b' }];
    expect(pull?.declare(live(...scopes), names)).toEqual({
      written: { identifier: orders, scopes: [{ value: 'z', description: 'Z' }, { value: 'a' }, { value: 'b' }] },
    });
  });

  test('an item keeps its order and leaves descriptions out where it has none', () => {
    const written = [
      { value: 'b' },
      { value: 'gone' },
      { value: 'a', description: 'old' },
      { value: 'c', description: '' },
      { value: 'd', description: 'D' },
    ];
    const scopes = [
      { value: 'a', description: 'new' },
      { value: 'b', description: 'B' },
      { value: 'c' },
      { value: 'd' },
      { value: 'e', description: 'E' },
    ];
    expect(pull?.adopt({ identifier: orders, scopes: written }, live(...scopes), names)).toEqual({
      written: {
        identifier: orders,
        scopes: [
          { value: 'b' },
          { value: 'a', description: 'new' },
          { value: 'c', description: '' },
          { value: 'd' },
          { value: 'e', description: 'E' },
        ],
      },
    });
  });

  test('a pull writes them so that a plan has nothing to do, and changes only what differs', async () => {
    const seed = seedOf([{ value: 'read:orders', description: 'Read: orders # all' }, 'on'], { Support: ['on'] });
    seed.resource_servers?.push(
      { identifier: 'urn:system', is_system: true, scopes: [{ value: 's' }] },
      { identifier: 'urn:empty' },
    );
    const { tenant, pullInto, planOf } = await pullTenant(seed);
    const files = await pullInto({});
    const [name = ''] = Object.keys(files).filter((file) => file.startsWith('resource-servers'));
    expect(files[name]).toContain(orders);
    expect(files[name]).toContain('urn:empty');
    expect(files[name]).not.toContain('urn:system');
    expect(await planOf(files)).toEqual([]);
    const commented = { ...files, [name]: `# Kept.\n${files[name]}` };
    await tenant.tenant.change((state) => {
      state.resource_servers?.[0]?.scopes?.push({ value: 'new:orders' });
    });
    const pulled = await pullInto(commented);
    expect(pulled[name]).toMatch(/^# Kept\.\n/);
    expect(pulled[name]).toContain('new:orders');
    expect(await planOf(pulled)).toEqual([]);
    expect(await pullInto(pulled)).toEqual(pulled);
  });
});

describe('an API as an item', () => {
  const billing = 'https://billing.example/';
  const run = async (tenant: StartedTenant, yaml: string, ...options: readonly string[]) =>
    runCommand(['apply', await folder({ 'a.yaml': yaml }), '--yes', ...options], { env: tenant.env });
  const apis = (tenant: StartedTenant) => tenant.tenant.snapshot().resource_servers ?? [];

  test('is created with its scopes by one request, before the role that gets one; then fields change alone', async () => {
    const tenant = await tenantWith(seedOf(['a'], { Support: [] }));
    const yaml = (name: string) =>
      `resource_servers:\n  - identifier: ${billing}\n    name: ${name}\n    token_lifetime: 600\n    scopes: [{ value: read:bills }]\n` +
      `roles:\n  - name: Support\n    permissions: { ${billing}: [read:bills] }\n`;
    const files = { 'a.yaml': yaml('Billing') };
    const { actions } = await plan(tenant, files);
    expect(actions.map(({ id: of, needs }) => [of, needs])).toEqual([
      [`resource_servers/${billing}`, []],
      ['roles/Support#add', [`resource_servers/${billing}`]],
    ]);
    expect((await run(tenant, yaml('Billing'))).code).toBe(0);
    expect((await plan(tenant, files)).actions).toEqual([]);
    expect(bodies(await plan(tenant, { 'a.yaml': yaml('Invoices') }))).toEqual([
      [`resource_servers/${billing}`, { name: 'Invoices' }],
    ]);
    expect((await run(tenant, yaml('Invoices'))).code).toBe(0);
    expect(apis(tenant)[1]).toMatchObject({ name: 'Invoices', token_lifetime: 600, scopes: [{ value: 'read:bills' }] });
  });

  test('is created only if the files declare more than its scopes: its identifier may be misspelt', async () => {
    const tenant = await tenantWith(seedOf(['a']));
    const { code, actions, findings } = await plan(tenant, { 'a.yaml': api('a').replace(orders, `${orders}v2`) });
    expect({ code, actions, findings }).toMatchObject({
      code: 1,
      actions: [],
      findings: [{ code: 'LIVE_UNDECLARED' }, { code: 'LIVE_NOT_FOUND' }],
    });
  });

  test('is deleted by absent: true, after what takes its permissions from roles; guards count the others', async () => {
    const seed = seedOf(['a', 'b'], { One: ['a'], Two: ['b'] });
    const yaml = `resource_servers:\n  - { identifier: ${orders}, absent: true }\n${role('One')}`;
    const tenant = await tenantWith(seed);
    const { actions, refusals } = await plan(tenant, { 'a.yaml': yaml });
    expect(actions.map(({ id: of, needs, effects }) => [of, needs, effects.map(({ code }) => code)])).toEqual([
      ['roles/One#remove', [], ['ACCESS_LOST']],
      [`resource_servers/${orders}`, ['roles/One#remove'], ['SCOPE_REMOVED', 'ACCESS_LOST']],
    ]);
    expect(refusals.map(({ items }) => items)).toContainEqual([`roles/Two (rol_Two)#b of ${orders}`]);
    const [{ approve = '' } = {}] = refusals as readonly { readonly approve?: string }[];
    expect((await run(tenant, yaml, '--approve', approve)).code).toBe(0);
    expect([apis(tenant), tenant.tenant.snapshot().roles?.map(({ permissions }) => permissions)]).toEqual([
      [],
      [[], []],
    ]);
  });

  test('stays if the files declare a role to have a permission of it', async () => {
    const tenant = await tenantWith(seedOf(['a'], { One: ['a'] }));
    const yaml = `resource_servers:\n  - { identifier: ${orders}, absent: true }\n${role('One', 'a')}`;
    expect(await plan(tenant, { 'a.yaml': yaml })).toMatchObject({
      code: 1,
      actions: [],
      findings: [{ code: 'LIVE_NOT_FOUND', key: 'One' }],
    });
  });

  test('keeps the signing secret of the service, unless --rotate names it', async () => {
    const seed = seedOf(['a']);
    const [first] = seed.resource_servers ?? [];
    Object.assign(first ?? {}, { signing_alg: 'HS256', signing_secret: 'planted-by-the-service' });
    const tenant = await tenantWith(seed);
    const yaml = `resource_servers:\n  - identifier: ${orders}\n    name: Orders\n    signing_secret: \${env:TENANT_VAR_ORDERS_SECRET}\n`;
    const env = { ...tenant.env, TENANT_VAR_ORDERS_SECRET: 'planted-by-people-0123' };
    const files = await folder({ 'a.yaml': yaml });
    expect((await runCommand(['apply', files, '--yes'], { env })).code).toBe(0);
    expect(apis(tenant)[0]).toMatchObject({ name: 'Orders', signing_secret: 'planted-by-the-service' });
    const rotate = ['--rotate', `resource_servers/${orders}`];
    const { code, stdout, stderr } = await runCommand(['apply', files, '--yes', ...rotate], { env });
    expect({ code, shown: /planted/.test(stdout + stderr) }).toEqual({ code: 0, shown: false });
    expect(apis(tenant)[0]).toMatchObject({ signing_secret: 'planted-by-people-0123' });
  });
});
