// The files of a commit are read under the rules of a folder on disk.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOfOption, folderSource } from '../../src/config/files/folder-source.ts';
import { openBase } from '../../src/git/open-base.ts';
import type { FileSource } from '../../src/model/file-source.ts';
import { type Files, scratchRepository } from '../support/scratch-repository.ts';

type Links = Readonly<Record<string, string>>;

/** The same files on disk and in a commit. */
async function bothSources(files: Files, links: Links = {}) {
  const repository = await scratchRepository({ 'outside.yaml': 'roles: []\n', 'README.md': '' });
  await repository.write(files);
  for (const [link, target] of Object.entries(links)) await symlink(target, join(repository.path, link));
  await repository.commit({});
  const folder = join(repository.path, 'tenant');
  const opened = await openBase({ folder, ref: 'HEAD', env: repository.env });
  if (opened.status === 'invalid') throw new Error(JSON.stringify(opened.diagnostics));
  return { disk: folderSource(folder), commit: opened.files };
}

/** What a source shows of these paths. Details are those of a file system. */
async function shown(source: FileSource, paths: readonly string[]) {
  const listing = await source.list();
  const reads = await Promise.all(paths.map((path) => source.read(path)));
  return {
    files: listing?.files,
    problems: listing?.problems.map(({ path, reason }) => `${path} ${reason}`).sort(),
    reads: reads.map((read) => (read.ok ? [read.path, Buffer.from(read.bytes).toString()] : read.reason)),
    names: [...(await source.namesIn('texts'))].sort(),
  };
}

test('links, hidden files, folders and missing files', async () => {
  const files = {
    'tenant/a.yaml': 'prompts: {}\n',
    'tenant/sub/b.yml': 'roles: []\n',
    'tenant/.hidden/c.yaml': 'x: 1\n',
    'tenant/.d.yaml': 'x: 1\n',
    'tenant/node_modules/e.yaml': 'x: 1\n',
    'tenant/texts/login.liquid': '<p>\r\n',
    'tenant/texts/ü.liquid': 'ü',
    'tenant/name with\ttab.yaml': 'event_streams: []\n',
  };
  const links = {
    'tenant/to-file.yaml': 'a.yaml',
    'tenant/to-text.yaml': 'texts/login.liquid',
    'tenant/to-folder': 'sub',
    'tenant/to-hidden': '.hidden',
    'tenant/to-hidden-file.yaml': '.d.yaml',
    'tenant/to-outside.yaml': '../outside.yaml',
    'tenant/and-back.yaml': '../tenant/sub/b.yml',
    'tenant/absolute.yaml': '/etc/hostname',
    'tenant/nowhere.yaml': 'none.yaml',
    'tenant/cycle.yaml': 'cycle.yaml',
    'tenant/chain.yaml': 'to-file.yaml',
    'tenant/sub/up': '..',
  };
  const { disk, commit } = await bothSources(files, links);
  const paths = [
    'a.yaml',
    './sub/../a.yaml',
    'sub/b.yml',
    'to-file.yaml',
    'to-folder/b.yml',
    'to-outside.yaml',
    'and-back.yaml',
    'absolute.yaml',
    'nowhere.yaml',
    'chain.yaml',
    'sub/up/a.yaml',
    'sub',
    'none/x.yaml',
    'texts/login.liquid',
    'name with\ttab.yaml',
  ];
  const expected = await shown(disk, paths);
  expect(expected.reads.filter((read) => typeof read === 'string').length).toBeGreaterThan(4);
  expect(await shown(commit, paths)).toEqual(expected);
});

test('large files, many files at once, and a folder that the commit lacks', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_none, index) => [`tenant/f${index}.yaml`, `# ${'x'.repeat(index * 997)}\n`]),
  );
  const large = { 'tenant/large.yaml': 'x'.repeat(5_000_001), 'tenant/empty.yaml': '' };
  const { disk, commit } = await bothSources({ ...many, ...large });
  const paths = [...Object.keys(many), ...Object.keys(large)].map((path) => path.replace('tenant/', ''));
  expect(await shown(commit, paths)).toEqual(await shown(disk, paths));
  const { path, env } = await scratchRepository({ 'README.md': '' });
  const none = await openBase({ folder: path, ref: 'HEAD', env });
  if (none.status === 'invalid') throw new Error('invalid');
  expect((await none.files.list())?.files).toEqual([]);
});

test('a file of values in the repository is read at the base; one elsewhere, as it is now', async () => {
  const repository = await scratchRepository({ 'tenant/a.yaml': 'prompts: {}\n', 'vars/dev.yaml': 'limit: 1\n' });
  const elsewhere = await scratchRepository({ 'dev.yaml': 'limit: 3\n' });
  await repository.write({ 'vars/dev.yaml': 'limit: 2\n', 'vars/new.yaml': 'limit: 4\n' });
  const folder = join(repository.path, 'tenant');
  const paths = [
    join(repository.path, 'vars/dev.yaml'),
    join(elsewhere.path, 'dev.yaml'),
    join(repository.path, 'vars/new.yaml'),
  ];
  const opened = await openBase({
    folder,
    ref: 'HEAD',
    env: repository.env,
    variableFiles: paths.map((absolute) => ({ absolute, now: fileOfOption(folder, absolute) })),
  });
  if (opened.status === 'invalid') throw new Error('invalid');
  const texts = await Promise.all(
    opened.variableFiles.map(async (file) => {
      const read = await file.read();
      return read.ok ? Buffer.from(read.bytes).toString() : read.reason;
    }),
  );
  expect(texts).toEqual(['limit: 1\n', 'limit: 3\n']);
});
