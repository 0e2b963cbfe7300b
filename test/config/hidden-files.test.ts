// A pull request chooses the path of a referenced text, and a checkout has credentials in hidden files.
import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDesired } from '../../src/config/load-desired.ts';
import { kinds } from '../support/all-kinds.ts';
import { loadFolder, problemsIn, summaryOf } from '../support/load-files.ts';
import { memorySource } from '../support/memory-source.ts';
import { folder } from '../support/temp-folder.ts';

const partial = (path: string) =>
  `prompts:\n  login:\n    partials:\n      login:\n        form-content: { file: "${path}" }\n`;

const hidden = {
  '.git/config': 'planted',
  '.npmrc': 'planted',
  'node_modules/x/y.txt': 'planted',
  'sub/.env': 'planted',
  'shown.txt': 'text',
};

describe('a referenced text', () => {
  test.each(['.git/config', '.npmrc', './.npmrc', 'sub/../.npmrc', 'node_modules/x/y.txt', 'sub/.env', '.git/gone'])(
    'is not read from %s',
    async (path) => {
      const expected = [`CONFIG_REFERENCE_HIDDEN a.yaml:5:31 ${JSON.stringify(`"${path}"`)}`];
      expect(await problemsIn({ 'a.yaml': partial(path), ...hidden })).toEqual(expected);
      const { diagnostics } = await loadDesired(memorySource({ 'a.yaml': partial(path), ...hidden }), kinds);
      expect(diagnostics.map(summaryOf)).toEqual(expected);
    },
  );

  test('is not read from there behind links', async () => {
    const root = await folder({ 'a.yaml': partial('link.txt'), 'b.yaml': partial('way/config'), ...hidden });
    await symlink('.npmrc', join(root, 'link.txt'));
    await symlink('.git', join(root, 'way'));
    const { diagnostics } = await loadFolder(root);
    expect(diagnostics.map(summaryOf)).toEqual([
      'CONFIG_REFERENCE_HIDDEN a.yaml:5:31 "\\"link.txt\\""',
      'CONFIG_DUPLICATE_IDENTITY b.yaml:2:3 "login"',
      'CONFIG_REFERENCE_HIDDEN way:1:1',
    ]);
  });

  test('is not read from a file with several hard links, also behind a link', async () => {
    const outside = await folder({ 'secret.txt': 'planted' });
    const root = await folder({ 'a.yaml': partial('hard.txt') });
    await link(join(outside, 'secret.txt'), join(root, 'hard.txt'));
    expect((await loadFolder(root)).diagnostics.map(summaryOf)).toEqual([
      'CONFIG_REFERENCE_HARD_LINK a.yaml:5:31 "\\"hard.txt\\""',
    ]);
    const linked = await folder({ 'a.yaml': partial('soft.txt'), 'other/x': '' });
    await link(join(outside, 'secret.txt'), join(linked, 'other', 'hard.txt'));
    await symlink('other/hard.txt', join(linked, 'soft.txt'));
    expect((await loadFolder(linked)).diagnostics.map(({ code }) => code)).toEqual(['CONFIG_REFERENCE_HARD_LINK']);
  });

  test('is read although the tenant folder itself is below a hidden one', async () => {
    const root = await folder({ '.config/acme/a.yaml': partial('shown.txt'), '.config/acme/shown.txt': 'text' });
    expect((await loadFolder(join(root, '.config/acme'))).diagnostics).toEqual([]);
  });

  test('of a hidden name is not suggested', async () => {
    const { diagnostics } = await loadDesired(memorySource({ 'a.yaml': partial('npmrc'), '.npmrc': 'x' }), kinds);
    expect(diagnostics[0]).toMatchObject({ code: 'CONFIG_REFERENCE_MISSING' });
    expect(diagnostics[0]?.hint).not.toContain('.npmrc');
  });
});

test('a link to a hidden file is no file of the tenant', async () => {
  const root = await folder({ 'a.yaml': 'roles: []\n', '.git/config': '[core]\n\ttoken = planted\n' });
  await symlink('.git/config', join(root, 'b.yaml'));
  const { diagnostics } = await loadFolder(root);
  expect(diagnostics.map(summaryOf)).toEqual(['CONFIG_REFERENCE_HIDDEN b.yaml:1:1']);
  expect(JSON.stringify(diagnostics)).not.toContain('planted');
});
