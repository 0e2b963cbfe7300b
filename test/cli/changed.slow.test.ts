// Plans with --base and --changed: what is read and planned follows the change.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { declaredPolicy, livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { type Files, type ScratchRepository, scratchRepository } from '../support/scratch-repository.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = 'https://orders.example/';
const resource_servers = [
  {
    id: '5f1111111111111111111111',
    identifier: api,
    name: 'Orders',
    scopes: ['read', 'write'].map((value) => ({ value })),
  },
];
const pairs = (names: readonly string[]) =>
  names.map((permission_name) => ({ resource_server_identifier: api, permission_name }));
const liveRoles = Array.from({ length: 120 }, (_none, index) => ({
  id: `rol_${index}`,
  name: `Role ${index}`,
  description: '',
  permissions: pairs(['read']),
}));
const roles = (permissions: Readonly<Record<number, string>> = {}) =>
  `roles:\n${liveRoles
    .map(({ name }, index) => `  - { name: "${name}", permissions: { "${api}": [${permissions[index] ?? 'read'}] } }\n`)
    .join('')}`;
const policies = (limits: Readonly<Record<string, number>>) =>
  `rate_limit_policies:\n${Object.entries(limits)
    .map(([name, limit]) => declaredPolicy(`client_id:${name}`, limit))
    .join('')}`;
const livePolicies = (limits: Readonly<Record<string, number>>) =>
  Object.entries(limits).map(([name, limit]) => livePolicy(`client_id:${name}`, limit));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Requests of the run without the token's, in order. */
  readonly requests: readonly string[];
}

async function run(argv: readonly string[], repository: ScratchRepository, seed: Seed): Promise<Ran> {
  const tenant = await tenantWith(seed);
  const [command = '', ...options] = argv;
  const result = await runCommand([command, join(repository.path, 'tenant'), ...options], {
    env: { ...repository.env, ...tenant.env },
  });
  const requests = tenant.tenant.requests.map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`);
  return { ...result, requests: requests.filter((text) => !text.includes('oauth')) };
}

async function changedPlan(
  base: Files,
  now: Files,
  seed: Seed,
  ...options: readonly string[]
): Promise<Ran & { readonly plan: Plan }> {
  const repository = await scratchRepository(base);
  await repository.write(now);
  const ran = await run(['plan', '--base', 'HEAD', '--changed', '--format', 'json', ...options], repository, seed);
  return { ...ran, plan: JSON.parse(ran.stdout) as Plan };
}

const idsOf = ({ actions }: Plan) => actions.map(({ id, action, origin }) => `${action} ${id} ${origin}`);

describe('requests follow the change', () => {
  test('one of many roles by name', async () => {
    const seed = { roles: liveRoles, resource_servers };
    const now = { 'tenant/roles.yaml': roles({ 7: 'read, write' }) };
    const { plan, requests } = await changedPlan({ 'tenant/roles.yaml': roles() }, now, seed);
    expect(idsOf(plan)).toEqual(['add roles/Role 7#add change']);
    expect(requests).toHaveLength(3);
    expect(plan.selection).toEqual({ only: ['roles/Role 7'], except: [], rotate: [], changed: true });
    expect(plan.left_out).toEqual([{ kind: 'roles', key: '*', what: 'not_read' }]);
  });

  test('several roles and policies, of which one was removed, while others were changed by hand', async () => {
    const before = Object.fromEntries(Array.from({ length: 150 }, (_none, index) => [`c${index}`, 100]));
    const { c1: _removed, ...rest } = before;
    const seed = {
      roles: liveRoles,
      resource_servers,
      rate_limit_policies: livePolicies({ ...before, c9: 5, extra: 1 }),
    };
    const base = { 'tenant/roles.yaml': roles(), 'tenant/a.yaml': policies(before) };
    const now = { 'tenant/roles.yaml': roles({ 7: 'write', 8: '' }), 'tenant/a.yaml': policies({ ...rest, c2: 50 }) };
    const { plan, requests, code } = await changedPlan(base, now, seed);
    expect(idsOf(plan)).toEqual([
      'add roles/Role 7#add change',
      'update rate_limit_policies/oauth_authentication_api/client/client_id:c2 change',
      'delete rate_limit_policies/oauth_authentication_api/client/client_id:c1 change',
      'remove roles/Role 7#remove change',
      'remove roles/Role 8#remove change',
    ]);
    // Two policies, the one that applies in place of the deleted one, and the names of their clients; two roles with
    // their permissions, who has each of them, and the APIs.
    expect(requests.length).toBeLessThanOrEqual(14);
    expect(code).toBe(4);
    expect(plan.refusals.map(({ kind }) => kind)).toEqual(['roles']);
  });

  test('nothing changed: nothing is read or planned, whatever the tenant is like', async () => {
    const files = { 'tenant/roles.yaml': roles(), 'tenant/a.yaml': policies({ a: 1 }) };
    const moved = { 'tenant/a.yaml': null, 'tenant/b/c.yaml': `# moved\n${policies({ a: 1 })}` };
    const { plan, requests, code } = await changedPlan(files, moved, { roles: [], rate_limit_policies: [] });
    expect([plan.actions, plan.findings, requests, code]).toEqual([[], [], [], 0]);
    expect(plan.left_out).toEqual([
      { kind: 'rate_limit_policies', key: '*', what: 'not_read' },
      { kind: 'roles', key: '*', what: 'not_read' },
    ]);
  });
});

describe('a kind is planned completely', () => {
  const base = { 'tenant/a.yaml': policies({ a: 1, b: 2 }), 'tenant/b.yaml': 'prompts: {}\n' };
  const seed = { rate_limit_policies: livePolicies({ a: 1, b: 3, x: 1 }) };
  const all = ['update b drift', 'delete x drift'];
  const namesOf = (plan: Plan) =>
    plan.actions.map(({ action, key, origin }) => `${action} ${key.split(':')[1]} ${origin}`);

  test.each<readonly [string, Files, readonly string[]]>([
    ['guards', { 'tenant/c.yaml': 'tenant: { guards: { max_delete_count: 4 } }\n' }, all],
    ['its patterns', { 'tenant/c.yaml': 'tenant: { protect: { rate_limit_policies: [default] } }\n' }, all],
    [
      'its undeclared items',
      { 'tenant/c.yaml': 'tenant: { undeclared: { rate_limit_policies: report } }\n' },
      ['update b drift'],
    ],
    ['undeclared items of another kind', { 'tenant/c.yaml': 'tenant: { undeclared: { prompts: report } }\n' }, []],
    ['patterns of another kind', { 'tenant/c.yaml': 'tenant: { protect: { roles: [default] } }\n' }, []],
    ['the name of the tenant', { 'tenant/c.yaml': 'tenant: { name: other }\n' }, []],
    [
      'a section declares nothing any more',
      { 'tenant/a.yaml': 'rate_limit_policies: []\n' },
      ['delete a change', 'delete b both', 'delete x drift'],
    ],
  ])('%s', async (_name, now, expected) => {
    expect(namesOf((await changedPlan(base, now, seed)).plan)).toEqual(expected);
  });

  test('a new section', async () => {
    const { plan } = await changedPlan(
      { 'tenant/b.yaml': 'prompts: {}\n' },
      { 'tenant/a.yaml': policies({ a: 1, b: 2 }) },
      seed,
    );
    expect(namesOf(plan)).toEqual(['update b change', 'delete x change']);
    expect(plan.base?.sections).toEqual([{ kind: 'rate_limit_policies', change: 'added' }]);
  });
});

test('what a client of this tool gets instead is read by its filters', async () => {
  const live = ['client_id:test-client', 'default', 'client_id:a', 'client_id:b'];
  const seed = {
    rate_limit_policies: live.map((name) => livePolicy(name, name === 'default' ? 0 : 100)),
  };
  const yaml = (...names: readonly string[]) => ({
    'tenant/a.yaml': `rate_limit_policies:\n${names.map((name) => declaredPolicy(name, name === 'default' ? 0 : 100)).join('')}`,
  });
  const { plan, code, requests } = await changedPlan(yaml(...live), yaml(...live.slice(1)), seed);
  expect([code, plan.refusals.map((refusal) => refusal.code)]).toEqual([4, ['GUARD_OWN_CLIENT']]);
  // One for the policy, one for the default, one for the name of the client.
  expect(requests).toEqual([...Array(2).fill('GET /rate-limit-policies'), 'GET /clients/test-client']);
});

test('nothing is reported of what a change does not touch, and the output says so', async () => {
  const seed = { roles: [...liveRoles, { ...liveRoles[0], id: 'rol_x', name: 'By hand' }], resource_servers } as Seed;
  const files = [{ 'tenant/roles.yaml': roles() }, { 'tenant/roles.yaml': roles({ 7: 'read, write' }) }] as const;
  const repository = await scratchRepository(files[0]);
  await repository.write(files[1]);
  const { code, stdout } = await run(['plan', '--base', 'HEAD', '--changed'], repository, seed);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('By hand')]);
  expect(stdout).toContain('Not checked because unchanged since the base: all other roles.');
  expect((await run(['plan'], repository, seed)).stdout).toContain('1 role (By hand)');
});

test('without the number of all items, the limit of the guard is max_delete_count', async () => {
  const before = Object.fromEntries(Array.from({ length: 40 }, (_none, index) => [`c${index}`, 100]));
  const after = Object.fromEntries(Object.entries(before).slice(4));
  const seed = { rate_limit_policies: livePolicies(before) };
  const [base, now] = [{ 'tenant/a.yaml': policies(before) }, { 'tenant/a.yaml': policies(after) }];
  const { plan, code } = await changedPlan(base, now, seed);
  expect([code, plan.refusals[0]?.limit, plan.refusals[0]?.losses]).toEqual([4, 3, 4]);
  const repository = await scratchRepository(base);
  await repository.write(now);
  expect((await run(['plan', '--base', 'HEAD'], repository, seed)).code).toBe(0);
});

test('other selections apply as well', async () => {
  const base = { 'tenant/a.yaml': policies({ a: 1, b: 1 }), 'tenant/roles.yaml': roles() };
  const now = { 'tenant/a.yaml': policies({ a: 2, b: 2 }), 'tenant/roles.yaml': roles({ 1: 'write' }) };
  const seed = { rate_limit_policies: livePolicies({ a: 1, b: 1 }), roles: liveRoles, resource_servers };
  const only = await changedPlan(base, now, seed, '--only', 'rate_limit_policies');
  expect(only.plan.actions.map(({ key }) => key.split(':')[1])).toEqual(['a', 'b']);
  const except = await changedPlan(base, now, seed, '--except', 'rate_limit_policies/*:a', '--except', 'roles');
  expect(except.plan.actions.map(({ key }) => key.split(':')[1])).toEqual(['b']);
});

test('a base with errors, or none, is an error', async () => {
  const files = { 'tenant/a.yaml': policies({ a: 1 }) };
  const broken = await changedPlan({ 'tenant/a.yaml': 'rate_limit_policies: [{}]\n' }, files, {});
  expect([broken.code, broken.requests]).toEqual([3, []]);
  expect(broken.stdout).toContain('BASE_INVALID');
  const repository = await scratchRepository(files);
  const { code, stderr } = await run(['plan', '--changed'], repository, {});
  expect([code, stderr.includes('--changed needs --base')]).toEqual([3, true]);
});

test('a saved plan of changes is applied as it is, with its origins', async () => {
  const repository = await scratchRepository({
    'tenant/a.yaml': policies({ a: 1, b: 1 }),
    'tenant/roles.yaml': roles(),
  });
  await repository.write({ 'tenant/a.yaml': policies({ a: 2, b: 1 }), 'tenant/roles.yaml': roles({ 1: 'write' }) });
  const tenant = await tenantWith({
    rate_limit_policies: livePolicies({ a: 1, b: 9 }),
    roles: liveRoles,
    resource_servers,
  });
  const [folder, file] = [join(repository.path, 'tenant'), join(repository.path, 'plan.json')];
  const env = { ...repository.env, ...tenant.env };
  const planned = await runCommand(['plan', folder, '--base', 'HEAD', '--changed', '--out', file], { env });
  expect([planned.code, planned.stdout.includes('unchanged items were not checked')]).toEqual([0, true]);
  const { code, stdout } = await runCommand(['apply', folder, '--plan', file, '--yes', '--format', 'json'], { env });
  const { plan, summary } = JSON.parse(stdout) as { plan: Plan; summary: { done: number } };
  expect([code, summary.done, idsOf(plan).length, plan.actions[0]?.origin, plan.base?.ref]).toEqual([
    0,
    3,
    3,
    'change',
    'HEAD',
  ]);
});

describe('api: documented', () => {
  const prompt = (login: string, signup: string) =>
    `prompts:\n  login: { partials: { login: { form-content-start: "${login}" } } }\n  signup: { partials: { signup: { form-content-start: "${signup}" } } }\n`;
  const header = 'tenant: { api: documented }\n';
  const base = { 'tenant/a.yaml': header + prompt('one', 'two') };
  const now = { 'tenant/a.yaml': header + prompt('one', 'three') };

  test('plan shows everything that apply without a base sends, and apply with a base sends what changed', async () => {
    const repository = await scratchRepository(base);
    await repository.write(now);
    const planned = await run(['plan', '--base', 'HEAD', '--format', 'json'], repository, {});
    expect(idsOf(JSON.parse(planned.stdout) as Plan)).toEqual(['put prompts/login null', 'put prompts/signup change']);
    const { code, requests } = await run(['apply', '--base', 'HEAD', '--yes'], repository, {});
    expect([code, requests]).toEqual([0, ['PUT /prompts/signup/partials']]);
  });
});

test('an item that is declared absent does not leave a section empty whose other items are not selected', async () => {
  const seed = { roles: liveRoles, resource_servers };
  const now = { 'tenant/roles.yaml': roles().replace(/name: "Role 7", .*}/, 'name: "Role 7", absent: true }') };
  const { plan, code } = await changedPlan({ 'tenant/roles.yaml': roles() }, now, seed);
  expect(plan.refusals).toEqual([]);
  expect([idsOf(plan), code]).toEqual([['delete roles/Role 7 change'], 0]);
});

describe('a permission that the files remove from its API, and that a role is declared to have', () => {
  const files = (...scopes: readonly string[]) => ({
    'tenant/apis.yaml': `resource_servers:\n  - identifier: ${api}\n    scopes: [${scopes.map((value) => `{ value: ${value} }`).join(', ')}]\n`,
    'tenant/roles.yaml': roles(),
  });
  const seed = { roles: liveRoles, resource_servers };
  const [base, now] = [files('read', 'write'), files('write')];

  test('--changed refuses it as the complete plan does, although no role is selected', async () => {
    const { plan, code } = await changedPlan(base, now, seed);
    expect(plan.actions).toEqual([]);
    expect(plan.findings).toHaveLength(liveRoles.length);
    expect(plan.findings[0]).toMatchObject({ code: 'LIVE_NOT_FOUND', severity: 'error', kind: 'roles' });
    expect(plan.findings[0]?.origin).toBe('change');
    expect(code).toBe(1);
  });

  test('a selection of the API alone does not apply it either', async () => {
    const { plan, code } = await changedPlan(base, now, seed, '--only', 'resource_servers');
    expect([plan.actions.length, code]).toEqual([0, 1]);
  });
});
