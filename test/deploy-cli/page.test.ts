// docs/from-deploy-cli.md: what auth0-deploy-cli manages becomes files that are in sync with the tenant, by the commands of the
// page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';
import { exportedTenant } from './exported-tenant.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/from-deploy-cli.md'), 'utf8');

test('the commands of the page write files in sync, with the variables of secrets', async () => {
  const { env } = await tenantWith(exportedTenant);
  const cwd = await folder({});
  const [init, pull, plan] = [...page.matchAll(/`tenant-sync ((?:init|pull|plan) tenant)`/g)].map(
    ([, line = '']) => line,
  );
  const run = (line: string | undefined, ...options: string[]) =>
    runCommand([...(line ?? '').split(' '), ...options], { cwd, env });
  expect((await run(init)).code).toBe(0);
  const { stdout, stderr } = await run(pull, '--yes');
  for (const name of ['TENANT_VAR_USERS_TO_CRM_PASSWORD', 'TENANT_VAR_USERS_TO_HR_TOKEN'])
    expect(stdout + stderr).toContain(name);
  const validated = await run('validate tenant');
  expect(validated.stdout).toContain(
    'valid: rate_limit_policies 2, roles 2, resource_servers 1, clients 1, client_grants 1, attack_protection 6, prompts 1, event_streams 2',
  );
  const planned = await run(plan, '--exit-code');
  expect(planned.stdout).toContain('In sync');
  expect(planned.code).toBe(0);
});

test('the page has at most 560 words', () => {
  expect(page.match(/\S+/g)?.length).toBeLessThanOrEqual(560);
});
