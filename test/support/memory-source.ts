import { posix } from 'node:path';
import { type FileSource, isHiddenPath } from '../../src/model/file-source.ts';
import { compareText } from '../../src/values/text-order.ts';

/** Files in memory, by path: what a folder on disk would be without a disk. */
export function memorySource(files: Readonly<Record<string, string | Uint8Array>>): FileSource {
  const bytes = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  const isFolder = (path: string) => [...bytes.keys()].some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));
  return {
    list: async () => ({
      files: [...bytes.keys()].filter((path) => /\.ya?ml$/.test(path) && !isHiddenPath(path)).sort(compareText),
      problems: [],
    }),
    read: async (path) => {
      const content = bytes.get(path);
      if (content === undefined)
        return { ok: false, reason: isFolder(path) ? 'not_a_file' : 'missing', detail: 'ENOENT' };
      return content.length > 4_000_000
        ? { ok: false, reason: 'too_large', detail: String(content.length) }
        : { ok: true, path, bytes: content };
    },
    namesIn: async (folder) =>
      [...bytes.keys()].filter((path) => posix.dirname(path) === folder).map((path) => posix.basename(path)),
  };
}
