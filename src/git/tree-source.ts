import { posix } from 'node:path';
import { type FileTree, listTree, type TreeEntry } from '../config/files/list-tree.ts';
import { mostBytes } from '../config/files/read-regular-file.ts';
import type { FileContent, FileSource } from '../model/file-source.ts';
import { followLinks } from './follow-links.ts';

/** One file, link or submodule (an empty folder) of a revision, with its path below the tenant folder. */
export interface TreeFile {
  readonly path: string;
  readonly type: 'file' | 'link' | 'submodule';
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

export interface TreeSourceInput {
  /** The path of the tenant folder in the repository; '' for the repository itself. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
  /** Texts of the links, by path. */
  readonly links: ReadonlyMap<string, string>;
  /** The bytes of a file; null if the clone lacks them. */
  read(file: TreeFile): Promise<Uint8Array | null>;
}

/** The files of a tenant folder in a revision, under the rules of a folder on disk. */
export function treeSource({ folder, files, links, read }: TreeSourceInput): FileSource {
  const root = folder.split('/').filter((name) => name !== '');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const folders = foldersOf(files);
  const tree: FileTree = {
    entriesOf: (path) => folders.get(path) ?? { unreadable: 'ENOENT' },
    targetOf: (link) => {
      const path = realPath(link);
      if (path === 'missing') return null;
      // What is there is not known: only a link that is named like a YAML file is reported.
      if (path === 'outside') return { path: null, isFolder: false };
      return { path: path.path, isFolder: folders.has(path.path) };
    },
  };
  return {
    list: async () => (files.length === 0 ? null : listTree(tree)),
    async read(path): Promise<FileContent> {
      const real = realPath(posix.normalize(path));
      if (real === 'missing' || real === 'outside') return { ok: false, reason: real, detail: '' };
      const file = byPath.get(real.path);
      if (file?.type !== 'file') return { ok: false, reason: 'not_a_file', detail: '' };
      if (file.size > mostBytes) return { ok: false, reason: 'too_large', detail: String(file.size) };
      const bytes = await read(file);
      return bytes === null
        ? { ok: false, reason: 'unreadable', detail: 'this clone lacks the object' }
        : { ok: true, path: real.path, bytes };
    },
    async namesIn(path) {
      const real = realPath(posix.normalize(path));
      return typeof real === 'string' ? [] : (folders.get(real.path) ?? []).map(({ name }) => name);
    },
  };

  /** The path without links. It may leave the tenant folder and come back, as on disk. */
  function realPath(written: string): { readonly path: string } | 'missing' | 'outside' {
    // From the root of the repository.
    const walk = followLinks(root, written);
    let step = walk.next();
    while (step.done !== true) {
      const path = below(step.value.path);
      const target = path === null ? undefined : links.get(path);
      if (target === undefined && path !== null && !byPath.has(path) && !folders.has(path)) return 'missing';
      step = walk.next(target ?? null);
    }
    if (step.value === 'outside') return 'outside';
    if (step.value === 'cycle') return 'missing';
    const path = below(step.value);
    return path === null ? 'outside' : { path };
  }

  /** A path below the tenant folder; null outside. */
  function below(path: readonly string[]): string | null {
    return root.every((name, index) => path[index] === name) ? path.slice(root.length).join('/') : null;
  }
}

/** The members of every folder, with '' for the tenant folder. */
function foldersOf(files: readonly TreeFile[]): ReadonlyMap<string, readonly TreeEntry[]> {
  const folders = new Map<string, TreeEntry[]>([['', []]]);
  const entriesOf = (folder: string): TreeEntry[] => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const entries: TreeEntry[] = [];
    folders.set(folder, entries);
    entriesOf(parentOf(folder)).push({ name: posix.basename(folder), type: 'folder' });
    return entries;
  };
  for (const { path, type } of files)
    if (type === 'submodule') entriesOf(path);
    else entriesOf(parentOf(path)).push({ name: posix.basename(path), type });
  return folders;
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
