// What a pull request can put into the files must not replace the history that it is compared with.
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOfOption } from '../../src/config/files/folder-source.ts';
import { openBase } from '../../src/git/open-base.ts';
import { openCheckout } from '../../src/pipeline/checkout.ts';
import { type Files, type ScratchRepository, scratchRepository } from '../support/scratch-repository.ts';

const before = 'prompts: {}\n';
const after = 'roles: []\n';
const files = { 'tenant/a.yaml': before, 'vars/dev.yaml': before, 'other/a.yaml': after, 'vars/other.yaml': after };

/** The texts of `a.yaml` and of the file of values at the base. */
async function textsAtBase(
  { path, env }: ScratchRepository,
  more: Readonly<Record<string, string>> = {},
  ref = 'main',
) {
  const folder = join(path, 'tenant');
  const absolute = join(path, 'vars/dev.yaml');
  const variableFiles = [{ absolute, now: fileOfOption(folder, absolute) }];
  const opened = await openBase({ folder, ref, env: { ...env, ...more }, variableFiles });
  if (opened.status === 'invalid') return opened.diagnostics.map(({ code }) => code);
  const reads = [await opened.files.read('a.yaml'), await opened.variableFiles[0]?.read()];
  return reads.map((read) => (read?.ok === true ? Buffer.from(read.bytes).toString() : read?.reason));
}

/** A branch with these files, and with a bare repository of an attacker in these folders. */
async function forged(changed: Files, ...folders: readonly string[]) {
  const repository = await scratchRepository(files);
  const attacker = await scratchRepository(
    Object.fromEntries(
      Object.keys(files).flatMap((file) => [file, file.replace(/^\w+\//, '')].map((name) => [name, after])),
    ),
  );
  attacker.git('config', 'core.bare', 'false');
  attacker.git('config', 'core.worktree', '.');
  repository.git('checkout', '--quiet', '-b', 'branch');
  await repository.write(changed);
  for (const folder of folders) {
    await mkdir(join(repository.path, folder), { recursive: true });
    for (const name of ['HEAD', 'config', 'objects', 'refs'])
      await cp(join(attacker.path, '.git', name), join(repository.path, folder, name), { recursive: true });
  }
  await repository.commit({});
  return { repository, attacker };
}

const changed = { 'tenant/a.yaml': after, 'vars/dev.yaml': after };

test('a bare repository among the files is not the repository of the folder', async () => {
  const { repository } = await forged(changed, 'tenant', 'vars', '.');
  expect(await textsAtBase(repository)).toEqual([before, before]);
  const elsewhere = await forged(changed, 'tenant');
  await rm(join(elsewhere.repository.path, '.git'), { recursive: true });
  expect(await textsAtBase(elsewhere.repository)).toEqual(['BASE_NO_REPOSITORY']);
  expect(await openCheckout(repository.path, process.env).commitOf('main')).toBe(repository.git('rev-parse', 'main'));
});

test('variables of the environment name no other repository', async () => {
  const { repository, attacker } = await forged(changed);
  const gitDir = join(attacker.path, '.git');
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: repository.path, GIT_OBJECT_DIRECTORY: join(gitDir, 'objects') };
  expect(await textsAtBase(repository, env)).toEqual([before, before]);
});

test('a link in place of the folder, or of a file of values, does not lead the base elsewhere', async () => {
  const { repository } = await forged({ 'tenant/a.yaml': null, 'vars/dev.yaml': null });
  await rm(join(repository.path, 'tenant'), { recursive: true, force: true });
  await symlink('other', join(repository.path, 'tenant'));
  await symlink('other.yaml', join(repository.path, 'vars/dev.yaml'));
  await repository.commit({});
  expect(await textsAtBase(repository)).toEqual([before, before]);
});

test('links of the base are followed in the base', async () => {
  const { path, git, commit, write, env } = await scratchRepository({ 'real/a.yaml': before, 'real/dev.yaml': before });
  await symlink('real', join(path, 'tenant'));
  await symlink('real', join(path, 'vars'));
  await commit({});
  git('checkout', '--quiet', '-b', 'branch');
  await write({ 'real/a.yaml': after, 'real/dev.yaml': after });
  const repository = { path, env, git, commit, write };
  expect(await textsAtBase(repository)).toEqual([before, before]);
  const around = await scratchRepository({});
  await rm(join(around.path, '.git'), { recursive: true });
  await symlink(path, join(around.path, 'checkout'));
  expect(await textsAtBase({ ...repository, path: join(around.path, 'checkout') })).toEqual([before, before]);
});

test('a submodule in place of the folder has no history of its own', async () => {
  const repository = await scratchRepository(files);
  const attacker = await scratchRepository({ 'a.yaml': after });
  repository.git('checkout', '--quiet', '-b', 'branch');
  await rm(join(repository.path, 'tenant'), { recursive: true });
  await repository.commit({});
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', attacker.path, 'tenant');
  await repository.commit({});
  expect(await textsAtBase(repository)).toEqual(['BASE_SUBMODULE']);
});

test('a tag with the name of the branch does not replace the branch', async () => {
  const { repository } = await forged(changed);
  repository.git('tag', 'main', 'HEAD');
  expect(await textsAtBase(repository)).toEqual(['BASE_REF_UNKNOWN']);
  expect(await textsAtBase(repository, {}, 'refs/heads/main')).toEqual([before, before]);
  expect(await textsAtBase(repository, {}, 'HEAD~1')).toEqual([before, before]);
  expect(await textsAtBase(repository, {}, 'main~0')).toEqual(['BASE_REF_UNKNOWN']);
  // Nor does one stop the comparison with a name in full.
  repository.git('tag', 'refs/heads/main', 'HEAD');
  expect(await textsAtBase(repository, {}, 'refs/heads/main')).toEqual([before, before]);
});

test('a tag with the name of the remote does not replace its default branch', async () => {
  const { repository } = await forged(changed);
  repository.git('update-ref', 'refs/remotes/origin/main', 'main');
  repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  expect(await textsAtBase(repository, {}, 'origin')).toEqual([before, before]);
  repository.git('tag', 'origin', 'HEAD');
  expect(await textsAtBase(repository, {}, 'origin')).toEqual(['BASE_REF_UNKNOWN']);
  expect(await textsAtBase(repository, {}, 'origin/main')).toEqual([before, before]);
});

test('a tag that is named like an abbreviated commit does not replace the commit', async () => {
  const { repository } = await forged(changed);
  const commit = repository.git('rev-parse', 'main');
  const names = [commit.slice(0, 7), commit.slice(0, 12).toUpperCase(), `v1-1-g${commit.slice(0, 7)}`];
  for (const name of names) {
    expect([name, await textsAtBase(repository, {}, name)]).toEqual([name, [before, before]]);
    repository.git('tag', name, 'HEAD');
    expect([name, await textsAtBase(repository, {}, name)]).toEqual([name, ['BASE_REF_UNKNOWN']]);
    repository.git('tag', '--delete', name);
  }
  // A name in full is no id, and git takes an entire id for a commit.
  repository.git('branch', 'cafe', 'main');
  expect(await textsAtBase(repository, {}, 'cafe')).toEqual(['BASE_REF_UNKNOWN']);
  expect(await textsAtBase(repository, {}, 'refs/heads/cafe')).toEqual([before, before]);
  repository.git('tag', commit, 'HEAD');
  expect(await textsAtBase(repository, {}, commit)).toEqual([before, before]);
});

test('a tag does not replace a branch of the remote that this clone lacks, and is named in full', async () => {
  const { repository } = await forged(changed);
  repository.git('remote', 'add', 'origin', repository.path);
  repository.git('tag', 'origin/main', 'HEAD');
  expect(await textsAtBase(repository, {}, 'origin/main')).toEqual(['BASE_REF_UNKNOWN']);
  expect(await textsAtBase(repository, {}, 'tags/origin/main')).toEqual([after, after]);
  repository.git('tag', 'v1', 'HEAD');
  const options = { folder: join(repository.path, 'tenant'), env: repository.env };
  for (const [ref, shown] of [
    ['v1~0', 'refs/tags/v1~0'],
    ['main', 'main'],
    ['refs/tags/v1', 'refs/tags/v1'],
  ] as const) {
    const opened = await openBase({ ...options, ref });
    expect(opened).toMatchObject({ ref: shown });
  }
});

test('a tag does not replace a name in full that this clone lacks', async () => {
  const { repository } = await forged(changed);
  repository.git('tag', 'refs/remotes/origin/main', 'HEAD');
  expect(await textsAtBase(repository, {}, 'refs/remotes/origin/main')).toEqual(['BASE_REF_UNKNOWN']);
});
