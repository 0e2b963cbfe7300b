// Roles and streams that are renamed, with complete commands.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateFiles } from '../../src/journal/folder-store.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { runCommand } from '../support/run-command.ts';
import { scratchRepository } from '../support/scratch-repository.ts';
import type { startTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const roles: NonNullable<Seed['roles']> = [
  { id: 'rol_1', name: 'Support', description: 'Handles refunds', permissions: [pair('read')] },
  { id: 'rol_2', name: 'Admin', permissions: [pair('read')] },
];
const scopes = ['read', 'write'].map((value) => ({ value }));
const resource_servers = [{ id: '5f0000000000000000000001', identifier: ordersApi, scopes }];
const stream = (id: string, name: string, event_type = 'user.created') => ({
  id: `est_${id.padEnd(22, '1')}`,
  name,
  status: 'enabled',
  subscriptions: [{ event_type }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      webhook_authorization: { method: 'basic', username: 'crm' },
    },
  },
});
const streams = [stream('a', 'crm')];
const seed: Seed = { roles, resource_servers, event_streams: streams };
const renamedRole = `roles:
  - name: Customer Support # the team
    renamed_from: Support
    description: Handles refunds
    permissions: { ${ordersApi}: [read] }
`;
const renamedStream = `event_streams:
  - name: users-to-crm # the team
    renamed_from: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: basic, username: crm, password: "\${env:TENANT_VAR_CRM}" }
`;
const withoutOld = (yaml: string) => yaml.replace(/ {4}renamed_from.*\n/, '');

async function setUp(yaml: string, given: Seed = seed, options: Parameters<typeof startTenant>[1] = {}) {
  const tenant = await tenantWith(given, options);
  const path = await folder({ 'items.yaml': yaml });
  const file = join(path, 'items.yaml');
  const state = await folder({});
  const env = { ...tenant.env, TENANT_VAR_CRM: 'secret-of-the-crm', TENANT_SYNC_STATE_DIR: state };
  const { journal } = stateFiles(state, tenant.baseUrl);
  const run = (command: string, ...argv: readonly string[]) => runCommand([command, path, ...argv], { env });
  const planned = async (...argv: readonly string[]) =>
    JSON.parse((await run('plan', '--format', 'json', ...argv)).stdout) as Plan;
  const writes = () =>
    tenant.tenant.requests.flatMap(({ method, path: to, operation }) =>
      method === 'GET' || operation === 'token' ? [] : [`${method} ${to.replace('/api/v2', '')}`],
    );
  return { tenant, path, file, journal, run, planned, writes };
}

const codes = ({ findings }: Plan) =>
  findings.filter(({ code }) => code.includes('NAME')).map(({ code, key }) => `${code} ${key}`);

describe.each([
  ['roles', renamedRole, 'Customer Support', 'PATCH /roles/rol_1'],
  ['event_streams', renamedStream, 'users-to-crm', `PATCH /event-streams/${streams[0]?.id}`],
] as const)('%s', (kind, yaml, name, request) => {
  const old = kind === 'roles' ? 'Support' : 'crm';
  const live = ({ tenant }: Awaited<ReturnType<typeof setUp>>) =>
    (tenant.tenant.snapshot()[kind] as unknown as { name: string; updated_at?: string }[]).map(
      ({ updated_at: _time, ...item }) => item,
    );

  test('one request renames it, and nothing else changes', async () => {
    const there = await setUp(yaml);
    const { run, planned, writes } = there;
    const before = live(there);
    const { actions, findings } = await planned();
    expect(actions).toMatchObject([
      {
        kind,
        key: name,
        action: 'update',
        request: { body: { name } },
        changes: [{ field: 'name', before: old, after: name }],
      },
    ]);
    expect(findings.filter(({ key }) => key === old)).toEqual([]);
    expect((await run('drift')).stdout).toMatch(/ name (?:"Customer Support" → "Support"|users-to-crm → crm) /);
    expect(await run('apply', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 of 1 action verified'),
    });
    expect(writes()).toEqual([request]);
    expect(live(there)).toEqual(before.map((item) => (item.name === old ? { ...item, name } : item)));
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('a note shows that it can be deleted, and pull keeps it until then', async () => {
    const { run, planned, file } = await setUp(yaml);
    await run('apply', '--yes');
    expect(codes(await planned())).toEqual([`LIVE_RENAMED ${name}`]);
    expect(await run('pull', '--only', kind === 'roles' ? 'roles/Customer Support' : kind, '--check')).toMatchObject({
      code: 0,
    });
    await writeFile(file, withoutOld(yaml));
    expect(codes(await planned())).toEqual([]);
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('both names on the tenant are an error, and both items stay', async () => {
    const taken =
      kind === 'roles'
        ? { ...seed, roles: [...roles, { id: 'rol_3', name, permissions: [] }] }
        : { ...seed, event_streams: [...streams, stream('b', name)] };
    const there = await setUp(yaml, taken as Seed);
    const { run, planned, writes, file } = there;
    const plan = await planned();
    expect(plan.actions).toEqual([]);
    expect(codes(plan)).toEqual([`LIVE_RENAME_CONFLICT ${name}`]);
    const { code, stdout } = await run('plan');
    expect(code).toBe(1);
    expect(stdout).toContain(`it is to be renamed from "${old}", and the tenant has both names (`);
    expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
    expect(await run('drift')).toMatchObject({ code: 2 });
    expect(writes()).toEqual([]);
    // Neither is written a second time.
    for (const more of [[], ['--add', `${kind}/*`]])
      expect(await run('pull', '--yes', ...more)).toMatchObject({ stderr: expect.stringContaining('PULL_KEPT') });
    expect(await readFile(file, 'utf8')).not.toMatch(new RegExp(`name: ${old}$`, 'm'));
  });

  test('neither name on the tenant is as without it', async () => {
    const { planned } = await setUp(yaml, { resource_servers });
    const { actions } = await planned();
    expect(actions.map(({ action, key }) => `${action} ${key}`)).toEqual(
      kind === 'roles' ? [`create ${name}`, `add ${name}`] : [`create ${name}`],
    );
  });

  test('pull writes the name of the tenant, and no second item', async () => {
    const { run, file } = await setUp(yaml);
    expect(await run('pull', '--yes', '--only', `${kind}/${name}`)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(withoutOld(yaml).replace(`name: ${name}`, `name: ${old}`));
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('pull of one that was renamed by hand changes its name alone', async () => {
    const { run, file, tenant } = await setUp(withoutOld(yaml).replace(`name: ${name}`, `name: ${old}`));
    await tenant.tenant.change((state) => {
      for (const item of state[kind] as { name: string }[]) if (item.name === old) item.name = 'By hand';
    });
    expect(await run('pull', '--yes', '--except', 'roles/Admin')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(withoutOld(yaml).replace(`name: ${name}`, 'name: By hand'));
  });

  test('without the line, a warning shows it', async () => {
    const { planned } = await setUp(withoutOld(yaml));
    const { findings } = await planned();
    expect(findings.find(({ code }) => code === 'LIVE_NEAR_NAME')).toMatchObject({
      key: name,
      severity: 'warning',
      message: expect.stringContaining(`add renamed_from: ${kind === 'roles' ? old : '"crm"'} to rename it`),
    });
  });

  test('--only takes the new name, and only it', async () => {
    const { run, writes } = await setUp(yaml);
    expect(await run('plan', '--only', `${kind}/${old}`)).toMatchObject({ code: 3 });
    expect(await run('apply', '--yes', '--only', `${kind}/${name}`)).toMatchObject({ code: 0 });
    expect(writes()).toEqual([request]);
  });

  test('a saved plan renames it once', async () => {
    const { run, path, writes } = await setUp(yaml);
    const saved = join(path, 'plan.json');
    await run('plan', '--out', saved);
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
    expect(writes()).toEqual([request]);
  });

  test('a saved plan is a conflict if the item was renamed otherwise, or the files rename nothing any more', async () => {
    const { run, path, file, tenant, writes } = await setUp(yaml);
    const saved = join(path, 'plan.json');
    await run('plan', '--out', saved);
    await writeFile(file, withoutOld(yaml));
    const { code, stdout } = await run('apply', '--plan', saved, '--yes');
    expect(code).toBe(4);
    expect(stdout).toContain('the files changed: ');
    await writeFile(file, yaml);
    await tenant.tenant.change((state) => {
      for (const item of state[kind] as { name: string }[]) if (item.name === old) item.name = 'By hand';
    });
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 4 });
    expect(writes()).toEqual([]);
  });

  test.each([
    ['committed, and its response is lost', 'commit'],
    ['lost on its way', 'before'],
  ] as const)('the request is %s: it is renamed once', async (_name, after) => {
    const operation = kind === 'roles' ? 'update_role' : 'update_event_stream';
    const there = await setUp(yaml, seed, { faults: [{ operation, kind: 'reset', times: 1, after }] });
    expect(await there.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(live(there).map((item) => item.name)).toContain(name);
    expect(await there.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('an apply that was killed before it recorded the outcome resumes', async () => {
    const { run, journal, writes } = await setUp(yaml);
    await run('apply', '--yes');
    const lines = (await readFile(journal, 'utf8')).split('\n').slice(0, 2);
    await writeFile(journal, `${lines.join('\n')}\n`);
    const { code, stderr } = await run('apply', '--yes');
    expect({ code, sent: writes() }).toEqual({ code: 0, sent: [request] });
    expect(stderr).toMatch(
      new RegExp(`${kind}/${name} (?:is|was) (?:done|carried out|no longer needed|already in place)`),
    );
  });

  test('a change of the files, with and without --changed; the rest of the item keeps its origin', async () => {
    const base = withoutOld(yaml).replace(`name: ${name}`, `name: ${old}`);
    const tenant = await tenantWith(seed);
    await tenant.tenant.change((state) => {
      for (const role of state.roles ?? []) if (role.name === 'Support') role.permissions?.push(pair('write'));
      for (const one of state.event_streams ?? []) one.status = 'disabled';
    });
    const enabled = (text: string) => (kind === 'roles' ? text : `${text}    status: enabled\n`);
    const repository = await scratchRepository({ 'tenant/items.yaml': enabled(base) });
    repository.git('checkout', '--quiet', '-b', 'rename');
    await repository.commit({ 'tenant/items.yaml': enabled(yaml) });
    const env = { ...repository.env, ...tenant.env, TENANT_VAR_CRM: 'secret-of-the-crm' };
    for (const more of [[], ['--changed']]) {
      const argv = ['plan', join(repository.path, 'tenant'), '--base', 'main', '--format', 'json', ...more];
      const plan = JSON.parse((await runCommand(argv, { env })).stdout) as Plan;
      const origins = plan.actions.map(({ action, origin, part_origins }) => [
        action,
        origin,
        part_origins?.map((part) => part.origin),
      ]);
      expect(origins).toEqual(
        kind === 'roles'
          ? [
              ['update', 'change', undefined],
              ['remove', 'drift', undefined],
            ]
          : [['update', 'both', ['change', 'drift']]],
      );
    }
  });
});

test('protect means the old and the new name until it is renamed', async () => {
  const none = renamedRole.replace('[read]', '[]');
  for (const pattern of ['Support', 'Customer*', 'rol_1']) {
    const { planned } = await setUp(`tenant: { protect: { roles: ["${pattern}"] } }\n${none}`);
    const { actions, findings } = await planned();
    expect(actions.map(({ action }) => action)).toEqual(['update']);
    expect(findings.filter(({ code }) => code === 'LIVE_PROTECTED')).toMatchObject([{ key: 'Customer Support' }]);
  }
});

describe('a role with an id and a name', () => {
  const yaml = 'roles:\n  - { id: rol_1, name: Customer Support }\n';

  test('is renamed, under its id and with its name', async () => {
    const { run, writes } = await setUp(yaml);
    expect((await run('plan')).stdout).toContain(
      '~ role  Customer Support (rol_1)  name "Support" → "Customer Support"',
    );
    expect(await run('apply', '--yes', '--only', 'roles/rol_1')).toMatchObject({ code: 0 });
    expect(writes()).toEqual(['PATCH /roles/rol_1']);
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('keeps its name: a change by hand is a difference, and pull takes it over', async () => {
    const { run, file } = await setUp(yaml);
    expect((await run('drift')).stdout).toContain('name "Customer Support" → "Support"');
    expect(await run('pull', '--yes', '--only', 'roles/rol_1')).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(yaml.replace('Customer Support', 'Support'));
  });

  test('two names that are swapped are two errors, with the names of the roles', async () => {
    const { run, writes } = await setUp('roles:\n  - { id: rol_1, name: Admin }\n  - { id: rol_2, name: Support }\n');
    const { code, stdout } = await run('plan');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /x role {2}Admin \(rol_1\) .*\n +LIVE_RENAME_CONFLICT: the name "Admin" is used by rol_2; rename or delete that role in an apply of its own first/,
    );
    expect(stdout).toContain('x role  Support (rol_2)');
    expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
    expect(writes()).toEqual([]);
  });

  test.each([
    ['renames', '{ id: rol_2, name: Boss }', 'PATCH /roles/rol_2'],
    ['deletes', '{ name: Admin, absent: true }', 'DELETE /roles/rol_2'],
  ])('a name that the same plan %s is an error, and the next apply uses it', async (_does, other, first) => {
    const { run, writes } = await setUp(`roles:\n  - { id: rol_1, name: Admin }\n  - ${other}\n`);
    const approve = /--approve ([0-9a-f]{24})/.exec((await run('plan')).stdout)?.[1];
    expect(await run('apply', '--yes', ...(approve === undefined ? [] : ['--approve', approve]))).toMatchObject({
      code: 1,
    });
    expect(writes()).toEqual([first]);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(writes()).toEqual([first, 'PATCH /roles/rol_1']);
  });

  test.each([
    [
      'by its old name',
      '{ name: Support, permissions: [] }',
      'are the same role, rol_1; merge them into one entry, or if they are two, rename in an apply of its own first',
    ],
    ['as a new role', '{ name: Customer Support, description: New }', 'would get the same name'],
  ])('and one declared %s is an error for both', async (_how, other, message) => {
    const { planned } = await setUp(`${yaml}  - ${other}\n`);
    const { actions, findings } = await planned();
    expect(actions).toEqual([]);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message) },
      { message: expect.stringContaining(message) },
    ]);
  });

  test('one of an organization may have the name of a role of the tenant', async () => {
    const ofOrganization = { id: 'rol_3', name: 'Admin', type: 'organization', owner_id: 'org_1' } as const;
    const { planned } = await setUp('roles:\n  - { id: rol_3, name: Admin }\n  - { name: Admin, description: "" }\n', {
      ...seed,
      roles: [...roles, ofOrganization],
    });
    expect(await planned()).toMatchObject({ actions: [], findings: [{ code: 'LIVE_UNDECLARED' }] });
  });

  test('another may take the old name of a role that was renamed by it', async () => {
    const yaml = 'roles:\n  - { name: Customer Support, renamed_from: Support }\n  - { id: rol_2, name: Support }\n';
    const { run, planned } = await setUp(yaml);
    expect(codes(await planned())).toEqual(['LIVE_RENAME_CONFLICT rol_2']);
    expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(codes(await planned())).toEqual([]);
  });
});

test('a misspelt old name is a warning beside the new role', async () => {
  const { planned } = await setUp(renamedRole.replace('from: Support', 'from: Suport').replace('refunds', 'money'));
  expect((await planned()).findings.find(({ code }) => code === 'LIVE_NEAR_NAME')).toMatchObject({
    message: expect.stringContaining('add renamed_from: Support to rename it'),
  });
});

test('a name and renamed_from alone declare that the role is renamed', async () => {
  const { run, writes } = await setUp('roles:\n  - { name: Customer Support, renamed_from: Support }\n');
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(writes()).toEqual(['PATCH /roles/rol_1']);
});
