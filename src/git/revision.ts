import { posix } from 'node:path';
import { mostBytes } from '../config/files/folder-source.ts';
import { type FileTree, listTree, type TreeEntry } from '../config/files/list-tree.ts';
import type { FileContent, FileSource, VariableFile } from '../model/file-source.ts';
import { BaseProblem, notFetched } from './repository.ts';
import { compareTrees, type Git, type GitObjects } from './run-git.ts';

/** A commit, and how it is read. */
export interface Revision {
  readonly git: Git;
  readonly commit: string;
  readonly objects: GitObjects;
}

/** One file, link or submodule (an empty folder) of a revision. */
interface TreeFile {
  /** Below the tenant folder. */
  readonly path: string;
  readonly type: 'file' | 'link' | 'submodule';
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

type Failure = FileContent & { readonly ok: false };

const notAFile: Failure = { ok: false, reason: 'not_a_file', detail: '' };
const missing: Failure = { ok: false, reason: 'missing', detail: '' };
const outside: Failure = { ok: false, reason: 'outside', detail: '' };

/** True if a path, or something below it, is not the same in both commits. What cannot be compared differs. */
export async function differs(git: Git, one: string, other: string, paths: readonly string[]): Promise<boolean> {
  if (one === other) return false;
  // The top of the repository is everything.
  const limits = paths.includes('') ? [] : paths;
  return !(await git.run([...compareTrees, one, other, '--', ...limits])).ok;
}

/** The path of the tenant folder in the base, without links; null if the base lacks it. */
export async function baseFolder(at: Revision, written: string | null): Promise<string | null> {
  const path = written === null ? 'outside' : await realPathAt(at, written);
  if (path !== 'outside') return path;
  const message = 'At the base, the tenant folder is a link that leads out of the repository.';
  throw new BaseProblem('BASE_NO_REPOSITORY', message, 'run without --base until this change is merged');
}

/** A file of values at the base, under the name that reports show; none if the commit lacks it. */
export async function variableFileAt(at: Revision, written: string, name: string): Promise<readonly VariableFile[]> {
  const path = await realPathAt(at, written);
  if (path === 'outside') return [{ path: name, read: async () => outside }];
  const entry = path === null || path === '' ? null : await entryAt(at, path);
  if (entry === null) return [];
  return [
    { path: name, read: async () => (entry.mode.startsWith('100') ? readBlob(at.objects, entry.id, name) : notAFile) },
  ];
}

async function readBlob(objects: GitObjects, id: string, path: string): Promise<FileContent> {
  const bytes = await objects.read(id);
  if (bytes === null) return { ok: false, reason: 'unreadable', detail: 'this clone lacks the object' };
  return bytes.length > mostBytes ? tooLarge(bytes.length) : { ok: true, path, bytes };
}

function tooLarge(bytes: number): Failure {
  return { ok: false, reason: 'too_large', detail: String(bytes) };
}

/** A path in a commit, without links; null if the commit lacks it. */
async function realPathAt(at: Revision, written: string): Promise<string | null | 'outside'> {
  const walk = followLinks([], written);
  let step = walk.next();
  while (step.done !== true) {
    const path = step.value.path.join('/');
    const entry = await entryAt(at, path);
    if (entry === null) return null;
    if (entry.mode === '160000' && step.value.left.length > 0) {
      const message = `At the base, ${path} is a submodule, whose files are in another repository.`;
      throw new BaseProblem('BASE_SUBMODULE', message, 'run without --base until this change is merged');
    }
    step = walk.next(entry.mode === '120000' ? await linkText(at.objects, path, entry.id) : null);
  }
  return typeof step.value === 'string' ? 'outside' : step.value.join('/');
}

async function entryAt(
  { git, commit }: Revision,
  path: string,
): Promise<{ readonly mode: string; readonly id: string } | null> {
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path]);
  if (!listed.ok) throw notFetched(listed.message);
  const [, mode, id] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(listed.stdout.toString()) ?? [];
  return mode === undefined || id === undefined ? null : { mode, id };
}

async function linkText(objects: GitObjects, path: string, id: string): Promise<string> {
  const text = await objects.read(id);
  if (text === null) throw notFetched(`the link ${path}`);
  return text.toString();
}

/** Everything below a folder of a commit. A submodule there is an empty folder. */
async function filesBelow(at: Revision, folder: string): Promise<readonly TreeFile[]> {
  const entry = folder === '' ? null : await entryAt(at, folder);
  if (folder !== '' && entry?.mode !== '040000') return [];
  const tree = entry?.id ?? `${at.commit}^{tree}`;
  const listed = await at.git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', tree]);
  if (!listed.ok) throw notFetched(listed.message);
  const lines = listed.stdout.toString().split('\0');
  return lines.filter((line) => line !== '').map(treeFile);
}

/** `<mode> <type> <id> <size>`, a tab and the path. The size of a submodule is `-`, and of a missing object `BAD`. */
function treeFile(line: string): TreeFile {
  const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (mode === undefined || id === undefined || size === undefined || path === undefined) throw notFetched(line);
  const type = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
  return { path, type, id, size: size === '-' ? 0 : Number(size) };
}

/** In bytes; longer than any path of a file system. */
const longestLink = 5000;

/** Texts of the links, by path. Longer ones lead nowhere. */
async function linkTexts(files: readonly TreeFile[], objects: GitObjects): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, type, id, size } of files)
    if (type === 'link' && size <= longestLink) texts.set(path, await linkText(objects, path, id));
  return texts;
}

/**
 * The files of a tenant folder in a revision, under the rules of a folder on disk. `folder` is its path in the
 * repository; '' for the repository itself, and null if the commit lacks it.
 */
export async function treeSource(at: Revision, folder: string | null): Promise<FileSource> {
  const files = folder === null ? [] : await filesBelow(at, folder);
  const links = await linkTexts(files, at.objects);
  const root = (folder ?? '').split('/').filter((name) => name !== '');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const folders = foldersOf(files);

  /** A path below the tenant folder; null outside. */
  const below = (path: readonly string[]): string | null =>
    root.every((name, index) => path[index] === name) ? path.slice(root.length).join('/') : null;

  /** The path without links. It may leave the tenant folder and come back, as on disk. */
  const realPath = (written: string): { readonly path: string } | Failure => {
    // From the root of the repository.
    const walk = followLinks(root, written);
    let step = walk.next();
    while (step.done !== true) {
      const path = below(step.value.path);
      const target = path === null ? undefined : links.get(path);
      if (target === undefined && path !== null && !byPath.has(path) && !folders.has(path)) return missing;
      step = walk.next(target ?? null);
    }
    if (step.value === 'cycle') return missing;
    const path = step.value === 'outside' ? null : below(step.value);
    return path === null ? outside : { path };
  };

  const tree: FileTree = {
    entriesOf: (path) => folders.get(path) ?? { unreadable: 'ENOENT' },
    targetOf: (link) => {
      const real = realPath(link);
      if ('path' in real) return { path: real.path, isFolder: folders.has(real.path) };
      // What is outside is not known: only a link that is named like a YAML file is reported.
      return real === missing ? null : { path: null, isFolder: false };
    },
  };
  return {
    list: async () => (files.length === 0 ? null : listTree(tree)),
    async read(path): Promise<FileContent> {
      const real = realPath(posix.normalize(path));
      if (!('path' in real)) return real;
      const file = byPath.get(real.path);
      if (file?.type !== 'file') return notAFile;
      return file.size > mostBytes ? tooLarge(file.size) : readBlob(at.objects, file.id, real.path);
    },
    async namesIn(path) {
      const real = realPath(posix.normalize(path));
      return 'path' in real ? (folders.get(real.path) ?? []).map(({ name }) => name) : [];
    },
  };
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

/** Longer chains of links are cycles. */
const mostLinks = 40;

interface Step {
  /** Names from the root, without links except for the last one. */
  readonly path: readonly string[];
  /** What comes after it. */
  readonly left: readonly string[];
}

/**
 * Resolves a path step by step. Each step is a path; it receives the text of the link there, or null if it is none.
 * Returns the path without links.
 */
function* followLinks(
  from: readonly string[],
  written: string,
): Generator<Step, readonly string[] | 'outside' | 'cycle', string | null> {
  let left: readonly string[] = written.split('/');
  let at = from;
  for (let followed = 0; left.length > 0; ) {
    const [name = '', ...rest] = left;
    left = rest;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at.length === 0) return 'outside';
      at = at.slice(0, -1);
      continue;
    }
    const path = [...at, name];
    const target = yield { path, left };
    if (target === null) {
      at = path;
      continue;
    }
    followed += 1;
    if (followed > mostLinks) return 'cycle';
    if (target.startsWith('/') || /^[A-Za-z]:/.test(target)) return 'outside';
    left = [...target.split('/'), ...left];
  }
  return at;
}
