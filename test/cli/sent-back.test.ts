// Complete commands on a tenant whose connections have secrets, fields that are not described, and bodies that are lists.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownScopes } from '../../src/contract/known-words.ts';
import { runCommand } from '../support/run-command.ts';
import { testClient } from '../support/start-tenant.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const partner = {
  id: 'con_partner000000000',
  name: 'partner',
  strategy: 'oidc',
  options: {
    client_id: 'at-provider',
    client_secret: 'planted-secret-of-partner',
    new_member: { token: 'planted-undescribed-1', mode: 'update', digest: 'sha256' },
  },
};
const icon_url = 'https://acme.example/a.png';
const edited = `connections:
  - { name: partner, strategy: oidc, options: { client_id: at-provider, icon_url: "${icon_url}" } }
`;

async function setUp(yaml: string) {
  const seed = { clients: [{ ...testClient, scopes: [...knownScopes] }], connections: [partner] };
  const tenant = await tenantWith(seed as never);
  const path = await folder({ 'tenant.yaml': yaml });
  const state = await folder({});
  const out = await folder({});
  const run = (command: string, ...argv: readonly string[]) =>
    runCommand([command, path, ...argv], { env: { ...tenant.env, TENANT_SYNC_STATE_DIR: state } });
  const filesIn = async (place: string) => {
    const names = await readdir(place, { recursive: true, withFileTypes: true });
    return Promise.all(
      names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8')),
    );
  };
  const connection = () => (tenant.tenant.snapshot()['connections'] as (typeof partner)[])[0];
  return { tenant, run, out, connection, written: async () => [...(await filesIn(state)), ...(await filesIn(out))] };
}

const reports = (out: string) =>
  ['json', 'html', 'markdown'].flatMap((format) => ['--report', `${format}=${join(out, `outcomes.${format}`)}`]);

test('a saved plan, its outcomes, the journal and what is printed have nothing of what is sent back', async () => {
  const { run, out, connection, written } = await setUp(edited);
  const saved = join(out, 'plan.json');
  const planned = await run('plan', '--out', saved, '--detail', 'full', '--debug');
  expect(planned.stdout).toContain('sends back what the tenant has in options.client_secret, options.new_member');
  const applied = await run('apply', '--plan', saved, '--yes', '--debug', ...reports(out));
  expect(applied).toMatchObject({ code: 0 });
  expect(connection()?.options).toEqual({ ...partner.options, icon_url });
  const all = [planned.stdout, planned.stderr, applied.stdout, applied.stderr, ...(await written())];
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter((text) => text.includes('planted'))).toEqual([]);
  // Its words are in every document.
  expect(JSON.parse(await readFile(join(out, 'outcomes.json'), 'utf8'))).toMatchObject({
    plan: { actions: [{ key: 'partner', request: { live: ['/options/client_secret', '/options/new_member'] } }] },
    outcomes: [{ outcome: 'done' }],
  });
  expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
});

test('a plan whose places were edited is refused', async () => {
  const { run, out, tenant } = await setUp(edited);
  const saved = join(out, 'plan.json');
  await run('plan', '--out', saved);
  const text = await readFile(saved, 'utf8');
  const forged = await folder({ 'plan.json': text.replace('"/options/new_member"', '"/name"') });
  expect(await run('apply', '--plan', join(forged, 'plan.json'), '--yes')).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining('PLAN_STALE'),
  });
  expect(tenant.tenant.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'token')).toEqual(
    [],
  );
});

describe('the clients of a connection', () => {
  const yaml = `clients:
  - { name: Web shop }
connections:
  - { name: partner, strategy: oidc, enabled_clients: [Web shop] }
`;

  test('a body that is a list is in a saved plan and in reports, and the new client gets its id before it is sent', async () => {
    const { run, out, tenant } = await setUp(yaml);
    const saved = join(out, 'plan.json');
    expect((await run('plan', '--out', saved, '--detail', 'full')).stdout).toContain('PATCH /connections/');
    expect(JSON.parse(await readFile(saved, 'utf8')).actions[1].request.body).toEqual([
      { client_id: '{result:clients/Web shop:client_id}', status: true },
    ]);
    expect(await run('apply', '--plan', saved, '--yes', ...reports(out))).toMatchObject({ code: 0 });
    const { clients = [], connections } = tenant.tenant.snapshot() as {
      clients?: { name?: string; client_id: string }[];
      connections: unknown;
    };
    const { client_id } = clients.find(({ name }) => name === 'Web shop') ?? {};
    expect(connections).toMatchObject([{ enabled_clients: [{ client_id }] }]);
    expect(await run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await run('apply', '--plan', saved, '--yes')).toMatchObject({ code: 0 });
  });
});

describe('the deletion of a connection, which the service only accepts', () => {
  test('is done once it is gone, and a second apply at once has nothing to do', async () => {
    const { run, out } = await setUp('connections:\n  - { name: partner, strategy: oidc, absent: true }\n');
    const [, code = ''] = /--approve ([0-9a-f]{24})/.exec((await run('plan')).stdout) ?? [];
    const applied = await run('apply', '--yes', '--approve', code, ...reports(out));
    expect(applied).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(out, 'outcomes.json'), 'utf8'))).toMatchObject({
      outcomes: [{ outcome: 'done', status: 202 }],
      verification: { result: 'verified' },
    });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') });
  });
});
