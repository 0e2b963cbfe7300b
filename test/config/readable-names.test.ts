// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
import { describe, expect, test } from 'vitest';
import { openReadability } from '../../src/config/variables/variables.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const tenants = {
  ACME_DEV_BASE_URL: 'https://dev.acme.example/api/v2',
  CRM_BASE_URL: 'https://crm.example',
  lower_base_url: 'https://b.example/api/v2/',
};

describe('which variables files may read', () => {
  test.each([
    ['TENANT_VAR_HOST', [], 'readable'],
    ['TENANT_VAR_CLIENT_SECRET', [], 'readable'],
    ['ACME_DEV_VAR_CLIENT_SECRET', [], 'not_allowed'],
    ['ACME_DEV_VAR_CLIENT_SECRET', ['ACME_*'], 'readable'],
    ['acme_dev_var_client_secret', ['*'], 'credential'],
    ['GITHUB_TOKEN', [], 'not_allowed'],
    ['tenant_var_host', [], 'not_allowed'],
    ['GITHUB_TOKEN', ['GITHUB'], 'not_allowed'],
    ['GITHUB_TOKEN', ['PATH', 'GITHUB_*'], 'readable'],
    ['PATH', ['PATH'], 'readable'],
    ['CRM_TOKEN', ['*'], 'readable'],
    ['TENANT_SYNC_TOKEN', ['*', 'TENANT_SYNC_TOKEN'], 'credential'],
    ['tenant_sync_client_secret', ['*'], 'credential'],
    ['TENANT_SYNC_PRIVATE_KEY', ['*'], 'credential'],
    ['tenant_sync_private_key_file', ['*'], 'credential'],
    ['ACME_DEV_PRIVATE_KEY', ['*'], 'credential'],
    ['ACME_DEV_PRIVATE_KEY_FILE', ['*'], 'credential'],
    ['CRM_PRIVATE_KEY', ['*'], 'readable'],
    ['ACME_PROD_CLIENT_SECRET', ['*'], 'credential'],
    ['ACME_DEV_TOKEN', ['*'], 'credential'],
    ['ACME_DEV_CLIENT_ID', ['*'], 'credential'],
    ['LOWER_TOKEN', ['*'], 'credential'],
  ] as const)('%s with --allow-env %j: %s', (name, allowEnv, expected) => {
    expect(openReadability({ env: tenants, allowEnv })(name)).toBe(expected);
  });
});

describe('a variable of the job', () => {
  const files = {
    'a.yaml': 'tenant:\n  name: x-${env:GITHUB_TOKEN}\n',
    'b.yaml': `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: bearer, token: "\${env:GITHUB_TOKEN2}" }
`,
  };
  const env = { GITHUB_TOKEN: 'planted-job-token', GITHUB_TOKEN2: 'planted-job-token-2' };

  test('is read neither as a value nor as a secret, and the diagnostic shows both ways', async () => {
    const { code, stdout, stderr } = await runCommand(['validate', '.'], { cwd: await folder(files), env });
    expect(code).toBe(3);
    expect(stdout).toMatch(/a\.yaml:2:11.*CONFIG_VARIABLE_NOT_ALLOWED/);
    expect(stdout).toMatch(/b\.yaml:8:58.*CONFIG_VARIABLE_NOT_ALLOWED/);
    expect(stdout).toContain(
      'rename it to TENANT_VAR_GITHUB_TOKEN in the environment and here, or pass --allow-env GITHUB_TOKEN',
    );
    expect(stdout + stderr).not.toContain('planted');
  });

  test('is read where the command line allows it', async () => {
    const secret = await folder({ 'tenant.yaml': 'tenant: { name: x }\n', 'b.yaml': files['b.yaml'] });
    for (const patterns of [['GITHUB_TOKEN2'], ['NONE', '*_TOKEN2']]) {
      const argv = ['validate', secret, ...patterns.flatMap((pattern) => ['--allow-env', pattern])];
      expect((await runCommand(argv, { env })).code, patterns.join()).toBe(0);
    }
  });

  test('is not allowed by the files', async () => {
    const asking = await folder({ 'a.yaml': 'tenant: { name: x, allow_env: ["*"] }\nroles: []\n' });
    const { code, stdout } = await runCommand(['validate', asking], { env });
    expect({ code, unknown: stdout.includes('CONFIG_UNKNOWN_FIELD') }).toEqual({ code: 3, unknown: true });
  });

  test('of a pattern that no name can match is an error of the option', async () => {
    const { code, stdout } = await runCommand(['validate', await folder(files), '--allow-env', '${env:A}'], { env });
    expect({ code, reported: stdout.includes('--allow-env "${env:A}" is not a pattern of names') }).toEqual({
      code: 3,
      reported: true,
    });
  });
});

test('the environment is searched once for all names', () => {
  let searches = 0;
  const env = new Proxy({ ACME_BASE_URL: 'https://acme.example/api/v2' } as Record<string, string>, {
    ownKeys: (names) => {
      searches += 1;
      return Reflect.ownKeys(names);
    },
  });
  const readability = openReadability({ env });
  for (let index = 0; index < 1_000; index += 1) expect(readability(`A${index}_TOKEN`)).toBe('not_allowed');
  expect(readability('acme_token')).toBe('credential');
  expect(searches).toBe(1);
});
