// Every output of a run names a file by one path: below the checkout in a pipeline, below the working directory elsewhere.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const files = {
  'tenants/acme/tenant.yaml': 'tenant: { name: acme }\n',
  'tenants/acme/vars.yaml': 'limit: 5\n',
  'tenants/acme/policies.yaml':
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: "${var:limit}" } }\n',
  'tenants/acme/prompts.yaml':
    'prompts:\n  login: { partials: { login: { form-content-start: { file: partials/login.liquid } } } }\n',
  'tenants/acme/partials/login.liquid': '<b>Hello</b>\n',
};

const openTenant = () => tenantWith({ rate_limit_policies: [livePolicy('default', 7)], resource_servers: [] });

const formats = ['text', 'markdown', 'github', 'json', 'html'];

test.each([
  ['from the root', 'tenants/acme', '.', {}],
  ['from the folder, in a pipeline', '.', 'tenants/acme', { GITHUB_WORKSPACE: '' }],
])('a plan %s', async (_name, operand, below, pipeline) => {
  const tenant = await openTenant();
  const root = await folder(files);
  const env = { ...tenant.env, ...('GITHUB_WORKSPACE' in pipeline && { GITHUB_WORKSPACE: root }) };
  const reports = formats.flatMap((format) => ['--report', `${format}=${join(root, `out.${format}`)}`]);
  const { code } = await runCommand(['plan', operand, ...reports], { cwd: join(root, below), env });
  expect(code).toBe(0);
  for (const format of formats) {
    const text = await readFile(join(root, `out.${format}`), 'utf8');
    const paths = text.match(/[\w./]*policies\.yaml/g) ?? [];
    expect(new Set(paths), format).toEqual(new Set(['tenants/acme/policies.yaml']));
  }
});

test('a folder outside of the working directory is not named', async () => {
  const tenant = await openTenant();
  const root = await folder(files);
  const { stdout } = await runCommand(['plan', join(root, 'tenants/acme')], { env: tenant.env });
  expect(stdout).toContain('  policies.yaml:2');
});

test('errors, also of references, of variables and of files that an option names', async () => {
  const root = await folder({
    ...files,
    'tenants/acme/prompts.yaml':
      'prompts:\n  login: { partials: { login: { form-content-start: { file: partials/logim.liquid } } } }\n  signup: { partials: { signup: { form-content-start: { file: ../../more.yaml } } } }\n',
    'tenants/acme/vars.yaml': 'limit: [5]\n',
    'more.yaml': 'unused: 1\n',
  });
  const { code, stdout } = await runCommand(['validate', 'tenants/acme', '--var-file', 'more.yaml'], { cwd: root });
  expect(code).toBe(3);
  const places = stdout.match(/^\S+:\d+:\d+ +(error|warning) +\w+/gm)?.map((line) => line.replaceAll(/ +/g, ' '));
  expect(places).toMatchInlineSnapshot(`
    [
      "tenants/acme/prompts.yaml:2:61 error CONFIG_REFERENCE_MISSING",
      "tenants/acme/prompts.yaml:3:63 error CONFIG_REFERENCE_OUTSIDE",
      "tenants/acme/vars.yaml:1:8 error CONFIG_WRONG_TYPE",
    ]
  `);
  expect(stdout).toContain('login.liquid');
});

test('pull shows and writes the files of the folder', async () => {
  const tenant = await openTenant();
  const root = await folder(files);
  const options = { cwd: root, env: tenant.env };
  const pulled = await runCommand(['pull', 'tenants/acme', '--add', 'roles', '--yes'], options);
  expect(pulled.code).toBe(0);
  expect(pulled.stdout).toContain('--- a/tenants/acme/policies.yaml');
  expect(await readFile(join(root, 'tenants/acme/policies.yaml'), 'utf8')).toContain('limit: 7');
  const fresh = await runCommand(['pull', 'tenants/fresh', '--yes'], options);
  expect(fresh).toMatchObject({ code: 0 });
  expect(fresh.stdout).toContain('tenants/fresh/rate-limit-policies.yaml');
  expect(await readFile(join(root, 'tenants/fresh/tenant.yaml'), 'utf8')).toContain('base_url');
  expect((await runCommand(['drift', 'tenants/fresh'], options)).code).toBe(0);
});

test('a file that changed after it was read is named in the same way', async () => {
  const tenant = await openTenant();
  const root = await folder(files);
  const { code, stderr } = await runCommand(['pull', 'tenants/acme'], {
    cwd: root,
    env: tenant.env,
    beforeAnswer: () => writeFile(join(root, 'tenants/acme/policies.yaml'), '# edited\n'),
    confirm: () => true,
  });
  expect(code).toBe(4);
  expect(stderr).toContain('tenants/acme/policies.yaml:1:1');
});
