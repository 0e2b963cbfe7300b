// The built command is killed at the n-th write, before it is carried out, when it is and when it is answered; a second apply ends what
// the first began. No kept permission is ever missing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/model/seed.generated.ts';
import { type KillPoint, startKillProxy } from '../support/kill-apply.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const config = 'test/golden/full-service/config';
const seed = JSON.parse(await readFile('test/golden/full-service/tenant.json', 'utf8')) as Seed;
const kept = 'read:orders';

async function setUp() {
  const tenant = await tenantWith(seed);
  const proxy = await startKillProxy(tenant);
  const state = await folder({});
  const env = { TENANT_VAR_HOOK_TOKEN: 'planted-secret-of-a-hook', TENANT_SYNC_STATE_DIR: state };
  const lost: string[] = [];
  const onState = (now: Seed) => {
    const held = now.roles?.[0]?.permissions?.map(({ permission_name }) => permission_name) ?? [];
    if (!held.includes(kept)) lost.push(held.join());
  };
  return {
    tenant,
    state,
    lost,
    run: (argv: readonly string[], kill?: KillPoint, built = false) =>
      proxy.run({ argv: [argv[0] ?? '', config, ...argv.slice(1)], env, onState, built, ...(kill && { kill }) }),
  };
}

/** How many writes the apply takes when nobody kills it. */
const writes = 8;

test('without a kill', async () => {
  const { run } = await setUp();
  const { code, writes: sent } = await run(['apply', '--yes'], undefined, true);
  expect({ code, sent: sent.length }).toEqual({ code: 0, sent: writes });
});

describe('killed', () => {
  const moments = ['before', 'committed', 'answered'] as const;
  test.each(
    Array.from({ length: writes }, (_none, index) => ({ write: index + 1, moment: moments[index % 3] ?? 'before' })),
  )('at write $write, $moment', async (point) => {
    const { run, lost, state } = await setUp();
    const first = await run(['apply', '--yes'], point);
    expect(first.signal).toBe('SIGKILL');
    expect(first.writes.length).toBeGreaterThanOrEqual(point.write);
    const second = await run(['apply', '--yes']);
    expect({
      code: second.code,
      told: /^The last apply, started \S+, did not finish: /m.test(second.stderr),
    }).toEqual({ code: 0, told: true });
    const third = await run(['plan', '--format', 'json']);
    expect({ actions: JSON.parse(third.stdout).actions, lost }).toEqual({ actions: [], lost: [] });
    // Sent twice is at most what was under way: what goes together with the one that killed.
    const sent = [...first.writes, ...second.writes];
    expect(
      [...new Set(sent)].map((write) => sent.filter((one) => one === write).length).every((times) => times <= 2),
    ).toBe(true);
    expect(new Set(sent).size).toBe(writes);
    for (const name of await readdir(state))
      expect(await readFile(join(state, name), 'utf8')).not.toContain('planted-secret');
  });

  test('a saved plan goes on after it', async () => {
    const { run, state } = await setUp();
    const saved = join(state, 'plan.json');
    await run(['plan', '--out', saved]);
    const { writes: begun } = await run(['apply', '--plan', saved, '--yes'], { write: 4, moment: 'committed' });
    const { code, writes: rest } = await run(['apply', '--plan', saved, '--yes']);
    expect({ code, all: new Set([...begun, ...rest]).size, begun: begun.length < writes }).toEqual({
      code: 0,
      all: writes,
      begun: true,
    });
  });
});
