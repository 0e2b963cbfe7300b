import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';

/** A folder with a `.git`: the only name that no commit can contain, unlike the files of a bare repository. */
export interface WorkingTree {
  readonly top: string;
  /** Where its objects and branches are. */
  readonly gitDir: string;
}

/** The working trees that contain a folder, the innermost first. Git itself would accept a bare repository as well. */
export async function workingTreesAround(folder: string): Promise<readonly WorkingTree[]> {
  const found: WorkingTree[] = [];
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = await gitDirAt(join(top, '.git'));
    if (gitDir !== null) found.push({ top, gitDir });
    if (dirname(top) === top) return found;
  }
}

/** A submodule and a linked working tree have a file that names the folder. */
async function gitDirAt(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return null;
  const text = stats.isFile() ? await readFile(path, 'utf8').catch(() => '') : '';
  const [, named = path] = /^gitdir: (.+?)[\r\n]*$/s.exec(text) ?? [];
  const gitDir = resolve(dirname(path), named);
  return realpath(gitDir).catch(() => gitDir);
}

/**
 * The path of a file or folder in a working tree as it is written: links in the tree are not followed, because they may
 * have been others in an earlier commit. '' for the tree itself, and null for what is elsewhere.
 */
export async function pathInTree({ top }: WorkingTree, absolute: string): Promise<string | null> {
  const { root } = parse(absolute);
  const onDisk = (names: readonly string[]) => root + names.join(sep);
  const walk = followLinks([], absolute.slice(root.length).split(sep).join('/'));
  let step = walk.next();
  while (step.done !== true) {
    const { path, left } = step.value;
    const parent = path.slice(0, -1);
    if (onDisk(parent) === top) return [path.at(-1), ...left].join('/');
    const target = await linkAt(onDisk(path));
    const written = target?.split(sep).join('/') ?? null;
    step = walk.next(target?.startsWith(root) ? '../'.repeat(parent.length) + target.slice(root.length) : written);
  }
  return typeof step.value !== 'string' && onDisk(step.value) === top ? '' : null;
}

/** The text of a link. A name in another case is a link to the name as it is stored. */
async function linkAt(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return null;
  if (stats.isSymbolicLink()) return readlink(path);
  const stored = basename(await realpath(path));
  return stored === basename(path) ? null : stored;
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
export function* followLinks(
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
