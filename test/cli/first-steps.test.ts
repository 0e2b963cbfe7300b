// What people meet on their first day: the embedded tenant, names of kinds, and the output of --debug.
import { describe, expect, test } from 'vitest';
import { programOf } from '../../src/cli/process-io.ts';
import { filesOfEveryKind, policiesYaml, seedOf } from '../support/files-and-tenant.ts';
import { runCommand, stopWith } from '../support/run-command.ts';
import { type StartedTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const requestsOf = (tenant: StartedTenant) =>
  tenant.tenant.requests.map(({ method, path, query }) => `${method} ${path}${query}`);

describe('serve without a seed', () => {
  test.each([
    ['nothing is set', {}],
    ['its own secret is set', { TENANT_SYNC_CLIENT_SECRET: 'local-only' }],
  ])('prints three lines that work when copied, when %s', async (_when, env) => {
    const { signal, stop } = stopWith();
    let shown = '';
    let planned: Promise<{ readonly code: number; readonly stderr: string }> | undefined;
    await runCommand(['serve', '--port', '0'], {
      signal,
      env,
      onOutput: (text) => {
        shown += text;
        if (planned !== undefined || !shown.includes('Stop it')) return;
        const lines = [...shown.matchAll(/^ {2}export (\w+)=(\S+)$/gm)];
        planned = folder({ 'r.yaml': 'rate_limit_policies: []\n' })
          .then((files) => runCommand(['plan', files], { env: Object.fromEntries(lines.map(([, ...pair]) => pair)) }))
          .finally(stop);
      },
    });
    expect(await planned).toMatchObject({ code: 0, stderr: '' });
    expect(shown.match(/^ {2}export /gm)).toHaveLength(3);
  });
});

describe('files without a section', () => {
  const files = () => folder({ 't.yaml': 'tenant: { name: acme }\n' });

  test.each([['plan'], ['drift'], ['apply', '--yes']])(
    '%s says that nothing is managed, and has asked the tenant once',
    async (...command) => {
      const tenant = await tenantWith(seedOf());
      const { code, stdout } = await runCommand([...command, await files()], { env: tenant.env });
      expect([code, stdout]).toEqual([0, expect.stringContaining('\nNothing is managed yet.\n')]);
      expect(stdout).not.toMatch(/in sync/i);
      expect(new Set(requestsOf(tenant).slice(1))).toEqual(new Set(['GET /api/v2/rate-limit-policies?take=100']));
    },
  );

  test('have the first 100 warnings of what only validate finds, and the number of the others', async () => {
    const screens = Array.from({ length: 150 }, (_, index) => `      screen-${index}: { form-content: x }\n`).join('');
    const many = await folder({ 'p.yaml': `prompts:\n  login:\n    partials:\n${screens}` });
    const { stdout } = await runCommand(['validate', many]);
    expect(stdout.match(/CONFIG_UNKNOWN_SCREEN/g)).toHaveLength(100);
    expect(stdout).toMatch(/50 more/);
  });

  test('need a client that the tenant knows, with whatever scopes', async () => {
    const tenant = await tenantWith(seedOf({ clients: [{ ...testClient, scopes: [] }] }));
    expect((await runCommand(['plan', await files()], { env: tenant.env })).code).toBe(0);
    const { code, stderr } = await runCommand(['plan', await files()], {
      env: { ...tenant.env, TENANT_SYNC_CLIENT_SECRET: 'wrong' },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('SERVICE_TOKEN_REFUSED')]);
  });

  test('need a base URL with a service behind it', async () => {
    const tenant = await tenantWith(
      { ...seedOf() },
      { faults: [{ operation: 'list_rate_limit_policies', kind: 'status', status: 404, every: 1 }] },
    );
    const { code, stdout } = await runCommand(['plan', await files()], { env: tenant.env });
    expect([code, stdout]).toEqual([4, expect.stringContaining('INCOMPLETE')]);
  });
});

describe('a program', () => {
  test.each([
    ['/srv/app/node_modules/.bin/tenant-sync', 'npx tenant-sync'],
    ['/home/me/.npm/_npx/1a/node_modules/tenant-sync/dist/cli/main.cjs', 'npx tenant-sync'],
    ['/srv/app/dist/cli/main.cjs', 'node dist/cli/main.cjs'],
    ['/usr/local/bin/tenant-sync', 'tenant-sync'],
    [undefined, 'tenant-sync'],
  ])('%s is started by %s', (path, program) => expect(programOf(path, '/srv/app')).toBe(program));
});

describe('a kind in --only and --except', () => {
  test.each([
    ['rate_limit_policies', 'rate_limit_policies'],
    ['rate-limit-policies', 'rate_limit_policies'],
    ['rate_limit_policy', 'rate_limit_policies'],
    ['policies', 'rate_limit_policies'],
    ['Policy', 'rate_limit_policies'],
    ['roles', 'roles'],
    ['role', 'roles'],
    ['prompts', 'prompts'],
    ['prompt', 'prompts'],
    ['event-streams', 'event_streams'],
    ['event_stream', 'event_streams'],
    ['streams', 'event_streams'],
    ['role/rol_1', 'roles/rol_1'],
    ['policies/*/default', 'rate_limit_policies/*/default'],
  ])('%s means %s', async (word, selector) => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    for (const option of ['--only', '--except']) {
      const { stdout } = await runCommand(['plan', files, option, word, '--format', 'json'], { env: tenant.env });
      expect(JSON.parse(stdout).selection).toMatchObject({ [option.slice(2)]: [selector] });
    }
  });

  test.each(['limits', 'rate', 'permissions', ''])('%j means nothing', async (word) => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const { code, stderr } = await runCommand(['plan', files, '--only', word], { env: tenant.env });
    expect({ code, reported: stderr.includes('is not a kind') }).toEqual({ code: 3, reported: true });
  });
});

describe('--debug', () => {
  const lines = (stderr: string) => stderr.match(/^debug: (?!authentication: ).*$/gm) ?? [];

  test('prints each request with its status and time, and nothing else of it', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder(filesOfEveryKind);
    const quiet = await runCommand(['apply', files, '--yes'], { env: tenant.env });
    const again = await tenantWith(seedOf());
    const loud = await runCommand(['apply', files, '--yes', '--debug'], { env: again.env });
    expect([loud.code, loud.stdout.length]).toEqual([quiet.code, quiet.stdout.length]);
    const requests = lines(loud.stderr).map((line) => /^debug: (\S+ \S+): (\d+) in \d+ ms$/.exec(line)?.slice(1, 3));
    expect(requests.map((request) => request?.[0]).toSorted()).toEqual(requestsOf(again).toSorted());
    expect(loud.stderr).not.toContain(testClient.client_secret);
    expect(loud.stderr).not.toMatch(/bearer|authorization|permission_name/i);
    expect(lines(quiet.stderr)).toEqual([]);
  });

  test('prints requests without a response', async () => {
    const tenant = await tenantWith(seedOf(), {
      faults: [{ operation: 'list_rate_limit_policies', kind: 'reset', times: 1 }],
    });
    const files = await folder({ 'p.yaml': policiesYaml('default') });
    const { code, stderr } = await runCommand(['plan', files, '--debug'], { env: tenant.env });
    expect(code).toBe(0);
    expect(lines(stderr).some((line) => /no response \(\w+\) in \d+ ms$/.test(line))).toBe(true);
  });

  test('masks secrets that a path repeats', async () => {
    const secret = 'rate-limit-policies';
    const tenant = await tenantWith(seedOf({ clients: [{ ...testClient, client_secret: secret }] }));
    const env = { ...tenant.env, TENANT_SYNC_CLIENT_SECRET: secret };
    const { stderr } = await runCommand(['plan', await folder({ 'p.yaml': policiesYaml('default') }), '--debug'], {
      env,
    });
    expect(lines(stderr).join('\n')).toContain('GET /api/v2/***?take=100: 200 in ');
    expect(stderr).not.toContain(secret);
  });
});

test('--no-color wins over FORCE_COLOR, in commands that print', async () => {
  const tenant = await tenantWith(seedOf());
  const files = await folder({ 'p.yaml': policiesYaml('default') });
  const env = { ...tenant.env, FORCE_COLOR: '1' };
  for (const argv of [
    ['plan', files],
    ['drift', files],
    ['validate', files, '--nonsense'],
  ]) {
    const colour = await runCommand(argv, { env, isTTY: true });
    const plain = await runCommand([...argv, '--no-color'], { env, isTTY: true });
    expect((colour.stdout + colour.stderr).includes('\u001b['), argv[0]).toBe(true);
    expect((plain.stdout + plain.stderr).includes('\u001b['), argv[0]).toBe(false);
  }
});
