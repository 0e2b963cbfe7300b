// Which files a folder declares. Real files and folders first, links after them: a link that leads to a file that is read
// anyway adds nothing (and would declare every item twice), one that leads out of the folder is refused, because a change to
// the folder could then read anything on the machine, and one that leads to itself ends there.
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodePoints } from '../diagnostics/compare-code-points.ts';
import { sourceText } from '../diagnostics/source-text.ts';
import type { Fault, Report } from './fault.ts';
import { isInside } from './is-inside.ts';
import { reasonOf } from './read-regular-file.ts';

export interface FoundFile {
  /** Relative to the folder, with forward slashes. */
  readonly file: string;
  /** Real path. */
  readonly path: string;
}

interface Search {
  readonly root: string;
  readonly report: Report;
  readonly found: FoundFile[];
  readonly links: string[];
  /** Real paths of folders and files that were visited. */
  readonly seen: Set<string>;
}

/** `root` is a real path. The files are sorted by code point. */
export function findFiles(root: string, report: Report): readonly FoundFile[] {
  const search: Search = { root, report, found: [], links: [], seen: new Set() };
  visitFolder(search, '', root);
  for (let next = search.links.sort(compareCodePoints).shift(); next !== undefined; next = search.links.shift())
    followLink(search, next);
  return search.found.sort((left, right) => compareCodePoints(left.file, right.file));
}

function visitFolder(search: Search, folder: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  for (const entry of entriesOf(search, folder, path)) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const entryPath = join(path, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isSymbolicLink()) search.links.push(file);
    else if (entry.isDirectory()) visitFolder(search, file, entryPath);
    else if (isYaml(file) && entry.isFile()) addFile(search, file, entryPath);
    else if (isYaml(file))
      search.report(fileFault(file, 'it is not a regular file', 'remove it, or put a regular file in its place'));
  }
}

function entriesOf(search: Search, folder: string, path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    search.report(
      fileFault(
        folder === '' ? '.' : folder,
        `the folder cannot be listed (${reasonOf(error).detail})`,
        'check its permissions',
      ),
    );
    return [];
  }
}

function addFile(search: Search, file: string, path: string): void {
  if (search.seen.has(path)) return;
  search.seen.add(path);
  search.found.push({ file, path });
}

function followLink(search: Search, file: string): void {
  const target = targetOf(join(search.root, file));
  if (target === null) {
    if (isYaml(file))
      search.report(fileFault(file, 'it is a link to something that does not exist', 'correct the link, or remove it'));
    return;
  }
  if (!target.isFolder && !isYaml(file)) return;
  if (target.path !== search.root && !isInside(search.root, target.path)) search.report(outside(file));
  else if (target.isFolder) visitFolder(search, file, target.path);
  else addFile(search, file, target.path);
}

function targetOf(path: string): { readonly path: string; readonly isFolder: boolean } | null {
  try {
    const real = realpathSync(path);
    return { path: real, isFolder: statSync(real).isDirectory() };
  } catch {
    return null;
  }
}

function isYaml(file: string): boolean {
  return file.endsWith('.yaml') || file.endsWith('.yml');
}

export function fileFault(file: string, why: string, hint: string): Fault {
  return { code: 'CONFIG_FILE_UNREADABLE', message: `The file cannot be read: ${why}.`, hint, at: startOf(file) };
}

function outside(file: string): Fault {
  return {
    code: 'CONFIG_REFERENCE_OUTSIDE',
    message: 'This link leads out of the tenant folder; only what is below the folder is read.',
    hint: 'copy the files into the folder',
    at: startOf(file),
  };
}

/** A file of which no text is known. */
export function startOf(file: string) {
  return { source: sourceText(file, ''), start: 0, end: 0 };
}
