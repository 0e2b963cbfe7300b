// apply of several tenants: waves, failures, resuming, saved plans and what the project as a whole is guarded by.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deletionLimit } from '../../src/plan/review.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';
import { authorizedRequest, type StartedTenant } from '../support/start-tenant.ts';

const block = (limit: number) =>
  `rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: ${limit} } }\n`;
const isWrite = (request: string) => !/ GET /.test(request);
const writesOf = (requests: readonly string[], name: string) =>
  requests.filter((request) => request.startsWith(`${name} `) && isWrite(request)).length;

/** Tenants that differ in one limit: a and b in the first wave, c in the second, d in the third. */
const fleet = () =>
  startFleet({
    files: { 'base/policies.yaml': block(5) },
    live: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, [livePolicy('default', 6)]])),
    waves: { c: 2, d: 3 },
  });

async function failing() {
  const scene = await fleet();
  const env = { ...scene.env, TENANT_B_CLIENT_SECRET: 'wrong' };
  return { ...scene, right: { ...scene.env }, break: () => Object.assign(scene.env, env) };
}

describe('waves', () => {
  test('one failing tenant stops the next wave; resuming visits only what is left', async () => {
    const { run, requests, env, right, break: breakB } = await failing();
    breakB();
    const first = await run('apply', '.', '--all', '--yes');
    expect(first.code).toBe(1);
    expect(['a', 'b', 'c', 'd'].map((name) => writesOf(requests, name))).toEqual([1, 0, 0, 0]);
    expect(first.stderr).toContain('nothing was sent to c, d');
    expect(first.stderr).toMatch(/hint: correct what is reported for b, and apply again with --resume [0-9a-f]{8}\n/);
    // Before it asks, also where nobody is asked.
    expect(first.stderr).toMatch(
      /^b: .*\nNothing will be sent to b\. No wave after wave 1 will begin\.\nRun [0-9a-f]{8}\./,
    );
    const resume = /--resume ([0-9a-f]{8})/.exec(first.stderr)?.[1] ?? '';
    Object.assign(env, right);
    requests.length = 0;
    const second = await run('apply', '.', '--all', '--yes', '--resume', resume);
    expect(second.code).toBe(0);
    expect(requests.filter((request) => request.startsWith('a '))).toEqual([]);
    expect(['b', 'c', 'd'].map((name) => writesOf(requests, name))).toEqual([1, 1, 1]);
    requests.length = 0;
    expect((await run('apply', '.', '--all', '--yes', '--resume', resume)).code).toBe(0);
    expect(requests).toEqual([]);
    // Without it, nothing is skipped.
    expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
    expect(new Set(requests.map((request) => request[0]))).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  test('a tenant takes one token, however often it is connected to', async () => {
    const { run, tokens, requests } = await fleet();
    expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
    expect(requests.filter(isWrite)).toHaveLength(4);
    expect(tokens).toHaveLength(4);
  });

  test('a tenant whose files changed since is not skipped, and a run that is not known is an error', async () => {
    const { run, cwd, requests } = await fleet();
    const { stderr } = await run('apply', '.', '--all', '--yes');
    const resume = /--resume ([0-9a-f]{8})/.exec(stderr)?.[1] ?? '';
    await writeFile(join(cwd, 'base/policies.yaml'), block(7));
    requests.length = 0;
    expect((await run('apply', '.', '--all', '--yes', '--resume', resume)).code).toBe(0);
    expect(requests.filter(isWrite)).toHaveLength(4);
    const unknown = await run('apply', '.', '--all', '--yes', '--resume', '00000000');
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('--resume 00000000') });
  });

  test.each(['policies/default', 'rate_limit_policies'])(
    'resuming a run with --only %s skips what it finished',
    async (item) => {
      const { run, requests } = await fleet();
      const { stderr } = await run('apply', '.', '--all', '--yes', '--only', item);
      const resume = /--resume ([0-9a-f]{8})/.exec(stderr)?.[1] ?? '';
      requests.length = 0;
      expect((await run('apply', '.', '--all', '--yes', '--only', item, '--resume', resume)).code).toBe(0);
      expect(requests).toEqual([]);
      expect((await run('apply', '.', '--all', '--yes', '--resume', resume)).code).toBe(0);
      expect(requests).not.toEqual([]);
    },
  );

  test('--max-failures begins no other tenant of the wave', async () => {
    const { run, requests, env } = await fleet();
    env['TENANT_A_CLIENT_SECRET'] = 'wrong';
    const argv = ['apply', '.', '--all', '--yes', '--parallel', '1', '--max-failures', '1'];
    const { code, stderr } = await run(...argv);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was sent to b, c, d');
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test.each([['--all'], ['--wave', '1']])(
    'a tenant that differs again after its wave stops the next one: %s',
    async (selected, ...value) => {
      const { run, requests, changeAt } = await fleet();
      await changeAt('b PATCH', 'a', 'rlp_default');
      const { code, stderr } = await run('apply', '.', selected, ...value, '--yes', '--parallel', '1');
      expect(code).toBe(1);
      expect(stderr).toContain('a: it differs from the files again after the apply');
      if (selected === '--all') expect(stderr).toContain('nothing was sent to c, d');
      expect(['c', 'd'].map((name) => writesOf(requests, name))).toEqual([0, 0]);
    },
  );

  test('a role made by hand stops nothing', async () => {
    const { run, requests, cwd } = await startFleet({
      files: { 'base/policies.yaml': `${block(5)}roles:\n  - { name: Support, permissions: {} }\n` },
      live: Object.fromEntries(
        ['a', 'b'].map((name) => [
          name,
          {
            rate_limit_policies: [livePolicy('default', 6)],
            resource_servers: [],
            roles: [
              { id: 'rol_1', name: 'Support', permissions: [] },
              ...(name === 'a' ? [{ id: 'rol_2', name: 'By hand', permissions: [] }] : []),
            ],
          },
        ]),
      ),
      waves: { b: 2 },
    });
    expect(cwd).not.toBe('');
    expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
    expect(requests.filter(isWrite)).toHaveLength(2);
  });
});

describe('plans of several tenants in a folder', () => {
  test('are applied as they were saved, and only they', async () => {
    const { run, cwd, requests, tenants } = await fleet();
    const saved = await run('plan', '.', '--all', '--out', 'plans');
    expect(saved.code).toBe(0);
    const digest = /sha256:[0-9a-f]{64}/.exec(saved.stderr)?.[0] ?? '';
    expect((await readdir(join(cwd, 'plans'))).sort()).toEqual(['_index.json', 'a.json', 'b.json', 'c.json', 'd.json']);
    expect(JSON.parse(await readFile(join(cwd, 'plans/_index.json'), 'utf8'))).toMatchObject({
      digest,
      waves: [
        { wave: 1, actions: 2 },
        { wave: 2, actions: 1 },
        { wave: 3, actions: 1 },
      ],
    });
    const shown = await run('show', 'plans', '--format', 'json');
    expect(JSON.parse(shown.stdout)).toHaveLength(4);
    expect(tenants.size).toBe(4);
    const other = await run(
      'apply',
      '.',
      '--plan',
      'plans',
      '--yes',
      '--expect',
      digest.replace(/.$/, 'x').replace(/x$/, digest.endsWith('0') ? '1' : '0'),
    );
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('PLAN_NOT_EXPECTED') });
    expect(requests.filter(isWrite)).toEqual([]);
    const wave = await run('apply', '.', '--plan', 'plans', '--yes', '--expect', digest, '--wave', '2');
    expect(wave.code).toBe(0);
    expect(requests.filter(isWrite)).toEqual([expect.stringMatching(/^c PATCH/)]);
    // What was carried out already is done, and nothing is sent for it.
    expect((await run('apply', '.', '--plan', 'plans', '--yes', '--expect', digest)).code).toBe(0);
    expect(['a', 'b', 'c', 'd'].map((name) => writesOf(requests, name))).toEqual([1, 1, 1, 1]);
  });

  test('a plan that is missing or was exchanged is refused', async () => {
    const { run, cwd, requests } = await fleet();
    await run('plan', '.', '--all', '--out', 'plans');
    // Saved plans may be replaced, and nothing else.
    expect((await run('plan', '.', '--all', '--out', 'plans')).code).toBe(0);
    await writeFile(join(cwd, 'plans/notes.json'), '{}');
    expect(await run('plan', '.', '--all', '--out', 'plans')).toMatchObject({ code: 3 });
    expect(await readFile(join(cwd, 'plans/notes.json'), 'utf8')).toBe('{}');
    const a = await readFile(join(cwd, 'plans/a.json'), 'utf8');
    const own = await readFile(join(cwd, 'plans/b.json'), 'utf8');
    expect(own).not.toBe(a);
    await writeFile(join(cwd, 'plans/b.json'), a);
    const exchanged = await run('apply', '.', '--plan', 'plans', '--yes');
    expect(exchanged).toMatchObject({ code: 4, stderr: expect.stringContaining('PLAN_STALE') });
    await rm(join(cwd, 'plans/b.json'));
    expect((await run('apply', '.', '--plan', 'plans', '--yes')).code).toBe(3);
    await rm(join(cwd, 'plans/_index.json'));
    expect((await run('apply', '.', '--plan', 'plans', '--yes')).code).toBe(3);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('a tenant that could not be planned is a failure of its wave', async () => {
    const { run, env, requests } = await fleet();
    const right = { ...env };
    env['TENANT_B_CLIENT_SECRET'] = 'wrong';
    expect((await run('plan', '.', '--all', '--out', 'plans')).code).toBe(1);
    Object.assign(env, right);
    const { code, stdout } = await run('apply', '.', '--plan', 'plans', '--yes', '--format', 'json');
    expect(code).toBe(4);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('b: there is no saved plan');
    expect(['a', 'b', 'c', 'd'].map((name) => writesOf(requests, name))).toEqual([1, 0, 0, 0]);
  });
});

test('after a conflict with a saved plan, no hint says to apply it again', async () => {
  const { run, tenants } = await fleet();
  await run('plan', '.', '--all', '--out', 'plans');
  const { id, configuration } = livePolicy('default', 8);
  const tenant = tenants.get('b') as StartedTenant;
  await fetch(await authorizedRequest(tenant, 'PATCH', `/rate-limit-policies/${id}`, { configuration }));
  const { code, stderr } = await run('apply', '.', '--plan', 'plans', '--yes');
  expect(code).toBe(4);
  expect(stderr).toContain('nothing was sent to c, d');
  expect(stderr).toContain(
    'hint: correct what is reported for b, and apply plans that are saved again with plan --out\n',
  );
  // What works.
  await run('plan', '.', '--all', '--out', 'plans');
  expect((await run('apply', '.', '--plan', 'plans', '--yes')).code).toBe(0);
});

describe('the guard of the project', () => {
  test.each([
    [5, 5, 10],
    [300, 300, 30],
    [30, 300, 3],
    [1, 300, 1],
    [99, 100, 9],
  ])('%i of %i tenants: %i', (selected, all, limit) => expect(deletionLimit(selected, all)).toBe(limit));

  const twelve = (extra: string, inFirstWave = 6) =>
    startFleet({
      files: { 'base/policies.yaml': block(5) },
      live: Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [
          `t${index}`,
          [livePolicy('default', 5), livePolicy('client_id:old', 3)],
        ]),
      ),
      waves: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`t${index}`, index < inFirstWave ? 1 : 2])),
      more: extra,
    });

  test('the same deletion on too many tenants is refused before the first write, and approved by name', async () => {
    const { run, requests, cwd } = await twelve('');
    const planned = await run('plan', '.', '--all', '--format', 'json');
    expect(planned.code).toBe(4);
    const documents = JSON.parse(planned.stdout);
    const [{ code, message, hint }] = documents.at(-1).diagnostics;
    expect(code).toBe('GUARD_SAME_DELETION');
    expect(message).toContain('/client_id:old would be deleted on 12 tenants, and the limit is 10.');
    for (const argv of [['--all'], ['--wave', '1']]) {
      const refused = await run('apply', '.', ...argv, '--yes');
      expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('GUARD_SAME_DELETION') });
    }
    expect(requests.filter(isWrite)).toEqual([]);
    const line = /- \{.*\}/.exec(hint)?.[0];
    const project = join(cwd, 'tenant-sync.yaml');
    await writeFile(project, `${await readFile(project, 'utf8')}approvals:\n  ${line}\n`);
    expect((await run('plan', '.', '--all')).code).toBe(0);
    expect((await run('apply', '.', '--wave', '1', '--yes')).code).toBe(0);
    expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
    expect(requests.filter(isWrite)).toHaveLength(12);
    const idle = await run('plan', '.', '--all', '--format', 'json');
    expect(idle.stdout).toContain('approves nothing');
  });

  test('a part of the tenants has its share of the limit of the project, however it is selected', async () => {
    const { run, requests } = await twelve('');
    expect((await run('plan', '.', '--all', '--out', 'plans')).code).toBe(4);
    const inPart = (count: number, limit: number) => `on ${count} tenants, and the limit is ${limit}.`;
    const parts: readonly (readonly [options: readonly string[], refusal: string])[] = [
      [['--wave', '1'], inPart(6, 5)],
      [['--all', '--wave', '2'], inPart(6, 5)],
      [['--tenant', 't1*'], inPart(3, 2)],
      [['--tenant', 't0', '--tenant', 't11'], '2 tenants, and the limit is 1.'],
    ];
    for (const [part, refusal] of parts)
      for (const [command, ...options] of [['plan'], ['apply', '--yes']] as const) {
        const { code, stderr } = await run(command, '.', ...options, ...part);
        expect([command, part, code, stderr]).toEqual([command, part, 4, expect.stringContaining(refusal)]);
      }
    // Saved plans are reviewed as they were saved, and so are results.
    const saved = await run('apply', '.', '--yes', '--plan', 'plans', '--wave', '1');
    expect(saved).toMatchObject({ code: 4, stderr: expect.stringContaining(inPart(12, 10)) });
    await run('plan', '.', '--wave', '1', '--results', 'results');
    expect(await run('show', 'results')).toMatchObject({ code: 4, stderr: expect.stringContaining(inPart(6, 5)) });
    // One tenant is never too many.
    expect((await run('plan', '.', '--tenant', 't3')).code).toBe(0);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('one wave of saved plans counts with what is approved for the tenants of the others', async () => {
    const { run, requests, cwd } = await twelve('', 1);
    const planned = await run('plan', '.', '--all', '--format', 'json');
    const line = /- \{.*\}/.exec(JSON.parse(planned.stdout).at(-1).diagnostics[0].hint)?.[0];
    const project = join(cwd, 'tenant-sync.yaml');
    await writeFile(project, `${await readFile(project, 'utf8')}approvals:\n  ${line}\n`);
    expect((await run('plan', '.', '--all', '--out', 'plans')).code).toBe(0);
    const { code, stderr } = await run('apply', '.', '--plan', 'plans', '--wave', '1', '--yes');
    expect(stderr).not.toContain('GUARD_');
    expect(code).toBe(0);
    expect(requests.filter(isWrite)).toEqual([expect.stringMatching(/^t0 DELETE/)]);
  });

  test('an approval is for the tenants that it names, and the others stay refused', async () => {
    const { run, cwd } = await twelve('');
    const planned = JSON.parse((await run('plan', '.', '--all', '--format', 'json')).stdout);
    const code = /code: ([0-9a-f"]+)/.exec(planned.at(-1).diagnostics[0].hint)?.[1];
    const project = join(cwd, 'tenant-sync.yaml');
    await writeFile(
      project,
      `${await readFile(project, 'utf8')}approvals:\n  - { code: ${code}, tenants: [t0, t1] }\n`,
    );
    const left = await run('plan', '.', '--all');
    expect(left).toMatchObject({ code: 4, stderr: expect.stringContaining('10 tenants (t10, t11, t2') });
    const name = `approvals:\n  - { code: ${code}, tenants: [t99] }\n`;
    await writeFile(project, `${(await readFile(project, 'utf8')).split('approvals:')[0]}${name}`);
    expect(await run('validate', '.', '--all')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('has no tenant "t99"'),
    });
  });
});
