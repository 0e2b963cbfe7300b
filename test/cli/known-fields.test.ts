// A service may return more than its schema describes, passwords and tokens among it. Documents have known fields only.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const secrets = {
  password: 'planted-1',
  token: 'planted-2',
  api_key: 'planted-3',
  internal_note: 'planted-4',
  nested: { client_secret: 'planted-5', anything: ['planted-6'] },
};

const streams = [
  {
    id: 'est_0000000000000001',
    name: 'moved',
    status: 'enabled',
    subscriptions: [{ event_type: 'user.created', ...secrets }],
    destination: {
      type: 'webhook',
      ...secrets,
      configuration: {
        webhook_endpoint: 'https://old.example/hook',
        ...secrets,
        webhook_authorization: { method: 'basic', username: 'crm', ...secrets },
      },
    },
    ...secrets,
  },
  { id: 'est_0000000000000002', name: 'undeclared', ...secrets },
];

const policy = {
  id: 'rlp_0000000000000001',
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector: 'third_party_clients',
  configuration: { action: 'block', limit: 100, ...secrets },
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
  ...secrets,
};

const files = {
  'a.yaml': `tenant: { guards: { max_delete_count: 10 } }
rate_limit_policies:
  - resource: oauth_authentication_api
    consumer: client
    consumer_selector: default
    configuration: { action: allow }
event_streams:
  - name: moved
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration: { webhook_endpoint: "https://new.example/hook", webhook_authorization: { method: basic, username: crm } }
`,
};

async function talkativeTenant() {
  const server = await startFaultServer(({ method, path }) => {
    if (method !== 'GET')
      return { status: 409, body: { statusCode: 409, error: 'Conflict', message: 'in use', ...secrets } };
    return path.includes('/event-streams')
      ? { body: { eventStreams: streams, ...secrets } }
      : { body: { rate_limit_policies: [policy], ...secrets } };
  });
  onTestFinished(() => server.close());
  return { TENANT_SYNC_BASE_URL: server.baseUrl, TENANT_SYNC_TOKEN: 'planted-token' };
}

test.each([['plan'], ['drift'], ['apply', '--yes', '--approve', 'x']])('%s', async (...command: string[]) => {
  const env = await talkativeTenant();
  const root = await folder(files);
  const state = join(root, '.state');
  const out = command[0] === 'plan' ? ['--out', join(root, '.plan.json')] : [];
  for (const format of ['text', 'json', 'markdown', 'github']) {
    const argv = [
      command[0] ?? '',
      root,
      ...command.slice(1),
      '--format',
      format,
      '--report',
      `markdown=${join(root, '.e')}`,
      ...out,
    ];
    const { stdout, stderr } = await runCommand([...argv, '--debug'], {
      env: { ...env, TENANT_SYNC_STATE_DIR: state },
    });
    expect(stdout + stderr).not.toContain('planted');
    expect(await readFile(join(root, '.e'), 'utf8')).not.toContain('planted');
    expect(stdout, 'a finding names the fields').toContain(
      'LIVE_UNEXPECTED_FIELD'.slice(0, format === 'json' ? 21 : 0),
    );
  }
  if (out.length > 0) {
    const text = await readFile(join(root, '.plan.json'), 'utf8');
    expect(text).not.toContain('planted');
    const { actions } = JSON.parse(text) as { actions: { before: unknown; kind: string }[] };
    const before = actions.filter(({ kind }) => kind === 'event_streams').map((action) => action.before);
    expect(before).toEqual([
      {
        id: 'est_0000000000000001',
        name: 'moved',
        status: 'enabled',
        subscriptions: [{ event_type: 'user.created' }],
        destination: {
          type: 'webhook',
          configuration: {
            webhook_endpoint: 'https://old.example/hook',
            webhook_authorization: { method: 'basic', username: 'crm' },
          },
        },
      },
      { id: 'est_0000000000000002', name: 'undeclared' },
    ]);
  }
});
