// A worker on a real database and embedded tenants.
import { expect, test } from 'vitest';
import { systemClock } from '../../src/client/system-clock.ts';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { asAdmin, newDatabase } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';

async function scene() {
  const fleet = await startFleet({
    files: { 'base/policies.yaml': policiesYaml('client_id:a', 'client_id:b') },
    live: {
      one: [livePolicy('client_id:a'), livePolicy('client_id:b')],
      two: [livePolicy('client_id:a')],
      three: [livePolicy('client_id:a'), livePolicy('client_id:b')],
    },
  });
  const url = await newDatabase();
  const env = { ...fleet.env, TENANT_SYNC_STATE_URL: url };
  return {
    ...fleet,
    url,
    command: (...argv: string[]) => runCommand(argv, { cwd: fleet.cwd, env, clock: systemClock }),
  };
}

test('checks every tenant once, and keeps what it finds', async () => {
  const { url, command, requests } = await scene();
  const result = await command('worker', '.', '--once');
  console.log(result, requests);
  console.log(
    await asAdmin(
      url,
      'select tenant, command, exit_code, differs_since is not null as differs, length(document) from tenant_sync.checks order by tenant',
    ),
  );
  expect(result.code).toBe(0);
});
