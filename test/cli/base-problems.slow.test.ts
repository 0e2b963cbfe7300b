// What --base says where there is no base.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBase } from '../../src/git/open-base.ts';
import { openCheckout } from '../../src/pipeline/checkout.ts';
import { runCommand } from '../support/run-command.ts';
import { type ScratchRepository, scratchRepository } from '../support/scratch-repository.ts';
import { folder } from '../support/temp-folder.ts';
import { tenantWith } from '../support/tenant-with.ts';

const files = { 'tenant/a.yaml': 'prompts: {}\n' };

async function baseOf(path: string, ref: string, env: Readonly<Record<string, string>>) {
  const opened = await openBase({ folder: join(path, 'tenant'), ref, env });
  if (opened.status === 'invalid') return opened.diagnostics.map(({ code, hint }) => `${code}: ${hint}`).join('\n');
  return opened.commit;
}

test('the command exits with 3, and reports the errors of the files as well', async () => {
  const { env } = await tenantWith({});
  const path = await folder({ 'a.yaml': 'prompts: []\n' });
  for (const command of ['plan', 'apply']) {
    const argv = [command, path, '--base', 'main', ...(command === 'apply' ? ['--yes'] : [])];
    const { code, stderr } = await runCommand(argv, { env: { ...env, PATH: process.env['PATH'] ?? '' } });
    expect(code).toBe(3);
    expect(stderr).toContain('CONFIG_WRONG_TYPE');
    expect(stderr).toContain('BASE_NO_REPOSITORY');
  }
});

test('a saved plan has its own base', async () => {
  const { env } = await tenantWith({});
  const { path, env: git } = await scratchRepository(files);
  const saved = join(path, 'plan.json');
  await runCommand(['plan', join(path, 'tenant'), '--out', saved], { env });
  const argv = ['apply', join(path, 'tenant'), '--plan', saved, '--base', 'HEAD', '--yes'];
  const { code, stderr } = await runCommand(argv, { env: { ...env, ...git } });
  expect([code, stderr.includes('--rotate, --base or --changed: the saved plan')]).toEqual([3, true]);
});

test('without git, or without a folder', async () => {
  const { path, env } = await scratchRepository(files);
  expect(await baseOf(path, 'HEAD', { ...env, PATH: path })).toMatch(/^BASE_NO_REPOSITORY: install git/);
  expect(await baseOf(join(path, 'none'), 'HEAD', env)).toMatch(/^BASE_NO_REPOSITORY: pass the path/);
});

test('in a bare repository, and in one without a commit', async () => {
  const { path, env, git } = await scratchRepository(files);
  await rm(join(path, '.git'), { recursive: true });
  git('init', '--quiet');
  expect(await baseOf(path, 'HEAD', env)).toMatch(/^BASE_REF_UNKNOWN: commit first/);
  git('config', 'core.bare', 'true');
  expect(await baseOf(path, 'HEAD', env)).toMatch(/^BASE_NO_REPOSITORY: run in a clone/);
});

test.each([
  '',
  '-x',
  '--upload-pack=touch /tmp/owned',
  '--output=file',
  'main --all',
  'main\nHEAD',
  'a\u0000b',
  '^main',
  'HEAD..main',
  'HEAD:tenant',
  'no-such-branch',
])('%j is no base', async (ref) => {
  const { path, env } = await scratchRepository(files);
  expect(await baseOf(path, ref, env)).toMatch(/^BASE_REF_UNKNOWN: /);
});

test.each(['main', 'HEAD', 'HEAD~0', 'refs/heads/main', 'v1', '@'])('%s is a base', async (ref) => {
  const { path, env, git } = await scratchRepository(files);
  git('tag', '--annotate', 'v1', '--message', 'one');
  expect(await baseOf(path, ref, env)).toBe(git('rev-parse', 'HEAD'));
});

test('a branch that was not fetched, and a shallow clone, get the command to type', async () => {
  const origin = await scratchRepository(files);
  const first = origin.git('rev-parse', 'HEAD');
  origin.git('checkout', '--quiet', '-b', 'branch');
  await origin.commit({ 'tenant/b.yaml': 'roles: []\n' });
  origin.git('checkout', '--quiet', 'main');
  await origin.commit({ 'tenant/c.yaml': 'event_streams: []\n' });
  const clone = await folder({});
  const url = `file://${origin.path}`;
  origin.git('clone', '--quiet', '--depth', '1', '--single-branch', '--branch', 'branch', url, clone);
  const { env } = origin;
  const missing = await baseOf(clone, 'origin/main', env);
  const command = 'git fetch origin +refs/heads/main:refs/remotes/origin/main';
  expect(missing).toBe(`BASE_REF_UNKNOWN: correct the name, or run: ${command}`);
  expect(await baseOf(clone, 'HEAD~99', env)).toBe('BASE_REF_UNKNOWN: correct the name; git log lists the commits');
  expect(await baseOf(clone, 'refs/remotes/origin/main', env)).toBe(missing);
  expect(await baseOf(clone, 'main', env)).toBe(`${missing}, and use --base origin/main`);
  origin.git('-C', clone, ...command.split(' ').slice(1), '--quiet', '--depth', '1');
  expect(await baseOf(clone, 'origin/main', env)).toBe(
    'BASE_NOT_FETCHED: run: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)',
  );
  origin.git('-C', clone, 'fetch', '--quiet', '--unshallow');
  expect(await baseOf(clone, 'origin/main', env)).toBe(first);
});

test('a partial clone fetches nothing by itself', async () => {
  const origin = await scratchRepository(files);
  origin.git('config', 'uploadpack.allowFilter', 'true');
  await origin.commit({ 'tenant/a.yaml': 'prompts: {}\nroles: []\n' });
  const clone = await folder({});
  origin.git('clone', '--quiet', '--filter=blob:none', `file://${origin.path}`, clone);
  expect(await baseOf(clone, 'HEAD~1', origin.env)).toMatch(/^BASE_NOT_FETCHED: clone without --filter/);
  expect(await baseOf(clone, 'HEAD', origin.env)).toBe(origin.git('rev-parse', 'HEAD'));
});

test('histories without a common commit', async () => {
  const { path, env, git, commit } = await scratchRepository(files);
  git('checkout', '--quiet', '--orphan', 'other');
  await commit({ 'other.txt': '' });
  expect(await baseOf(path, 'main', env)).toMatch(/^BASE_REF_UNKNOWN: name the branch from which/);
});

test('a submodule in the tenant folder', async () => {
  const other = await scratchRepository(files);
  const { path, env, git, commit } = await scratchRepository(files);
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.path, 'tenant/sub');
  await commit({});
  expect(await baseOf(path, 'HEAD', env)).toMatch(/^BASE_SUBMODULE: move it out/);
  // A commit of the outer repository could put a submodule, with a history of its own, in place of the folder.
  const inside = join(path, 'tenant/sub');
  expect(await baseOf(inside, 'HEAD', env)).toMatch(/^BASE_SUBMODULE: run in a clone of that repository/);
  const whole = await openBase({ folder: path, ref: 'HEAD', env });
  expect(whole.status).toBe('invalid');
});

/** An entry of the index that names a commit of another repository; nothing is cloned. */
async function addSubmodule({ git, write }: ScratchRepository, path: string, commit: string) {
  await write({ '.gitmodules': `[submodule "sub"]\n\tpath = ${path}\n\turl = ../sub\n\tignore = all\n` });
  git('add', '.gitmodules');
  git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
}

test.each(['tenant/sub', 'tenant/deep/sub', 'tenant/sub.yaml'])(
  'a submodule %s is an error now, committed or not, and an empty folder at the base',
  async (submodule) => {
    const repository = await scratchRepository(files);
    const { path, env, git, commit } = repository;
    const first = git('rev-parse', 'HEAD');
    await addSubmodule(repository, submodule, first);
    const error = expect.stringMatching(/^BASE_SUBMODULE: move it out of the tenant folder/);
    expect(await baseOf(path, 'HEAD', env)).toEqual(error);
    git('commit', '--quiet', '--message', 'add a submodule');
    const withSubmodule = git('rev-parse', 'HEAD');
    expect(await baseOf(path, first, env)).toEqual(error);
    git('rm', '--quiet', '--cached', submodule);
    await commit({ '.gitmodules': null, [`${submodule}/added.yaml`]: 'roles: []\n' });
    const opened = await openBase({ folder: join(path, 'tenant'), ref: withSubmodule, env });
    if (opened.status === 'invalid') throw new Error(JSON.stringify(opened.diagnostics));
    expect(await opened.files.list()).toEqual({ files: ['a.yaml'], problems: [] });
    expect(await opened.files.read(submodule.replace('tenant/', ''))).toMatchObject({ reason: 'not_a_file' });
    expect(opened.isBehind).toBe(false);
  },
);

test('the tenant folder itself was a submodule at the base', async () => {
  const repository = await scratchRepository({ 'other.txt': '' });
  const { path, env, git, commit } = repository;
  await addSubmodule(repository, 'tenant', git('rev-parse', 'HEAD'));
  git('commit', '--quiet', '--message', 'add a submodule');
  git('rm', '--quiet', '--cached', 'tenant');
  await commit({ '.gitmodules': null, ...files });
  const opened = await openBase({ folder: join(path, 'tenant'), ref: 'HEAD~1', env });
  if (opened.status === 'invalid') throw new Error(JSON.stringify(opened.diagnostics));
  expect(await opened.files.list()).toBe(null);
});

test('settings of .gitmodules hide no changed submodule', async () => {
  const repository = await scratchRepository(files);
  const { path, env, git } = repository;
  const first = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'other');
  await addSubmodule(repository, 'tenant/sub', first);
  git('commit', '--quiet', '--message', 'add a submodule');
  const second = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', 'main');
  // The checkout of another branch may have left the file.
  await repository.write({ '.gitmodules': '[submodule "sub"]\n\tpath = tenant/sub\n\tignore = all\n' });
  const opened = await openBase({ folder: join(path, 'tenant'), ref: 'other', env });
  expect(opened).toMatchObject({ status: 'opened', isBehind: true });
  expect(await openCheckout(path, process.env).differs(first, second, ['tenant'])).toBe(true);
});

test('a linked working tree inside another one, and one inside a repository that ignores it', async () => {
  const { path, env, git } = await scratchRepository({ ...files, '.gitignore': 'inner\n' });
  const commit = git('rev-parse', 'HEAD');
  git('worktree', 'add', '--quiet', join(path, 'trees/one'));
  expect(await baseOf(join(path, 'trees/one'), 'main', env)).toBe(commit);
  git('clone', '--quiet', path, join(path, 'inner'));
  expect(await baseOf(join(path, 'inner'), 'origin/main', env)).toBe(commit);
});
