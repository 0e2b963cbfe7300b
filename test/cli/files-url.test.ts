// Where the HTML report of a job finds the files of its commit.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesUrl } from '../../src/cli/print-document.ts';
import { runCommand } from '../support/run-command.ts';
import { startTenant, testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const github = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/identity', GITHUB_SHA: commit };
const gitlab = { CI_PROJECT_URL: 'https://git.acme.example/id/tenants', CI_COMMIT_SHA: commit };

test.each([
  [github, `https://github.com/acme/identity/blob/${commit}`],
  [gitlab, `https://git.acme.example/id/tenants/-/blob/${commit}`],
  [{ ...gitlab, CI_PROJECT_URL: 'https://ci:token@git.acme.example/id/tenants?x#y' }, null],
  [{ ...github, GITHUB_SERVER_URL: 'http://github.acme.example' }, null],
  [{ ...github, GITHUB_SERVER_URL: 'javascript:alert(1)//' }, null],
  [{ ...github, GITHUB_SERVER_URL: 'https://[' }, null],
  [{ ...github, GITHUB_SHA: 'main' }, null],
  [{ ...github, GITHUB_SHA: undefined }, null],
  [{ GITHUB_SHA: commit }, null],
  [{}, null],
])('%j', (env, expected) => {
  expect(filesUrl(env)).toBe(expected);
});

test('a page links to the lines of the files, and a saved plan does not: it may be of another commit', async () => {
  const tenant = await startTenant({ clients: [testClient] });
  const cwd = await folder({ 'acme/tenant.yaml': `tenant: { name: acme }\nprompts:\n  login: { partials: {} }\n` });
  await writeFile(
    join(cwd, 'acme/policies.yaml'),
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 5 } }\n',
  );
  const env = { ...tenant.env, ...github, GITHUB_WORKSPACE: cwd };
  const { stdout } = await runCommand(['plan', 'acme', '--format', 'html', '--out', 'plan.json'], { cwd, env });
  expect(stdout.match(/<a href="[^"]*"/g)).toContain(
    `<a href="https://github.com/acme/identity/blob/${commit}/acme/policies.yaml#L2"`,
  );
  const shown = await runCommand(['show', 'plan.json', '--format', 'html'], { cwd, env });
  expect(shown.stdout).toContain('policies.yaml:2');
  expect(shown.stdout).not.toContain('github.com');
  const elsewhere = await folder({ 'acme/tenant.yaml': 'tenant: { name: acme, nmae: x }\n' });
  const invalid = await runCommand(['validate', 'acme', '--format', 'html'], {
    cwd: elsewhere,
    env: { ...env, GITHUB_WORKSPACE: elsewhere },
  });
  expect(invalid.stdout).toContain(`/blob/${commit}/acme/tenant.yaml#L1" rel="noreferrer">acme/tenant.yaml:1:23</a>`);
  await tenant.close();
});
