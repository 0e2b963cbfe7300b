// What others change after a plan, so that its requests would take away what they did not take away before.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.generated.ts';
import type { Seed } from '../../src/model/seed.generated.ts';
import { planChecksum, planDigest } from '../../src/plan/digest.ts';
import { livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
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

const withoutWrite = { resource_servers: [{ identifier: api, scopes: [{ value: 'read' }] }] };
const bystanders = Array.from({ length: 9 }, (_, index) => role(`rol_x${index}`, `X${index}`, 'read'));

test('a scope is kept that another role has by now', async () => {
  const { code, removed, outcomes, stdout } = await applySaved(
    { roles: [role('rol_b', 'B', 'read'), ...bystanders], resource_servers: servers },
    withoutWrite,
    (state) => Object.assign(state.roles?.[0] ?? {}, { permissions: [permission('read'), permission('write')] }),
  );
  expect({ code, removed, outcomes }).toEqual({ code: 4, removed: 0, outcomes: [['#remove', 'conflict']] });
  expect(JSON.parse(stdout).outcomes[0].message).toContain('has an effect on roles/B');
});

test('a field is kept that a replaced destination has by now', async () => {
  const at = (host: string) => {
    const configuration = {
      webhook_endpoint: `https://${host}.example/hook`,
      webhook_authorization: { method: 'basic' as const, username: 'crm' },
    };
    return { ...stream('a', 'user.created'), destination: { type: 'webhook', configuration } as const };
  };
  const { code, outcomes } = await applySaved(
    { event_streams: [{ id: 'est_1', ...at('crm') }] },
    { event_streams: [at('other')] },
    (state) => Object.assign(state.event_streams?.[0]?.destination?.configuration ?? {}, { retry: { max: 5 } }),
  );
  expect({ code, outcomes }).toEqual({ code: 4, outcomes: [['a', 'conflict']] });
});

test('a tenant of a later wave keeps what others gave while an earlier one was applied', async () => {
  const live = { roles: [role('rol_b', 'B', 'read'), ...bystanders], resource_servers: servers };
  const { run, requests, tenants } = await startFleet({
    files: { 'base/a.yaml': JSON.stringify({ tenant: { guards: { max_delete_count: 9 } }, ...withoutWrite }) },
    live: { a: live, b: live },
    waves: { b: 2 },
  });
  const push = requests.push.bind(requests);
  requests.push = (...added) => {
    if (added.some((request) => request.startsWith('a PATCH')))
      void tenants.get('b')?.tenant.change(({ roles: [first] = [] }) => {
        Object.assign(first ?? {}, { permissions: [permission('read'), permission('write')] });
      });
    return push(...added);
  };
  const { code } = await run('apply', '.', '--all', '--yes');
  const written = requests.filter((request) => !request.includes(' GET ')).map((request) => request.slice(0, 7));
  expect({ code, written }).toEqual({ code: 4, written: ['a PATCH'] });
});

describe('what the question does not count is not sent, whatever happens while it waits', () => {
  const live = [
    { id: 'est_1', ...stream('a', 'user.created') },
    { id: 'est_2', ...stream('b', 'user.updated') },
  ];
  const declared = { event_streams: [stream('b', 'user.deleted')] };
  const disabled = (seed: Seed) => Object.assign(seed.event_streams?.[0] ?? {}, { status: 'disabled' });
  const enabled = (seed: Seed) => Object.assign(seed.event_streams?.[0] ?? {}, { status: 'enabled' });
  const gone = (seed: Seed) => seed.event_streams?.splice(0, 1);
  const back = (seed: Seed) => seed.event_streams?.unshift({ id: 'est_1', ...stream('a', 'user.created') });

  test.each([
    ['a conflict that is none any more', disabled, enabled, 60_000, 'conflict', 4],
    ['what was in place and is not any more', gone, back, 60_000, 'not_attempted', 1],
    ['what may have been in place soon after the plan counts', gone, back, 0, 'done', 0],
  ])('%s', async (_name, before, meanwhile, ageMs, outcome, exit) => {
    const tenant = await tenantWith({ event_streams: live });
    const cwd = await folder({ ...header, 'a.yaml': JSON.stringify(declared) });
    const change = (by: (seed: Seed) => unknown) =>
      tenant.tenant.change((state) => {
        by(state);
      });
    await runCommand(['plan', '--out', 'plan.json'], { env: tenant.env, cwd });
    const saved: Plan = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    const older = { ...saved, generated_at: new Date(Date.parse(saved.generated_at) - ageMs).toISOString() };
    await writeFile(join(cwd, 'plan.json'), JSON.stringify({ ...older, checksum: planChecksum(older) }));
    await change(before);
    const asked: string[] = [];
    const { code, stdout } = await runCommand(['apply', '--plan', 'plan.json', '--format', 'json'], {
      env: tenant.env,
      cwd,
      confirm: (question) => asked.push(question) > 0,
      beforeAnswer: () => change(meanwhile),
    });
    const isCounted = outcome === 'done';
    const question = isCounted
      ? 'Apply 2 changes (1 loss) with 2 requests to '
      : 'Apply 1 change (no losses) with 1 request to ';
    expect(asked).toEqual([expect.stringContaining(question)]);
    const writes = tenant.tenant.requests.filter(({ method }) => method === 'DELETE' || method === 'PATCH');
    const outcomes = JSON.parse(stdout).outcomes.map((one: { outcome: string }) => one.outcome);
    expect({ code, writes: writes.map(({ method }) => method), outcomes }).toEqual({
      code: exit,
      writes: isCounted ? ['PATCH', 'DELETE'] : ['PATCH'],
      outcomes: ['done', outcome],
    });
  });
});

test.each(['a', 'b', 'c'])(
  'streams that exchange their events are finished, without %s, which is done',
  async (done) => {
    const events = ['user.created', 'user.updated', 'user.deleted'];
    const at = (name: string, shift: number) => stream(name, events['abc'.indexOf(name) + shift] ?? events[0] ?? '');
    const { code, outcomes } = await applySaved(
      { event_streams: ['a', 'b', 'c'].map((name) => ({ id: `est_${name}`, ...at(name, 0) })) },
      { event_streams: ['a', 'b', 'c'].map((name) => at(name, 1)) },
      (state) => Object.assign(state.event_streams?.find(({ name }) => name === done) ?? {}, at(done, 1)),
    );
    expect({ code, outcomes }).toEqual({ code: 0, outcomes: ['a', 'b', 'c'].map((name) => [name, 'done']) });
  },
);
