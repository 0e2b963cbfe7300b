// plan --all --base --changed: what a change of a project concerns, and nothing else.
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredPolicy, livePolicy } from '../support/files-and-tenant.ts';
import { runCommand } from '../support/run-command.ts';
import { startFleet } from '../support/start-fleet.ts';
import { folder } from '../support/temp-folder.ts';

const names = ['a', 'b', 'c'];
const policy = (limit: number) => `rate_limit_policies:\n${declaredPolicy('default', limit)}`;

/** Three tenants that all differ from their files, which are committed as they are. */
async function committed() {
  const scene = await startFleet({
    files: {
      'base/policies.yaml': policy(5),
      ...Object.fromEntries(names.map((name) => [`${name}/a.yaml`, 'roles: []\n'])),
    },
    live: Object.fromEntries(names.map((name) => [name, [livePolicy('default', 6)]])),
  });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@acme.example', ...args], { cwd: scene.cwd });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  const plan = async (env: Readonly<Record<string, string>> = {}) => {
    const argv = ['plan', '.', '--all', '--base', 'main', '--changed', '--format', 'json'];
    const { code, stdout } = await runCommand(argv, {
      cwd: scene.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: scene.cwd, ...scene.env, ...env },
    });
    const plans: readonly { readonly tenant: { readonly name: string }; readonly actions: readonly unknown[] }[] =
      JSON.parse(stdout);
    return { code, actions: Object.fromEntries(plans.map(({ tenant, actions }) => [tenant.name, actions.length])) };
  };
  /** Tenants that got any request, one for a token included. */
  const contacted = () => names.filter((name) => scene.tenants.get(name)?.tenant.requests.length !== 0);
  return { ...scene, plan, contacted };
}

test('without a change, no tenant gets a request', async () => {
  const { plan, contacted } = await committed();
  expect(await plan()).toEqual({ code: 0, actions: { a: 0, b: 0, c: 0 } });
  expect(contacted()).toEqual([]);
});

test.each([
  ['a layer of one tenant concerns this tenant alone', 'b/a.yaml', policy(7), { a: 0, b: 1, c: 0 }, ['b']],
  ['a variable that no file uses concerns none', 'b/vars.yaml', 'unused: 1\n', { a: 0, b: 0, c: 0 }, []],
  ['a shared layer concerns all of its tenants', 'base/policies.yaml', policy(7), { a: 1, b: 1, c: 1 }, names],
])('a change of %s', async (_what, file, text, actions, concerned) => {
  const { cwd, plan, contacted } = await committed();
  await writeFile(join(cwd, file), text);
  expect((await plan()).actions).toEqual(actions);
  expect(contacted()).toEqual(concerned);
});

test('an approval and a wave concern none', async () => {
  const { cwd, plan, contacted } = await committed();
  const project = join(cwd, 'tenant-sync.yaml');
  await writeFile(project, (await readFile(project, 'utf8')).replace('wave: 1', 'wave: 2'));
  await appendFile(project, `approvals: [{ code: ${'0a'.repeat(12)}, tenants: [b] }]\n`);
  expect((await plan()).code).toBe(0);
  expect(contacted()).toEqual([]);
});

test('git is started as often for three tenants as for one', async () => {
  const { cwd, plan } = await committed();
  await writeFile(join(cwd, 'base/policies.yaml'), policy(7));
  const log = join(cwd, '.git/started');
  const place = await folder({ git: '' });
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await writeFile(join(place, 'git'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${git}' "$@"\n`);
  await chmod(join(place, 'git'), 0o755);
  expect((await plan({ PATH: `${place}:${process.env['PATH']}` })).actions).toEqual({ a: 1, b: 1, c: 1 });
  const started = (await readFile(log, 'utf8')).split('\n');
  expect(started.filter((line) => line.includes('cat-file'))).toHaveLength(1);
  expect(started.filter((line) => line.includes('merge-base'))).toHaveLength(1);
});
