// A project whose tenants a worker checks, in this process.
import { systemClock } from '../../src/client/system-clock.ts';
import { livePolicy, policiesYaml } from './files-and-tenant.ts';
import { newDatabase } from './postgres.ts';
import { runCommand } from './run-command.ts';
import { startFleet } from './start-fleet.ts';

const both = [livePolicy('client_id:a'), livePolicy('client_id:b')];

/** Three tenants, of which `two` differs from the files, and a database. */
export async function checkedScene() {
  const fleet = await startFleet({
    files: { 'base/policies.yaml': policiesYaml('client_id:a', 'client_id:b') },
    live: { one: both, two: both.slice(0, 1), three: both },
  });
  const url = await newDatabase();
  const env = { ...fleet.env, TENANT_SYNC_STATE_URL: url };
  const run = (argv: readonly string[], options = {}) =>
    runCommand(argv, { cwd: fleet.cwd, env, clock: systemClock, ...options });
  return {
    ...fleet,
    url,
    env,
    check: () => run(['worker', '.', '--once']),
    /** The first document of the JSON: what is known of each tenant. */
    checks: async () => JSON.parse((await run(['show', '--state', '.', '--format', 'json'])).stdout)[0].tenants,
    command: (...argv: string[]) => run(argv),
    run,
  };
}
