// The filter of docs/policies.md, run by jq itself (compiled to WebAssembly) on plans of the built-in example.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JqInput, loadJq } from 'jq-wasm';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../src/model/plan.generated.ts';
import type { Seed } from '../src/model/seed.generated.ts';
import { runCommand } from './support/run-command.ts';
import { withTestClient } from './support/start-tenant.ts';
import { folder } from './support/temp-folder.ts';
import { tenantWith } from './support/tenant-with.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/policies.md'), 'utf8');
const [, filter = ''] = /```jq\n([\s\S]*?)```/.exec(page) ?? [];
const [, shown = ''] = /\$ jq -n -f policies\.jq plan\.json\n([\s\S]*?)```/.exec(page) ?? [];
const jq = await loadJq();

const check = (document: JqInput) => jq.raw(document, filter, ['-n']);

async function planned(files: string): Promise<Plan> {
  const seed = withTestClient(JSON.parse(readFileSync(join(root, 'examples/acme/live.json'), 'utf8')) as Seed);
  const { env } = await tenantWith(seed);
  const { stdout } = await runCommand(['plan', files, '--format', 'json'], { env });
  return JSON.parse(stdout) as Plan;
}

/** What the filter prints of a plan that creates or changes what `yaml` declares and deletes nothing. */
async function problemsOf(yaml: string): Promise<readonly string[]> {
  const header = 'tenant: { undeclared: { rate_limit_policies: ignore, event_streams: ignore } }\n';
  const { stderr, exitCode } = check(await planned(await folder({ 'tenant.yaml': `${header}${yaml}` })));
  expect(exitCode).toBe(stderr === '' ? 0 : 1);
  return stderr.split('\n').filter((line) => line !== '');
}

test('the page shows what jq prints for the example', async () => {
  const { stderr, stdout, exitCode } = check(await planned(join(root, 'examples/acme')));
  expect(shown).not.toBe('');
  expect({ exitCode, stdout, stderr: `${stderr.trimEnd()}\n` }).toEqual({ exitCode: 1, stdout: '', stderr: shown });
});

describe('each rule', () => {
  test.each([
    [
      'a policy without a limit',
      'rate_limit_policies: [{ consumer_selector: "client_id:new", configuration: { action: allow } }]',
      'rate_limit_policies/oauth_authentication_api/client/client_id:new: a policy needs a limit',
    ],
    [
      'a permission to delete',
      'roles: [{ name: Support, permissions: { "https://orders.acme.example/": [read:orders, read:customers, approve:discounts, refund:orders, delete:orders] } }]',
      'roles/Support#add: no role may get delete:orders',
    ],
    [
      'a host of others',
      'event_streams: [{ name: new, subscriptions: [{ event_type: user.created }], destination: { type: webhook, configuration: { webhook_endpoint: "https://acme.example.evil.example/hook", webhook_authorization: { method: basic, username: a, password: "${env:TENANT_VAR_A}" } } } }]',
      'event_streams/new: events may only go to hosts of acme.example',
    ],
  ])('%s', async (_, yaml, problem) => {
    expect(await problemsOf(yaml)).toContain(problem);
  });

  test('a role that many people lose something of, or that nobody counted', async () => {
    const plan = await planned(join(root, 'examples/acme'));
    const withUsers = (users: number | undefined) => {
      const actions = plan.actions.map((action) => ({
        ...action,
        effects: action.effects.map((effect) => (effect.code === 'ACCESS_LOST' ? { ...effect, users } : effect)),
      }));
      return check({ ...plan, actions }).stderr;
    };
    const problem = 'roles/Support#remove: Support is assigned to more than 100 users';
    expect(withUsers(100)).not.toContain(problem);
    expect(withUsers(101)).toContain(problem);
    expect(withUsers(undefined)).toContain(problem);
  });
});

test('a plan without problems prints nothing and exits with 0', async () => {
  expect(
    await problemsOf(
      'rate_limit_policies: [{ consumer_selector: "client_id:new", configuration: { action: block, limit: 9 } }]',
    ),
  ).toEqual([]);
});

test('what is not a complete plan is refused', async () => {
  const plan = await planned(join(root, 'examples/acme'));
  expect(check({ ...plan, complete: false }).exitCode).toBe(5);
  expect(check({ ...plan, format_version: '3.0' }).exitCode).toBe(5);
  const { stdout } = await runCommand(['plan', await folder({ 'a.yaml': 'roles: 1' }), '--format', 'json']);
  expect(check(JSON.parse(stdout) as object).exitCode).toBe(5);
  expect(check([]).exitCode).toBe(5);
  expect(check('not JSON').exitCode).toBe(5);
});
