import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareTenant } from '../../src/embedded-tenant/create-tenant.ts';
import { tenantResources } from '../../src/embedded-tenant/kinds/registry.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { seededRandom } from '../../test/chaos/random.ts';
import { readOutput } from '../../test/chaos/read-output.ts';
import { startVirtualClock, type VirtualClock } from '../../test/chaos/virtual-clock.ts';
import { writeFiles } from '../../test/chaos/write-files.ts';
import { documentedPrompts } from '../../test/support/documented-prompts.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { testClient } from '../../test/support/start-tenant.ts';
import { type Limiter, openLimiter, type Shape } from './limiters.ts';
import type { Row } from './table.ts';

/** A complete apply under a small quota: what it writes, and how fast its writes alone could be. */
interface Case {
  readonly name: string;
  readonly writes: number;
  /** Writes that the quota allows in a second. */
  readonly perSecond: number;
  /** Limits by group of endpoints; '' is the limit of all requests. */
  readonly limits: Readonly<Record<string, Shape>>;
  readonly live: Seed;
  readonly files: Readonly<Record<string, string>>;
}

/** The time of an apply as a part of the time that its writes need at the quota: readings have to fit into the rest. */
const bound = 1.3;
const latencyMs = 50;

function partials(name: string, minute: Shape): Case {
  const texts = (text: string) =>
    Object.fromEntries(
      documentedPrompts.map((prompt) => [prompt, { partials: { [prompt]: { 'form-content': text } } }]),
    );
  return {
    name,
    writes: documentedPrompts.length,
    perSecond: 5 / 60,
    limits: { '': { kind: 'bucket', size: 50, perSecond: 16 }, 'partials-read': minute, 'partials-write': minute },
    live: { prompts: texts('before') },
    files: { 'tenant.yaml': 'tenant: { api: full }\n', 'prompts.yaml': JSON.stringify({ prompts: texts('after') }) },
  };
}

function deletes(name: string, shape: Shape): Case {
  const triple = { resource: 'oauth_authentication_api', consumer: 'client' } as const;
  const policy = (index: number) => ({ ...triple, consumer_selector: `client_id:c${index}` });
  const configuration = { action: 'allow' } as const;
  const guards = { max_delete_percent: 100, max_delete_count: 1000 };
  const writes = 300;
  return {
    name,
    writes,
    perSecond: 2,
    limits: { '': shape },
    live: {
      rate_limit_policies: Array.from({ length: writes + 1 }, (_none, index) => ({
        id: `rlp_${index}`,
        ...policy(index),
        configuration,
      })),
    },
    files: {
      'tenant.yaml': JSON.stringify({ tenant: { api: 'full', guards } }),
      'policies.yaml': JSON.stringify({ rate_limit_policies: [{ ...policy(0), configuration }] }),
    },
  };
}

const cases: readonly Case[] = [
  partials('9 partials, window of 5 in 60 s', { kind: 'window', size: 5, ms: 60_000 }),
  partials('9 partials, bucket of 5 and 5 per minute', { kind: 'bucket', size: 5, perSecond: 5 / 60 }),
  deletes('300 deletes, bucket of 10 and 2 per second', { kind: 'bucket', size: 10, perSecond: 2 }),
  deletes('300 deletes, window of 20 in 10 s', { kind: 'window', size: 20, ms: 10_000 }),
];

/** Applies from their first write to their last one, on the virtual clock. */
export async function applyRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const one of cases) rows.push(await rowOf(one));
  return rows;
}

async function rowOf(one: Case): Promise<Row> {
  const { code, done, sent, refused } = await apply(one);
  const writes = sent.filter(({ isWrite }) => isWrite).map(({ at }) => at);
  const [first = 0, last = 0] = [writes[0], writes.at(-1)];
  const ms = last - first + 2 * latencyMs;
  const own = (one.writes / one.perSecond) * 1000;
  const during = sent.filter(({ at, isWrite }) => !isWrite && at >= first && at <= last).length;
  const pauses = writes.slice(1).map((at, index) => at - (writes[index] ?? at));
  const seconds = (value: number) => `${(value / 1000).toFixed(0)} s`;
  return {
    what: `apply: ${one.name}`,
    got: `${seconds(ms)}, ${done} done, ${during} reads meanwhile, longest pause ${seconds(Math.max(...pauses))}, ${refused} refused`,
    target: `<= ${seconds(own * bound)}`,
    ok: code === 0 && done === one.writes && ms <= own * bound,
  };
}

interface Applied {
  readonly code: number;
  readonly done: number;
  /** Requests that were granted, with the time of their arrival. */
  readonly sent: readonly { readonly at: number; readonly isWrite: boolean }[];
  readonly refused: number;
}

async function apply({ live, files, limits }: Case): Promise<Applied> {
  const random = seededRandom(1);
  const clock = startVirtualClock(Date.UTC(2026, 10, 20, 10), random);
  const service = await openService({ clients: [testClient], ...live }, limits, clock);
  const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-bench-quota-'));
  const unseeded = Math.random;
  Math.random = random.branch('jitter').next;
  try {
    await writeFiles(folder, files);
    const { code, stdout } = await runCommand(['apply', folder, '--yes', '--format', 'json', '--quota-share', '1'], {
      env: {
        TENANT_SYNC_BASE_URL: service.baseUrl,
        TENANT_SYNC_CLIENT_ID: testClient.client_id,
        TENANT_SYNC_CLIENT_SECRET: testClient.client_secret,
      },
      clock: clock.command,
      onOutput: clock.touch,
    });
    const outcomes = readOutput(stdout).outcomes ?? [];
    return { code, done: outcomes.filter(({ outcome }) => outcome === 'done').length, ...service.seen };
  } finally {
    Math.random = unseeded;
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The embedded tenant behind limits of its own for each group of endpoints. */
async function openService(seed: Seed, shapes: Case['limits'], clock: VirtualClock) {
  const limiters = new Map(Object.entries(shapes).map(([group, shape]) => [group, openLimiter(shape)]));
  const seen = { sent: [] as { at: number; isWrite: boolean }[], refused: 0 };
  const server = createServer((incoming, outgoing) => {
    clock.enter();
    void respond(incoming, outgoing)
      .catch(() => outgoing.destroy())
      .finally(clock.leave);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tenant = (await prepareTenant({ resources: tenantResources, clock: clock.tenant, seed }))(port);

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = 'GET', url = '/' } = incoming;
    await clock.turn(`${method} ${url}`);
    await clock.tenant.sleep(latencyMs);
    const now = clock.now();
    const own = url.startsWith('/api/v2') ? limitersOf(method, url) : [];
    if (own.some((limiter) => !limiter.allows(now))) {
      seen.refused += 1;
      await clock.tenant.sleep(latencyMs);
      outgoing.writeHead(429, { ...dateOf(now), ...shown(own, now) }).end();
      return;
    }
    for (const limiter of own) limiter.take(now);
    if (own.length > 0) seen.sent.push({ at: now, isWrite: method !== 'GET' });
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const body = Buffer.concat(chunks);
    const { response } = await tenant.respond(
      new Request(new URL(url, tenant.origin), { method, headers, ...(body.length > 0 && { body }) }),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    await clock.tenant.sleep(latencyMs);
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...shown(own, now) }).end(bytes);
  }

  function limitersOf(method: string, url: string): Limiter[] {
    const group = url.endsWith('/partials') ? `partials-${method === 'GET' ? 'read' : 'write'}` : '';
    return [...new Set(['', group])].flatMap((name) => limiters.get(name) ?? []);
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    seen,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function dateOf(now: number) {
  return { date: new Date(now).toUTCString() };
}

/** The headers of the limit of which the least is left. */
function shown(limiters: readonly Limiter[], now: number): Record<string, string> {
  const [least] = limiters
    .map((limiter) => ({ limit: limiter.limit, ...limiter.show(now) }))
    .sort((one, other) => one.remaining - other.remaining);
  if (least === undefined) return {};
  return {
    'x-ratelimit-limit': `${least.limit}`,
    'x-ratelimit-remaining': `${least.remaining}`,
    'x-ratelimit-reset': `${least.reset}`,
  };
}
