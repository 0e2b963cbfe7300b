/** auth0-deploy-cli as a process, and the embedded tenant that it takes for its own (bench/peers has the parts). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeer } from '../../bench/peers/install-peer.mjs';
import { startProxy } from '../../bench/peers/proxy.mjs';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type StartedTenant, startTenant, testClient } from '../support/start-tenant.ts';

const loopback = join(import.meta.dirname, '../../bench/peers/loopback.cjs');
/** Names no host: requests to it are sent to the proxy on loopback, and all others fail. */
const host = 'tenant.deploy-cli.invalid';

export interface DeployCli {
  readonly tenant: StartedTenant;
  /** For its files; deleted with everything else. */
  readonly folder: string;
  run(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>;
  close(): Promise<void>;
}

/** Installs the tool into a temporary folder. Throws with a message if that is not possible. */
export async function startDeployCli(seed: Seed): Promise<DeployCli> {
  const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-deploy-cli-'));
  const { script } = await installPeer(folder);
  const tenant = await startTenant(seed);
  const proxy = await startProxy(tenant.origin);
  const config = join(folder, 'config.json');
  await writeFile(config, JSON.stringify(settings));
  const env = { PATH: process.env['PATH'], BENCH_ORIGIN: proxy.origin, BENCH_HOST: host };
  return {
    tenant,
    folder,
    run: (command = '', ...args) =>
      new Promise((resolve) => {
        const all = ['--require', loopback, script, command, '--config_file', config, ...args];
        execFile(process.execPath, all, { cwd: folder, env }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
        );
      }),
    async close() {
      await proxy.close();
      await tenant.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const settings = {
  AUTH0_DOMAIN: host,
  AUTH0_CLIENT_ID: testClient.client_id,
  AUTH0_CLIENT_SECRET: testClient.client_secret,
  AUTH0_AUDIENCE: '/api/v2/',
  AUTH0_ALLOW_DELETE: true,
  AUTH0_INCLUDED_ONLY: ['rateLimitPolicies', 'roles', 'resourceServers', 'prompts', 'eventStreams'],
};
