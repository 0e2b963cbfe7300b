// The end of a run that no command line can bring about by itself.
import { expect, test } from 'vitest';
import { rolesYaml } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

test.each([
  [[], false],
  [['--debug'], true],
])('a fault of the program itself asks for a report; with %j it shows where: %s', async (options, shown) => {
  const env = { TENANT_SYNC_BASE_URL: 'https://login.acme.example/api/v2', TENANT_SYNC_TOKEN: 'planted-token' };
  const clock = {
    now: () => {
      throw new Error('the clock has no hands for planted-token');
    },
    monotonic: () => 0,
    sleep: async () => {},
  };
  const { code, stderr } = await runCommand(['plan', await folder({ 'r.yaml': rolesYaml }), ...options], {
    env,
    clock,
  });
  expect({ code, told: stderr.includes('INTERNAL_ERROR'), shown: stderr.includes('    at ') }).toEqual({
    code: 1,
    told: true,
    shown,
  });
  expect(stderr).not.toContain('planted-token');
});
