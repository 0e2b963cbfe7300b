// When a saved plan is refused as a unit, what of it is applied, and what it reads for that.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/document/parse-document.ts';
import type { Conflict, OutcomesDocument } from '../../src/model/outcomes.generated.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { declaredPolicy, filesOfEveryKind, livePolicy, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { type RunOptions, runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';
import { thorough } from '../support/thorough.ts';

const hour = 3_600_000;

async function setUp(
  seed: Seed = seedOf(),
  files: Readonly<Record<string, string>> = filesOfEveryKind,
  more: Parameters<typeof tenantWith>[1] = {},
) {
  const started = await tenantWith(seed, more);
  const cwd = await folder(files);
  const run = (argv: readonly string[], options: RunOptions = {}) =>
    runCommand(argv, { env: started.env, cwd, ...options });
  const save = async (...options: readonly string[]) => {
    const { stdout } = await run(['plan', '--out', 'plan.json', '--format', 'json', ...options]);
    return JSON.parse(stdout) as Plan;
  };
  const apply = async (argv: readonly string[] = [], options: RunOptions = {}) => {
    const first = started.tenant.requests.length;
    const result = await run(['apply', '--plan', 'plan.json', '--yes', '--format', 'json', ...argv], options);
    const document = JSON.parse(result.stdout) as OutcomesDocument;
    const requests = started.tenant.requests.slice(first).filter(({ operation }) => operation !== 'token');
    return { ...result, document, requests };
  };
  const writes = () =>
    started.tenant.requests
      .filter(({ method, operation }) => method !== 'GET' && operation !== 'token')
      .map(({ operation }) => operation);
  return { ...started, cwd, run, save, apply, writes };
}

const outcomesOf = ({ outcomes = [] }: Partial<OutcomesDocument>) =>
  Object.fromEntries(outcomes.map(({ id, outcome }) => [id.split('/').at(-1), outcome]));

describe('--max-age', () => {
  test('a plan is refused after 24 hours, and nothing is requested', async () => {
    const { save, apply } = await setUp();
    await save();
    const late = await apply([], { clock: startFakeClock(Date.now() + 24 * hour + 60_000) });
    expect([late.code, late.requests]).toEqual([4, []]);
    expect(late.stderr).toContain('PLAN_TOO_OLD');
    expect(late.stderr).toContain('The saved plan is 25 h old; --max-age allows 24 h.');
    expect(new Set(Object.values(outcomesOf(late.document)))).toEqual(new Set(['not_attempted']));
    const early = await apply([], { clock: startFakeClock(Date.now() - hour) });
    expect([early.code, early.requests, early.stderr.includes('in the future')]).toEqual([4, [], true]);
    const clock = () => startFakeClock(Date.now() + 2 * hour);
    expect((await apply(['--max-age', '1h'], { clock: clock() })).code).toBe(4);
    expect((await apply(['--max-age', '3h'], { clock: clock() })).code).toBe(0);
  });

  test('is for saved plans', async () => {
    const { run } = await setUp();
    const { code, stderr } = await run(['apply', '--yes', '--max-age', '1h']);
    expect([code, stderr.includes('--max-age needs --plan')]).toEqual([3, true]);
  });
});

describe('--expect', () => {
  const other = `sha256:${'0'.repeat(64)}`;

  test('applies the plan with this digest and no other, saved or made now', async () => {
    const { save, apply, run, writes } = await setUp();
    const { digest } = await save();
    const refused = await apply(['--expect', other]);
    expect([refused.code, refused.requests]).toEqual([4, []]);
    expect(refused.stderr).toContain(`The digest of the plan is ${digest}, but --expect names ${other}.`);
    const fresh = await run(['apply', '--yes', '--expect', other]);
    expect([fresh.code, fresh.stderr.includes('PLAN_NOT_EXPECTED'), writes()]).toEqual([4, true, []]);
    expect(fresh.stdout).toContain(digest);
    expect((await run(['apply', '--yes', '--expect', digest])).code).toBe(0);
    expect((await apply(['--expect', digest])).code).toBe(0);
  });

  test('of a plan made now refuses what changed since the review', async () => {
    const { save, run, tenant, writes } = await setUp();
    const { digest } = await save();
    await tenant.change((state) => {
      state.rate_limit_policies?.push(livePolicy('client_id:new'));
    });
    expect((await run(['apply', '--yes', '--expect', digest])).code).toBe(4);
    expect(writes()).toEqual([]);
  });

  test('is a digest', async () => {
    const { run } = await setUp();
    expect((await run(['apply', '--yes', '--expect', 'latest'])).code).toBe(3);
  });
});

describe('plans of two pull requests', () => {
  const policies = (...limits: readonly (readonly [name: string, limit: number])[]) =>
    limits.map(([name, limit]) => declaredPolicy(name, limit)).join('');
  const role = (permissions: string) =>
    `roles:\n  - name: Support\n    permissions:\n      ${ordersApi}: [${permissions}]\n`;
  const seed: Seed = {
    rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a'), livePolicy('client_id:b')],
    roles: [{ id: 'rol_1', name: 'Support', permissions: [pair('read')] }],
    resource_servers: [{ identifier: ordersApi, scopes: [{ value: 'read' }, { value: 'refund' }] }],
  };
  const base = {
    'p.yaml': `rate_limit_policies:\n${policies(['default', 100], ['client_id:a', 100], ['client_id:b', 100])}`,
  };
  const first = {
    'p.yaml': `rate_limit_policies:\n${policies(['default', 50], ['client_id:a', 100], ['client_id:b', 100])}`,
    'r.yaml': role('read'),
  };
  const second = {
    'p.yaml': `rate_limit_policies:\n${policies(['default', 100], ['client_id:b', 100], ['client_id:new', 7])}`,
    'r.yaml': role('read, refund'),
  };
  // Both merged, with comments, in another order, and split into several files.
  const merged = {
    'tenant.yaml': '# The header came later.\ntenant:\n  name: acme\n',
    'policies/one.yaml': `# one\n\nrate_limit_policies:\n  # new\n${policies(['client_id:new', 7])}`,
    'policies/two.yaml': `rate_limit_policies:\n${policies(['client_id:b', 100])}  # the default\n${policies(['default', 50])}`,
    'roles.yaml': `# ours\n${role('refund, read')}`,
  };

  test.each([
    ['in the order of the reviews', ['first', 'second']],
    ['in the other order', ['second', 'first']],
  ] as const)('both apply after the merge, %s', async (_name, order) => {
    const { env, tenant } = await setUp(seed, base);
    const run = async (files: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
      runCommand(argv, { env, cwd: await folder(files) });
    const out = await folder({});
    for (const [name, files] of Object.entries({ first, second }))
      expect((await run(files, 'plan', '--out', join(out, name))).code).toBe(0);
    for (const name of order)
      expect(await run(merged, 'apply', '--plan', join(out, name), '--yes')).toMatchObject({ code: 0 });
    expect((await run(merged, 'plan', '--exit-code')).code).toBe(0);
    expect(tenant.snapshot().roles?.[0]?.permissions).toHaveLength(2);
    for (const name of order) expect((await run(merged, 'apply', '--plan', join(out, name), '--yes')).code).toBe(0);
  });
});

describe('a plan that was applied in part is finished by applying it again', () => {
  const seed: Seed = {
    roles: [{ id: 'rol_1', name: 'Reader', permissions: [pair('read')] }],
    rate_limit_policies: [livePolicy('default'), livePolicy('client_id:a')],
  };
  const files = {
    'roles.yaml': `roles:\n  - name: Refunds\n    description: Pays back\n    permissions: { ${ordersApi}: [read, refund] }\n`,
    'p.yaml': `rate_limit_policies:\n${declaredPolicy('default', 5)}${declaredPolicy('client_id:b', 7)}`,
  };

  test.each(['create_role', 'add_role_permissions', 'update_rate_limit_policy', 'delete_rate_limit_policy'])(
    '%s failed',
    async (operation) => {
      const faults = [{ operation, kind: 'status', status: 400, times: 1 }] as const;
      const { save, apply, writes, run } = await setUp(seed, files, { faults });
      const plan = await save();
      expect((await apply()).code).toBe(1);
      const before = writes().length;
      const again = await apply();
      expect(again.code).toBe(0);
      expect(new Set(Object.values(outcomesOf(again.document)))).toEqual(new Set(['done']));
      expect(writes().length - before).toBeLessThan(plan.actions.length);
      expect((await run(['plan', '--exit-code'])).code).toBe(0);
      const last = writes().length;
      expect((await apply()).code).toBe(0);
      expect(writes()).toHaveLength(last);
    },
  );
});

describe('a conflict shows the values then and now, and the side that moved', () => {
  const files = { 'p.yaml': `rate_limit_policies:\n${declaredPolicy('default', 50)}${declaredPolicy('client_id:a')}` };
  const seed: Seed = {
    rate_limit_policies: ['default', 'client_id:a', 'client_id:old'].map((name) => livePolicy(name)),
  };
  const named = (state: Seed, key: string) =>
    state.rate_limit_policies?.find(({ consumer_selector: name }) => name === key);
  const onTenant = (state: Seed) => Object.assign(named(state, 'default')?.configuration ?? {}, { limit: 80 });
  const inFiles = files['p.yaml'].replace('limit: 50', 'limit: 60');
  const header = (text: string) => `tenant: { ${text} }\n${files['p.yaml']}`;

  test.each<[string, (state: Seed) => unknown, string, string, Conflict['moved'], string]>([
    [
      'the tenant',
      onTenant,
      files['p.yaml'],
      'default',
      'tenant',
      'the tenant changed: configuration.limit was 100, is 80',
    ],
    ['the files', () => {}, inFiles, 'default', 'files', 'the files changed: configuration.limit was 50, is 60'],
    [
      'both',
      onTenant,
      inFiles,
      'default',
      'both',
      'the files changed: configuration.limit was 50, is 60; the tenant changed: configuration.limit was 100, is 80',
    ],
    [
      'an item that is declared now',
      () => {},
      `${files['p.yaml']}${declaredPolicy('client_id:old')}`,
      'client_id:old',
      'files',
      'the files changed: they declare it now',
    ],
    [
      'an item that is kept now',
      () => {},
      header('undeclared: { rate_limit_policies: report }'),
      'client_id:old',
      'files',
      'the files changed: on the tenant but not declared; add to the files with pull',
    ],
    [
      'a section that is gone',
      () => {},
      'prompts: {}\n',
      'client_id:old',
      'files',
      'the files changed: they do not manage rate_limit_policies any more',
    ],
  ])('%s', async (_name, change, yaml, key, moved, message) => {
    const { save, apply, tenant, cwd } = await setUp(seed, files);
    await save();
    await tenant.change((state) => {
      change(state);
    });
    await writeFile(join(cwd, 'p.yaml'), yaml);
    const { code, document } = await apply();
    const found = document.outcomes.find(({ id }) => id.endsWith(`/${key}`));
    expect(found?.message).toContain(message);
    expect([code, found?.outcome, found?.conflict?.moved]).toEqual([4, 'conflict', moved]);
    if (key !== 'default') return;
    expect(found?.conflict).toMatchObject({
      before: { configuration: { limit: 100 } },
      now: { configuration: { limit: moved === 'files' ? 100 : 80 } },
      declared: {
        before: { configuration: { limit: 50 } },
        now: { configuration: { limit: moved === 'tenant' ? 50 : 60 } },
      },
    });
    // What does not depend on it goes on.
    expect(outcomesOf(document)['client_id:old']).toBe('done');
  });
});

test('a conflict about a list names what is new and what is gone', async () => {
  const roleOf = (...names: readonly string[]) => ({
    id: 'rol_1',
    name: 'Support',
    permissions: names.map((name) => pair(name)),
  });
  const seed: Seed = { roles: [roleOf('read', 'old', 'refund')] };
  const files = { 'r.yaml': `roles:\n  - name: Support\n    permissions: { ${ordersApi}: [read] }\n` };
  const { save, apply, tenant } = await setUp(seed, files);
  await save();
  await tenant.change((state) => {
    state.roles = [roleOf('read', 'refund', 'export', 'delete')];
  });
  const { document } = await apply();
  expect(document.outcomes.map(({ message }) => message)).toEqual([
    `not sent, because it changed after it was planned; the tenant changed: in permissions, ${ordersApi} old is gone, ${ordersApi} delete, ${ordersApi} export are new`,
  ]);
});

describe('guards are evaluated again', () => {
  const policies = (...names: readonly string[]): Seed => ({
    rate_limit_policies: names.map((name) => livePolicy(name)),
  });
  const seed = policies('default', 'client_id:a', 'client_id:b', 'client_id:old', 'client_id:older');
  const files = { 'p.yaml': policiesYaml('default', 'client_id:a', 'client_id:b') };
  const vanish = (state: Seed) => {
    state.rate_limit_policies = (state.rate_limit_policies ?? []).filter(({ consumer_selector: name }) =>
      name.includes('old'),
    );
  };

  test('after the confirmation: the same deletions would leave the section empty', async () => {
    const { run, tenant, writes } = await setUp(seed, files);
    const refused = await run(['apply'], { confirm: () => true, beforeAnswer: () => tenant.change(vanish) });
    expect([refused.code, writes()]).toEqual([4, []]);
    expect(refused.stderr).toContain('GUARD_REFUSED');
    expect(refused.stderr).toContain('leave the section empty');
  });

  test('before a saved plan is applied; one code approves what its two guards refuse', async () => {
    const narrow = { ...files, 't.yaml': 'tenant: { guards: { max_delete_count: 1, max_delete_percent: 10 } }\n' };
    const { save, apply, tenant, writes } = await setUp(seed, narrow);
    const plan = await save();
    expect(plan.refusals.map(({ code }) => code)).toEqual(['GUARD_TOO_MANY_DELETES']);
    await tenant.change(vanish);
    const refused = await apply();
    expect([refused.code, writes()]).toEqual([4, []]);
    expect(refused.stderr).toContain('the limit is 1.');
    expect(refused.stderr).toContain('leave the section empty');
    const codes = new Set(refused.stderr.match(/\b[0-9a-f]{24}\b/g));
    expect(codes.size).toBe(1);
    expect((await apply(['--approve', plan.refusals[0]?.approve ?? ''])).code).toBe(4);
    expect((await apply(['--approve', [...codes][0] ?? ''])).code).toBe(0);
    expect(writes()).toEqual(['delete_rate_limit_policy', 'delete_rate_limit_policy']);
  });

  test('items that the plan does not delete count as left', async () => {
    const { save, apply, tenant } = await setUp(seed, files);
    await save();
    await tenant.change((state) => {
      vanish(state);
      state.rate_limit_policies?.push(livePolicy('client_id:other'));
    });
    expect((await apply()).code).toBe(0);
  });

  test('a plan that was refused when it was saved is approved in the files later', async () => {
    const { save, apply, cwd, writes } = await setUp(seed, { 'p.yaml': policiesYaml() });
    const plan = await save();
    expect((await apply()).code).toBe(4);
    const code = plan.refusals[0]?.approve;
    await writeFile(join(cwd, 't.yaml'), `tenant:\n  approvals: ["${code}"]\n`);
    expect([(await apply()).code, writes().length]).toEqual([0, 5]);
  });
});

test('a saved plan reads the kinds of its actions and no other', async () => {
  const { save, apply } = await setUp();
  await save('--only', 'rate_limit_policies');
  const { requests } = await apply(['--no-verify']);
  expect(new Set(requests.map(({ operation }) => operation))).toEqual(
    new Set(['list_rate_limit_policies', 'delete_rate_limit_policy']),
  );
  // The policy that is deleted, and the one that applies in its place.
  expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
});

describe('the file', () => {
  test('is readable for its owner only', async () => {
    const { save, cwd } = await setUp();
    await save();
    expect((await stat(join(cwd, 'plan.json'))).mode & 0o777).toBe(0o600);
  });

  test('is refused when any byte of meaning is flipped', async () => {
    const { save, cwd } = await setUp(undefined, { 'p.yaml': policiesYaml() });
    await save();
    const bytes = await readFile(join(cwd, 'plan.json'));
    const saved: Plan = JSON.parse(bytes.toString('utf8'));
    expect(saved.refusals).toHaveLength(1);
    const accepted: string[] = [];
    for (let index = 0; index < bytes.length; index += 1) {
      // One bit of each byte, another one in the next copy of it: every bit of every kind of byte. A thorough run flips two.
      for (const bit of thorough ? [index % 8, (index + 5) % 8] : [index % 8]) {
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const parsed = parsePlan(bytes.toString('utf8'), 'plan.json');
        if (parsed.status === 'parsed' && !isDeepStrictEqual(parsed.plan, saved)) accepted.push(`${index} ${bit}`);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
      }
    }
    expect(accepted).toEqual([]);
    expect(parsePlan(bytes.toString('utf8'), 'plan.json').status).toBe('parsed');
  });

  test('is refused when any value is another one, or is gone', async () => {
    const { save } = await setUp();
    const saved = await save();
    const open: string[] = [];
    const visit = (value: unknown, path: string, replace: (other: unknown) => void) => {
      for (const other of [undefined, null, true, 7, '', 'other', [], {}]) {
        if (isDeepStrictEqual(other, value)) continue;
        replace(other);
        if (parsePlan(JSON.stringify(saved), 'plan.json').status === 'parsed') open.push(`${path} ${String(other)}`);
      }
      replace(value);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, member] of Object.entries(value))
        visit(member, `${path}/${name}`, (other) => Reflect.set(value, name, other));
    };
    for (const [name, member] of Object.entries(saved))
      visit(member, `/${name}`, (other) => Reflect.set(saved, name, other));
    expect(open).toEqual([]);
    expect(parsePlan(JSON.stringify(saved), 'plan.json').status).toBe('parsed');
  });
});
