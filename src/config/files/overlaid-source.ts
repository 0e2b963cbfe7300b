import { posix } from 'node:path';
import { type FileContent, type FileSource, isHiddenPath } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';
import { mostBytes } from './folder-source.ts';
import { isYaml } from './list-tree.ts';

/** A folder as it will be once these texts are written into it; the folder itself need not exist. */
export function overlaidSource(source: FileSource, texts: ReadonlyMap<string, string>): FileSource {
  const { at = '' } = source;
  return {
    ...source,
    list: async () => {
      const { files, problems } = (await source.list()) ?? { files: [], problems: [] };
      const added = [...texts.keys()].filter((path) => isYaml(path) && !isHiddenPath(path.slice(at.length)));
      return { files: [...new Set([...files, ...added])].sort(compareText), problems };
    },
    read: async (path) => {
      const normal = posix.normalize(path);
      const text = texts.get(normal);
      if (text !== undefined) return contentOf(normal, text);
      const content = await source.read(path);
      // A link leads to another path.
      const target = content.ok ? texts.get(content.path) : undefined;
      return content.ok && target !== undefined ? contentOf(content.path, target) : content;
    },
    namesIn: async (folder) => {
      const added = [...texts.keys()].filter((path) => posix.dirname(path) === posix.normalize(folder));
      return [...new Set([...(await source.namesIn(folder)), ...added.map((path) => posix.basename(path))])];
    },
  };
}

function contentOf(path: string, text: string): FileContent {
  const bytes = Buffer.from(text);
  if (bytes.length > mostBytes) return { ok: false, reason: 'too_large', detail: String(bytes.length) };
  return { ok: true, path, bytes };
}

/** A folder that does not exist. */
export const emptySource: FileSource = {
  list: async () => null,
  read: async () => ({ ok: false, reason: 'missing', detail: 'ENOENT' }),
  namesIn: async () => [],
};
