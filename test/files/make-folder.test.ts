import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/files/make-folder.ts';
import { folder } from '../support/temp-folder.ts';

test('what is missing is created for its owner only, and what is there stays', async () => {
  const root = await folder({});
  const path = join(root, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  for (const made of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, made))).mode & 0o777).toBe(0o700);
});

test('it says why it cannot', async () => {
  const root = await folder({});
  await writeFile(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file/a/b'))).toThrow('ENOTDIR');
  // Its parent is there, and it cannot be made all the same.
  expect(() => makeFolder('/proc/none/a/b')).toThrow('ENOENT');
});
