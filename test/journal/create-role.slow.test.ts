// The built command is killed around the create of a role; the next apply adds its permissions, and creates no second
// role.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { type KillPoint, startKillProxy } from '../support/kill-apply.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

async function setUp() {
  const tenant = await tenantWith({ roles: [{ id: 'rol_1', name: 'Reader' }] });
  const proxy = await startKillProxy(tenant);
  const state = await folder({});
  const yaml = `roles:\n  - { name: Refunds, description: Pays back, permissions: { ${ordersApi}: [read, refund] } }\n`;
  const files = await folder({ 'roles.yaml': yaml });
  const journal = async () => {
    const [name = ''] = (await readdir(state)).filter((file) => file.endsWith('.journal'));
    const lines = (await readFile(join(state, name), 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  };
  const run = (argv: readonly string[], kill?: KillPoint) =>
    proxy.run({
      argv: [argv[0] ?? '', files, ...argv.slice(1)],
      env: { TENANT_SYNC_STATE_DIR: state },
      ...(kill && { kill }),
    });
  const refunds = () => tenant.tenant.snapshot().roles?.filter(({ name }) => name === 'Refunds') ?? [];
  return { tenant, state, journal, run, refunds };
}

test.each<readonly [string, KillPoint, number]>([
  ['before the create is carried out', { write: 1, moment: 'before' }, 0],
  ['when the create is carried out, before its response', { write: 1, moment: 'committed' }, 1],
  ['after the response to the create', { write: 1, moment: 'answered' }, 1],
  ['before the add is carried out', { write: 2, moment: 'before' }, 1],
  ['when the add is carried out', { write: 2, moment: 'committed' }, 1],
])('killed %s', async (_name, kill, created) => {
  const { run, journal, refunds } = await setUp();
  const first = await run(['apply', '--yes'], kill);
  expect(first.signal).toBe('SIGKILL');
  expect(refunds()).toHaveLength(created);
  const intents = (await journal()).filter(({ record }) => record === 'intent').map(({ id }) => id);
  expect(intents).toContain('roles/Refunds');
  const second = await run(['apply', '--yes']);
  expect(second.code).toBe(0);
  expect(refunds()).toMatchObject([{ description: 'Pays back', permissions: [pair('read'), pair('refund')] }]);
  const creates = [...first.writes, ...second.writes].filter((write) => write === 'POST /roles');
  expect(creates).toHaveLength(kill.write === 1 && kill.moment === 'before' ? 2 : 1);
  expect(await run(['plan', '--exit-code'])).toMatchObject({ code: 0 });
});

test('killed between the two, the journal shows the create as done, and a saved plan resumes', async () => {
  const { run, journal, refunds, state } = await setUp();
  const saved = join(state, 'plan.json');
  await run(['plan', '--out', saved]);
  const first = await run(['apply', '--plan', saved, '--yes'], { write: 2, moment: 'before' });
  expect(first.signal).toBe('SIGKILL');
  const outcomes = (await journal()).filter(({ record }) => record === 'outcome');
  expect(outcomes).toMatchObject([{ id: 'roles/Refunds', outcome: 'done' }]);
  expect(await run(['apply', '--plan', saved, '--yes'])).toMatchObject({ code: 0 });
  expect(refunds()).toMatchObject([{ permissions: [pair('read'), pair('refund')] }]);
});
