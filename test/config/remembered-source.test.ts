import { expect, test } from 'vitest';
import { rememberedSource } from '../../src/config/files/remembered-source.ts';
import type { FileContent, FileSource } from '../../src/model/file-source.ts';

/** A library may be given an object of a class. */
class Texts implements FileSource {
  readonly texts = new Map([['a.yaml', 'roles: []']]);
  readonly at = 'acme/';

  async list() {
    return { files: [...this.texts.keys()], problems: [] };
  }

  async read(path: string): Promise<FileContent> {
    const text = this.texts.get(path);
    return text === undefined
      ? { ok: false, reason: 'missing', detail: '' }
      : { ok: true, path, bytes: Buffer.from(text) };
  }

  async namesIn() {
    return [...this.texts.keys()];
  }
}

const textOf = (content: FileContent) => (content.ok ? Buffer.from(content.bytes).toString() : content.reason);

test('files stay as they were first read, and what changed is named', async () => {
  const source = new Texts();
  const { files, changed } = rememberedSource(source);
  expect([files.at, await files.namesIn('')]).toEqual(['acme/', ['a.yaml']]);
  expect(textOf(await files.read('a.yaml'))).toBe('roles: []');
  expect(textOf(await files.read('none.liquid'))).toBe('missing');
  expect(await changed()).toBeNull();
  source.texts.set('a.yaml', 'roles: [] # ours');
  expect(textOf(await files.read('a.yaml'))).toBe('roles: []');
  expect(await changed()).toBe('a.yaml');
  source.texts.set('b.yaml', '');
  expect([(await files.list())?.files, await changed()]).toEqual([['a.yaml'], 'b.yaml']);
});

test.each<[string, string | null]>([
  ['a referenced text that appears', 'notice'],
  ['a file that is deleted', null],
])('%s is a change', async (_name, text) => {
  const source = new Texts();
  const { files, changed } = rememberedSource(source);
  for (const path of ['a.yaml', 'notice.liquid']) await files.read(path);
  await files.list();
  if (text === null) source.texts.delete('a.yaml');
  else source.texts.set('notice.liquid', text);
  expect(await changed()).toBe(text === null ? 'a.yaml' : 'notice.liquid');
});
