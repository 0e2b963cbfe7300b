// The built command with its state in a database: killed, stopped, disconnected, and without the server.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { runBuilt } from '../support/built-command.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { type KillPoint, startKillProxy } from '../support/kill-apply.ts';
import { newDatabase, startPostgres } from '../support/postgres.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const config = 'test/golden/full-service/config';
const seed = JSON.parse(await readFile('test/golden/full-service/tenant.json', 'utf8')) as Seed;
/** How many writes the apply takes when nobody kills it. */
const writes = 8;
const moments = ['before', 'committed', 'answered'] as const;
const didNotFinish = /^The last apply, started \S+, did not finish: /m;

describe('killed', () => {
  const points = Array.from({ length: 2 * writes }, (_none, index) => ({
    write: (index % writes) + 1,
    moment: moments[index % 3] ?? 'before',
  }));
  test.each(points)('at write $write, $moment: the next apply gets the lock and resolves it', async (point) => {
    const tenant = await tenantWith(seed);
    const proxy = await startKillProxy(tenant);
    const env = { TENANT_VAR_HOOK_TOKEN: 'planted-secret-of-a-hook', TENANT_SYNC_STATE_URL: await newDatabase() };
    const apply = (kill?: KillPoint) => proxy.run({ argv: ['apply', config, '--yes'], env, ...(kill && { kill }) });
    const first = await apply(point);
    expect(first.signal).toBe('SIGKILL');
    const second = await apply();
    expect({ code: second.code, isShown: didNotFinish.test(second.stderr) }).toEqual({ code: 0, isShown: true });
    const sent = [...first.writes, ...second.writes];
    expect(new Set(sent).size).toBe(writes);
    const plan = await proxy.run({ argv: ['plan', config, '--format', 'json'], env });
    expect(JSON.parse(plan.stdout).actions).toEqual([]);
  });
});

const latencyMs = 100;

/** An apply of 40 changes to a tenant that takes a while for each; `during` runs after the tenth. */
async function interrupted(url: string, during: (child: { kill(signal: NodeJS.Signals): void }) => Promise<void>) {
  const selectors = Array.from({ length: 40 }, (_none, index) => `client_id:${index}`);
  const live = selectors.map((selector) => livePolicy(selector, 1));
  const sent: number[] = [];
  const tenant = await tenantWith(
    { rate_limit_policies: live, resource_servers: [] },
    {
      latencyMs,
      onRequest: ({ method, path }) => method !== 'GET' && !path.includes('oauth') && sent.push(Date.now()),
    },
  );
  const items = selectors.map(
    (selector) => `  - { consumer_selector: "${selector}", configuration: { action: block, limit: 2 } }\n`,
  );
  const cwd = await folder({ 'policies.yaml': `rate_limit_policies:\n${items.join('')}` });
  const env = { ...tenant.env, TENANT_SYNC_STATE_URL: url };
  const argv = ['apply', cwd, '--yes', '--max-staleness', '60'];
  let watching: Promise<number> = Promise.resolve(0);
  const first = await runBuilt(argv, env, (child) => {
    watching = (async () => {
      while (sent.length < 10 && child.exitCode === null) await sleep(5);
      await during(child);
      return Date.now();
    })();
  });
  const disturbedAt = await watching;
  return { first, sent, disturbedAt, before: sent.length, again: () => runBuilt(argv, env) };
}

test('the server is stopped: nothing more is sent, and the next apply resolves what was in flight', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.end());
  const { first, sent, disturbedAt, before, again } = await interrupted(server.url, server.down);
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('DATABASE_UNREACHABLE');
  expect(before).toBeLessThan(40);
  // What was in flight when the server stopped.
  expect(sent.filter((at) => at > disturbedAt + latencyMs + 400)).toEqual([]);
  await server.up();
  const second = await again();
  expect({ code: second.code, isShown: didNotFinish.test(second.stderr) }).toEqual({ code: 0, isShown: true });
});

test('the connection is cut: nothing more is sent', async () => {
  const proxy = await startDatabaseProxy(await newDatabase());
  const { first, before, again } = await interrupted(proxy.url, async () => proxy.cut());
  expect({ code: first.code, isPart: before < 40 }).toEqual({ code: 1, isPart: true });
  expect((await again()).code).toBe(0);
});

test('the network swallows everything: nothing more is sent, and the run ends within seconds', async () => {
  const url = await newDatabase();
  const proxy = await startDatabaseProxy(url);
  const started = Date.now();
  const { first, before } = await interrupted(proxy.url, async () => proxy.swallow());
  expect({ code: first.code, isPart: before < 40 }).toEqual({ code: 1, isPart: true });
  expect(Date.now() - started).toBeLessThan(30_000);
});

test('a process that was stopped for longer than its lock is valid sends nothing when it continues', async () => {
  const { first, sent, disturbedAt, before } = await interrupted(await newDatabase(), async (child) => {
    child.kill('SIGSTOP');
    await sleep(16_000);
    child.kill('SIGCONT');
  });
  expect({ code: first.code, isPart: before < 40 }).toEqual({ code: 1, isPart: true });
  expect(first.stderr).toMatch(/APPLY_LOCK_LOST|DATABASE_UNREACHABLE/);
  expect(sent.filter((at) => at >= disturbedAt)).toEqual([]);
});
