// Promise 9, for a service that repeats every secret of a run in every form: nothing that is printed or written has one.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodings } from '../support/encodings.ts';
import { startFaultServer } from '../support/fault-server.ts';
import { keyPair } from '../support/key-pairs.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const keys = keyPair();

const secrets = {
  client: 'planted Client/secret+"&<1>',
  token: 'planted-issued-token_0123456789',
  stream: 'planted\\Stream secret=100%',
  // A line of a private key.
  key: keys.pkcs8.split('\n')[3] ?? '',
  // The one of another tenant, which no run uses.
  other: 'planted-secret-of-another-tenant',
};

const forms = Object.values(encodings).flatMap((encode) => Object.values(secrets).map((secret) => encode(secret)));

const stream = (id: string, name: string) => ({
  id,
  name,
  status: 'enabled',
  api_token: secrets.stream,
  subscriptions: [{ event_type: name }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: `https://crm.example/${name}`,
      webhook_authorization: { method: 'basic', username: name, password: secrets.stream, note: name },
    },
  },
});

/** As the files declare it; deletions wait for it. */
const created = {
  ...stream('est_new', 'crm'),
  subscriptions: [{ event_type: 'user.created' }],
  destination: {
    type: 'webhook',
    configuration: {
      webhook_endpoint: 'https://crm.example/hook',
      webhook_authorization: { method: 'bearer', token: secrets.stream },
    },
  },
};

async function repeatingTenant(hasKey: boolean) {
  const streams: object[] = forms.map((form, index) => stream(`est_${index}`, form));
  const server = await startFaultServer(({ method, path }) => {
    if (path.startsWith('/oauth/token'))
      return { body: { access_token: secrets.token, token_type: 'Bearer', expires_in: 86_400 } };
    if (method === 'GET' && path.includes('/event-streams')) return { body: { eventStreams: streams } };
    if (method === 'POST') {
      streams.push(created);
      return { status: 201, body: created };
    }
    const index = Number(/est_(\d+)/.exec(path)?.[1] ?? 0);
    const message = `no ${forms[index % forms.length]}`;
    return { status: 400, body: { statusCode: 400, error: 'Bad Request', message } };
  });
  onTestFinished(() => server.close());
  return {
    TENANT_SYNC_BASE_URL: server.baseUrl,
    TENANT_SYNC_CLIENT_ID: 'ci',
    // What the run does not use is there for another tenant.
    ACME_DEV_BASE_URL: 'https://dev.acme.example/api/v2',
    [hasKey ? 'TENANT_SYNC_PRIVATE_KEY' : 'ACME_DEV_PRIVATE_KEY']: keys.pkcs8,
    [hasKey ? 'ACME_DEV_CLIENT_SECRET' : 'TENANT_SYNC_CLIENT_SECRET']: secrets.client,
    ACME_PROD_CLIENT_SECRET: secrets.other,
    TENANT_VAR_HOOK: secrets.stream,
  };
}

const files = {
  'tenant.yaml': 'tenant: { guards: { max_delete_count: 1000, max_delete_percent: 100 } }\n',
  'streams.yaml': `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: bearer, token: "\${env:TENANT_VAR_HOOK}" }
`,
};

function expectNoSecret(text: string, where: string): void {
  const json = (form: string) => JSON.stringify(form).slice(1, -1);
  for (const form of forms) {
    // An id of an action escapes some characters.
    const id = form.replaceAll(/[%#{}]/g, encodeURIComponent);
    for (const written of [form, json(form), id, json(id)])
      if (text.includes(written)) expect.fail(`${where} has ${written}`);
  }
}

test.each([
  ['plan', ['plan', '--debug'], 'a secret'],
  ['plan', ['plan', '--debug'], 'a key'],
  ['drift', ['drift'], 'a secret'],
  ['apply', ['apply', '--yes'], 'a secret'],
  ['apply', ['apply', '--yes'], 'a key'],
])('%s shows and writes none, in any format', async (_name, [command = '', ...options], by) => {
  const env = await repeatingTenant(by === 'a key');
  const root = await folder(files);
  for (const format of ['text', 'json', 'markdown', 'github']) {
    const state = await folder({});
    const out = command === 'plan' ? ['--out', join(state, 'plan.json')] : [];
    const argv = [
      command,
      root,
      ...options,
      '--format',
      format,
      '--report',
      `json=${join(state, 'report.json')}`,
      ...out,
    ];
    const { code, stdout, stderr } = await runCommand(argv, {
      env: { ...env, TENANT_SYNC_STATE_DIR: state },
      isTTY: true,
    });
    expect([0, 1, 2], stderr).toContain(code);
    expect(stdout).toContain('***');
    expectNoSecret(stdout, 'stdout');
    expectNoSecret(stderr, 'stderr');
    if (command === 'apply') expect(stderr + stdout, 'deletes were tried').toContain('status 400');
    const written = await readdir(state);
    expect(written).toContain('report.json');
    for (const file of written) expectNoSecret(await readFile(join(state, file), 'utf8'), file);
  }
});

test.each([
  ['a new folder', {}],
  ['files that declare the kind', files],
])('pull into %s writes no name that has one', async (_name, before) => {
  const root = await folder(before);
  const argv = ['pull', root, '--yes', '--add', 'event_streams'];
  const { code, stdout, stderr } = await runCommand(argv, { env: await repeatingTenant(false), isTTY: true });
  expect({ code, isNamed: stderr.includes('PULL_SECRET_IN_NAME') }, stderr).toEqual({ code: 1, isNamed: true });
  expectNoSecret(stdout, 'stdout');
  expectNoSecret(stderr, 'stderr');
  const written = await Promise.all(Object.keys(before).map((file) => readFile(join(root, file), 'utf8')));
  expect(written).toEqual(Object.values(before));
  expect(await readdir(root)).toHaveLength(written.length);
});

test.each([50, 80, 120])('a name of %d columns is cut after the secret in it is hidden', async (columns) => {
  const secret = 'planted0Secret1Of2Thirty3Characters4And5More6Than7A8Column9Has';
  const policy = {
    id: 'rlp_1',
    resource: 'oauth_authentication_api',
    consumer: 'client',
    consumer_selector: `client_id:${secret}`,
    configuration: { action: 'block', limit: 1 },
  };
  const server = await startFaultServer(({ path }) =>
    path.startsWith('/oauth/token')
      ? { body: { access_token: secrets.token, token_type: 'Bearer', expires_in: 86_400 } }
      : { body: { rate_limit_policies: [policy, { ...policy, id: 'rlp_2', consumer_selector: 'default' }] } },
  );
  onTestFinished(() => server.close());
  const cwd = await folder({
    'p.yaml': 'rate_limit_policies: [{ consumer_selector: default, configuration: { action: block, limit: 1 } }]\n',
  });
  const env = {
    TENANT_SYNC_BASE_URL: server.baseUrl,
    TENANT_SYNC_CLIENT_ID: 'ci',
    TENANT_SYNC_CLIENT_SECRET: secret,
  };
  const { stdout, stderr } = await runCommand(['plan'], { env, cwd, isTTY: true, columns });
  expect(stdout, stderr).toContain('client_id:');
  const parts = Array.from({ length: secret.length - 7 }, (_each, at) => secret.slice(at, at + 8));
  expect(parts.filter((part) => (stdout + stderr).includes(part))).toEqual([]);
});
