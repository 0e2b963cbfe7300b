// The largest files and folders are read or refused by the built command in bounded time and memory.
import { symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hostileFolders, hostileInputs, largest } from '../support/hostile-inputs.ts';
import { runMeasured } from '../support/measure-growth.ts';

/** Their time is the time of the file system. */
const withManyFiles = ['references to missing files'];

describe('a file of 4 MB ends', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenant-sync-growth-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  for (const input of hostileInputs.filter(({ name }) => !withManyFiles.includes(name)))
    test(input.name, async () => {
      await writeFile(join(folder, 'a.yaml'), largest(input, 3_999_999));
      const { code, seconds, megabytes } = await runMeasured('validate', folder);
      expect([0, 3]).toContain(code);
      expect(megabytes).toBeLessThan(300);
      // The aim is 2 s on an idle machine. Processor time is counted, but a machine that is shared is slower.
      expect(seconds).toBeLessThan(8);
    });
});

describe('a folder of many files ends', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenant-sync-growth-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const expectBounded = async () => {
    const { code, seconds, megabytes } = await runMeasured('validate', folder);
    expect([0, 3]).toContain(code);
    expect(megabytes).toBeLessThan(300);
    expect(seconds).toBeLessThan(8);
  };

  for (const { name, make, most } of hostileFolders)
    test(name, async () => {
      for (const [path, text] of Object.entries(make(most))) await writeFile(join(folder, path), text);
      await expectBounded();
    });

  test('files that are not read', async () => {
    await writeFile(join(folder, 'a.yaml'), 'roles: []\n');
    for (let index = 0; index < 50_000; index += 1) writeFileSync(join(folder, `${index}.txt`), '');
    await expectBounded();
  });

  test('links', async () => {
    await writeFile(join(folder, 'a.yaml'), 'roles: []\n');
    for (let index = 0; index < 50_000; index += 1) symlinkSync('a.yaml', join(folder, `l${index}.yaml`));
    await expectBounded();
  });

  test('folders in folders', async () => {
    const deepest = join(folder, 'd/'.repeat(1_000));
    await mkdir(deepest, { recursive: true });
    await writeFile(join(deepest, 'a.yaml'), 'roles: []\n');
    await expectBounded();
  });
});
