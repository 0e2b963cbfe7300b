// Promise 9, for a service that repeats what it was sent in forms that no program recognizes: no part of a secret is in
// anything that is printed or written, and what the files have stays readable.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { echoes, partIn } from '../support/echoes.ts';
import { type RecordedRequest, type ScriptedAnswer, startFaultServer } from '../support/fault-server.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const secrets = {
  client: 'Kx81vQzR4mWn27LpYt0uGd93sHcJbE65aFoT',
  token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjaSJ9.q7Zp0Lk3Vd8Xw2Bn5Tr9Yc4Hm6Jf1Gs',
  stream: 'Bearer Zr5Tq0Nd83WmPx1Lc7VyKb94HsJg26FuAoEi',
};
const forms = Object.values(echoes).flatMap((encode) => Object.values(secrets).map(encode));
const everyForm = forms.join(' | ');

const files = {
  'tenant.yaml': 'tenant: { guards: { max_delete_count: 100, max_delete_percent: 100 } }\n',
  'policies.yaml':
    'rate_limit_policies:\n  - { consumer_selector: "client_id:https://apps.example/client", configuration: { action: allow } }\n',
  'streams.yaml': `event_streams:
  - name: crm
    subscriptions: [{ event_type: user.created }]
    destination:
      type: webhook
      configuration:
        webhook_endpoint: https://crm.example/hook
        webhook_authorization: { method: custom_header, header_key: x-key, header_value: "\${env:TENANT_VAR_HOOK}" }
`,
};

const policy = (id: string, consumer_selector: string) => ({
  id,
  resource: 'oauth_authentication_api',
  consumer: 'client',
  consumer_selector,
  configuration: { action: 'allow' },
});
const live = [
  policy('rlp_same', 'client_id:https://apps.example/client'),
  ...forms.map((_form, index) => policy(`rlp_${index}`, `client_id:c${index}`)),
];

async function environment(script: (request: RecordedRequest) => ScriptedAnswer) {
  const server = await startFaultServer(script);
  onTestFinished(() => server.close());
  return {
    TENANT_SYNC_BASE_URL: server.baseUrl,
    TENANT_SYNC_CLIENT_ID: 'ci',
    TENANT_SYNC_CLIENT_SECRET: secrets.client,
    TENANT_VAR_HOOK: secrets.stream,
  };
}

const issued: ScriptedAnswer = { body: { access_token: secrets.token, token_type: 'Bearer', expires_in: 86_400 } };
const failing = (status: number, echo = everyForm): ScriptedAnswer => ({
  status,
  body: { statusCode: status, error: echo, message: echo, errorCode: echo, error_description: echo },
});
const formIn = (path: string) => forms[Number(/rlp_(\d+)/.exec(path)?.[1] ?? 0)];
const isToken = ({ path }: RecordedRequest) => path.startsWith('/oauth/token');

const tenants: Readonly<Record<string, (request: RecordedRequest) => ScriptedAnswer>> = {
  'refuses every token': () => failing(401),
  'breaks at every token': () => failing(500),
  'refuses every read': (request) => (isToken(request) ? issued : failing(403)),
  'refuses every write': (request) => {
    if (isToken(request)) return issued;
    if (request.method !== 'GET') return failing(400, request.method === 'POST' ? everyForm : formIn(request.path));
    return { body: request.path.includes('event') ? { eventStreams: [] } : { rate_limit_policies: live } };
  },
};

test.each(
  Object.entries(tenants).flatMap(([name, script]) =>
    (name === 'refuses every write' ? ['apply'] : ['plan', 'drift', 'apply', 'pull']).map(
      (command) => [command, name, script] as const,
    ),
  ),
)('%s on a tenant that %s shows and writes no part', async (command, _name, script) => {
  const env = await environment(script);
  for (const format of ['text', 'json', 'markdown', 'github', 'html']) {
    const [root, state] = [await folder(files), await folder({})];
    const yes = command === 'apply' || command === 'pull' ? ['--yes'] : [];
    const argv = [
      command,
      root,
      ...yes,
      '--debug',
      '--format',
      format,
      '--report',
      `markdown=${join(state, 'report.md')}`,
    ];
    const { code, stdout, stderr } = await runCommand(argv, { env: { ...env, TENANT_SYNC_STATE_DIR: state } });
    expect([1, 4], stderr).toContain(code);
    expect(stdout + stderr).toMatch(
      new RegExp(`status (401|403|500)|PLAN_INCOMPLETE|${forms.length + 1} failed|"failed": ?${forms.length + 1}`),
    );
    const written = await readdir(state, { recursive: true, withFileTypes: true });
    const texts = written.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
    for (const text of [stdout, stderr, ...(await Promise.all(texts.map((path) => readFile(path, 'utf8'))))])
      for (const form of forms) expect(partIn(text, form), text).toBe(null);
  }
});

test('a text of the files is shown in a message about another item, and the fix for a refusal that is not', async () => {
  const env = await environment((request) => {
    if (isToken(request)) return issued;
    if (request.method === 'POST') return failing(400, 'You have reached the maximum number of event streams');
    if (request.method === 'DELETE')
      return failing(400, 'in use by client_id:https://apps.example/client, Hy37cTgB5nUk92XqMz0e');
    return { body: request.path.includes('event') ? { eventStreams: [] } : { rate_limit_policies: live } };
  });
  const { stdout, code } = await runCommand(['apply', await folder(files), '--yes', '--format', 'json'], { env });
  const { outcomes } = JSON.parse(stdout) as { outcomes: readonly { message: string }[] };
  expect({ code, messages: new Set(outcomes.map(({ message }) => message)) }).toEqual({
    code: 1,
    messages: new Set([
      'status 400; the name is in use or the tenant has reached its limit of event streams: choose another name or delete a stream first',
      'status 400: in use by client_id:https://apps.example/client, […]',
    ]),
  });
});
