// A worker on a real database and embedded tenants.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTargets } from '../../src/cli/commands/worker.ts';
import { checkedScene as scene } from '../support/checked-scene.ts';
import { asAdmin } from '../support/postgres.ts';
import { stopWith } from '../support/run-command.ts';
import { until } from '../support/worker-scene.ts';

test('every tenant is checked once, and show prints what was found', async () => {
  const { check, command, requests, checks } = await scene();
  const never = await command('show', '--state', '.');
  expect(never).toMatchObject({ code: 0, stdout: expect.stringContaining('3 never checked') });
  expect(await check()).toMatchObject({ code: 0, stdout: '' });
  expect(requests.filter((request) => request.endsWith('GET /api/v2/rate-limit-policies')).sort()).toEqual([
    'one GET /api/v2/rate-limit-policies',
    'three GET /api/v2/rate-limit-policies',
    'two GET /api/v2/rate-limit-policies',
  ]);
  expect((await checks()).map(({ tenant, last }: { tenant: string; last: object }) => [tenant, last])).toEqual([
    ['one', { command: 'drift', at: expect.any(String), exit_code: 0 }],
    ['three', { command: 'drift', at: expect.any(String), exit_code: 0 }],
    ['two', { command: 'drift', at: expect.any(String), exit_code: 2 }],
  ]);
  const { stdout } = await command('show', '--state', '.');
  expect(stdout).toContain('client_id:b');
  expect(stdout).toMatch(/~ tenant {2}two +differs since \d{4}-\d\d-\d\d \d\d:\d\d UTC, checked/);
});

test('a difference is kept since when it was first found, until it is gone', async () => {
  const { check, checks, url, run, env } = await scene();
  const since = async () => (await checks())[2].differs_since;
  await check();
  const first = await since();
  expect(first).not.toBeNull();
  await check();
  expect(await since()).toBe(first);
  const failed = await run(['worker', '.', '--once'], { env: { ...env, TENANT_TWO_CLIENT_SECRET: undefined } });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('two: not compared, ENV_MISSING') });
  expect(failed.stderr).toContain('1 tenant could not be compared: two.');
  // Not compared: what was known stays.
  expect([await since(), (await checks())[2].last.exit_code]).toEqual([first, 3]);
  await asAdmin(url, `update tenant_sync.checks set differs_since = '2026-01-01' where tenant = 'one'`);
  await check();
  expect((await checks())[0].differs_since).toBeNull();
});

test('times do not depend on the settings of the server', async () => {
  const { check, run, env, url } = await scene();
  await check();
  const shown = async (database: string) =>
    (await run(['show', '--state', '.'], { env: { ...env, TENANT_SYNC_STATE_URL: database } })).stdout;
  expect(await shown(`${url}?options=-c%20DateStyle%3DGerman`)).toBe(await shown(url));
});

test('the job of a tenant that is no longer in the project is dropped', async () => {
  const { check, url } = await scene();
  await check();
  await asAdmin(
    url,
    `select tenant_sync_queue.add_job('check', '{"tenant": "gone", "run": "x"}', job_key => 'check gone')`,
  );
  const { code, stderr } = await check();
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('gone is no longer a tenant of the project.'),
  });
});

test('plan in place of drift', async () => {
  const { command, checks } = await scene();
  expect((await command('worker', '.', '--once', '--run', 'plan')).code).toBe(0);
  expect((await checks()).map(({ last }: { last: object }) => last)).toMatchObject([
    { command: 'plan', exit_code: 0 },
    { command: 'plan', exit_code: 0 },
    { command: 'plan', exit_code: 2 },
  ]);
  expect((await command('show', '--state', '.')).stdout).toContain('Additions');
});

test.each([
  [['worker', '.', '--once', '--tenant', 'one'], '--tenant'],
  [['worker', '.', '--once', '--only', 'roles'], '--only'],
  [['show', '--state', '.', 'results'], '--state takes no files'],
  [['show', '--state', '.', '--out', 'plans'], '--state takes no files'],
])('%j is refused', async (argv, words) => {
  const { command } = await scene();
  expect(await command(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
});

test('every format has the state of each tenant', async () => {
  const { check, command } = await scene();
  await check();
  for (const format of ['text', 'json', 'markdown', 'html', 'github']) {
    const { code, stdout } = await command('show', '--state', '.', '--format', format);
    expect(code).toBe(0);
    expect(stdout).toContain('two');
    expect(stdout).toMatch(/differs(_| )since/);
  }
});

describe('a worker that runs until a signal', () => {
  test('checks new tenants at once, serves its page, and ends with 0', async () => {
    const { run, env, tenants, url } = await scene();
    const { signal, stop } = stopWith('SIGTERM');
    let stderr = '';
    const ended = run(['worker', '.', '--port', '0', '--cron', '0 0 1 1 *'], {
      signal,
      onOutput: (text: string) => {
        stderr += text;
      },
    });
    await until(() => (stderr.match(/: (?:differs|no differences|not compared)/g)?.length ?? 0) >= 3);
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr)?.[0];
    const page = await fetch(`${origin}/`);
    expect(page.headers.get('content-type')).toMatch('text/html');
    const html = await page.text();
    expect(html).toContain('differs since');
    expect(html).not.toContain(Object.values(env).find((value) => value.includes('secret')) ?? 'secret');
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n');
    // More than the server has connections.
    const responses = await Promise.all(Array.from({ length: 200 }, () => fetch(`${origin}/metrics`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    for (const line of ['tenants 3', 'tenants_checked 3', 'tenants_differing 1', 'tenants_failed 0'])
      expect(metrics).toContain(`\ntenant_sync_${line}\n`);
    expect(metrics).toContain('tenant_sync_jobs{state="waiting"} 0');
    await asAdmin(url, 'alter table tenant_sync.checks rename to hidden');
    const failed = await Promise.all(Array.from({ length: 50 }, () => fetch(`${origin}/`)));
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([503]));
    // One line for each reading.
    expect(stderr.match(/The page could not be made: .*tenant_sync\.checks/g)?.length).toBeLessThan(10);
    await asAdmin(url, 'alter table tenant_sync.hidden rename to checks');
    expect((await fetch(`${origin}/`)).status).toBe(200);
    expect(tenants.size).toBe(3);
    stop();
    expect((await ended).code).toBe(0);
  });

  test('refuses other host names, which prevents DNS rebinding', async () => {
    const { serveWorker } = await import('../../src/worker/serve-worker.ts');
    const served = await serveWorker(0, {
      report: async () => 'page',
      metrics: async () => ({ type: 'text/plain', text: '' }),
      isHealthy: () => false,
    });
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(served.origin, { headers: { host: 'attacker.example' } }, ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(status).toBe(421);
    expect((await fetch(`${served.origin}/healthz`)).status).toBe(503);
    await served.close();
  });
});

test('a check has the variables of its own tenant and those of none, not those of others', async () => {
  const { cwd, env } = await scene();
  const own = { TENANT_ONE_VAR_LIMIT: '2', TENANT_TWO_VAR_LIMIT: '3' };
  const io = { cwd, env: { ...env, TENANT_VAR_LIMIT: '1', OTHER_TOKEN: 'x', TENANT_TWO_AUDIENCE: 'y', ...own } };
  const targets = await openTargets(io, '.')();
  expect(Object.keys(targets.get('two')?.env ?? {}).sort()).toEqual([
    'OTHER_TOKEN',
    'TENANT_SYNC_STATE_URL',
    'TENANT_TWO_AUDIENCE',
    'TENANT_TWO_BASE_URL',
    'TENANT_TWO_CLIENT_ID',
    'TENANT_TWO_CLIENT_SECRET',
    'TENANT_TWO_VAR_LIMIT',
    'TENANT_VAR_LIMIT',
  ]);
});

test('what is needed is asked for', async () => {
  const { run, env } = await scene();
  const code = async (argv: readonly string[], options = {}) => {
    const { code, stderr } = await run(argv, options);
    return [code, /[A-Z]+_[A-Z_]+/.exec(stderr)?.[0]];
  };
  expect(await code(['worker', '.'], { env: { ...env, TENANT_SYNC_STATE_URL: undefined } })).toEqual([
    3,
    'ENV_MISSING',
  ]);
  expect(await code(['worker', '.', '--cron', 'hourly'])).toEqual([3, 'OPTION_INVALID']);
  expect(await code(['worker', 'base'])).toEqual([3, 'OPTION_INVALID']);
  expect(await code(['show'])).toEqual([3, 'OPTION_INVALID']);
  const nowhere = { ...env, TENANT_SYNC_STATE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' };
  expect(await code(['worker', '.'], { env: nowhere })).toEqual([1, 'DATABASE_UNREACHABLE']);
});

describe('what goes wrong is seen', () => {
  test('others end the queue of a worker: it begins a new one', async () => {
    const { run, url, checks } = await scene();
    const { signal, stop } = stopWith('SIGTERM');
    let stderr = '';
    const ended = run(['worker', '.', '--cron', '0 0 1 1 *'], {
      signal,
      onOutput: (text: string) => {
        stderr += text;
      },
    });
    await until(() => (stderr.match(/: (?:differs|no differences)/g)?.length ?? 0) >= 3);
    await asAdmin(url, `select pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":99}')`);
    await until(() => stderr.includes('The database can be used again.'));
    expect(stderr).toContain('the queue');
    await asAdmin(url, 'delete from tenant_sync.checks');
    stop();
    expect((await ended).code).toBe(0);
    expect((await checks())[0].last).toBeNull();
    process.exitCode = 0;
  });

  test('a schedule that meets files which are being replaced reads them again', async () => {
    const { cwd, env } = await scene();
    const targets = openTargets({ cwd, env }, '.');
    expect((await targets('1')).size).toBe(3);
    const file = join(cwd, 'tenant-sync.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, 'tenants: {');
    await expect(targets('2')).rejects.toThrow('CONFIG_YAML_SYNTAX');
    await writeFile(file, text);
    expect((await targets('2')).size).toBe(3);
  });

  test('a secret that the tenant does not know, as that of the database, is not stored', async () => {
    const { check, url, tenants } = await scene();
    const { password } = new URL(url);
    expect(password.length).toBeGreaterThan(8);
    await tenants.get('one')?.tenant.change((seed) => {
      for (const policy of seed.rate_limit_policies ?? []) policy.consumer_selector = `client_id:${password}`;
    });
    await check();
    const [{ document = '' } = {}] = await asAdmin(url, `select document from tenant_sync.checks where tenant = 'one'`);
    expect(document).toContain('client_id:***');
    expect(document).not.toContain(password);
  });
});
