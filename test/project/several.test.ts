// plan and drift of several tenants of a project in one run.
import { describe, expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
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
async function setUp({ broken = false, more = {} } = {}) {
  const requests: string[] = [];
  const tenants = await Promise.all(
    names.map((name) =>
      tenantWith(
        { rate_limit_policies: [livePolicy('default', name === 'b' ? 6 : 5)], resource_servers: [] },
        { onRequest: ({ path }) => requests.push(path) },
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
  return { requests, run: (...argv: string[]) => runCommand(argv, { cwd, env }) };
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

  test('drift exits with 2 if one differs', async () => {
    const { run } = await setUp();
    const { code, stdout } = await run('drift', '.', '--all');
    expect(code).toBe(2);
    for (const name of names) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
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
    [['plan', '.', '--all', '--out', 'x.json'], '--out saves the plan of one tenant'],
    [['apply', '.', '--tenant', '*', '--yes'], 'takes one tenant'],
    [['plan', '.', '--all', '--parallel', '0'], 'use 1 to 100'],
  ])('%j', async (argv, words) => {
    const { run } = await setUp();
    expect(await run(...argv)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
  });
});
