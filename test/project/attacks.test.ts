// What was tried against reviews, saved plans and waves of several tenants.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import { planChecksum } from '../../src/plan/digest.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';

const isWrite = (request: string) => !/ GET /.test(request);
const block = (limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n`;

/** Changes what a saved plan shows, as whoever can write the artifact could: the digest stays. */
async function forge(path: string, change: (plan: Plan) => object) {
  const plan = JSON.parse(await readFile(path, 'utf8')) as Plan;
  const forged = { ...plan, ...change(plan) } as Plan;
  await writeFile(path, `${JSON.stringify({ ...forged, checksum: planChecksum(forged) }, null, 2)}\n`);
}

const digestIn = (text: string) => /sha256:[0-9a-f]{64}/.exec(text)?.[0] ?? '';
const runIn = (text: string) => /--resume ([0-9a-f]{8})/.exec(text)?.[1] ?? '';

describe('a folder of saved plans, with the digest of its review', () => {
  test('an approval that only the files have does not count', async () => {
    const { run, cwd, requests } = await startFleet({
      files: { 'base/policies.yaml': 'rate_limit_policies: []\n' },
      live: { a: [livePolicy('default', 5)], b: [livePolicy('default', 5)] },
    });
    const digest = digestIn((await run('plan', '.', '--all', '--out', 'plans')).stderr);
    for (const name of ['a', 'b'])
      await forge(join(cwd, `plans/${name}.json`), ({ refusals }) => ({
        refusals: refusals.map((one) => ({ ...one, approved_by: { by: '--approve', source: null } })),
      }));
    const { code } = await run('apply', '.', '--plan', 'plans', '--expect', digest, '--yes');
    expect(code).toBe(4);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('a deletion is one whatever the file shows', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const prompts = { login: { partials: { login: { 'form-content-start': 'x' } } } };
    const { run, cwd, requests } = await startFleet({
      files: { 'base/prompts.yaml': 'prompts:\n  login: { absent: true }\n' },
      live: Object.fromEntries(names.map((name) => [name, { prompts, resource_servers: [] }])),
    });
    const saved = await run('plan', '.', '--all', '--out', 'plans');
    expect(saved.code).toBe(4);
    for (const name of names)
      await forge(join(cwd, `plans/${name}.json`), ({ actions }) => ({
        actions: actions.map((action) => ({ ...action, after: { login: { 'form-content-start': 'y' } } })),
      }));
    const { code, stderr } = await run('apply', '.', '--plan', 'plans', '--expect', digestIn(saved.stderr), '--yes');
    expect({ code, isGuarded: stderr.includes('GUARD_SAME_DELETION') }).toEqual({ code: 4, isGuarded: true });
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('whether it is complete is a part of what was reviewed', async () => {
    const { run, cwd, requests } = await startFleet({
      files: { 'base/policies.yaml': block(5) },
      live: { a: [livePolicy('default', 6)] },
    });
    await run('plan', '.', '--all', '--out', 'plans');
    await forge(join(cwd, 'plans/a.json'), () => ({ complete: false }));
    const { code } = await run('apply', '.', '--plan', 'plans', '--yes');
    expect(code).toBe(4);
    expect(requests.filter(isWrite)).toEqual([]);
  });
});

describe('one code for two things', () => {
  test('roles that lose a scope of another API are not refused alike', async () => {
    const role = (name: string, api: string) => ({
      id: `rol_${name}_${api}`,
      name,
      permissions: [{ resource_server_identifier: `https://${api}/`, permission_name: 'read' }],
    });
    const state = (money: readonly string[], wiki: readonly string[]) => ({
      resource_servers: ['money', 'wiki'].map((api) => ({
        id: `${api === 'wiki' ? 'a' : 'b'}`.repeat(24),
        name: api,
        identifier: `https://${api}/`,
        scopes: [{ value: 'read' }, { value: 'write' }],
      })),
      roles: [...money.map((name) => role(name, 'money')), ...wiki.map((name) => role(name, 'wiki'))],
    });
    const api = (name: string) => `  - { identifier: "https://${name}/", scopes: [{ value: write }] }\n`;
    const some = ['Intern', 'Temp', 'Guest', 'Trainee'];
    const others = ['Treasurer', 'CFO', 'Auditor', 'Clerk'];
    const { run } = await startFleet({
      files: { 'base/apis.yaml': `resource_servers:\n${api('money')}${api('wiki')}` },
      live: { a: state(some, others), b: state(others, some), c: state(some, others) },
    });
    const plans = JSON.parse((await run('plan', '.', '--all', '--format', 'json')).stdout) as Plan[];
    const [a, b, c] = plans.map(({ review }) => review);
    expect(a).toMatch(/^[0-9a-f]{24}$/);
    expect(b).not.toBe(a);
    expect(c).toBe(a);
  });

  test('a role that the files name by its id counts like one that they name', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const own = names.map((name) => [`${name}/role.yaml`, `roles:\n  - { id: rol_${name}, absent: true }\n`]);
    const { run } = await startFleet({
      files: { 'base/a.yaml': 'tenant: {}\n', ...Object.fromEntries(own) },
      live: Object.fromEntries(
        names.map((name) => [name, { roles: [{ id: `rol_${name}`, name: 'Old', permissions: [] }] }]),
      ),
    });
    const { code, stderr } = await run('plan', '.', '--all');
    expect(stderr).toContain('GUARD_SAME_DELETION');
    expect(stderr).toContain('roles/Old');
    expect(code).toBe(4);
  });

  test('an included file approves nothing', async () => {
    const { run } = await startFleet({
      files: {
        'base/policies.yaml': block(5),
        'more/z.yaml': `approvals:\n  - { code: ${'a'.repeat(24)}, tenants: [a] }\n`,
      },
      live: { a: [livePolicy('default', 5)] },
      more: 'include: more/*.yaml\n',
    });
    expect(await run('validate', '.', '--all')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('An included file has no "approvals"'),
    });
  });
});

describe('a run that is resumed', () => {
  const fleet = () =>
    startFleet({
      files: { 'base/policies.yaml': block(5) },
      live: { a: [livePolicy('default', 6)], b: [livePolicy('default', 6)] },
      waves: { b: 2 },
    });

  test('visits a tenant again that did not stay as it was applied', async () => {
    const { run, requests, tenants } = await fleet();
    const a = tenants.get('a');
    const headers = { authorization: `Bearer ${await a?.token()}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ configuration: { action: 'block', limit: 9 } });
    const push = requests.push.bind(requests);
    let isReverted = false;
    requests.push = (...added) => {
      // Between the reading that verifies the write and the check after the wave.
      const isReadBack = requests.some((request) => request.startsWith('a PATCH')) && added[0]?.startsWith('a GET');
      if (isReadBack && !isReverted) {
        isReverted = true;
        setTimeout(
          () => void fetch(`${a?.baseUrl}/rate-limit-policies/rlp_default`, { method: 'PATCH', headers, body }),
        );
      }
      return push(...added);
    };
    const first = await run('apply', '.', '--all', '--yes');
    // The change may also be so quick that the apply itself sees it.
    expect(first.code).toBe(1);
    requests.push = push;
    requests.length = 0;
    expect((await run('apply', '.', '--all', '--yes', '--resume', runIn(first.stderr))).code).toBe(0);
    expect(requests.filter(isWrite)).toEqual([expect.stringMatching(/^a PATCH/), expect.stringMatching(/^b PATCH/)]);
  });

  test('visits a tenant of which it got a part', async () => {
    const { run, requests } = await fleet();
    await run('plan', '.', '--all', '--except', 'rate_limit_policies', '--out', 'plans');
    const { stderr } = await run('plan', '.', '--all', '--only', 'rate_limit_policies/*/*/default', '--out', 'part');
    expect(stderr).toContain('sha256:');
    const applied = await run('apply', '.', '--plan', 'part', '--yes');
    expect(applied.code).toBe(0);
    requests.length = 0;
    expect((await run('apply', '.', '--all', '--yes', '--resume', runIn(applied.stderr))).code).toBe(0);
    expect(new Set(requests.map((request) => request[0]))).toEqual(new Set(['a', 'b']));
  });

  test('says whom it skips, and reads no record that others could have written', async () => {
    const { run, cwd, requests } = await fleet();
    const { stderr } = await run('apply', '.', '--all', '--yes');
    requests.length = 0;
    const again = await run('apply', '.', '--all', '--yes', '--resume', runIn(stderr));
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('has finished them: a, b') });
    const json = await run('apply', '.', '--all', '--yes', '--resume', runIn(stderr), '--format', 'json');
    expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining({ diagnostics: [] })]);
    expect(requests).toEqual([]);
    const victim = join(cwd, 'victim');
    await writeFile(victim, '');
    await mkdir(join(cwd, '.state/runs'), { recursive: true });
    await symlink(victim, join(cwd, '.state/runs/deadbeef.jsonl'));
    const linked = await run('apply', '.', '--all', '--yes', '--resume', 'deadbeef');
    expect(linked).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/JOURNAL_UNWRITABLE\n.*it is a symbolic link/),
    });
    expect(await readFile(victim, 'utf8')).toBe('');
  });
});

describe('a wave', () => {
  test('has to be read completely before the next one begins', async () => {
    const { run, requests, env } = await startFleet({
      files: { 'base/policies.yaml': block(5) },
      live: { a: [livePolicy('default', 5)], b: [livePolicy('default', 6)] },
      waves: { b: 2 },
    });
    await run('plan', '.', '--all', '--out', 'plans');
    // The saved plan of the first tenant has nothing to send, and it is gone by now.
    env['TENANT_A_CLIENT_SECRET'] = 'wrong';
    const { code } = await run('apply', '.', '--plan', 'plans', '--yes');
    expect(code).toBe(1);
    expect(requests.filter(isWrite)).toEqual([]);
  });
});
