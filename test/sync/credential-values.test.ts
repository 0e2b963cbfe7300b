// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of these tests hold references.
// A value that contains a credential is refused wherever it would be sent or written.
import { describe, expect, test } from 'vitest';
import { credentialFinder } from '../../src/engine/credential-values.ts';
import { startFaultServer } from '../support/fault-server.ts';
import { seedOf } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const secret = testClient.client_secret;
const pem = (type: string) => `-----BEGIN ${type} KEY-----\nMIIplanted\n-----END ${type} KEY-----\n`;
const partial = (text: string) => `prompts:\n  login:\n    partials:\n      login:\n        form-content: ${text}\n`;
const stream = (endpoint: string, token = '"${env:TENANT_VAR_HOOK}"') => `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: ${endpoint}
        webhook_authorization: { method: bearer, token: ${token} }
`;

describe('a value with a credential of the run', () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
    ['written in a file', { 'a.yaml': partial(`x ${secret}`) }, {}, 'a.yaml:5:23'],
    [
      'put together from variables',
      { 'a.yaml': partial('"${var:A}${env:TENANT_VAR_B}"') },
      { TENANT_VAR_B: secret.slice(9) },
      'a.yaml:5:23',
    ],
    ['in a referenced text', { 'a.yaml': partial('{ file: t.txt }'), 't.txt': `<b>${secret}</b>` }, {}, 't.txt:1:1'],
    ['in the header', { 'a.yaml': `tenant:\n  name: ${secret}\nroles: []\n` }, {}, 'a.yaml:2:9'],
    [
      'in base64',
      { 'a.yaml': stream('https://crm.example/?a=${env:TENANT_VAR_A}') },
      { TENANT_VAR_A: Buffer.from(`u:${secret}`).toString('base64'), TENANT_VAR_HOOK: 'planted-other-hook' },
      'a.yaml:7:27',
    ],
    ['as a secret', { 'a.yaml': stream('https://crm.example/') }, { TENANT_VAR_HOOK: secret }, ''],
    [
      'of another tenant',
      { 'a.yaml': partial('"${env:TENANT_VAR_B}"') },
      { TENANT_VAR_B: 'planted-prod-secret', ACME_PROD_CLIENT_SECRET: 'planted-prod-secret' },
      'a.yaml:5:23',
    ],
  ])('%s is refused before anything is sent', async (_name, files, env, place) => {
    const server = await startFaultServer([{ status: 500 }]);
    const root = await folder(files);
    const argv = ['--var', `A=${secret.slice(0, 9)}`].filter(() => files['a.yaml']?.includes('var:A'));
    const environment = { ...env, TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: secret };
    for (const command of [['plan'], ['drift'], ['apply', '--yes']]) {
      const { code, stdout, stderr } = await runCommand([command[0] ?? '', root, ...command.slice(1), ...argv], {
        env: environment,
      });
      expect(code, stderr).toBe(3);
      expect(stderr).toContain('CONFIG_CREDENTIAL_EXPOSED');
      expect(stderr).toContain(place);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(server.requests).toEqual([]);
    await server.close();
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
    ['of a file', { 'a.yaml': partial('{ file: b.pem }'), 'b.pem': pem('PRIVATE') }, {}, 'b.pem:1:1'],
    ['of OpenSSH', { 'a.yaml': partial('{ file: b }'), b: `x\n${pem('OPENSSH PRIVATE')}` }, {}, 'b:1:1'],
    [
      'of a variable',
      { 'a.yaml': partial('"${env:TENANT_VAR_A}"') },
      { TENANT_VAR_A: pem('EC PRIVATE') },
      'a.yaml:5:23',
    ],
    ['in the file', { 'a.yaml': partial(JSON.stringify(pem('ENCRYPTED PRIVATE'))) }, {}, 'a.yaml:5:23'],
  ])('a private key %s is no value, whatever it is for', async (_name, files, env, place) => {
    for (const command of ['validate', 'plan', 'drift']) {
      const environment = { ...env, TENANT_SYNC_BASE_URL: 'http://127.0.0.1:9/api/v2', TENANT_SYNC_TOKEN: secret };
      const { code, stdout, stderr } = await runCommand([command, await folder(files)], { env: environment });
      expect({ code, isNamed: `${stdout}${stderr}`.includes('CONFIG_CREDENTIAL_EXPOSED') }).toEqual({
        code: 3,
        isNamed: true,
      });
      expect(stdout + stderr).toContain(place);
      expect(stdout + stderr).not.toContain('MIIplanted');
    }
  });

  test('a private key is a secret, and a public one a text', async () => {
    const files = {
      'a.yaml': `${stream('https://crm.example/')}${partial('{ file: b.pem }')}`,
      'b.pem': pem('PUBLIC'),
    };
    const { code, stderr } = await runCommand(['validate', await folder(files)], {
      env: { TENANT_VAR_HOOK: pem('PRIVATE') },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('a short one counts where it is the complete value, and not at all if it belongs to something else', async () => {
    const has = credentialFinder(['short', 'a long one']);
    expect(['short', 'shorter', 'x a long one'].map(has)).toEqual([true, false, true]);
    const tenant = await tenantWith(seedOf());
    const files = await folder({ 'a.yaml': partial('short') });
    const { code, stdout } = await runCommand(['plan', files, '--format', 'json'], {
      env: { ...tenant.env, OTHER_CLIENT_SECRET: 'short' },
    });
    expect({ code, shown: stdout.includes('"short"') }).toEqual({ code: 0, shown: true });
  });
});
