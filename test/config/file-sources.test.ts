// The loader knows files through a FileSource alone: a folder and a map of texts give one result.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderSource } from '../../src/config/files/folder-source.ts';
import { type Loaded, loadDesired } from '../../src/config/load-desired.ts';
import type { FileSource } from '../../src/model/file-source.ts';
import { kinds } from '../support/all-kinds.ts';
import { memorySource } from '../support/memory-source.ts';
import { folder } from '../support/temp-folder.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const partial = (reference: string) =>
  `prompts:\n  login:\n    partials:\n      login:\n        form-content-start: { file: ${reference} }\n`;

const cases: readonly (readonly [what: string, files: Files])[] = [
  [
    'valid files in several folders, with variables, aliases and a referenced text',
    {
      'tenant.yaml': `tenant:\n  name: \${var:STAGE}\n`,
      'vars.yaml': 'STAGE: test\n',
      'b/roles.yml': 'roles:\n  - id: &i rol_1\n  - id: rol_2\n',
      'a/prompts.yaml': partial('../texts/start.liquid'),
      'texts/start.liquid': 'one\r\ntwo',
      '.hidden/x.yaml': 'roles: []\n',
      'node_modules/x.yaml': 'roles: []\n',
      'readme.md': '# notes',
    },
  ],
  [
    'errors of every kind',
    {
      '\u{1f600}.yaml': 'roles: [\n',
      '\uff5e.yaml': '\ttenant: {}\n',
      'a.yaml': `${partial('gone.liquid')}roles: [{ id: x }, { id: x }]\n`,
      'b.yaml': Buffer.from([0x61, 0xff]),
      'c/d.yaml': partial('../texts/../../x'),
      'e.yaml': `x${partial('texts')}`.slice(1),
      'f.yaml': '',
      'large.yaml': `a: ${'x'.repeat(4_000_000)}`,
      'goner.liquid': '',
      'texts/y': '',
    },
  ],
  ['nothing but variables', { 'vars.yaml': 'A: 1\n' }],
  ['references to folders', { 'a.yaml': partial('.'), 'b/c.yaml': partial('./'), 'd/e.yaml': partial('../d/') }],
  ['a referenced text of bad bytes', { 'a.yaml': partial('./x'), x: Buffer.from([0x61, 0xff]) }],
  ['a referenced text that is too large', { 'a.yaml': partial('b/../x'), x: 'x'.repeat(5_000_001) }],
];

describe('a folder and a map of texts give the same result', () => {
  test.each(cases)('%s', async (_what, files) => {
    const [onDisk, inMemory] = [await load(folderSource(await folder(files))), await load(memorySource(files))];
    expect(inMemory).toEqual(onDisk);
    expect(onDisk.diagnostics.length + onDisk.items.length).toBeGreaterThan(0);
  });
});

describe('a folder as a source', () => {
  test('reads nothing outside the folder, and no name of a file there', async () => {
    const outside = await folder({ 'secret.txt': 'hunter2' });
    const root = await folder({ 'a.yaml': 'roles: []\n', 'sub/b.txt': 'text' });
    await symlink(outside, join(root, 'link'));
    await symlink('sub', join(root, 'inside'));
    const source = folderSource(root);
    const way = `../${outside.split('/').at(-1)}/secret.txt`;
    for (const path of ['link/secret.txt', way, '..', '.'])
      expect(await source.read(path), path).toMatchObject({ ok: false, reason: 'outside' });
    expect([await source.namesIn('link'), await source.namesIn('..'), await source.namesIn('gone')]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await source.read('inside/b.txt')).toMatchObject({ ok: true, path: 'sub/b.txt' });
    expect(await source.namesIn('inside')).toEqual(['b.txt']);
  });

  test('lists a file behind a link once, whatever other links lead to it', async () => {
    const root = await folder({
      'a.yaml': 'roles: []\n',
      'policies.v2': 'rate_limit_policies: []\n',
      'sub/b.yaml': '',
    });
    for (const link of ['CURRENT', 'x.yaml', 'y.yaml']) await symlink('policies.v2', join(root, link));
    await symlink('a.yaml', join(root, 'again.yaml'));
    await symlink('sub', join(root, '0'));
    expect(await folderSource(root).list()).toEqual({ files: ['a.yaml', 'sub/b.yaml', 'x.yaml'], problems: [] });
  });

  test('that does not exist lists nothing and has no files', async () => {
    const source = folderSource(join(await folder({}), 'gone'));
    expect([await source.list(), await source.read('a.yaml'), await source.namesIn('.')]).toEqual([
      null,
      { ok: false, reason: 'missing', detail: '' },
      [],
    ]);
  });
});

async function load(source: FileSource) {
  const { desired, writtenUrl, diagnostics, files }: Loaded = await loadDesired(source, kinds);
  const sections = [...(desired?.sections ?? [])];
  return {
    tenant: desired?.tenant,
    writtenUrl,
    diagnostics,
    files,
    items: sections.flatMap(([kind, { items, source: section }]) =>
      items.map(({ key, value, at }) => ({ kind, key, value, section, at: at(''), text: at('/partials/login') })),
    ),
  };
}
