// The built command with its state in a database: killed, disconnected, and without the server.
import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { runBuilt } from '../support/built-command.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { startFatalDatabase } from '../support/fatal-database.ts';
import { interrupted, latencyMs } from '../support/interrupted-apply.ts';
import { type KillPoint, startKillProxy } from '../support/kill-apply.ts';
import { newDatabase, startPostgres } from '../support/postgres.ts';
import { tenantWith } from '../support/tenant-with.ts';
import { thorough } from '../support/thorough.ts';

const config = 'test/golden/full-service/config';
const seed = JSON.parse(await readFile('test/golden/full-service/tenant.json', 'utf8')) as Seed;
/** How many writes the apply takes when nobody kills it. */
const writes = 8;
const moments = ['before', 'committed', 'answered'] as const;
const didNotFinish = /^The last apply, started \S+, did not finish: /m;

describe('killed', () => {
  const points = Array.from({ length: thorough ? 2 * writes : writes }, (_none, index) => ({
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

test.each([
  ['apply', config, '--yes'],
  ['show', '--state', 'examples/fleet'],
])('%s ends where the server refuses, and keeps the connection open', async (...argv) => {
  const tenant = await tenantWith(seed);
  const { url } = await startFatalDatabase('connecting');
  const env = { ...tenant.env, TENANT_VAR_HOOK_TOKEN: 'x', TENANT_SYNC_STATE_URL: url };
  const ended = await runBuilt(argv, env);
  expect(ended).toMatchObject({ code: 1, signal: null, stderr: expect.stringContaining('DATABASE_UNREACHABLE') });
});
