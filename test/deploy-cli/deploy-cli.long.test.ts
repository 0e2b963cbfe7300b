// The vendor's own tool for the same task, as published, exports from the embedded tenant and imports into it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { installPeer } from '../../bench/peers/install-peer.mjs';
import { exportedTenant } from './exported-tenant.ts';
import { type DeployCli, startDeployCli } from './run-deploy-cli.ts';

let tool: DeployCli;
// Each run of the tool takes up to half a minute.
vi.setConfig({ testTimeout: 300_000 });
beforeAll(async () => {
  tool = await startDeployCli(exportedTenant);
}, 360_000);
afterAll(() => tool?.close());

/** What the tenant has, without the times of changes, which every import moves. */
function state(): unknown {
  const text = JSON.stringify(tool.tenant.tenant.snapshot(), (key, value: unknown) =>
    key === 'updated_at' ? '' : value,
  );
  return JSON.parse(text);
}

async function exported(format: 'directory' | 'yaml'): Promise<string> {
  const folder = join(tool.folder, format);
  await mkdir(folder, { recursive: true });
  const { code, output } = await tool.run('export', '--format', format, '--output_folder', folder);
  expect(code, output).toBe(0);
  return folder;
}

test('where it cannot be installed, a message says why', async () => {
  const folder = join(tool.folder, 'unreachable');
  await mkdir(folder);
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_cache', join(folder, 'cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(installPeer(folder)).rejects.toThrow(
    /^auth0-deploy-cli@8\.44\.0 could not be installed: npm needs a registry that it can reach\n[\s\S]*ECONNREFUSED/,
  );
});

test.each(['directory', 'yaml'] as const)(
  'it imports its own export as %s, and the tenant is as before',
  async (format) => {
    const folder = await exported(format);
    const before = state();
    const requests = tool.tenant.tenant.requests.length;
    const { code, output } = await tool.run(
      'import',
      '--input_file',
      format === 'yaml' ? join(folder, 'tenant.yaml') : folder,
    );
    expect(code, output).toBe(0);
    expect(state()).toEqual(before);
    const sent = tool.tenant.tenant.requests.slice(requests);
    expect(sent.map(({ operation }) => operation)).toContain('update_resource_server');
    expect(sent.filter(({ status }) => status === null || status >= 400)).toEqual([]);
  },
);

test('it imports a changed export: an API, a policy, a role, a stream and a partial', async () => {
  const folder = await exported('directory');
  const change = async (file: string, from: string, to: string) => {
    const text = await readFile(join(folder, file), 'utf8');
    expect(text).toContain(from);
    await writeFile(join(folder, file), text.replace(from, to));
  };
  await change('resource-servers/Orders.json', '"token_lifetime": 86400', '"token_lifetime": 3600');
  await change('rate-limit-policies/default.json', '"limit": 100', '"limit": 50');
  await change('roles/Support.json', 'Answers customers', 'Answers the phone');
  await change('event-streams/users-to-crm.json', 'user.deleted', 'user.updated');
  await change('prompts/partials/login-id/login-id/form-footer-end.liquid', 'Bye', 'See you');
  const { code, output } = await tool.run('import', '--input_file', folder);
  expect(code, output).toBe(0);
  expect(state()).toMatchObject({
    resource_servers: [{ name: 'Orders', token_lifetime: 3600, enforce_policies: true }, {}],
    rate_limit_policies: [{ configuration: { limit: 50 } }, {}],
    roles: expect.arrayContaining([expect.objectContaining({ description: 'Answers the phone' })]),
    event_streams: [{ subscriptions: [{ event_type: 'user.created' }, { event_type: 'user.updated' }] }, {}],
    prompts: { 'login-id': { partials: { 'login-id': { 'form-footer-end': '<p>See you</p>' } } } },
  });
});

test('it exits with 1 on an error, and with 0 after a dry run with changes', async () => {
  await writeFile(join(tool.folder, 'directory/rate-limit-policies/default.json'), '{ "resource": 1 }');
  const { code } = await tool.run('import', '--input_file', join(tool.folder, 'directory'));
  expect(code).toBe(1);
  const folder = await exported('yaml');
  const text = await readFile(join(folder, 'tenant.yaml'), 'utf8');
  await writeFile(join(folder, 'tenant.yaml'), text.replace('limit: 50', 'limit: 51'));
  const dryRun = await tool.run('import', '--input_file', join(folder, 'tenant.yaml'), '--dry-run');
  expect(dryRun.output).toContain('UPDATE');
  expect(dryRun.code, dryRun.output).toBe(0);
});
