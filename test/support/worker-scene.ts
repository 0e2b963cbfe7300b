// Workers in processes of their own, a real database, and tenants that know which worker asks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterAll, onTestFinished } from 'vitest';
import { livePolicy, policiesYaml } from './files-and-tenant.ts';
import { asAdmin, newDatabase } from './postgres.ts';
import { allScopes, testClient } from './start-tenant.ts';
import { folder } from './temp-folder.ts';
import { tenantWith } from './tenant-with.ts';

const root = join(import.meta.dirname, '..', '..');

/** In milliseconds: as short as they can be on a machine that is busy with other tests. */
export const quick = { heartbeatMs: 400, validMs: 2_000, silentMs: 4_000, graceMs: 3_000, sweepMs: 200 };

/** A request for data, not for a token. */
export interface SeenRequest {
  readonly tenant: string;
  /** The client of the worker. */
  readonly worker: string;
  readonly at: number;
}

export interface RunningWorker {
  readonly name: string;
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  stderr(): string;
}

const prefixOf = (name: string) => `T_${name.toUpperCase()}`;

/** Each tenant has so many pages to read, and each response takes some time. */
export async function workerScene(names: readonly string[], { pages = 4, latencyMs = 100 } = {}) {
  const seen: SeenRequest[] = [];
  const selectors = Array.from({ length: pages * 50 - 10 }, (_, index) => `client_id:c${index}`);
  const clients = ['A', 'B', 'C', 'D'].map((name) => ({ ...testClient, client_id: name, scopes: allScopes }));
  const urls = new Map<string, { readonly url: string; readonly audience: string }>();
  for (const name of names) {
    const seed = { clients, rate_limit_policies: selectors.map((selector) => livePolicy(selector)) };
    urls.set(name, await watched(name, await tenantWith(seed), latencyMs, seen));
  }
  const entries = names.map(
    (name) => `  ${name}: { layers: [base], environment: ${prefixOf(name)}, base_url: "${urls.get(name)?.url}" }\n`,
  );
  const cwd = await folder({
    'tenant-sync.yaml': `tenants:\n${entries.join('')}`,
    'base/tenant.yaml': 'tenant: {}\n',
    'base/policies.yaml': policiesYaml(...selectors),
  });
  const url = await newDatabase();
  program ??= built();
  const file = await program;
  const start = (name: string, argv: readonly string[], database = url): RunningWorker => {
    const credentials = names.flatMap((tenant) => {
      const { url: base, audience } = urls.get(tenant) ?? { url: '', audience: '' };
      return [
        [`${prefixOf(tenant)}_BASE_URL`, base],
        [`${prefixOf(tenant)}_AUDIENCE`, audience],
        [`${prefixOf(tenant)}_CLIENT_ID`, name],
        [`${prefixOf(tenant)}_CLIENT_SECRET`, testClient.client_secret],
      ];
    });
    const env = { PATH: process.env['PATH'] ?? '', TENANT_SYNC_STATE_URL: database, TIMES: JSON.stringify(quick) };
    const child = spawn(process.execPath, [file, '.', ...argv], {
      cwd,
      env: { ...env, ...Object.fromEntries(credentials) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { name, child, stderr: () => stderr, exited: once(child, 'exit').then(([code]) => code) };
  };
  return {
    cwd,
    url,
    seen,
    start,
    checks: () => asAdmin(url, 'select * from tenant_sync.checks order by tenant'),
    /** Resolves when a worker has sent its first request. */
    firstRequestOf: async (name: string) => until(() => seen.some(({ worker }) => worker === name)),
  };
}

/** Who asked a tenant, in turns: `AB` if B took over from A, `ABA` if both were at it. */
export function turnsOf(seen: readonly SeenRequest[], tenant: string): string {
  const workers = seen.filter((one) => one.tenant === tenant).map(({ worker }) => worker);
  return workers.filter((worker, index) => worker !== workers[index - 1]).join('');
}

export async function until(isTrue: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; !(await isTrue()); await sleep(10))
    if (Date.now() > end) throw new Error('it took too long');
}

/** In front of a tenant: logs who asks, which the token shows. */
async function watched(
  name: string,
  { origin, baseUrl }: { readonly origin: string; readonly baseUrl: string },
  latencyMs: number,
  seen: SeenRequest[],
) {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { authorization, 'content-type': type } = incoming.headers;
      if (authorization !== undefined) {
        const claims = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
        seen.push({ tenant: name, worker: claims.azp ?? claims.client_id, at: Date.now() });
        await sleep(latencyMs);
      }
      const response = await fetch(origin + incoming.url, {
        method: incoming.method ?? 'GET',
        headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(body);
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    audience: `${baseUrl}/`,
  };
}

let program: Promise<string> | undefined;

/** One file of JavaScript, because the oldest supported Node runs no TypeScript. The tests of a file share it. */
async function built(): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'tenant-sync-worker-'));
  afterAll(async () => {
    program = undefined;
    await rm(target, { recursive: true, force: true });
  });
  await mkdir(join(target, 'a/b'), { recursive: true });
  await writeFile(join(target, 'package.json'), '{"type":"module","version":"0.0.0"}');
  for (const name of ['node_modules', 'schemas']) await symlink(join(root, name), join(target, name), 'dir');
  const bundle = await rolldown({
    input: join(root, 'test/support/worker-process.ts'),
    platform: 'node',
    external: /^[a-z@]/,
    tsconfig: false,
  });
  const file = join(target, 'a/b/worker.js');
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
