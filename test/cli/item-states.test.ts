// `absent: true` and `unmanaged: true`, with complete commands on the embedded tenant.
import { describe, expect, test } from 'vitest';
import { documentedYaml, livePolicy, policiesYaml, seedOf, streamsYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import type { StartedTenant } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const writesOf = ({ tenant }: StartedTenant) =>
  tenant.requests
    .map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`)
    .filter((request) => !/^GET|oauth/.test(request));
const stale = livePolicy('client_id:stale');
const absent = (selector: string) => `  - { consumer_selector: "${selector}", absent: true }\n`;

test('an absent policy is deleted, although undeclared keeps others, and the next plan is in sync', async () => {
  const tenant = await tenantWith(seedOf());
  const header = 'tenant: { undeclared: { rate_limit_policies: report } }\n';
  const files = await folder({ 'a.yaml': header + policiesYaml('default') + absent('client_id:stale') });
  const { code, stdout } = await runCommand(['apply', files, '--yes'], { env: tenant.env });
  expect(stdout).toMatch(/- policy +client_id:stale +.*; declared absent/);
  expect({ code, writes: writesOf(tenant) }).toEqual({ code: 0, writes: [`DELETE /rate-limit-policies/${stale.id}`] });
  const after = await runCommand(['plan', files, '--exit-code'], { env: tenant.env });
  expect(after.code).toBe(0);
});

test('a prompt that is absent is cleared by an empty body, and needs no second apply', async () => {
  const partials = { login: { login: { 'form-content-start': 'a' } }, signup: { signup: { 'form-content-end': 'b' } } };
  const tenant = await tenantWith({
    prompts: { login: { partials: partials.login }, signup: { partials: partials.signup } },
  });
  const prompts = `prompts:\n  login: { partials: ${JSON.stringify(partials.login)} }\n  signup: { absent: true }\n`;
  const files = await folder({ 'a.yaml': prompts });
  const { code } = await runCommand(['apply', files, '--yes'], { env: tenant.env });
  expect({ code, writes: writesOf(tenant) }).toEqual({ code: 0, writes: ['PUT /prompts/signup/partials'] });
  expect(tenant.tenant.snapshot().prompts?.signup?.partials).toEqual({});
  expect((await runCommand(['plan', files, '--exit-code'], { env: tenant.env })).code).toBe(0);
});

describe('guards', () => {
  test('a section of nothing but absent items counts as empty', async () => {
    const tenant = await tenantWith({ rate_limit_policies: [livePolicy('default'), stale] });
    const files = await folder({ 'a.yaml': `rate_limit_policies:\n${absent('client_id:stale')}` });
    const { code, stdout } = await runCommand(['apply', files, '--yes'], { env: tenant.env });
    expect({ code, writes: writesOf(tenant) }).toEqual({ code: 4, writes: [] });
    expect(stdout).toContain('GUARD_EMPTIES_SECTION');
  });

  test('absent items count as deletions', async () => {
    const selectors = ['a', 'b', 'c', 'd'].map((name) => `client_id:${name}`);
    const tenant = await tenantWith({ rate_limit_policies: ['default', ...selectors].map((name) => livePolicy(name)) });
    const files = await folder({ 'a.yaml': policiesYaml('default') + selectors.map(absent).join('') });
    const { code, stdout } = await runCommand(['plan', files], { env: tenant.env });
    expect(code).toBe(4);
    expect(stdout).toContain('would delete 4 of 5 live items; the limit is 3');
  });

  test('an unmanaged item counts neither as live nor as a deletion', async () => {
    const tenant = await tenantWith({ rate_limit_policies: [livePolicy('default'), stale] });
    const unmanaged = '  - { consumer_selector: "client_id:stale", unmanaged: true }\n';
    const files = await folder({ 'a.yaml': policiesYaml('default') + unmanaged });
    const { code, stdout } = await runCommand(['plan', files, '--exit-code'], { env: tenant.env });
    expect(code).toBe(0);
    expect(stdout).toContain('1 item kept (unmanaged): policy client_id:stale.\n');
    expect(stdout).toContain('In sync.');
    expect((await runCommand(['drift', files], { env: tenant.env })).code).toBe(0);
  });
});

describe('api: documented', () => {
  test('an absent prompt is cleared by every apply, an absent stream is a finding, a policy is deleted', async () => {
    const tenant = await tenantWith(seedOf());
    const files = await folder({
      'a.yaml': documentedYaml,
      'b.yaml': policiesYaml('default', 'client_id:one') + absent('client_id:stale'),
      'c.yaml': 'prompts: { login: { absent: true } }\n',
      'd.yaml': streamsYaml.replace(/ {2}- name: [\s\S]*/, '  - { name: users-to-crm, absent: true }\n'),
    });
    const { stdout } = await runCommand(['plan', files, '--format', 'json'], { env: tenant.env });
    const { actions, findings } = JSON.parse(stdout);
    expect(actions).toMatchObject([
      { kind: 'prompts', key: 'login', action: 'put', reason: 'unreadable', request: { body: {} } },
      { kind: 'rate_limit_policies', action: 'delete', reason: 'absent' },
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'LIVE_UNDELETABLE',
        key: 'users-to-crm',
        message: 'on the tenant but declared absent; no available operation can delete it',
      }),
    );
  });
});

test('a saved plan is not applied once the files declare the item unmanaged', async () => {
  const tenant = await tenantWith(seedOf());
  const files = (about: string) =>
    folder({
      'a.yaml': `${policiesYaml('default', 'client_id:one')}  - { consumer_selector: "client_id:stale", ${about} }\n`,
    });
  const plan = `${await folder({})}/plan.json`;
  await runCommand(['plan', await files('absent: true'), '--out', plan], { env: tenant.env });
  const { code, stdout } = await runCommand(['apply', await files('unmanaged: true'), '--plan', plan, '--yes'], {
    env: tenant.env,
  });
  expect({ code, writes: writesOf(tenant) }).toEqual({ code: 4, writes: [] });
  expect(stdout).toContain('the files');
});
