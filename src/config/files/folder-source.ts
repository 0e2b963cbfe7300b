import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FileContent, FileSource, VariableFile } from '../../model/file-source.ts';
import { type LinkTarget, listTree, type TreeEntry } from './list-tree.ts';
import { failureOf, readRegularFile } from './read-regular-file.ts';

/**
 * The files below a folder on disk. The contents come from pull requests and are sent to the tenant, so nothing outside
 * the folder is read: paths are resolved by the file system first, and the resolved path is opened without following
 * another link.
 */
export function folderSource(folder: string): FileSource {
  let known: string | null = null;
  const rootOf = () => {
    known ??= realFolder(folder);
    return known;
  };
  return {
    list: async () => {
      const root = rootOf();
      if (root === null) return null;
      return listTree({
        entriesOf: (path) => entriesOf(join(root, path)),
        targetOf: (link) => targetOf(root, join(root, link)),
      });
    },
    read: async (path) => {
      const root = rootOf();
      return root === null ? missing : readBelow(root, path);
    },
    namesIn: async (path) => {
      const root = rootOf();
      return root === null ? [] : namesIn(root, join(root, path));
    },
  };
}

const missing = { ok: false, reason: 'missing', detail: '' } as const;

function readBelow(root: string, path: string): FileContent {
  const written = join(root, path);
  // Of thousands of missing files, an error object for each would take most of the time.
  if (isMissing(written)) return { ...missing, detail: 'ENOENT' };
  const real = realPath(written);
  if (typeof real !== 'string') return real;
  return isInside(root, real) ? readFile(real, relativePath(root, real)) : { ok: false, reason: 'outside', detail: '' };
}

function readFile(real: string, path: string): FileContent {
  const read = readRegularFile(real);
  return read.ok ? { ...read, path } : read;
}

/**
 * A file that an option names, anywhere on disk. Messages name it relative to the tenant folder, like every other file.
 */
export function fileOfOption(folder: string, path: string): VariableFile {
  const real = realPath(path);
  const name = relativePath(realFolder(folder) ?? folder, typeof real === 'string' ? real : path);
  return { path: name, read: async () => (typeof real === 'string' ? readFile(real, name) : real) };
}

function realFolder(folder: string): string | null {
  try {
    const path = realpathSync(folder);
    return statSync(path).isDirectory() ? path : null;
  } catch {
    return null;
  }
}

function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function realPath(path: string): string | ReturnType<typeof failureOf> {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return failureOf(error);
  }
}

function relativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function namesIn(root: string, folder: string): readonly string[] {
  const real = realPath(folder);
  if (typeof real !== 'string' || (real !== root && !isInside(root, real))) return [];
  try {
    return readdirSync(real);
  } catch {
    return [];
  }
}

function entriesOf(path: string): readonly TreeEntry[] | { readonly unreadable: string } {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      type: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
    }));
  } catch (error) {
    return { unreadable: failureOf(error).detail };
  }
}

function targetOf(root: string, link: string): LinkTarget | null {
  try {
    const real = realpathSync.native(link);
    const isBelow = real === root || isInside(root, real);
    return { path: isBelow ? relativePath(root, real) : null, isFolder: statSync(real).isDirectory() };
  } catch {
    return null;
  }
}

/** True when a real path is below a real folder. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
