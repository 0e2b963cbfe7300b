import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const seed = { rate_limit_policies: [livePolicy('default', 5), livePolicy('client_id:a', 7)], resource_servers: [] };
const yaml = [
  'rate_limit_policies:',
  '  # Everybody.',
  '  - { consumer_selector: default, configuration: { action: block, limit: 9 } }',
  '  - { consumer_selector: client_id:a, configuration: { action: block, limit: 7 } }',
  '',
].join('\n');

async function setUp(files: Readonly<Record<string, string>>) {
  const tenant = await tenantWith(seed);
  const path = await folder(files);
  const run = (argv: readonly string[], options: Partial<Parameters<typeof runCommand>[1]> = {}) =>
    runCommand(['pull', path, ...argv], { env: tenant.env, ...options });
  return { tenant, path, run };
}

describe('pull on the command line', () => {
  test('writes a new folder, which is then equal', async () => {
    const { path, run, tenant } = await setUp({});
    const { code, stdout } = await run(['--yes']);
    // Two policies, the client of the run with its grant, and six settings against attacks.
    expect(stdout).toContain('5 new files, 10 items added, 0 changed, 0 removed.');
    expect(code).toBe(0);
    expect((await readdir(path)).sort()).toEqual([
      'attack-protection.yaml',
      'client-grants.yaml',
      'clients.yaml',
      'rate-limit-policies.yaml',
      'tenant.yaml',
    ]);
    expect(await readFile(join(path, 'tenant.yaml'), 'utf8')).toMatch(/^# yaml-language-server: \$schema=/);
    expect(await runCommand(['plan', path, '--exit-code'], { env: tenant.env })).toMatchObject({ code: 0 });
    const again = await run(['--check']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('The files match the tenant');
  });

  test('shows a unified diff and writes nothing with --check', async () => {
    const { path, run, tenant } = await setUp({ 'a.yaml': yaml });
    const { code, stdout } = await run(['--check']);
    expect(code).toBe(2);
    expect(stdout).toBe(
      [
        '--- a/a.yaml',
        '+++ b/a.yaml',
        '@@ -1,4 +1,4 @@',
        ' rate_limit_policies:',
        '   # Everybody.',
        '-  - { consumer_selector: default, configuration: { action: block, limit: 9 } }',
        '+  - { consumer_selector: default, configuration: { action: block, limit: 5 } }',
        '   - { consumer_selector: client_id:a, configuration: { action: block, limit: 7 } }',
        '',
        `1 changed file, 0 items added, 1 changed, 0 removed. Read from ${tenant.env.TENANT_SYNC_BASE_URL}.`,
        '',
      ].join('\n'),
    );
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe(yaml);
  });

  test('asks on a terminal, and refuses to guess without one', async () => {
    const { path, run } = await setUp({ 'a.yaml': yaml });
    expect(await run([])).toMatchObject({ code: 3, stderr: expect.stringContaining('OPTION_INVALID') });
    expect(await run([], { confirm: () => false })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('CONFIRMATION_DECLINED'),
    });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe(yaml);
    expect(await run([], { confirm: () => true })).toMatchObject({ code: 0 });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe(yaml.replace('limit: 9', 'limit: 5'));
  });

  test('a folder that cannot be written to is an error with its path and a fix', async () => {
    const { tenant } = await setUp({});
    const { code, stderr } = await runCommand(['pull', '/dev/null/tenant', '--yes'], { env: tenant.env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PULL_UNWRITABLE\n {2}The files in \/dev\/null\/tenant cannot be written: ENOTDIR\./);
    expect(stderr).toContain('hint: free some space or correct the permissions, and pull again');
  });

  test('a byte order mark and the mode of a file stay', async () => {
    const { path, run } = await setUp({ 'a.yaml': `\uFEFF${yaml}` });
    await chmod(join(path, 'a.yaml'), 0o640);
    expect(await run(['--yes'])).toMatchObject({ code: 0 });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe(`\uFEFF${yaml.replace('limit: 9', 'limit: 5')}`);
    expect((await stat(join(path, 'a.yaml'))).mode & 0o777).toBe(0o640);
  });

  test('a file that changes while a person thinks is not overwritten', async () => {
    const { path, run } = await setUp({ 'a.yaml': yaml });
    const result = await run([], {
      confirm: () => true,
      beforeAnswer: () => writeFile(join(path, 'a.yaml'), `${yaml}# new\n`),
    });
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('PULL_FILE_CHANGED') });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe(`${yaml}# new\n`);
  });

  const policies = (name: string) =>
    `rate_limit_policies: [{ consumer_selector: client_id:${name}, unmanaged: true }]\n`;
  test.each<[string, Readonly<Record<string, string>>, string, (path: string) => void]>([
    [
      'another one breaks',
      { 'b.yaml': 'roles: []\n' },
      'b.yaml',
      (path) => writeFileSync(`${path}/b.yaml`, 'roles: ['),
    ],
    ['another one is new', {}, 'c.yaml', (path) => writeFileSync(`${path}/c.yaml`, policies('a'))],
    ['the folder is deleted', {}, 'a.yaml', (path) => rmSync(path, { recursive: true })],
    [
      'the folder becomes a file',
      {},
      'a.yaml',
      (path) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, '');
      },
    ],
    [
      'it becomes a link out of the folder',
      {},
      'a.yaml',
      (path) => {
        renameSync(`${path}/a.yaml`, `${path}.moved`);
        symlinkSync(`${path}.moved`, `${path}/a.yaml`);
      },
    ],
  ])('no file is overwritten if, while the tenant is read, %s', async (_name, more, changed, change) => {
    const path = await folder({ 'a.yaml': yaml, ...more });
    let isChanged = false;
    const onRequest = () => {
      if (!isChanged) change(path);
      isChanged = true;
    };
    const { env } = await tenantWith(seed, { onRequest });
    const result = await runCommand(['pull', path, '--yes'], { env });
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('PULL_FILE_CHANGED') });
    expect(result.stderr).toContain(`${changed}:1:1`);
    await rm(`${path}.moved`, { force: true });
  });

  test('a file of --var-file is as it was when it was read', async () => {
    const path = await folder({
      'a.yaml': yaml.replace('limit: 7', 'limit: "${var:limit}"'),
      'elsewhere/.vars': 'limit: 7\n',
    });
    const file = join(path, 'elsewhere/.vars');
    const { env } = await tenantWith(seed, { onRequest: () => writeFileSync(file, 'limit: [') });
    const result = await runCommand(['pull', path, '--yes', '--var-file', file], { env });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote 1 file.') });
  });

  test('another pull into the same new folder, of which a part is written', async () => {
    const path = await folder({});
    const other = { 'tenant.yaml': '# other\ntenant: {}\n', 'rate-limit-policies.yaml': policies('a') };
    const onRequest = () => {
      for (const [file, text] of Object.entries(other)) writeFileSync(join(path, file), text);
    };
    const { env } = await tenantWith(seed, { onRequest });
    const { code, stderr } = await runCommand(['pull', path, '--yes'], { env });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('PULL_FILE_CHANGED') });
    expect((await readdir(path)).sort()).toEqual(Object.keys(other).sort());
  });

  test('a link out of the folder is not followed', async () => {
    const elsewhere = await folder({});
    const { path, run } = await setUp({ 'tenant.yaml': 'tenant: { name: acme }\n' });
    await symlink(elsewhere, join(path, 'partials'));
    expect(await run(['--yes'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('CONFIG_REFERENCE_OUTSIDE'),
    });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('a link inside the folder leads to the text that is written', async () => {
    const tenant = await tenantWith({ prompts: { login: { partials: { login: { 'form-content-start': 'new\n' } } } } });
    const path = await folder({
      'a.yaml': 'prompts: { login: { partials: { login: { form-content-start: { file: link.liquid } } } } }\n',
      'real.liquid': 'old\n',
    });
    await symlink('real.liquid', join(path, 'link.liquid'));
    const { code } = await runCommand(['pull', path, '--yes', '--only', 'prompts'], { env: tenant.env });
    expect([code, await readFile(join(path, 'real.liquid'), 'utf8')]).toEqual([0, 'new\n']);
  });

  test.each([
    ['a secret that the files name', 'TENANT_VAR_PASSWORD', 's3cret-of-a-stream'],
    ['a credential of the run', 'TENANT_SYNC_CLIENT_SECRET', testClient.client_secret],
  ])('%s is not written where the tenant repeats it', async (_name, variable, value) => {
    const hook = (endpoint: string) => ({
      type: 'webhook' as const,
      configuration: { webhook_endpoint: endpoint, webhook_authorization: { method: 'basic' as const, username: 'u' } },
    });
    const live = (id: string, name: string, endpoint: string) => ({
      id,
      name,
      subscriptions: [{ event_type: 'user.created' }],
      destination: hook(endpoint),
    });
    const tenant = await tenantWith({
      event_streams: [live('est_1', 'crm', 'https://a.example/'), live('est_2', 'other', `https://b.example/${value}`)],
    });
    const path = await folder({
      'a.yaml': `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://a.example/
        webhook_authorization: { method: basic, username: u, password: "\${env:TENANT_VAR_PASSWORD}" }
`,
    });
    const env = { ...tenant.env, TENANT_VAR_PASSWORD: 'another-password', [variable]: value };
    const { stdout, stderr } = await runCommand(['pull', path, '--yes', '--only', 'event_streams'], { env });
    const texts = await Promise.all((await readdir(path)).map((file) => readFile(join(path, file), 'utf8')));
    expect([...texts, stdout, stderr].join('\n')).not.toContain(value);
    expect(stderr).toContain('it contains the value of a secret');
  });

  test('what an interrupted pull has left is ended, also if nothing of it is left', async () => {
    const { path, run } = await setUp({ 'a.yaml': yaml, '.tenant-sync-pull.json': '["roles/Gone", "nonsense"]\n' });
    const { code, stderr } = await run(['--yes']);
    expect([code, stderr.includes('An earlier pull was interrupted')]).toEqual([0, true]);
    expect(await readdir(path)).toEqual(['a.yaml']);
    await writeFile(join(path, '.tenant-sync-pull.json'), '["event_streams"]');
    expect((await run(['--check'])).code).toBe(0);
    expect((await run(['--yes'])).code).toBe(0);
    expect(await readdir(path)).toEqual(['a.yaml']);
  });

  test('a changed field of a scope is one line, and its comments stay', async () => {
    const scopes = [{ value: 'read:orders', description: 'new' }, { value: 'write:orders' }];
    const tenant = await tenantWith({ resource_servers: [{ identifier: 'https://orders.example/', scopes }] });
    const before = `resource_servers:
  - identifier: https://orders.example/
    scopes:
      # Needed by the shop.
      - value: read:orders # everywhere
        description: "old" # why
      - { value: write:orders }
`;
    const path = await folder({ 'a.yaml': before });
    const { code } = await runCommand(['pull', path, '--yes'], { env: tenant.env });
    expect([code, await readFile(join(path, 'a.yaml'), 'utf8')]).toEqual([0, before.replace('"old"', '"new"')]);
  });

  test('differences that are kept are no equality', async () => {
    const { run, tenant } = await setUp({
      'a.yaml':
        'rate_limit_policies:\n  - { consumer_selector: default, absent: true }\n  - { consumer_selector: client_id:a, unmanaged: true }\n',
    });
    const { code, stdout } = await run(['--check']);
    const kept = 'Nothing to write. 1 item of the files differs from the tenant and is kept.';
    expect([code, stdout]).toEqual([2, `${kept} Read from ${tenant.env.TENANT_SYNC_BASE_URL}.\n`]);
  });

  test('json, the log of a job, and markdown', async () => {
    const { run } = await setUp({ 'a.yaml': yaml });
    const json = await run(['--check', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      format_version: '1.0',
      complete: true,
      files: [{ file: 'a.yaml', new: false }],
      edits: [
        {
          change: 'edit',
          kind: 'rate_limit_policies',
          key: 'oauth_authentication_api/client/default',
          source: { file: 'a.yaml', line: 3, column: 5 },
        },
      ],
    });
    const github = await run(['--check', '--format', 'github']);
    expect(github.stdout).toMatch(/^--- a\/a\.yaml\n/);
    expect(github.code).toBe(2);
    expect((await run(['--check', '--format', 'markdown'])).stdout).toContain('```diff\n--- a/a.yaml');
  });
});
