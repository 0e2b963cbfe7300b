// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
// Tenants that share a layer have a secret each: TENANT_VAR_X in the files is PREFIX_VAR_X where that is set.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { authorizedRequest, type StartedTenant } from '../support/start-tenant.ts';

const names = ['a', 'b', 'c'];
const stream = (endpoint = 'https://crm.example/hook', variable = 'TENANT_VAR_CRM_CLIENT_SECRET') =>
  `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: ${endpoint}
        webhook_authorization: { method: basic, username: u, password: "\${env:${variable}}" }
`;

async function setUp(text = stream(), files: Readonly<Record<string, string>> = {}) {
  const fleet = await startFleet({
    files: { 'base/streams.yaml': text, ...files },
    live: Object.fromEntries(names.map((name): [string, Seed] => [name, { event_streams: [] }])),
  });
  return {
    fleet,
    run: (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const options = argv[0] === 'apply' ? ['--yes', '--state-dir', `${fleet.cwd}/.state`] : [];
      return runCommand([...argv, ...options], { cwd: fleet.cwd, env: { ...fleet.env, ...env } });
    },
    /** The last body that each tenant got. */
    sent: () =>
      names.map((name) => {
        const bodies = fleet.tenants.get(name)?.tenant.requests.filter(({ path }) => path.endsWith('/event-streams'));
        return /"password":"([^"]*)"/.exec(JSON.stringify(bodies?.filter(({ method }) => method === 'POST')))?.[1];
      }),
  };
}

const shared = { TENANT_VAR_CRM_CLIENT_SECRET: 'planted-for-all' };
const own = (name: string, value = `planted-for-${name}`) => ({
  [`TENANT_${name.toUpperCase()}_VAR_CRM_CLIENT_SECRET`]: value,
});

describe('a secret', () => {
  test('is the one of the tenant, or else the shared one, and no output shows either', async () => {
    const { run, sent } = await setUp();
    const { code, stdout, stderr } = await run(['apply', '.', '--all'], { ...shared, ...own('a'), ...own('b') });
    expect({ code, sent: sent() }).toEqual({ code: 0, sent: ['planted-for-a', 'planted-for-b', 'planted-for-all'] });
    expect(stdout + stderr).not.toMatch(/planted|SECRET_SHARED/);
  });

  test.each([
    ['its own one', {}, 'TENANT_A_VAR_'],
    ['the shared one, if that alone is set', { TENANT_VAR_CRM_PASSWORD: 'planted' }, 'TENANT_VAR_'],
  ])('that a pull declares has the variable of the tenant: %s', async (_which, env, start) => {
    const { fleet, run } = await setUp();
    expect((await run(['apply', '.', '--tenant', 'a'], own('a'))).code).toBe(0);
    await writeFile(join(fleet.cwd, 'base/streams.yaml'), 'event_streams: []\n');
    const { stdout } = await run(['pull', '.', '--tenant', 'a', '--layer', 'base', '--check'], env);
    expect(stdout).toMatch(new RegExp(`rotates it:\n {2}${start}`));
  });

  test('of a saved plan as well', async () => {
    const { fleet, run, sent } = await setUp();
    expect((await run(['plan', '.', '--all', '--out', `${fleet.cwd}/.plans`])).code).toBe(0);
    const env = { ...shared, ...own('b') };
    expect((await run(['apply', '.', '--plan', `${fleet.cwd}/.plans`], env)).code).toBe(0);
    expect(sent()).toEqual(['planted-for-all', 'planted-for-b', 'planted-for-all']);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['neither is set', {}, 'TENANT_VAR_CRM_CLIENT_SECRET is not set'],
    ['the own one is empty', { ...shared, ...own('a', '') }, 'TENANT_A_VAR_CRM_CLIENT_SECRET is not set'],
  ])('is missing if %s', async (_when, env, message) => {
    const { run, sent } = await setUp();
    const { code, stderr } = await run(['apply', '.', '--tenant', 'a'], env);
    expect({ code, sent: sent()[0] }).toEqual({ code: 3, sent: undefined });
    expect(stderr).toContain(message);
    expect(stderr).toContain('set TENANT_A_VAR_CRM_CLIENT_SECRET');
  });

  test.each([false, true])(
    'that one tenant lacks stops all before the first write; of saved plans: %s',
    async (isSaved) => {
      const { fleet, run, sent } = await setUp();
      const env = { ...own('a'), ...own('b', ''), ...own('c') };
      const plans = `${fleet.cwd}/.plans`;
      if (isSaved) await run(['plan', '.', '--all', '--out', plans], env);
      const { code, stderr } = await run(['apply', '.', ...(isSaved ? ['--plan', plans] : ['--all'])], env);
      expect({ code, sent: sent() }).toEqual({ code: 3, sent: [undefined, undefined, undefined] });
      expect(stderr).toContain('TENANT_B_VAR_CRM_CLIENT_SECRET is not set; the plan sends it as a secret. Affects b.');
      expect(stderr).not.toContain('APPLY_WAVE');
    },
  );

  test('that all tenants lack is one error, with the variable of all', async () => {
    const { run } = await setUp();
    const { code, stderr } = await run(['apply', '.', '--all']);
    expect(code).toBe(3);
    expect(stderr).toContain(
      'TENANT_VAR_CRM_CLIENT_SECRET is not set; the plan sends it as a secret. Affects all 3 tenants.',
    );
    expect(stderr).toContain('\n1 error\n');
  });

  test('has no control character at an end', async () => {
    const { run, fleet } = await setUp();
    const { code, stderr } = await run(['apply', '.', '--tenant', 'a'], { ...shared, ...own('a', 'planted\n') });
    expect({ code, requests: fleet.requests }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain('TENANT_A_VAR_CRM_CLIENT_SECRET starts or ends');
  });

  test('is not shown in a value under the other name', async () => {
    const { run } = await setUp(stream('https://crm.example/${env:TENANT_A_VAR_CRM_CLIENT_SECRET}'));
    const argv = ['plan', '.', '--tenant', 'a', '--allow-env', '*'];
    const { code, stdout, stderr } = await run(argv, own('a'));
    expect({ code, isNamed: stderr.includes('CONFIG_SECRET_EXPOSED') }).toEqual({ code: 3, isNamed: true });
    expect(stdout + stderr).not.toContain('planted');
  });
});

test('a value that is shown is the one of the tenant as well', async () => {
  const { run } = await setUp(stream('https://${env:TENANT_VAR_HOST}/hook'));
  const env = { TENANT_VAR_HOST: 'all.example', TENANT_B_VAR_HOST: 'b.example' };
  const { stdout } = await run(['plan', '.', '--all', '--format', 'json'], env);
  const hosts = [...stdout.matchAll(/"webhook_endpoint": "https:..(\w+)\.example/g)].map(([, host]) => host);
  expect(hosts).toEqual(['all', 'all', 'b', 'b', 'all', 'all']);
});

test('a shared value that every tenant replaces is shown nowhere', async () => {
  const { run, fleet } = await setUp();
  const env = { TENANT_VAR_CRM_CLIENT_SECRET: 'everyones', ...own('a'), ...own('b'), ...own('c') };
  const tenant = fleet.tenants.get('a') as StartedTenant;
  const body = { name: 'everyones', description: 'A role' };
  await fetch(await authorizedRequest(tenant, 'POST', '/roles', body));
  await writeFile(join(fleet.cwd, 'base/roles.yaml'), 'roles: []\n');
  const { code, stdout, stderr } = await run(['plan', '.', '--all'], env);
  expect({ code, names: stdout.includes('1 role (***)') }).toEqual({ code: 0, names: true });
  expect(stdout + stderr).not.toContain('everyones');
});

describe('a variable that is a secret of one tenant and would be shown by another one', () => {
  const role = (variable: string) => `roles: [{ name: R, description: "d \${env:${variable}}" }]\n`;
  const secretOf = 'TENANT_VAR_CRM_CLIENT_SECRET';
  const filesOf = (variable: string) =>
    setUp('tenant: {}\n', { 'a/streams.yaml': stream(), 'b/roles.yaml': role(variable) });

  test.each([
    ['the shared one', secretOf, shared, []],
    ['the shared one, which the other tenant replaces', secretOf, { ...shared, ...own('a') }, []],
    ['the one of the other tenant', 'TENANT_A_VAR_CRM_CLIENT_SECRET', own('a'), ['--allow-env', '*']],
  ])('is an error in every command: %s', async (_which, variable, env, options) => {
    const { run, fleet } = await filesOf(variable);
    for (const command of ['validate', 'plan', 'apply', 'drift']) {
      const { code, stdout, stderr } = await run([command, '.', '--all', ...options], env);
      expect(code, command).toBe(3);
      const text = (stdout + stderr).replaceAll(/\s+/g, ' ');
      expect(text).toContain('b/roles.yaml:1:');
      expect(text).toContain('CONFIG_SECRET_EXPOSED');
      expect(text).toContain(`${variable} is used for a secret at a/streams.yaml:8:`);
      expect(text).toContain('(tenant a), but here its value would be shown in plans. Affects b.');
      expect(text).not.toMatch(/planted|b valid/);
    }
    expect(fleet.requests).toEqual([]);
  });

  test('is none if the tenant has one of its own', async () => {
    const { run } = await filesOf(secretOf);
    const { code, stdout, stderr } = await run(['plan', '.', '--all'], { ...own('a'), ...own('b', 'shown') });
    expect(code, stdout + stderr).toBe(0);
  });
});

describe('one value for several tenants', () => {
  const found = (text: string) => /SECRET_SHARED[^.]*/.exec(text)?.[0];

  test('is a warning that names them, in each command that shows what is sent', async () => {
    const { run } = await setUp();
    for (const command of ['validate', 'plan', 'apply']) {
      const { code, stdout, stderr } = await run([command, '.', '--all'], { ...shared, ...own('b') });
      expect(code).toBe(0);
      const text = found(stdout + stderr);
      expect(text).toContain('TENANT_VAR_CRM_CLIENT_SECRET');
      expect(text).toContain('a, c');
      expect(stdout + stderr).toContain(
        'set one for each tenant: TENANT_A_VAR_CRM_CLIENT_SECRET, TENANT_C_VAR_CRM_CLIENT_SECRET',
      );
      expect(stdout + stderr).not.toContain('planted');
    }
  });

  test('also under two names', async () => {
    const { run } = await setUp();
    const env = { ...shared, ...own('a', 'planted-twice'), ...own('b', 'planted-twice') };
    const { stdout } = await run(['validate', '.', '--all'], env);
    expect(found(stdout)).toContain('TENANT_A_VAR_CRM_CLIENT_SECRET, TENANT_B_VAR_CRM_CLIENT_SECRET');
    expect(found(stdout)).toContain('a, b');
  });

  test('is none where nothing is known of the value, nor for one tenant, nor for what is no secret', async () => {
    const { run } = await setUp(stream('https://${env:TENANT_VAR_HOST}/hook'));
    const host = { TENANT_VAR_HOST: 'all.example' };
    expect(found((await run(['validate', '.', '--all'], host)).stdout)).toBeUndefined();
    expect(found((await run(['validate', '.', '--tenant', 'a'], { ...host, ...shared })).stdout)).toBeUndefined();
    expect(found((await run(['drift', '.', '--all'], { ...host, ...shared })).stderr)).toBeUndefined();
  });
});
