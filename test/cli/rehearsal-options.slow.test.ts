// serve --project: an embedded tenant for each tenant of a project, and a copy of it that names them.
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { livePolicy } from '../support/files-and-tenant.ts';
import { type CommandResult, runCommand, stopWith } from '../support/run-command.ts';
import { folder } from '../support/temp-folder.ts';

const entry = (name: string, more = '') =>
  `  ${name}: { layers: [base], environment: ${name.toUpperCase()}, base_url: https://${name}.example/api/v2${more} }\n`;
const files = {
  'fleet/tenant-sync.yaml': `# The fleet\ntenants:\n${entry('a', ', wave: 2')}  b: { layers: [base, own/b], environment: B }\ninclude: more/*.yaml\n`,
  'fleet/more/c.yaml': `tenants:\n${entry('c')}`,
  'fleet/base/policies.yaml':
    'rate_limit_policies:\n  - { consumer_selector: default, configuration: { action: block, limit: 5 } }\n',
  'fleet/base/.env': 'SECRET=planted\n',
  'fleet/own/b/roles.yaml': 'roles: []\n',
  'fleet/notes/not-a-layer.yaml': 'anything\n',
};
const variablesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^export (\w+)=([\w.:/-]+)$/gm)].map(([, ...pair]) => pair)) as Record<
    string,
    string
  >;

/** Serves until `use` has ended, with the variables that stdout has. */
async function served<Result>(
  argv: readonly string[],
  cwd: string,
  use: (env: Record<string, string>) => Promise<Result>,
) {
  const { signal, stop } = stopWith();
  let used: Promise<Result> | undefined;
  const result = await runCommand(['serve', ...argv], {
    cwd,
    signal,
    onOutput: (text) => {
      if (text.startsWith('export ')) used ??= use(variablesOf(text)).finally(stop);
    },
  });
  return { ...result, used: await used };
}

const namesOf = ({ stdout }: CommandResult, planned: number) =>
  (JSON.parse(stdout) as { tenant: { name: string; base_url: string }; actions: unknown[] }[])
    .filter(({ actions }) => actions.length === planned)
    .map(({ tenant }) => tenant.name);

describe('serve --project', () => {
  test('serves tenants of their own, for the copy alone', async () => {
    const cwd = await folder(files);
    const before = await readFile(join(cwd, 'fleet/tenant-sync.yaml'), 'utf8');
    const { code, stdout, stderr, used } = await served(
      ['--project', 'fleet', '--copy', 'copy', '--port', '0'],
      cwd,
      async (env) => {
        const run = (...argv: string[]) => runCommand([...argv, '--format', 'json'], { cwd, env });
        const [first, original] = [await run('plan', 'copy', '--all'), await run('plan', 'fleet', '--all')];
        const applied = await run('apply', 'copy', '--tenant', 'a', '--tenant', 'b', '--yes');
        const after = await run('plan', 'copy', '--all');
        const mixed = await runCommand(['plan', 'copy', '--tenant', 'a'], {
          cwd,
          env: { ...env, A_CLIENT_ID: env['B_CLIENT_ID'], A_CLIENT_SECRET: env['B_CLIENT_SECRET'] },
        });
        return { env, first, original, applied, after, mixed };
      },
    );
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => !/^export [A-Z_]+=[\w.:/-]+$/.test(line))).toEqual(['']);
    const { env, first, original, applied, after, mixed } = used ?? expect.fail('nothing was printed');
    expect(Object.keys(env)).toEqual(
      ['A', 'B', 'C'].flatMap((prefix) =>
        ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => `${prefix}_${name}`),
      ),
    );
    expect(new Set(['A', 'B', 'C'].map((prefix) => env[`${prefix}_BASE_URL`])).size).toBe(3);
    expect([namesOf(first, 1), applied.code]).toEqual([['a', 'b', 'c'], 0]);
    expect([namesOf(after, 0), namesOf(after, 1)]).toEqual([['a', 'b'], ['c']]);
    // The assertion is as strict as ever.
    expect([original.code, original.stdout.match(/TENANT_MISMATCH/g)?.length]).toEqual([3, 2]);
    expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining('SERVICE_TOKEN_REFUSED')]);
    expect(stderr).toMatch(/^a: 200 GET \/api\/v2\/rate-limit-policies/m);
    expect(await readFile(join(cwd, 'fleet/tenant-sync.yaml'), 'utf8')).toBe(before);
    expect(await readFile(join(cwd, 'copy/tenant-sync.yaml'), 'utf8')).not.toContain('https://');
    expect((await readdir(join(cwd, 'copy'), { recursive: true })).sort()).toEqual([
      'base',
      'base/policies.yaml',
      'own',
      'own/b',
      'own/b/roles.yaml',
      'tenant-sync.yaml',
    ]);
  });

  test('seeds are files of each tenant or one for all, and states are kept', async () => {
    const cwd = await folder({
      ...files,
      'all.json': JSON.stringify({ rate_limit_policies: [livePolicy('default', 5)] }),
      'seeds/a.json': JSON.stringify({ rate_limit_policies: [livePolicy('default', 6)], clients: [] }),
    });
    const plan = (copy: string) => async (env: Record<string, string>) => {
      const planned = await runCommand(['plan', copy, '--all', '--format', 'json'], { cwd, env });
      await runCommand(['apply', copy, '--all', '--yes'], { cwd, env });
      return (JSON.parse(planned.stdout) as { actions: { action: string }[] }[]).map(({ actions }) =>
        actions.map(({ action }) => action).join(),
      );
    };
    const serve = (copy: string, ...more: string[]) =>
      served(['--project', 'fleet', '--copy', copy, '--port', '0', ...more], cwd, plan(copy));
    expect((await serve('one', '--seed', 'all.json')).used).toEqual(['', '', '']);
    expect((await serve('two', '--seed', 'seeds', '--state', 'states')).used).toEqual(['update', 'create', 'create']);
    expect((await serve('three', '--seed', 'seeds', '--state', 'states')).used).toEqual(['', '', '']);
  });

  test.each([
    ['a project without a copy', ['--project', 'fleet'], 'add --project FOLDER, or --copy with a new folder'],
    ['no project', ['--project', 'fleet/base', '--copy', 'x'], 'has no tenant-sync.yaml'],
    ['a copy without a project', ['--copy', 'x'], 'add --project FOLDER'],
    ['a folder that is in use', ['--project', 'fleet', '--copy', 'fleet/notes'], 'the folder is not empty'],
    ['a folder inside a layer', ['--project', 'fleet', '--copy', 'fleet/base/x'], 'cannot be copied'],
    ['a seed that is missing', ['--project', 'fleet', '--copy', 'x', '--seed', 'no.json'], 'no.json cannot be read'],
    ['ports beyond the last one', ['--project', 'fleet', '--copy', 'x', '--port', '65535'], 'Cannot listen on port'],
  ])('refuses %s', async (_what, argv, words) => {
    const cwd = await folder(files);
    const { code, stdout, stderr } = await runCommand(['serve', ...argv], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining(words) });
  });

  test('refuses tenants whose variables are the same', async () => {
    const shared = { ...files, 'fleet/more/c.yaml': 'tenants: { c: { layers: [base], environment: B } }\n' };
    const { code, stderr } = await runCommand(['serve', '--project', 'fleet', '--copy', 'x'], {
      cwd: await folder(shared),
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining('The credentials of b, c are in the same variables')]);
  });

  test('copies a link as a link, which no command follows out of the copy', async () => {
    const cwd = await folder(files);
    await writeFile(join(cwd, 'outside.yaml'), 'roles: [{ name: Planted }]\n');
    await symlink('../../outside.yaml', join(cwd, 'fleet/base/link.yaml'));
    const { used } = await served(['--project', 'fleet', '--copy', 'deep/copy', '--port', '0'], cwd, async (env) =>
      runCommand(['plan', 'deep/copy', '--all'], { cwd, env }),
    );
    expect(used).toMatchObject({ code: 3, stdout: expect.not.stringContaining('Planted') });
  });
});
