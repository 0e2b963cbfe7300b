// What an apply to several tenants leaves: two entries for one tenant, and an approved run that was interrupted.
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { livePolicy, policiesYaml } from '../support/files-and-tenant.ts';
import { startFleet } from '../support/start-fleet.ts';

/** Another origin that leads to the same server. */
async function aliasOf(url: string): Promise<string> {
  const target = new URL(url);
  const { hostname } = target;
  const port = Number(target.port);
  const server = createServer((client) => {
    const upstream = connect(port, hostname.replaceAll(/[[\]]/g, ''));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    onTestFinished(() => void client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  target.port = String((server.address() as AddressInfo).port);
  return target.href;
}

describe('two entries for one tenant', () => {
  /** Each entry declares a policy that the other one does not have, and so deletes it. */
  async function twice(waves: Readonly<Record<string, number>>) {
    const policies = (name: string) => policiesYaml('default', `client_id:${name}`);
    const scene = await startFleet({
      files: { 'base/tenant.yaml': 'tenant: { api: full }\n', 'a/p.yaml': policies('a'), 'b/p.yaml': policies('b') },
      live: { a: ['default', 'client_id:a', 'client_id:b'].map((name) => livePolicy(name)), b: [] },
      waves,
    });
    const [a = '', b = ''] = ['A', 'B'].map((name) => scene.env[`TENANT_${name}_BASE_URL`]);
    const alias = await aliasOf(a);
    const project = join(scene.cwd, 'tenant-sync.yaml');
    await writeFile(project, (await readFile(project, 'utf8')).replace(b, alias));
    const credentials = Object.entries(scene.env).filter(([name]) => name.startsWith('TENANT_A_'));
    for (const [name, value] of credentials) scene.env[name.replace('_A_', '_B_')] = value;
    Object.assign(scene.env, { TENANT_B_BASE_URL: alias, TENANT_B_AUDIENCE: `${a}/` });
    return scene;
  }

  test.each([
    ['in one wave', { a: 1, b: 1 }],
    ['in two waves', { a: 1, b: 2 }],
  ])('%s are not both verified', async (_name, waves) => {
    const { run } = await twice(waves);
    const first = await run('apply', '.', '--all', '--yes', '--parallel', '1');
    expect(first.stderr).toContain('a: it differs from the files again after the apply');
    expect(first.stderr).toContain('another entry for the same tenant');
    expect(first.code).toBe(1);
    // A tenant that differs again is not skipped.
    const [, resume = ''] = /--resume ([0-9a-f]{8})/.exec(first.stderr) ?? [];
    const { stderr } = await run('apply', '.', '--all', '--yes', '--resume', resume);
    expect(stderr).not.toMatch(/Skipped, because run \S+ has finished them: .*\ba\b/);
  });

  test.each([
    ['in one wave', { a: 1, b: 1 }],
    ['in two waves', { a: 1, b: 2 }],
    ['in two waves, the changed one first', { a: 2, b: 1 }],
  ])('%s, of which only one changes something, are not both in sync', async (_name, waves) => {
    const { run, tenants } = await twice(waves);
    await tenants.get('a')?.tenant.change(({ rate_limit_policies: live = [] }) => {
      live.splice(
        live.findIndex(({ consumer_selector: name }) => name === 'client_id:b'),
        1,
      );
    });
    const { code, stderr } = await run('apply', '.', '--all', '--yes', '--parallel', '1');
    expect({ code, changed: stderr.includes('differs from the files again') }).toEqual({ code: 1, changed: true });
  });

  test('a tenant is read at the end if others were changed, and only then', async () => {
    const readings = async (limitOfA: number, limitOfB: number) => {
      const { run, requests } = await startFleet({
        files: { 'base/p.yaml': policiesYaml('default') },
        live: { a: [livePolicy('default', limitOfA)], b: [livePolicy('default', limitOfB)] },
      });
      expect((await run('apply', '.', '--all', '--yes')).code).toBe(0);
      return requests.filter((request) => request.startsWith('b GET')).length;
    };
    const unchanged = await readings(100, 100);
    expect(await readings(7, 100)).toBe(unchanged + 1);
    expect((await readings(7, 6)) - (await readings(100, 6))).toBe(1);
  });
});

describe('the same deletions on many tenants, approved and interrupted', () => {
  const names = Array.from({ length: 12 }, (_none, index) => `t${index + 10}`);
  const kept = ['default', ...Array.from({ length: 9 }, (_none, index) => `client_id:${index}`)];

  test('stay approved for what is left', async () => {
    const { run, cwd, requests } = await startFleet({
      files: { 'base/p.yaml': policiesYaml(...kept) },
      live: Object.fromEntries(
        names.map((name) => [name, [...kept, 'client_id:old', 'client_id:older'].map((policy) => livePolicy(policy))]),
      ),
      faults: [{ operation: 'delete_rate_limit_policy', kind: 'status', status: 400, nth: 2 }],
    });
    const apply = () => run('apply', '.', '--all', '--yes');
    const refused = await apply();
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('GUARD_SAME_DELETION') });
    const [, line = ''] = /tenant-sync\.yaml: (- \{ code: .*\})/.exec(refused.stderr) ?? [];
    const project = join(cwd, 'tenant-sync.yaml');
    await writeFile(project, `${await readFile(project, 'utf8')}approvals:\n  ${line}\n`);

    const first = await apply();
    expect(first.code).toBe(1);
    const deletions = () => requests.filter((request) => request.includes(' DELETE ')).length;
    expect(deletions()).toBe(24);
    const [, resume = ''] = /--resume ([0-9a-f]{8})/.exec(first.stderr) ?? [];
    const rest = await run('apply', '.', '--all', '--yes', '--resume', resume);
    expect({ code: rest.code, deletions: deletions() }).toEqual({ code: 0, deletions: 36 });
  });
});
