import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FileListing } from '../../model/file-source.ts';
import { type FileTree, type LinkTarget, listTree, type TreeEntry } from './list-tree.ts';
import { failureOf } from './read-regular-file.ts';

/** The YAML files below a real path, sorted by code point. */
export function listFolder(root: string): FileListing {
  const tree: FileTree = {
    entriesOf: (folder) => entriesOf(join(root, folder)),
    targetOf: (link) => targetOf(root, join(root, link)),
  };
  return listTree(tree);
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
    return { path: isBelow ? relative(root, real).split(sep).join('/') : null, isFolder: statSync(real).isDirectory() };
  } catch {
    return null;
  }
}

/** True when a real path is below a real folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
