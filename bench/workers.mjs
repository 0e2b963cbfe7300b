// Tenants that know which worker asks, a database, and workers of which some are killed: for bench/fleet.mjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli, work } from './harness.mjs';

const load = createRequire(import.meta.url);
export const workerNames = ['a', 'b', 'c', 'd'];

/** So many ports in front of one embedded tenant, each a tenant of a project, with a journal of who asked. */
export async function startTenants(count, seed) {
  const clients = workerNames.map((client_id) => ({
    client_id,
    client_secret: 's',
    scopes: ['read:rate_limit_policies'],
  }));
  const seedFile = join(work, 'workers.json');
  await writeFile(seedFile, JSON.stringify({ ...seed, clients }));
  const served = spawn(process.execPath, [cli, 'serve', '--seed', seedFile, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(served.stdout, 'data');
  const baseUrl = String(line).trim();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const journals = Array.from({ length: count }, () => []);
  const servers = await Promise.all(
    journals.map(async (journal) => {
      const server = createServer((incoming, outgoing) => forward(baseUrl, agent, journal, incoming, outgoing));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const close = () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    agent.destroy();
    served.kill('SIGTERM');
  };
  const urls = servers.map((server) => `http://127.0.0.1:${server.address().port}/api/v2`);
  return { urls, journals, audience: `${baseUrl}/`, close };
}

function forward(baseUrl, agent, journal, incoming, outgoing) {
  const { authorization } = incoming.headers;
  const entry = {
    worker: authorization && workerOf(authorization),
    began: performance.now(),
    ended: Number.POSITIVE_INFINITY,
  };
  if (authorization) journal.push(entry);
  const { host: _host, ...headers } = incoming.headers;
  const sent = request(new URL(incoming.url, baseUrl), { method: incoming.method, headers, agent }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing).on('finish', () => {
      entry.ended = performance.now();
    });
  });
  outgoing.on('close', () => {
    entry.ended = Math.min(entry.ended, performance.now());
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}

function workerOf(authorization) {
  const claims = JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url').toString());
  return claims.azp ?? claims.client_id;
}

/** How many tenants two workers were at: one began before the other had ended, or asked again after it. */
export function atOnceBy(journals) {
  return journals.filter((journal) => {
    const turns = journal.map(({ worker }) => worker).filter((worker, index, all) => worker !== all[index - 1]);
    const overlaps = journal.some(
      (one, index) => index > 0 && one.worker !== journal[index - 1].worker && one.began < journal[index - 1].ended,
    );
    return overlaps || new Set(turns).size < turns.length;
  }).length;
}

export function startWorker(name, folder, env, parallel) {
  return spawn(process.execPath, [cli, 'worker', folder, '--parallel', String(parallel), '--cron', '0 0 1 1 *'], {
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: work, ...env(name) },
    stdio: ['ignore', 'ignore', process.env.VERBOSE ? 'inherit' : 'ignore'],
  });
}

/** How many tenants have a result. */
export async function openCount(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = async () => {
    const { rows } = await client
      .query('select count(*)::int as count from tenant_sync.checks where exit_code = 0')
      .catch(() => ({ rows: [{ count: 0 }] }));
    return rows[0].count;
  };
  return { count, end: () => client.end() };
}

/** Milliseconds of so many jobs that do nothing. */
export async function bareEngine(url, count, concurrency) {
  const { makeWorkerUtils, run, Logger } = load('graphile-worker');
  const logger = new Logger(() => () => {});
  const about = { connectionString: url, schema: 'bare', logger };
  const utils = await makeWorkerUtils(about);
  await utils.withPgClient((client) =>
    client.query(`select count(bare.add_job('empty', '{}', job_key => 'k' || n)) from generate_series(1, $1) n`, [
      count,
    ]),
  );
  let done = 0;
  const started = performance.now();
  const empty = async () => {
    done += 1;
  };
  const runner = await run({ ...about, concurrency, noHandleSignals: true, parsedCronItems: [], taskList: { empty } });
  while (done < count) await sleep(20);
  const taken = performance.now() - started;
  await runner.stop();
  await utils.release();
  return taken;
}
