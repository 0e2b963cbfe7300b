// What a step does differently where it runs.
import { expect, test } from 'vitest';
import { scratchRepository } from '../support/scratch-repository.ts';
import { stepHere } from '../support/step-here.ts';
import { folder } from '../support/temp-folder.ts';

test.each([
  ['on GitHub', { GITHUB_ACTIONS: 'true' }, true],
  ['on GitLab', { GITLAB_CI: 'true' }, false],
  ['in a terminal', {}, false],
])('%s, the commands that hide secrets from the log: %j', async (_where, env, expected) => {
  const { path } = await scratchRepository({ 'tenant/tenant.yaml': 'tenant: { name: acme }\n' });
  const secrets = JSON.stringify({ TENANT_VAR_A: 'planted' });
  const argv = ['validate', '--folder', 'tenant', '--secrets', secrets, '--results', await folder({})];
  const { code, log } = await stepHere(argv, { ...env, GITHUB_WORKSPACE: path, CI_PROJECT_DIR: path });
  expect(code, log).toBe(0);
  expect(log.includes('::add-mask::planted\n')).toBe(expected);
  expect(log.includes('planted')).toBe(expected);
});
