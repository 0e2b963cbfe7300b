// Roles that are created, changed, deleted and renamed, with complete commands.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { runCommand } from '../support/run-command.ts';
import { allScopes, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

type Roles = NonNullable<Seed['roles']>;

async function setUp(roles: Roles, yaml: string) {
  const tenant = await tenantWith({ roles });
  const path = await folder({ 'roles.yaml': yaml });
  const run = (command: string, ...argv: readonly string[]) =>
    runCommand([command, path, ...argv], { env: tenant.env });
  return { tenant, path, run, file: join(path, 'roles.yaml') };
}

const oneRole = [{ id: 'rol_1', name: 'Reader', permissions: [pair('read')] }];

describe('one apply', () => {
  const yaml = `roles:\n  - name: Refunds\n    description: Pays back\n    permissions: { ${ordersApi}: [read, refund] }\n`;

  test('creates a role with its permissions, and a second one does nothing', async () => {
    const { tenant, run } = await setUp(oneRole, yaml);
    const planned = await run('plan', '--detail', 'full');
    expect(planned.stdout).toContain('+ role  Refunds  Pays back; gains read, refund of orders.example  roles.yaml:2');
    expect(planned.stdout).toContain('POST /roles/{result:roles/Refunds:id}/permissions');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    const created = tenant.tenant.snapshot().roles?.filter(({ name }) => name === 'Refunds');
    expect(created).toMatchObject([{ description: 'Pays back', permissions: [pair('read'), pair('refund')] }]);
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('after a confirmation, which lets everything be read again, it gets what the plan adds to its API', async () => {
    const seed = { resource_servers: [{ identifier: ordersApi, scopes: [{ value: 'read' }] }] };
    const tenant = await tenantWith(
      { roles: oneRole, ...seed },
      { faults: [{ operation: 'update_resource_server', kind: 'delay', ms: 200 }] },
    );
    const scopes = `resource_servers:\n  - { identifier: "${ordersApi}", scopes: [{ value: read }, { value: refund }] }\n`;
    const path = await folder({ 'roles.yaml': yaml, 'apis.yaml': scopes });
    expect(await runCommand(['apply', path], { env: tenant.env, confirm: () => true })).toMatchObject({ code: 0 });
    expect(await runCommand(['plan', path, '--exit-code'], { env: tenant.env })).toMatchObject({ code: 0 });
  });

  test('a saved plan creates it as well, and is done the second time', async () => {
    const { tenant, path, run } = await setUp(oneRole, yaml);
    const saved = join(path, 'plan.json');
    await run('plan', '--out', saved);
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(tenant.tenant.snapshot().roles).toHaveLength(2);
  });

  test('a saved plan that takes a permission from a role which others deleted is a conflict, although the role can be created', async () => {
    const roles = [
      { id: 'rol_1', name: 'Refunds', description: 'Pays back', permissions: [pair('read'), pair('old')] },
    ];
    const { tenant, path, run } = await setUp(roles, yaml.replace('[read, refund]', '[read]'));
    const saved = join(path, 'plan.json');
    await run('plan', '--out', saved);
    await tenant.tenant.change((state) => Object.assign(state, { roles: [] }));
    const { code, stdout } = await run('apply', '--plan', saved, '--yes', '--format', 'json');
    expect({ code, outcomes: JSON.parse(stdout).outcomes }).toMatchObject({
      code: 4,
      outcomes: [{ id: 'roles/Refunds#remove', outcome: 'conflict' }],
    });
  });

  test('a saved plan adds the permissions of a role that others created meanwhile', async () => {
    const { tenant, path, run } = await setUp(oneRole, yaml);
    const saved = join(path, 'plan.json');
    await run('plan', '--out', saved);
    await tenant.tenant.change((state) => {
      (state['roles'] as unknown[]).push({ id: 'rol_9', name: 'Refunds', description: 'Pays back' });
    });
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(tenant.tenant.snapshot().roles?.find(({ id }) => id === 'rol_9')?.permissions).toHaveLength(2);
  });

  test.each([
    ['committed, and its response is lost', 'commit'],
    ['lost on its way', 'before'],
  ] as const)('creates one role if the create is %s', async (_name, after) => {
    const tenant = await tenantWith(
      { roles: oneRole },
      { faults: [{ operation: 'create_role', kind: 'reset', times: 1, after }] },
    );
    const path = await folder({ 'roles.yaml': yaml });
    expect(await runCommand(['apply', path, '--yes'], { env: tenant.env })).toMatchObject({ code: 0 });
    const created = tenant.tenant.snapshot().roles?.filter(({ name }) => name === 'Refunds');
    expect(created).toMatchObject([{ permissions: [pair('read'), pair('refund')] }]);
  });

  test('shows which scope is missing to count who has a role', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'read:users' && scope !== 'read:group_roles');
    const tenant = await tenantWith({ roles: oneRole, clients: [{ ...testClient, scopes }] });
    const path = await folder({ 'roles.yaml': 'roles:\n  - { name: Reader, permissions: [] }\n' });
    const { code, stdout } = await runCommand(['plan', path, '--report', `json=${join(path, 'plan.json')}`], {
      env: tenant.env,
    });
    const not_counted = ['users not counted: needs read:users', 'groups not counted: needs read:group_roles'];
    expect(JSON.parse(await readFile(join(path, 'plan.json'), 'utf8'))).toMatchObject({
      complete: true,
      actions: [{ effects: [{ code: 'ACCESS_LOST', message: `loses read of ${ordersApi}`, not_counted }] }],
    });
    expect(stdout).toContain(`loses read of orders.example; ${not_counted.join('; ')}`);
    // The guard against an emptied section.
    expect(code).toBe(4);
  });

  test('counts who has a role that loses anything, by its own permissions or a scope of an API', async () => {
    const users = [{ user_id: 'auth0|1' }, { user_id: 'auth0|2' }];
    const groups = Array.from({ length: 101 }, (_empty, index) => ({ id: `grp_${index}` }));
    const roles = [
      { id: 'rol_1', name: 'Reader', permissions: [pair('read'), pair('write')], users },
      { id: 'rol_2', name: 'Writer', permissions: [pair('read'), pair('old')], groups },
      { id: 'rol_3', name: 'Other', permissions: [pair('read')], users },
    ];
    const scopes = ['read', 'write', 'old'].map((value) => ({ value }));
    const seeded = { roles, resource_servers: [{ id: '5f0000000000000000000001', identifier: ordersApi, scopes }] };
    const tenant = await tenantWith(seeded);
    const path = await folder({
      'roles.yaml': `roles:\n  - { name: Reader, permissions: { ${ordersApi}: [read] } }\nresource_servers:\n  - { identifier: ${ordersApi}, scopes: [{ value: read }, { value: write }] }\n`,
    });
    const counted = () =>
      tenant.tenant.requests.filter(({ operation }) => /list_role_(?:users|groups)/.test(operation ?? ''));
    const { stdout } = await runCommand(['plan', path], { env: tenant.env });
    expect(stdout).toContain('loses write of orders.example; assigned to 2 users and no group');
    expect(stdout).toContain('loses old of orders.example; assigned to no user and at least 100 groups');
    // They are asked for side by side, so their order is that of the network.
    expect(
      counted()
        .map(({ operation, path: where, query }) => `${operation} ${where}${query}`)
        .sort(),
    ).toEqual([
      'list_role_groups /api/v2/roles/rol_1/groups?take=100',
      'list_role_groups /api/v2/roles/rol_2/groups?take=100',
      'list_role_users /api/v2/roles/rol_1/users?page=0&per_page=1&include_totals=true',
      'list_role_users /api/v2/roles/rol_2/users?page=0&per_page=1&include_totals=true',
    ]);
    await runCommand(['drift', path], { env: tenant.env });
    expect(counted()).toHaveLength(4);
  });

  test('a saved plan is confirmed and reported with who has a role now, whatever its file shows', async () => {
    const users = [{ user_id: 'auth0|1' }, { user_id: 'auth0|2' }];
    const both = [...oneRole, { id: 'rol_2', name: 'Old', permissions: [pair('write')], users }];
    const yaml = `roles:\n  - { name: Reader, permissions: { ${ordersApi}: [read] } }\n  - { name: Old, absent: true }\n`;
    const { tenant, path, run } = await setUp(both, yaml);
    const saved = join(path, 'plan.json');
    expect((await run('plan', '--out', saved)).stdout).toContain('assigned to 2 users and no group');
    await tenant.tenant.change((state) => {
      Object.assign((state['roles'] as object[])[1] ?? {}, { users: [...users, { user_id: 'auth0|3' }] });
    });
    const digestOf = (text: string) => /digest (sha256:\w+)/.exec(text)?.[1];
    expect(digestOf((await run('plan')).stdout)).toBe(digestOf((await run('show', saved)).stdout));
    const earlier = tenant.tenant.requests.length;
    const applied = await runCommand(['apply', path, '--plan', saved], { env: tenant.env, confirm: () => true });
    expect(applied.code).toBe(0);
    const counted = tenant.tenant.requests.slice(earlier).flatMap(({ operation }) => operation ?? []);
    expect(counted.filter((operation) => /^list_role_(?:users|groups)$/.test(operation)).sort()).toEqual([
      'list_role_groups',
      'list_role_users',
    ]);
    expect(applied.stdout + applied.stderr).toContain('assigned to 3 users and no group');
    expect(applied.stdout + applied.stderr).not.toContain('2 users');
  });

  test('changes a description, deletes a role, and shows who has it', async () => {
    const users = [{ user_id: 'auth0|1', email: 'ada@acme.example' }, { user_id: 'auth0|2' }];
    const roles = [...oneRole, { id: 'rol_2', name: 'Old', permissions: [pair('write')], users }];
    const { tenant, run } = await setUp(
      roles,
      `roles:\n  - { name: Reader, description: Reads, permissions: { ${ordersApi}: [read] } }\n  - { name: Old, absent: true }\n`,
    );
    const planned = await run('plan');
    expect(planned.stdout).toContain('assigned to 2 users and no group');
    expect(planned.stdout).toMatch(
      /Loses access\n {2}- role +Old +loses write of .*; assigned to 2 users and no group/,
    );
    expect(planned.stdout + planned.stderr).not.toContain('ada@');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(tenant.tenant.snapshot().roles).toEqual([{ ...oneRole[0], description: 'Reads' }]);
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('of nothing but absent roles empties no section: others stay', async () => {
    const { run, tenant } = await setUp(oneRole, 'roles:\n  - { name: Reader, absent: true }\n');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(tenant.tenant.snapshot().roles).toEqual([]);
  });

  test('a name near a live one is created, with a warning', async () => {
    const { run } = await setUp(
      oneRole,
      'roles:\n  - { name: Raeder, description: "", permissions: [] }\n  - { name: reader, description: "" }\n',
    );
    const { stdout, code } = await run('plan', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { code: 'LIVE_NEAR_NAME', severity: 'warning', key: 'Raeder' },
      { code: 'LIVE_UNDECLARED', severity: 'note', key: 'Reader' },
      { code: 'LIVE_NEAR_NAME', severity: 'warning', key: 'reader' },
    ]);
  });
});

describe('one of 41 roles was renamed on the tenant', () => {
  const number = (index: number) => String(index).padStart(2, '0');
  const permissions = (index: number) => [pair('read'), pair(`manage:area-${number(index)}`)];
  const live: Roles = Array.from({ length: 41 }, (_none, index) => ({
    id: `rol_${number(index)}`,
    name: index === 7 ? 'Area seven' : `Area ${number(index)}`,
    permissions: index === 3 ? [pair('read')] : permissions(index),
  }));
  const block = (index: number, name = `Area ${number(index)}`) =>
    `  # Area ${index}.\n  - name: ${name}\n    permissions:\n      ${ordersApi}: [manage:area-${number(index)}, read]\n`;
  const blocks = Array.from({ length: 41 }, (_none, index) => block(index));
  const yaml = `roles:\n${blocks.join('')}`;

  test('drift reports it and every other difference', async () => {
    const { run } = await setUp(live, yaml);
    const { code, stdout } = await run('drift');
    expect(code).toBe(2);
    expect(stdout).toContain('Area 07');
    expect(stdout).toContain('Area 03');
    expect(stdout).toContain('manage:area-03');
  });

  test('apply does the rest, and names the role', async () => {
    const { run, tenant } = await setUp(live, yaml);
    const { code, stdout, stderr } = await run('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('Area 07');
    const roles = tenant.tenant.snapshot().roles ?? [];
    expect(roles.find(({ id }) => id === 'rol_03')?.permissions).toHaveLength(2);
    expect(roles.find(({ id }) => id === 'rol_07')).toEqual(live[7]);
  });

  test('pull renames it in the file, and changes nothing else', async () => {
    const { run, file } = await setUp(
      live.map((role, index) => (index === 3 ? { ...role, permissions: permissions(3) } : role)),
      yaml,
    );
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(yaml.replace(blocks[7] ?? '', block(7, 'Area seven')));
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('pull removes it and adds both if another role is like it', async () => {
    const twin = { id: 'rol_99', name: 'Twin of seven', permissions: permissions(7) };
    const { run, file } = await setUp(
      [...live.filter((_role, index) => index !== 3), twin],
      yaml.replace(blocks[3] ?? '', ''),
    );
    expect(await run('pull', '--yes')).toMatchObject({ code: 0 });
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('Area 07');
    expect(text).toContain('name: Area seven');
    expect(text).toContain('name: Twin of seven');
    expect(await run('drift')).toMatchObject({ code: 0 });
  });
});

describe('pull', () => {
  test('writes roles in the short form, and a plan is then in sync', async () => {
    const roles: Roles = [
      {
        id: 'rol_1',
        name: 'Reader',
        description: 'Can read',
        permissions: [pair('write'), pair('read', 'https://b.example/'), pair('read')],
      },
      { id: 'rol_2', name: 'Nothing' },
      { id: 'rol_3', name: 'Twin' },
      { id: 'rol_4', name: 'Twin', permissions: [pair('read')] },
      { id: 'rol_5', name: 'Member', type: 'organization', owner_id: 'org_1' },
    ];
    const resource_servers = [ordersApi, 'https://b.example/'].map((identifier) => ({
      identifier,
      scopes: ['read', 'write'].map((value) => ({ value })),
    }));
    const tenant = await tenantWith({ roles, resource_servers });
    const path = await folder({});
    expect(await runCommand(['pull', path, '--yes'], { env: tenant.env })).toMatchObject({ code: 0 });
    const written = await readFile(join(path, 'roles.yaml'), 'utf8');
    expect(written).toContain('name: Reader');
    expect(written).toContain('description: Can read');
    expect(written).toContain('id: rol_3');
    expect(written).not.toContain('Member');
    expect(await runCommand(['plan', path, '--exit-code'], { env: tenant.env })).toMatchObject({ code: 0 });
  });

  test('takes over what changed, in the form of the file', async () => {
    const { tenant, run, file } = await setUp(
      oneRole,
      `roles:\n  - name: Reader # everybody\n    description: ""\n    permissions:\n      ${ordersApi}: [read, write] # sorted\n    absent_permissions: { ${ordersApi}: [delete] }\n`,
    );
    await tenant.tenant.change((state) => {
      Object.assign((state['roles'] as object[])[0] ?? {}, {
        description: 'Reads',
        permissions: [pair('read'), pair('export'), pair('delete')],
      });
    });
    const { stdout, stderr } = await run('pull', '--yes');
    expect(await readFile(file, 'utf8')).toBe(
      `roles:\n  - name: Reader # everybody\n    description: "Reads"\n    permissions:\n      ${ordersApi}: [export, read] # sorted\n    absent_permissions: { ${ordersApi}: [delete] }\n`,
    );
    expect(stdout + stderr).toContain(`the role has delete of ${ordersApi}, which absent_permissions removes`);
    await writeFile(file, await readFile(file, 'utf8'));
  });
});
