// What others change after a plan, so that its requests would take away what they did not take away before.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { planChecksum, planDigest } from '../../src/plan/digest.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const api = 'https://orders.example/';
const permission = (name: string) => ({ resource_server_identifier: api, permission_name: name });
const role = (id: string, name: string, ...names: readonly string[]) => ({
  id,
  name,
  permissions: names.map(permission),
});
const scopes = [{ value: 'read' }, { value: 'write' }];
const servers = [{ id: '507f1f77bcf86cd799439011', name: 'Orders', identifier: api, scopes }];
const stream = (name: string, ...events: readonly string[]) => ({
  name,
  status: 'enabled' as const,
  subscriptions: events.map((event_type) => ({ event_type })),
  destination: { type: 'webhook', configuration: { webhook_endpoint: 'https://crm.example/hook' } } as const,
});
const header = { 'tenant.yaml': 'tenant: { guards: { max_delete_count: 9 } }\n' };

/** Applies a plan that was saved before others changed the tenant, or the file. */
async function applySaved(seed: Seed, yaml: object, change: (seed: Seed) => unknown, edit = (plan: Plan) => plan) {
  const tenant = await tenantWith(seed);
  const cwd = await folder({ ...header, 'a.yaml': JSON.stringify(yaml) });
  const saved = await runCommand(['plan', '--out', 'plan.json'], { env: tenant.env, cwd });
  expect(saved.code, saved.stderr).toBe(0);
  const path = join(cwd, 'plan.json');
  const plan = JSON.parse(await readFile(path, 'utf8')) as Plan;
  await writeFile(path, JSON.stringify(edit(plan)));
  await tenant.tenant.change((state) => {
    change(state);
  });
  const argv = ['apply', '--plan', 'plan.json', '--expect', plan.digest, '--yes', '--format', 'json'];
  const { code, stdout, stderr } = await runCommand(argv, { env: tenant.env, cwd });
  expect(stdout, stderr).not.toBe('');
  const { outcomes } = JSON.parse(stdout) as { outcomes: { id: string; outcome: string; message: string | null }[] };
  const removed = tenant.tenant.requests.filter(({ method }) => method === 'DELETE').length;
  return { code, removed, outcomes: outcomes.map(({ id, outcome }) => [id.split('/').at(-1), outcome]), stdout };
}

test('a client does not fall back to a default that blocks everything now', async () => {
  const policies = [livePolicy('default'), livePolicy('client_id:a', 200)];
  const { configuration, consumer, consumer_selector, resource } = livePolicy('default');
  const { code, removed, outcomes, stdout } = await applySaved(
    { rate_limit_policies: policies },
    { rate_limit_policies: [{ resource, consumer, consumer_selector, configuration }] },
    (state) =>
      Object.assign(state.rate_limit_policies?.find(({ consumer_selector: name }) => name === 'default') ?? {}, {
        configuration: { action: 'block', limit: 0 },
      }),
  );
  expect({ code, removed, outcomes }).toEqual({ code: 4, removed: 0, outcomes: [['client_id:a', 'conflict']] });
  expect(JSON.parse(stdout).outcomes[0].message).toContain('falls back to default: block above 0/s');
});

test('a stream is kept when the one with the same events lost them', async () => {
  const live = [
    { id: 'est_1', ...stream('a', 'user.created') },
    { id: 'est_2', ...stream('b', 'user.created') },
  ];
  const { code, removed, outcomes } = await applySaved(
    { event_streams: live },
    { event_streams: [stream('b', 'user.created')] },
    (state) => Object.assign(state.event_streams?.[1] ?? {}, stream('b', 'user.deleted')),
  );
  expect({ code, removed, outcomes }).toEqual({ code: 4, removed: 0, outcomes: [['a', 'conflict']] });
});

const files = {
  roles: [
    { name: 'A', permissions: { [api]: ['write'] } },
    { name: 'B', permissions: { [api]: ['read'] } },
    { name: 'C', permissions: { [api]: ['read'] } },
  ],
};
const roles = [role('rol_a', 'A', 'read', 'write'), role('rol_b', 'B'), role('rol_c', 'C', 'read')];
const kept = [
  ['B#add', 'conflict'],
  ['A#remove', 'not_attempted'],
];

test('a permission is kept when another role has the name of the one that gets it', async () => {
  const { code, removed, outcomes } = await applySaved({ roles, resource_servers: servers }, files, (state) => {
    Object.assign(state.roles?.[1] ?? {}, { name: 'B (old)' });
    state.roles?.push(role('rol_new', 'B', 'read'));
  });
  expect({ code, removed, outcomes }).toEqual({ code: 4, removed: 0, outcomes: kept });
});

test('a role that was to be deleted is there under another name', async () => {
  const { code, removed, outcomes } = await applySaved(
    { roles: [role('rol_old', 'Old', 'read')], resource_servers: servers },
    { roles: [{ name: 'Old', absent: true }] },
    (state) => Object.assign(state.roles?.[0] ?? {}, { name: 'Renamed' }),
  );
  expect({ code, removed, outcomes }).toEqual({ code: 4, removed: 0, outcomes: [['Old', 'conflict']] });
});

test('a grant counts for the role that its request names, whatever the saved plan says of it', async () => {
  const named = (plan: Plan): Plan => {
    const others = new Map(plan.actions.map(({ id }) => [id, id.replace('roles/B#', 'roles/C#')]));
    const actions = plan.actions.map((action) => ({
      ...action,
      id: others.get(action.id) ?? action.id,
      key: action.key === 'B' ? 'C' : action.key,
      needs: action.needs.map((id) => others.get(id) ?? id),
    }));
    const edited = { ...plan, actions };
    expect(planDigest(edited)).toBe(plan.digest);
    return { ...edited, checksum: planChecksum(edited) };
  };
  const { removed, outcomes } = await applySaved({ roles, resource_servers: servers }, files, () => {}, named);
  expect({ removed, outcomes }).toEqual({
    removed: 0,
    outcomes: [
      ['C#add', 'conflict'],
      ['A#remove', 'not_attempted'],
    ],
  });
});

test('a role keeps what it has when others took what it was to keep', async () => {
  const { removed, outcomes } = await applySaved(
    { roles: [...roles, role('rol_d', 'D', 'read')], resource_servers: servers },
    { roles: [{ name: 'A', permissions: { [api]: ['write'] } }] },
    (state) => Object.assign(state.roles?.[0] ?? {}, { permissions: [permission('read')] }),
  );
  expect({ removed, outcomes }).toEqual({ removed: 0, outcomes: [['A#remove', 'not_attempted']] });
});
