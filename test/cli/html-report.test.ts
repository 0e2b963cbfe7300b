// `--format html` and `--report html=FILE`: what is in the page of a command.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

const secret = 'planted<b title="x">secret</b>{{ y }}';
const files = {
  'tenant.yaml': `tenant: { name: acme, guards: { max_delete_count: 5 } }
roles:
  - name: Support
    permissions: { https://orders.example/: [read:orders] }
prompts:
  login:
    partials: { login: { form-content-start: "<p>after</p>" } }
`,
};
let tenant: Awaited<ReturnType<typeof startTenant>>;

beforeAll(async () => {
  tenant = await startTenant({
    clients: [testClient],
    resource_servers: [
      { identifier: 'https://orders.example/', scopes: [{ value: 'read:orders' }, { value: 'refund:orders' }] },
    ],
    roles: [
      {
        id: 'rol_1',
        name: 'Support',
        permissions: ['read:orders', 'refund:orders'].map((permission_name) => ({
          resource_server_identifier: 'https://orders.example/',
          permission_name,
        })),
      },
    ],
    prompts: { login: { partials: { login: { 'form-content-start': `<p>before ${secret} end</p>` } } } },
  });
});
afterAll(() => tenant.close());

const run = async (...argv: readonly string[]) =>
  runCommand(argv, { cwd: await folder(files), env: { ...tenant.env, ACME_PROD_CLIENT_SECRET: secret } });

describe('a page', () => {
  test('has no script, its policy allows none, and it loads nothing', async () => {
    const { stdout, code } = await run('plan', '--format', 'html');
    expect(code).toBe(0);
    expect(stdout).not.toContain('<script');
    expect(stdout).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"`,
    );
    expect(stdout.indexOf('Content-Security-Policy')).toBeLessThan(stdout.indexOf('<style>'));
    expect(stdout).not.toContain('<iframe');
    expect(stdout.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"']);
  });

  test('has who loses access first, and both texts of a partial', async () => {
    const { stdout } = await run('plan', '--format', 'html');
    expect(stdout.indexOf('Loses access')).toBeLessThan(stdout.indexOf('>Changes<'));
    expect(stdout).toContain('loses refund:orders');
    expect(stdout).toContain('Difference of login / form-content-start');
    expect(stdout).toMatch(/<td class="before"><del>.*<td class="after"><ins>/);
  });

  test.each(['plan', 'drift'])(
    '%s: has no secret, also where its pieces have colours of their own',
    async (command) => {
      const { stdout } = await run(command, '--format', 'html');
      expect(stdout).toContain('before');
      expect(stdout).not.toMatch(/planted|secret&lt;|>secret</);
    },
  );

  test('of an apply has the outcomes, and that of a pull the files', async () => {
    const pulled = await run('pull', '--check', '--format', 'html');
    expect(pulled.stdout).toContain('<h2><code>tenant.yaml</code></h2>');
    const applied = await run('apply', '--yes', '--format', 'html');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain('2 changes done');
  });

  test('of validate has each error with its lines and what to do', async () => {
    const cwd = await folder({ 'tenant.yaml': 'tenant: { nam: acme }\n' });
    const { stdout, code } = await runCommand(['validate', '--format', 'html'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toContain('<code>CONFIG_UNKNOWN_FIELD</code> <span class="at">tenant.yaml:1:11</span>');
    expect(stdout).toContain('1 | tenant: { nam: acme }');
  });

  test('replaces an earlier page, and no other file', async () => {
    const cwd = await folder({ ...files, 'other.html': '<!doctype html>\n<title>mine</title>\n' });
    const report = (file: string) => runCommand(['drift', '--report', `html=${file}`], { cwd, env: tenant.env });
    await report('drift.html');
    await writeFile(join(cwd, 'drift.html'), (await readFile(join(cwd, 'drift.html'), 'utf8')).slice(0, 200));
    await report('drift.html');
    expect(await readFile(join(cwd, 'drift.html'), 'utf8')).toMatch(/<\/html>\n$/);
    const refused = await report('other.html');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('it is a file with other content than a html report');
  });
});
