// Roles that lose a permission, by their own items, by an API or by deletion, with complete commands.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ordersApi, buildPermission as pair } from '../support/build-permission.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const name = (index: number) => `Role ${index}`;
const seedOf = (count: number) => ({
  roles: Array.from({ length: count }, (_empty, index) => ({
    id: `rol_${index}`,
    name: name(index),
    permissions: all.map((one) => pair(one)),
  })),
  resource_servers: [
    { id: '5f0000000000000000000001', identifier: ordersApi, scopes: all.map((value) => ({ value })) },
  ],
});
const declared = (index: number, permissions: readonly string[]) =>
  `  - { name: ${name(index)}, permissions: { ${ordersApi}: [${permissions.join(', ')}] } }\n`;
const rolesYaml = (count: number, losing: number, key = 'permissions') =>
  `roles:\n${Array.from({ length: count }, (_empty, index) =>
    key === 'permissions'
      ? declared(index, index < losing ? all.slice(1) : all)
      : `  - { name: ${name(index)}, ${key}: { ${ordersApi}: [a] } }\n`,
  ).join('')}`;
const apiYaml = `resource_servers:\n  - { identifier: ${ordersApi}, scopes: [${all
  .slice(1)
  .map((value) => `{ value: ${value} }`)
  .join(', ')}] }\n`;

async function planOf(files: Readonly<Record<string, string>>, count: number, ...argv: readonly string[]) {
  const tenant = await tenantWith(seedOf(count));
  const path = await folder(files);
  const report = join(path, 'plan.json');
  const { code, stdout } = await runCommand(['plan', path, '--report', `json=${report}`, ...argv], { env: tenant.env });
  const { refusals } = JSON.parse(await readFile(report, 'utf8'));
  return { tenant, path, code, stdout, refusals };
}

test('what the files ask to take from one role empties no other', async () => {
  const asked = `  - { name: ${name(1)}, absent_permissions: { ${ordersApi}: [${all.slice(1).join(', ')}] } }\n`;
  const { code, refusals } = await planOf({ 'a.yaml': `roles:\n${declared(0, all.slice(1))}${asked}` }, 2);
  expect([code, refusals]).toEqual([0, []]);
});

describe('GUARD_TOO_MANY_ROLES', () => {
  test('38 of 40 roles lose one of ten permissions each: refused, with every role, until it is approved', async () => {
    const { tenant, path, code, stdout, refusals } = await planOf({ 'a.yaml': rolesYaml(40, 38) }, 40);
    expect(code).toBe(4);
    expect(refusals).toMatchObject([
      {
        code: 'GUARD_TOO_MANY_ROLES',
        message: 'would take access from 38 of 40 roles; the limit is 12',
        items: expect.arrayContaining([0, 37].map((index) => `roles/Role ${index}#a of ${ordersApi}`)),
      },
    ]);
    expect(stdout).toContain('GUARD_TOO_MANY_ROLES: would take access from 38 of 40 roles; the limit is 12');
    expect(await runCommand(['apply', path, '--yes'], { env: tenant.env })).toMatchObject({ code: 4 });
    const approved = ['apply', path, '--yes', '--approve', refusals[0].approve];
    expect(await runCommand(approved, { env: tenant.env })).toMatchObject({ code: 0 });
  });

  test('an approval covers what each role loses, with its id, and nothing more', async () => {
    // Of 40 scopes, twelve may be lost, so no other guard refuses.
    const many = Array.from({ length: 40 }, (_empty, index) => ({ value: `s${index}` }));
    const tenant = await tenantWith({
      roles: seedOf(4).roles.map((role) => ({ ...role, permissions: [pair('s0'), pair('s2')] })),
      resource_servers: seedOf(4).resource_servers.map((api) => ({ ...api, scopes: many })),
    });
    const files = {
      'a.yaml': `resource_servers: ${JSON.stringify([{ identifier: ordersApi, scopes: many.slice(2) }])}\n`,
    };
    const path = await folder(files);
    const report = join(path, 'plan.json');
    await runCommand(['plan', path, '--report', `json=${report}`], { env: tenant.env });
    const { refusals } = JSON.parse(await readFile(report, 'utf8'));
    const [shown] = refusals;
    expect(shown.items).toEqual([0, 1, 2, 3].map((index) => `roles/Role ${index} (rol_${index})#s0 of ${ordersApi}`));
    const approved = ['--approve', shown.approve];
    expect(await runCommand(['plan', path, ...approved], { env: tenant.env })).toMatchObject({ code: 0 });
    await tenant.tenant.change(({ roles = [] }) => {
      for (const role of roles) role.permissions?.push(pair('s1'));
    });
    expect(await runCommand(['plan', path, ...approved], { env: tenant.env })).toMatchObject({ code: 4 });
    expect(await runCommand(['apply', path, '--yes', ...approved], { env: tenant.env })).toMatchObject({ code: 4 });
  });

  test.each<readonly [string, Readonly<Record<string, string>>, number, string | null]>([
    ['within the limit', { 'a.yaml': rolesYaml(40, 12) }, 40, null],
    ['by a scope of an API', { 'a.yaml': apiYaml }, 40, 'would take access from 40 of 40 roles; the limit is 12'],
    [
      'by both, each role once',
      { 'a.yaml': rolesYaml(40, 13), 'b.yaml': apiYaml.replace(/scopes: .*/, 'scopes: [] }') },
      13,
      'would take access from 13 of 13 roles; the limit is 3',
    ],
    [
      'by deletion',
      { 'a.yaml': `roles:\n${[0, 1, 2, 3].map((index) => `  - { name: ${name(index)}, absent: true }\n`).join('')}` },
      40,
      'would take access from 4 of 4 roles; the limit is 3',
    ],
    ['named one by one as absent', { 'a.yaml': rolesYaml(40, 40, 'absent_permissions') }, 40, null],
  ])('%s', async (_name, files, count, message) => {
    const { refusals } = await planOf(files, count);
    const messages = refusals.flatMap((one: { readonly code: string; readonly message: string }) =>
      one.code === 'GUARD_TOO_MANY_ROLES' ? [one.message] : [],
    );
    expect(messages).toEqual(message === null ? [] : [message]);
  });

  test('of a part, more than max_delete_count are too many', async () => {
    const files = { 'a.yaml': rolesYaml(40, 12) };
    const partOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ['--only', `roles/${name(index)}`]).flat();
    expect((await planOf(files, 40, ...partOf(3))).refusals).toEqual([]);
    expect((await planOf(files, 40, ...partOf(4))).refusals).toContainEqual(
      expect.objectContaining({ code: 'GUARD_TOO_MANY_ROLES', limit: 3 }),
    );
  });

  test('a saved plan that was within the limit is applied, and one that was approved stays so', async () => {
    const { tenant, path } = await planOf({ 'a.yaml': rolesYaml(40, 12) }, 40);
    const saved = join(path, 'saved.json');
    await runCommand(['plan', path, '--out', saved], { env: tenant.env });
    const confirmed = await runCommand(['apply', path, '--plan', saved], { env: tenant.env, confirm: () => true });
    expect(confirmed.code).toBe(0);
  });
});
