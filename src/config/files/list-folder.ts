// Real files and folders first, links after them: a link to a file that is read anyway adds nothing (and would declare
// every item twice), a link out of the folder or to a hidden name is refused, because a change to the folder could then
// read anything on the machine, or the credentials of a checkout, and a link to itself ends there.
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type FileListing, isHiddenPath, type ListingProblem } from '../../model/file-source.ts';
import { compareText } from '../../values/text-order.ts';
import { failureOf } from './read-regular-file.ts';

interface Search {
  readonly root: string;
  readonly files: string[];
  readonly problems: ListingProblem[];
  readonly links: string[];
  /** Real paths of visited folders and files. */
  readonly seen: Set<string>;
}

/** The YAML files below a real path, sorted by code point. */
export function listFolder(root: string): FileListing {
  const search: Search = { root, files: [], problems: [], links: [], seen: new Set() };
  visitFolder(search, '', root);
  search.links.sort(compareText);
  // A linked folder adds the links in it at the end.
  for (const link of search.links) followLink(search, link);
  return { files: search.files.sort(compareText), problems: search.problems };
}

function visitFolder(search: Search, folder: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  for (const entry of entriesOf(search, folder, path)) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const entryPath = join(path, entry.name);
    if (isHiddenPath(entry.name)) continue;
    if (entry.isSymbolicLink()) search.links.push(file);
    else if (entry.isDirectory()) visitFolder(search, file, entryPath);
    else if (isYaml(file) && entry.isFile()) addFile(search, file, entryPath);
    else if (isYaml(file)) search.problems.push({ path: file, reason: 'not_a_file', detail: '' });
  }
}

function entriesOf(search: Search, folder: string, path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    search.problems.push({
      path: folder === '' ? '.' : folder,
      reason: 'unreadable',
      detail: failureOf(error).detail,
    });
    return [];
  }
}

function addFile(search: Search, file: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  search.files.push(file);
}

function followLink(search: Search, file: string): void {
  const target = targetOf(join(search.root, file));
  if (target === null) {
    if (isYaml(file)) search.problems.push({ path: file, reason: 'missing', detail: '' });
    return;
  }
  if (!target.isFolder && !isYaml(file)) return;
  if (target.path !== search.root && !isInside(search.root, target.path))
    search.problems.push({ path: file, reason: 'outside', detail: '' });
  else if (isNoDeclaration(relative(search.root, target.path).split(sep), target.isFolder))
    search.problems.push({ path: file, reason: 'hidden', detail: '' });
  else if (target.isFolder) visitFolder(search, file, target.path);
  else addFile(search, file, target.path);
}

function targetOf(path: string): { readonly path: string; readonly isFolder: boolean } | null {
  try {
    const real = realpathSync.native(path);
    return { path: real, isFolder: statSync(real).isDirectory() };
  } catch {
    return null;
  }
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

/** True when a real path is below a real folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
