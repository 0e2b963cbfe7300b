import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import { noFollow } from '../../files/safe-file-access.ts';
import {
  type FileContent,
  type FileSource,
  isHiddenPath,
  type ListingProblem,
  type ReadFailure,
  type VariableFile,
} from '../../model/file-source.ts';
import { tried } from '../../values/tried.ts';
import { type LinkTarget, listTree, type TreeEntry } from './list-tree.ts';

/** Of a file. */
export const mostBytes = 4_000_000;

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
      return listTree(entriesBelow(root), (link) => targetOf(root, join(root, link)));
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
  const real = realPath(join(root, path));
  if (typeof real !== 'string') return real;
  return isInside(root, real) ? readFile(real, relativePath(root, real)) : { ok: false, reason: 'outside', detail: '' };
}

function readFile(real: string, path: string): FileContent {
  const read = readRegularFile(real);
  return read.ok ? { ...read, path } : read;
}

/**
 * A file that an option names, anywhere on disk. Messages name it relative to `at`, where they find the tenant folder.
 */
export function fileOfOption(folder: string, path: string, at = ''): VariableFile {
  const real = realPath(path);
  const name = posix.join(at, relativePath(realFolder(folder) ?? folder, typeof real === 'string' ? real : path));
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
  return tried(() => readdirSync(real)) ?? [];
}

/** Everything below a folder, except for what is in hidden folders. */
function* entriesBelow(root: string, folder = ''): Generator<TreeEntry | ListingProblem> {
  const entries = listed(join(root, folder));
  if ('detail' in entries) return yield { path: folder || '.', reason: 'unreadable', detail: entries.detail };
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isHiddenPath(entry.name)) continue;
    if (entry.isDirectory()) yield* entriesBelow(root, path);
    else yield { path, type: entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other' };
  }
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return failureOf(error);
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

export type FileBytes =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly names: number }
  | { readonly ok: false; readonly reason: ReadFailure; readonly detail: string };

// Without promises: loading a folder is many small steps, and each would cost a turn of the thread pool.

/** The bytes of a regular file of at most `most`. The path must be a real one: a link in its last part is refused. */
export function readRegularFile(path: string, most = mostBytes): FileBytes {
  try {
    const handle = openSync(path, constants.O_RDONLY | noFollow);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return { ok: false, reason: 'not_a_file', detail: '' };
      if (stats.size > most) return { ok: false, reason: 'too_large', detail: String(stats.size) };
      return { ok: true, bytes: readFileSync(handle), names: stats.nlink };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    return failureOf(error);
  }
}

/** Why the file system refused, by its code. */
export function failureOf(error: unknown): {
  readonly ok: false;
  readonly reason: 'missing' | 'not_a_file' | 'unreadable';
  readonly detail: string;
} {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, reason: 'missing', detail: code };
  if (code === 'EISDIR' || code === 'ENXIO') return { ok: false, reason: 'not_a_file', detail: code };
  return { ok: false, reason: 'unreadable', detail: code };
}
