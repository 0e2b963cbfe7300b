// Real files and folders first, links after them: a link to a file that is read anyway adds nothing (and would declare
// every item twice), a link out of the folder or to a hidden name is refused, because a change to the folder could then
// read anything on the machine, or the credentials of a checkout, and a link to itself ends there.
import { type FileListing, isHiddenPath, type ListingProblem } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';

/** The files of a folder, wherever they are stored. Paths are below the folder, which is ''. */
export interface FileTree {
  /** The members of a folder that is not a link, or why they cannot be listed. */
  entriesOf(folder: string): readonly TreeEntry[] | { readonly unreadable: string };
  /** Where a link leads in the end; null if nowhere. */
  targetOf(link: string): LinkTarget | null | Promise<LinkTarget | null>;
}

export interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export interface LinkTarget {
  /** Without links; null outside the folder. */
  readonly path: string | null;
  readonly isFolder: boolean;
}

interface Search {
  readonly tree: FileTree;
  readonly files: string[];
  readonly problems: ListingProblem[];
  readonly links: string[];
  /** Paths without links of visited folders and files. */
  readonly seen: Set<string>;
}

/** The YAML files of a tree, sorted by code point. */
export async function listTree(tree: FileTree): Promise<FileListing> {
  const search: Search = { tree, files: [], problems: [], links: [], seen: new Set() };
  visitFolder(search, '', '');
  search.links.sort(compareText);
  // A linked folder adds the links in it at the end.
  for (const link of search.links) await followLink(search, link);
  return { files: search.files.sort(compareText), problems: search.problems };
}

/** `path` is the folder without links. */
function visitFolder(search: Search, folder: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  const entries = search.tree.entriesOf(path);
  if ('unreadable' in entries) {
    search.problems.push({ path: folder === '' ? '.' : folder, reason: 'unreadable', detail: entries.unreadable });
    return;
  }
  for (const { name, type } of entries) {
    const file = pathIn(folder, name);
    if (isHiddenPath(name)) continue;
    if (type === 'link') search.links.push(file);
    else if (type === 'folder') visitFolder(search, file, pathIn(path, name));
    else if (isYaml(file) && type === 'file') addFile(search, file, pathIn(path, name));
    else if (isYaml(file)) search.problems.push({ path: file, reason: 'not_a_file', detail: '' });
  }
}

function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function addFile(search: Search, file: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  search.files.push(file);
}

async function followLink(search: Search, file: string): Promise<void> {
  const target = await search.tree.targetOf(file);
  if (target === null) {
    if (isYaml(file)) search.problems.push({ path: file, reason: 'missing', detail: '' });
    return;
  }
  const { path, isFolder } = target;
  if (!isFolder && !isYaml(file)) return;
  if (path === null) search.problems.push({ path: file, reason: 'outside', detail: '' });
  else if (isNoDeclaration(path.split('/'), isFolder))
    search.problems.push({ path: file, reason: 'hidden', detail: '' });
  else if (isFolder) visitFolder(search, file, path);
  else addFile(search, file, path);
}

/** A folder with a dot may be linked on purpose; a file with a dot, and what git or a package manager keeps, is not. */
function isNoDeclaration(names: readonly string[], isFolder: boolean): boolean {
  return (
    names.includes('.git') || names.includes('node_modules') || (!isFolder && names.at(-1)?.startsWith('.') === true)
  );
}

export function isYaml(file: string): boolean {
  return file.endsWith('.yaml') || file.endsWith('.yml');
}
