// plan and drift of several tenants of a project in one run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import type { LivePolicy } from '../../src/service/rate-limit-policies/types.generated.ts';
import { kinds } from '../support/all-kinds.ts';
import { buildLivePolicy } from '../support/build-live-policy.ts';
import { startFakeClock } from '../support/fake-clock.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { memorySource } from '../support/memory-source.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const names = ['a', 'b', 'c'];
const prefixOf = (name: string) => `TENANT_${name.toUpperCase()}`;
const files = {
  'tenant-sync.yaml': `tenants:\n${names.map((name) => `  ${name}: { layers: [base, ${name}], environment: ${prefixOf(name)} }\n`).join('')}`,
  'base/policies.yaml':
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 5 } }\n',
  ...Object.fromEntries(names.map((name) => [`${name}/a.yaml`, 'roles: []\n'])),
};

/** Three tenants, of which the second one differs; the policies of the third cannot be read if it is `broken`. */
async function setUp({ broken = false, more = {}, live = [] as readonly LivePolicy[] } = {}) {
  const requests: string[] = [];
  const tenants = await Promise.all(
    names.map((name) =>
      tenantWith(
        { rate_limit_policies: [livePolicy('default', name === 'b' ? 6 : 5), ...live], resource_servers: [] },
        { onRequest: ({ method, path }) => requests.push(`${method} ${path}`) },
      ),
    ),
  );
  const env = Object.fromEntries(
    tenants.flatMap((tenant, index) =>
      Object.entries(tenant.env).map(([name, value]) => [
        name.replace('TENANT_SYNC', prefixOf(names[index] ?? '')),
        broken && index === 2 && name.endsWith('CLIENT_SECRET') ? 'wrong-secret' : value,
      ]),
    ),
  );
  const cwd = await folder({ ...files, ...more });
  return { tenants, cwd, env, requests, run: (...argv: string[]) => runCommand(argv, { cwd, env }) };
}

describe('several tenants', () => {
  test('their documents are one list, in the order of their names', async () => {
    const { run } = await setUp();
    const { code, stdout, stderr } = await run('plan', '.', '--all', '--format', 'json', '--exit-code');
    expect(stderr).toBe('');
    const plans = JSON.parse(stdout) as { readonly tenant: { readonly name: string }; readonly actions: unknown[] }[];
    expect(plans.map(({ tenant, actions }) => [tenant.name, actions.length])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ]);
    expect(code).toBe(2);
    const some = await run('plan', '.', '--tenant', '[', '--tenant', 'a', '--tenant', 'c', '--exit-code');
    expect(some.code).toBe(3);
    const others = await run('plan', '.', '--tenant', 'a', '--tenant', 'c', '--exit-code', '--parallel', '1');
    expect(others.code).toBe(0);
    expect(others.stdout).not.toMatch(/^b /m);
  });

  test('each plan is the one of its tenant alone', async () => {
    const { run } = await setUp();
    const digestOf = ({ digest }: { readonly digest: string }) => digest;
    const all = JSON.parse((await run('plan', '.', '--all', '--format', 'json')).stdout).map(digestOf);
    const alone = [];
    for (const name of names)
      alone.push(digestOf(JSON.parse((await run('plan', '.', '--tenant', name, '--format', 'json')).stdout)));
    expect(all).toEqual(alone);
  });

  test('one that cannot be reached stops no other, and decides the exit code', async () => {
    const { run } = await setUp({ broken: true });
    for (const command of ['plan', 'drift']) {
      const { code, stdout } = await run(command, '.', '--all', '--format', 'json');
      expect(code).toBe(1);
      const documents = JSON.parse(stdout);
      expect(documents.map((one: { readonly tenant?: { readonly name: string } }) => one.tenant?.name ?? null)).toEqual(
        ['a', 'b', null],
      );
      expect(documents[2].diagnostics[0].message).toMatch(/^c: /);
    }
  });

  test.each([
    ['plan', '--tenant', 'c'],
    ['plan', '--tenant', 'c*'],
    ['drift', '--tenant', 'c'],
    ['apply', '--tenant', 'c', '--yes'],
    ['pull', '--tenant', 'c', '--check'],
  ])('hints name the variables of the tenant: %s %s %s', async (command, ...options) => {
    const { run } = await setUp({ broken: true });
    const { stdout, stderr } = await run(command, '.', ...options);
    const output = stdout + stderr;
    expect(output).toContain('check TENANT_C_CLIENT_ID, TENANT_C_CLIENT_SECRET or the private key');
    expect(output).not.toContain('TENANT_SYNC_');
  });

  test.each(['text', 'markdown'])('no part of a secret that tenants return is in %s', async (format) => {
    const [secret = ''] = testClient.client_secret.split('test-client');
    const url = `https://a.example/${'x'.repeat(66)}${testClient.client_secret}`;
    const configuration = { action: 'redirect', limit: 5, redirect_uri: url } as const;
    const { run, cwd } = await setUp({
      live: [buildLivePolicy({ consumer_selector: 'client_id:x', configuration })],
    });
    await run('plan', '.', '--all', '--report', `${format}=report`);
    const report = await readFile(join(cwd, 'report'), 'utf8');
    expect(report).toContain('client_id:x');
    for (let start = 0; start <= secret.length - 8; start += 1)
      expect(report).not.toContain(secret.slice(start, start + 8));
  });

  test('an item that only one of them has can be selected, and a misspelt one cannot', async () => {
    const { run } = await setUp({
      more: { 'c/a.yaml': 'roles:\n  - { name: Tester, description: Tests, permissions: {} }\n' },
    });
    const found = await run('plan', '.', '--all', '--only', 'roles/Tester', '--format', 'json');
    expect({
      code: found.code,
      names: JSON.parse(found.stdout).map((one: { tenant: { name: string } }) => one.tenant.name),
    }).toEqual({ code: 0, names: ['c'] });
    expect(await run('plan', '.', '--all', '--only', 'roles/Tseter')).toMatchObject({ code: 3 });
  });

  test.each([
    [['--only', 'roles/Suport'], '--only roles/Suport matches no declared or live item. Affects all 3 tenants.'],
    [['--rotate', 'stream/audti'], 'matches no item with a secret to send. Affects all 3 tenants.'],
  ])('what is wrong on all of them is one error below the totals: %j', async (options, words) => {
    const { cwd, env } = await setUp();
    const run = (...format: readonly string[]) =>
      runCommand(['plan', '.', '--all', ...options, ...format], { cwd, env });
    const { code: found, stdout } = await run();
    expect({ found, first: stdout.split('\n')[0] }).toEqual({ found: 3, first: '3 tenants   3 failed' });
    expect(stdout).toContain(words);
    expect(stdout).toContain('\n1 error\n');
    expect(JSON.parse((await run('--format', 'json')).stdout)).toHaveLength(names.length);
  });

  test.each([
    ['polices/default', 'did you mean "rate_limit_policies/default"?'],
    ['rols', 'did you mean "roles"?'],
    ['rols/Support', 'did you mean "roles/Support"?'],
  ])('a kind that is misspelt in --only %s', async (only, hint) => {
    const { run } = await setUp();
    const { code, stderr } = await run('plan', '.', '--all', '--only', only);
    expect({ code, hint: stderr.includes(hint) }).toEqual({ code: 3, hint: true });
  });

  test('scopes are printed for each', async () => {
    const { run } = await setUp();
    const { stdout } = await run('plan', '.', '--all', '--print-scopes');
    expect(stdout.match(/read:rate_limit_policies/g)?.length).toBeGreaterThanOrEqual(names.length);
  });

  test('--debug prints the requests of each, with its name', async () => {
    const { run } = await setUp();
    const { stderr } = await run('plan', '.', '--all', '--debug');
    for (const name of names)
      expect(stderr).toMatch(new RegExp(`^${name}: debug: GET /api/v2/rate-limit-policies`, 'm'));
    expect((await run('plan', '.', '--all')).stderr).not.toContain('debug');
  });

  test('drift exits with 2 if one differs', async () => {
    const { run } = await setUp();
    const { code, stdout } = await run('drift', '.', '--all');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^3 tenants {3}1 with differences {3}2 without differences\n/);
    expect(stdout).toMatch(/^b {2}http/m);
    expect(stdout).toMatch(/^2 tenants {3}no differences\n {2}a, c\n/m);
  });

  test('nothing is sent if the files or the environment of one are not valid', async () => {
    const { run, requests } = await setUp({ more: { 'c/a.yaml': 'roels: []\n' } });
    const { code, stderr } = await run('plan', '.', '--all');
    expect(code).toBe(3);
    expect(stderr).toContain('c/a.yaml:1:1');
    const missing = await runCommand(['drift', '.', '--all'], { cwd: await folder(files) });
    expect(missing.code).toBe(3);
    for (const name of names) expect(missing.stderr).toContain(`${prefixOf(name)}_BASE_URL is not set`);
    expect(requests).toEqual([]);
  });

  test.each([
    [['plan', '.', '--all', '--out', '.'], 'it has other files than saved plans'],
    [['plan', '.', '--all', '--parallel', '0'], 'use 1 to 100'],
  ])('%j', async (argv, words) => {
    const { run } = await setUp();
    expect(await run(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
  });
});

test('a shared file that changes between two validations of one process is read again', async () => {
  const source = memorySource({ 'a.yaml': 'roles: []\n' });
  const changing = {
    ...source,
    isKept: true,
    read: async () => ({ ok: true as const, path: 'a.yaml', bytes: Buffer.from(text) }),
  };
  let text = 'roles: []\n';
  const codes = async () => (await loadDesired(changing, kinds)).diagnostics.map(({ code }) => code);
  expect(await codes()).toEqual([]);
  text = 'roels: []\n';
  expect(await codes()).toEqual(['CONFIG_UNKNOWN_FIELD']);
  text = 'roles: []\n';
  expect(await codes()).toEqual([]);
});

describe('apply of several tenants goes wave by wave', () => {
  const waves = (more: (tenant: { readonly baseUrl: string }, name: string) => string) => async (broken: boolean) => {
    const scene = await setUp({ broken });
    const entries = names.map((name, index) => {
      const tenant = scene.tenants[index] as { readonly baseUrl: string };
      const about = `layers: [base, ${name}], environment: ${prefixOf(name)}, wave: ${name === 'b' ? 2 : 1}`;
      return `  ${name}: { ${about}${more(tenant, name)} }\n`;
    });
    await writeFile(join(scene.cwd, 'tenant-sync.yaml'), `tenants:\n${entries.join('')}`);
    return scene;
  };
  const asserted = waves(({ baseUrl }) => `, base_url: "${baseUrl}"`);
  const isWrite = (request: string) => /^(?:PATCH|POST) .*\/rate-limit-policies/.test(request);

  test('all of them, and again nothing', async () => {
    const { run, requests } = await asserted(false);
    const { code, stdout, stderr } = await run('apply', '.', '--all', '--yes', '--format', 'json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Run ([0-9a-f]{8})\. To skip finished tenants in a rerun, add --resume \1\.\n$/);
    const done = (JSON.parse(stdout) as { plan: { tenant: { name: string } }; summary: { done: number } }[]).map(
      ({ plan, summary }) => [plan.tenant.name, summary.done],
    );
    expect(done).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ]);
    expect(requests.filter(isWrite)).toHaveLength(1);
    expect((await run('plan', '.', '--all', '--exit-code')).code).toBe(0);
    expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
    expect(requests.filter(isWrite)).toHaveLength(1);
  });

  test('a wave does not begin after one that failed', async () => {
    const { run, requests } = await asserted(true);
    const { code, stdout, stderr } = await run('apply', '.', '--all', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('APPLY_WAVE');
    expect(stderr).toContain('nothing was sent to b');
    expect(stderr).toContain('hint: correct what is reported for c, and apply again\n');
    expect(stdout).toMatch(/^a /m);
    expect(stdout).toMatch(/^3 tenants {3}1 failed .*1 not begun$/m);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('what one run throws does not hide what others have sent', async () => {
    const { cwd, env, requests } = await asserted(false);
    const { now, ...clock } = startFakeClock(Date.now());
    let hasThrown = false;
    const failing = {
      ...clock,
      now: () => {
        // The second one has its token.
        const hasToken = requests.filter((request) => request.includes('/oauth/token')).length > 1;
        if (!hasToken || hasThrown) return now();
        hasThrown = true;
        throw new Error('no time');
      },
    };
    const argv = ['apply', '.', '--tenant', 'a', '--tenant', 'c', '--yes', '--parallel', '1', '--format', 'json'];
    const { code, stdout } = await runCommand(argv, { cwd, env, clock: failing });
    expect(code).toBe(1);
    const [first, second] = JSON.parse(stdout);
    expect(first).toMatchObject({ plan: { tenant: { name: 'a' } }, summary: { failed: 0 } });
    expect(second.diagnostics).toMatchObject([{ code: 'INTERNAL_ERROR', message: expect.stringMatching(/^c: /) }]);
  });

  test('a refused tenant is a failure of its wave, and says why', async () => {
    const { run, cwd, requests } = await asserted(false);
    await writeFile(join(cwd, 'c/a.yaml'), 'tenant: { guards: { max_delete_count: 0, max_delete_percent: 0 } }\n');
    await writeFile(
      join(cwd, 'c/p.yaml'),
      'rate_limit_policies:\n  - { consumer_selector: default, absent: true }\n  - { consumer_selector: "client_id:x", absent: true }\n',
    );
    const { code, stdout, stderr } = await run('apply', '.', '--all', '--yes');
    expect(code).toBe(4);
    expect(stderr).toContain('GUARD_REFUSED');
    expect(stderr).toContain('1 tenant (c): rate_limit_policies: the plan would');
    expect(stderr).toContain('nothing was sent to b');
    expect(stdout).toMatch(/^a /m);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  test('--wave selects its tenants', async () => {
    const { run } = await asserted(false);
    const namesOf = async (...argv: string[]) =>
      JSON.parse((await run('plan', '.', ...argv, '--format', 'json')).stdout) as unknown[] | object;
    expect(await namesOf('--wave', '1')).toMatchObject([{ tenant: { name: 'a' } }, { tenant: { name: 'c' } }]);
    expect(await namesOf('--wave', '2')).toMatchObject([{ tenant: { name: 'b' } }]);
    for (const argv of [
      ['--wave', '3'],
      ['--wave', '2', '--tenant', 'a'],
      ['--wave', '0'],
    ])
      expect(await run('plan', '.', ...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining('wave') });
    expect((await run('plan', '.', '--wave', '3')).stderr).toContain('their waves are 1, 2');
  });

  test.each([
    [['apply', '.', '--all'], 'use --yes to apply without confirmation'],
    [['apply', '.', '--all', '--yes', '--resume', 'x'], 'is not a run'],
    [['apply', '.', '--all', '--yes', '--max-failures', '0'], 'is not a number of failures'],
    [['apply', '.', '--all', '--yes', '--all-or-nothing'], '--all-or-nothing needs --plan'],
    [['apply', '.', '--all', '--yes'], '"a" has no base_url'],
  ])('%j', async (argv, words) => {
    const { run, requests } = await setUp();
    expect(await run(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
    expect(requests).toEqual([]);
  });
});
