// A document is searched for secrets before it is rendered, because a format may divide them.
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/cli/print-document.ts';
import type { Plan } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { buildPlan } from '../support/build-plan.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const mask = (text: string) => text.replaceAll('s3cret-value', '***');
const masked = (plan: Plan) => withoutSecrets({ type: 'plan', plan, diagnostics: [] }, mask);

test.each([
  ['a text', { partials: { login: { 'form-content': 'x s3cret-value y' } } }],
  ['a text below a name of the plan itself', { partials: { checksum: { 'form-content': 'x s3cret-value y' } } }],
  ['a text with a name of the plan itself', { checksum: 's3cret-value' }],
  ['a text in a list', { events: [['s3cret-value']] }],
  ['a name', { 's3cret-value': 1 }],
])('%s is masked', (_what, before) => {
  const document = masked(buildPlan({ actions: [buildAction({ key: 'a', action: 'update', before })] }));
  expect(JSON.stringify(document)).not.toContain('s3cret-value');
  expect(JSON.stringify(document)).toContain('***');
});

test('the checksum of a plan without secrets is not computed', () => {
  const plan = Object.defineProperty(buildPlan(), 'checksum', {
    enumerable: true,
    get: () => expect.unreachable('computed'),
  });
  expect(masked(plan)).toMatchObject({ plan: { digest: plan.digest } });
});

const value = 'Stream-Secret_of_many_letters';

test.each<[string, Readonly<Record<string, string>>]>([
  ['secret that the files name', { TENANT_VAR_P: value }],
  ['client secret', { TENANT_VAR_P: 'other', ACME_CLIENT_SECRET: value }],
  ['password of the database', { TENANT_VAR_P: 'other', TENANT_SYNC_STATE_URL: `postgres://u:${value}@db.example/x` }],
  ['password of a proxy', { TENANT_VAR_P: 'other', HTTPS_PROXY: `http://u:${value}@proxy.example:3128` }],
])('validate, which opens no connection, shows no %s', async (_what, env) => {
  const path = await folder({
    'a.yaml': `event_streams:
  - name: a
    subscriptions: [{ event_type: user.created }]
    destination: { type: webhook, configuration: { webhook_endpoint: "https://w.example/", webhook_authorization: { method: basic, username: u, password: "\${env:TENANT_VAR_P}" } } }
roles:
  - { name: ${value}, permissions: {} }
  - { name: ${value}, permissions: {} }
`,
  });
  const { code, stdout, stderr } = await runCommand(['validate', path], { env });
  expect(code).toBe(3);
  expect(stdout + stderr).toContain('"***" is declared twice');
  expect(stdout + stderr).not.toContain(value);
});
