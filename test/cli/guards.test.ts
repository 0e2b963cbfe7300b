// Guards and rules of the header, with complete commands on the embedded tenant.
import { expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = 'https://orders.example/';
const policies = (...names: readonly string[]): Seed => ({
  rate_limit_policies: names.map((name) => livePolicy(name)),
});

async function planOf(seed: Seed, files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const tenant = await tenantWith(seed);
  const { code, stdout, stderr } = await runCommand(['plan', await folder(files), ...options], { env: tenant.env });
  return { code, stdout, stderr };
}

const protecting = (...patterns: readonly string[]) =>
  `tenant: { protect: { rate_limit_policies: [${patterns.map((one) => `"${one}"`).join(', ')}] } }\n`;

test('a misspelt pattern under protect is a warning that names what it may mean', async () => {
  const seed = policies('default', 'third_party_clients');
  const files = (pattern: string) => ({ 'a.yaml': protecting(pattern) + policiesYaml('third_party_clients') });
  const misspelt = await planOf(seed, files('defualt'));
  expect(misspelt.stdout).toMatch(/! header +protect.rate_limit_policies: defualt .*\n {6}RULE_UNMATCHED: /);
  expect(misspelt.stdout).toContain('did you mean "default"?');
  expect([misspelt.code, misspelt.stdout.includes('1 to delete')]).toEqual([0, true]);
  const correct = await planOf(seed, files('default'));
  expect(correct.stdout).not.toContain('RULE_UNMATCHED');
  expect([correct.code, correct.stdout.includes('1 item kept (protected)')]).toEqual([0, true]);
});

test('in a part of a plan, a pattern may match what is not read; only what decides the effects is read beside it', async () => {
  const tenant = await tenantWith(policies('default', 'client_id:kiosk-1', 'client_id:kiosk-2'));
  const files = await folder({ 'a.yaml': protecting('client_id:kiosk-2') + policiesYaml('default') });
  const only = ['--only', 'rate_limit_policies/oauth_authentication_api/client/client_id:kiosk-1'];
  const { code, stdout } = await runCommand(['plan', files, '--detail', 'full', ...only], { env: tenant.env });
  expect([code, stdout.includes('1 to delete'), stdout.includes('RULE_UNMATCHED')]).toEqual([0, true, false]);
  expect(stdout).toContain('falls back to default, which is the same: block above 100/s');
  const listings = tenant.tenant.requests.filter(({ operation }) => operation === 'list_rate_limit_policies');
  expect(listings.map(({ query }) => query.includes('consumer_selector'))).toEqual([true, true]);
});

test('a protected item does not count as left over', async () => {
  const seed = policies('default', 'client_id:a', 'client_id:b');
  const header = 'tenant: { protect: { rate_limit_policies: [default] } }\n';
  const { code, stdout } = await planOf(seed, { 'a.yaml': `${header}${policiesYaml()}` });
  expect([code, stdout.includes('GUARD_EMPTIES_SECTION')]).toEqual([4, true]);
});

test('an excluded item does not count as left over', async () => {
  const seed = policies('default', 'client_id:a', 'client_id:b');
  const only = ['--except', 'rate_limit_policies/*/default'];
  const { code, stdout } = await planOf(seed, { 'a.yaml': policiesYaml('default') }, ...only);
  expect([code, stdout.includes('GUARD_EMPTIES_SECTION')]).toEqual([4, true]);
});

test('60 of 200 permissions are within the limit, but not if one role loses all of them', async () => {
  const pairs = (count: number) =>
    Array.from({ length: count }, (_none, index) => ({
      resource_server_identifier: api,
      permission_name: `p${index}`,
    }));
  const lines = pairs(140).map((pair) => `      - ${JSON.stringify(pair)}\n`);
  const roles = `roles:\n  - id: rol_1\n    permissions: []\n  - id: rol_2\n    permissions:\n${lines.join('')}`;
  const seed = {
    roles: [
      { id: 'rol_1', name: 'Support', permissions: pairs(60) },
      { id: 'rol_2', name: 'Sales', permissions: pairs(140) },
    ],
  };
  const { code, stdout } = await planOf(seed, { 'roles.yaml': roles });
  expect([code, stdout.includes('GUARD_EMPTIES_ITEM')]).toEqual([4, true]);
});

test.each(['', ' ', '\n'])('a prompt whose last text becomes %j is left empty', async (text) => {
  const seed = { prompts: { login: { partials: { login: { 'form-content-start': '<p>Important</p>' } } } } };
  const partials = { login: { 'form-content-start': text } };
  const { code, stdout } = await planOf(
    seed,
    { 'p.yaml': JSON.stringify({ prompts: { login: { partials } } }) },
    '--detail',
    'full',
  );
  expect([code, stdout.includes('GUARD_EMPTIES_SECTION')]).toEqual([4, true]);
  expect(stdout).toContain('empties login/form-content-start: the declared text is blank');
});

test('a role whose name no listing shows is read by its id, and protected by its name', async () => {
  const pair = { resource_server_identifier: api, permission_name: 'read' };
  const seed = {
    roles: [
      { id: 'rol_1', name: 'Administrators', type: 'organization' as const, owner_id: 'org_1', permissions: [pair] },
    ],
  };
  const header = 'tenant: { protect: { roles: [Administrators] } }\n';
  const files = { 'a.yaml': `${header}roles: [{ id: rol_1, absent_permissions: [${JSON.stringify(pair)}] }]\n` };
  const { code, stdout } = await planOf(seed, files);
  expect([
    code,
    stdout.includes('1 item kept (protected): role Administrators (rol_1).'),
    stdout.includes('loses'),
  ]).toEqual([0, true, false]);
});

test('max_update_percent refuses more updates, and a wider limit is a line in every plan', async () => {
  const seed = policies('default', 'client_id:a');
  const changed = policiesYaml('default', 'client_id:a').replaceAll('limit: 100', 'limit: 5');
  const guards = (limits: string) => ({ 'a.yaml': `tenant: { guards: { ${limits} } }\n${changed}` });
  const refused = await planOf(seed, guards('max_update_percent: 50'));
  expect([refused.code, refused.stdout.includes('GUARD_TOO_MANY_UPDATES')]).toEqual([4, true]);
  const wide = await planOf(seed, guards('max_delete_percent: 80'));
  expect([wide.code, /header +guards.max_delete_percent .*\n +RULE_GUARD_WIDENED/.test(wide.stdout)]).toEqual([
    0,
    true,
  ]);
});

test('a misspelt --except is a warning; --only stays an error', async () => {
  const seed = policies('default', 'client_id:web');
  const files = { 'a.yaml': policiesYaml('default') };
  const key = 'rate_limit_policies/oauth_authentication_api/client/client_id';
  const except = await planOf(seed, files, '--except', `${key}:wbe`);
  expect([except.code, except.stdout.includes(`! header  --except ${key}:wbe`)]).toEqual([0, true]);
  expect(except.stdout).toContain('did you mean "oauth_authentication_api/client/client_id:web"?');
  expect((await planOf(seed, files, '--only', 'rate_limit_policies/x')).code).toBe(3);
});
