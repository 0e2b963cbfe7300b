import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unfinishedIn, writeFiles } from '../../src/files/write-files.ts';
import { folder } from '../support/temp-folder.ts';

const created = (file: string) => ({ file, before: null, after: 'new\n' });

describe('writing files below a folder', () => {
  test('creates folders and files, and leaves nothing else', async () => {
    const path = join(await folder({}), 'deep', 'acme');
    await writeFiles(path, [created('partials/login/a.liquid'), created('b.yaml')], ['roles']);
    expect((await readdir(path, { recursive: true })).sort()).toEqual([
      'b.yaml',
      'partials',
      'partials/login',
      'partials/login/a.liquid',
    ]);
    expect((await stat(join(path, 'b.yaml'))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await unfinishedIn(path)).toEqual([]);
  });

  test('writes nothing if one file is not as it was read', async () => {
    const path = await folder({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' });
    const files = [
      { file: 'a.yaml', before: 'a\n', after: 'A\n' },
      { file: 'b.yaml', before: 'other\n', after: 'B\n' },
    ];
    await expect(writeFiles(path, files)).rejects.toMatchObject({ file: 'b.yaml', reason: 'changed' });
    await expect(writeFiles(path, [created('a.yaml')])).rejects.toMatchObject({ file: 'a.yaml', reason: 'changed' });
    await expect(writeFiles(path, [{ file: 'c.yaml', before: 'c', after: 'C' }])).rejects.toMatchObject({
      reason: 'changed',
    });
    expect(await readFile(join(path, 'a.yaml'), 'utf8')).toBe('a\n');
  });

  test('follows no link out of the folder', async () => {
    const elsewhere = await folder({ 'a.yaml': 'a\n' });
    const path = await folder({});
    await symlink(elsewhere, join(path, 'out'));
    await symlink(join(elsewhere, 'a.yaml'), join(path, 'a.yaml'));
    await symlink(join(elsewhere, 'none'), join(path, 'b.yaml'));
    const outside = [
      created('out/b.liquid'),
      created('out/deep/b.liquid'),
      created('../b.yaml'),
      { file: 'a.yaml', before: 'a\n', after: 'A\n' },
    ];
    for (const file of outside) await expect(writeFiles(path, [file])).rejects.toMatchObject({ reason: 'outside' });
    await expect(writeFiles(path, [created('b.yaml')])).rejects.toMatchObject({ reason: 'changed' });
    expect(await readdir(elsewhere)).toEqual(['a.yaml']);
    expect(await readFile(join(elsewhere, 'a.yaml'), 'utf8')).toBe('a\n');
  });

  test('a link inside the folder keeps leading to its file', async () => {
    const path = await folder({ 'real.yaml': 'a\n' });
    await symlink('real.yaml', join(path, 'link.yaml'));
    await writeFiles(path, [{ file: 'link.yaml', before: 'a\n', after: 'A\n' }]);
    expect(await readFile(join(path, 'real.yaml'), 'utf8')).toBe('A\n');
  });

  test('an interrupted writing leaves what it had left to do', async () => {
    const path = await folder({ 'b.yaml/file': '' });
    const files = [created('a.yaml'), { file: 'b.yaml', before: null, after: '' }];
    await expect(writeFiles(path, files, ['roles'])).rejects.toMatchObject({ reason: 'changed' });
    expect(await readdir(path)).toEqual(['b.yaml']);
    await writeFile(join(path, '.tenant-sync-pull.json'), '["roles", 1]');
    expect(await unfinishedIn(path)).toEqual(['roles']);
    await writeFile(join(path, '.tenant-sync-pull.json'), 'no json');
    expect(await unfinishedIn(path)).toEqual([]);
  });
});
