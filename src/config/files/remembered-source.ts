import { isDeepStrictEqual } from 'node:util';
import type { FileContent, FileSource } from '../../model/file-source.ts';
import { once } from '../../values/memoized.ts';

/** The files as they are when they are first read, also for those who read them again. */
export function rememberedSource(source: FileSource) {
  const list = once(() => source.list());
  const contents = new Map<string, FileContent>();
  const read = async (path: string) => {
    const content = contents.get(path) ?? (await source.read(path));
    contents.set(path, content);
    return content;
  };
  return {
    files: { ...source, list, read, namesIn: (folder: string) => source.namesIn(folder) },
    /** A file that is no longer as it was read, or is new; null if there is none. */
    async changed(): Promise<string | null> {
      const known = new Set((await list())?.files);
      const added = (await source.list())?.files.find((file) => !known.has(file));
      if (added !== undefined) return added;
      for (const [path, content] of contents) if (!isDeepStrictEqual(await source.read(path), content)) return path;
      return null;
    },
  };
}
