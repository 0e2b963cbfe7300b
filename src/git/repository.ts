// The repository of the tenant folder, as the files on disk show it.
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type Env, firstLine, type Git, type GitFailure, gitIn, lineOf } from './run-git.ts';

/** Why there is no base, as a diagnostic. */
export class BaseProblem extends Error {
  readonly diagnostic: Diagnostic;

  constructor(code: Diagnostic['code'], message: string, hint: string) {
    super(message);
    this.diagnostic = problem(code, message, hint);
  }
}

export function notFetched(detail: string): BaseProblem {
  const message = `This clone lacks objects of the base: ${firstLine(detail)}.`;
  const hint = 'clone without --filter, or run: git fetch --refetch --no-filter';
  return new BaseProblem('BASE_NOT_FETCHED', message, hint);
}

/** A folder with a `.git`: the only name that no commit can contain, unlike the files of a bare repository. */
export interface WorkingTree {
  readonly top: string;
  /** Where its objects and branches are. */
  readonly gitDir: string;
}

/** The working trees that contain a folder, the innermost first. Git itself would accept a bare repository as well. */
async function workingTreesAround(folder: string): Promise<readonly WorkingTree[]> {
  const found: WorkingTree[] = [];
  for (const top of foldersAround(folder)) {
    const gitDir = await gitDirAt(join(top, '.git'));
    if (gitDir !== null) found.push({ top, gitDir });
  }
  return found;
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

/** The repository of a folder (real path), unless another one tracks that folder. Throws a BaseProblem. */
export async function repositoryOf(
  folder: string,
  env: Env,
): Promise<{ readonly git: Git; readonly tree: WorkingTree }> {
  const [tree, ...around] = await workingTreesAround(folder);
  if (tree === undefined) throw noRepository({ ok: false, code: 1, message: 'not a git repository' });
  const git = gitIn(tree.top, env);
  const mismatch = await whyNotUsed(git, tree);
  if (mismatch !== null) throw noRepository(mismatch);
  for (const outer of around) {
    const path = relative(outer.top, tree.top).split(sep).join('/');
    const listed = await gitIn(outer.top, env).run(['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', path]);
    if (!listed.ok || listed.stdout.length === 0) continue;
    // A commit of the outer repository decides which commits the inner one has.
    const message = `The tenant folder is in the submodule ${path}, whose history is not the one of the reviewed files.`;
    throw new BaseProblem('BASE_SUBMODULE', message, 'run in a clone of that repository, or run without --base');
  }
  return { git, tree };
}

/** Why git does not use the repository of a working tree; null if it does. */
async function whyNotUsed(git: Git, { top, gitDir }: WorkingTree): Promise<GitFailure | null> {
  const run = await git.run(['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  if (!run.ok) return run;
  const paths = lineOf(run).split(/\r?\n/);
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return isDeepStrictEqual(found, [top, gitDir]) ? null : { ok: false, code: 1, message: 'it has no working tree' };
}

function noRepository({ code, message: reason }: GitFailure): BaseProblem {
  const because = (message: string, hint: string) => new BaseProblem('BASE_NO_REPOSITORY', message, hint);
  if (code === null)
    return because(
      `--base needs git, which could not be started: ${firstLine(reason)}.`,
      'install git, or run without --base',
    );
  if (!/not a git repository|work tree|working tree/.test(reason))
    return because(
      `git does not read this repository: ${firstLine(reason)}.`,
      'run git status there, which prints what to do',
    );
  return because(
    'The tenant folder is not in the working tree of a git repository, so --base has no earlier state.',
    'run in a clone of the repository, or without --base',
  );
}

/** Throws a BaseProblem for a submodule at or below a folder now: no commit of this repository has its files. */
export async function checkSubmodules(git: Git, folder: string): Promise<void> {
  const below = ['-z', '--', ...(folder === '' ? [] : [folder])];
  for (const list of [
    ['ls-tree', '-r', '--full-tree', 'HEAD'],
    ['ls-files', '--stage'],
  ]) {
    const listed = await git.run(['--literal-pathspecs', ...list, ...below]);
    if (!listed.ok) throw notFetched(listed.message);
    const [, path] = /(?:^|\0)160000 [^\t]*\t([^\0]+)/.exec(listed.stdout.toString()) ?? [];
    if (path === undefined) continue;
    const message = `The tenant folder has the submodule ${path}, whose files are in another repository.`;
    throw new BaseProblem('BASE_SUBMODULE', message, 'move it out of the tenant folder, or run without --base');
  }
}

/**
 * The path of a file or folder in a working tree as it is written: links in the tree are not followed, because they may
 * have been others in an earlier commit. '' for the tree itself, and null for what is elsewhere.
 */
export async function pathInTree({ top }: WorkingTree, absolute: string): Promise<string | null> {
  const below = (path: string) => relative(top, path).split(sep);
  for (const folder of foldersAround(absolute).reverse()) {
    const real = await realpath(folder).catch(() => null);
    if (real === null || isOutside(relative(top, real))) continue;
    // A name in another case is stored in its own.
    const stored = below(await realpath(absolute).catch(() => absolute)).join('/');
    const written = [...below(real), ...relative(folder, absolute).split(sep)].filter((name) => name !== '').join('/');
    return stored.toLowerCase() === written.toLowerCase() ? stored : written;
  }
  return null;
}

/** A path and the folders around it, the innermost first. */
function foldersAround(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [path] : [path, ...foldersAround(folder)];
}

function isOutside(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
