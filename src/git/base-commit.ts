import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { isCommit } from '../values/commit-id.ts';
import { shellWord } from '../values/shell-word.ts';
import { type Env, firstLine, type Git, type GitFailure, gitIn, lineOf } from './run-git.ts';
import { type WorkingTree, workingTreesAround } from './working-tree.ts';

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

function unknownRef(message: string, hint: string): BaseProblem {
  return new BaseProblem('BASE_REF_UNKNOWN', message, hint);
}

/** The repository of a folder (real path), unless another one tracks that folder. Throws a BaseProblem. */
export async function repositoryOf(
  folder: string,
  env: Env,
): Promise<{ readonly git: Git; readonly tree: WorkingTree }> {
  const [tree, ...around] = await workingTreesAround(folder);
  if (tree === undefined) throw noRepository(folder, { ok: false, code: 1, message: 'not a git repository' });
  const git = gitIn(tree.top, env);
  const mismatch = await whyNotUsed(git, tree);
  if (mismatch !== null) throw noRepository(folder, mismatch);
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

function noRepository(folder: string, { code, message: reason }: GitFailure): BaseProblem {
  const because = (message: string, hint: string) => new BaseProblem('BASE_NO_REPOSITORY', message, hint);
  if (code === null)
    return because(
      `--base needs git, which could not be started: ${firstLine(reason)}.`,
      'install git, or run without --base',
    );
  if (reason.includes('dubious ownership')) {
    const owned = /repository at '([^'\n]+)'/.exec(reason)?.[1] ?? folder;
    return because(
      'git does not read this repository, because its folder belongs to another user.',
      `if you trust the repository, run: git config --global --add safe.directory ${shellWord(owned)}`,
    );
  }
  if (!/not a git repository|work tree|working tree/.test(reason))
    return because(`git could not read the repository: ${firstLine(reason)}.`, 'run git status there');
  return because(
    'The tenant folder is not in the working tree of a git repository, so --base has no earlier state.',
    'run in a clone of the repository, or without --base',
  );
}

/** A ref comes from a workflow, and may be the name of a branch that an outsider chose. */
export function checkRef(ref: string): void {
  if (ref !== '' && !ref.startsWith('-') && !/[\u0000-\u0020\u007f]/.test(ref)) return;
  const message = `--base ${JSON.stringify(ref.slice(0, 100))} is not the name of a branch, a tag or a commit.`;
  throw unknownRef(message, 'name a branch, such as --base origin/main, or a commit');
}

export interface Merge {
  /** The best common commit of a ref and HEAD. */
  readonly commit: string;
  /** The commit of the ref. */
  readonly tip: string;
  /** The ref as it is written, or in full if it is a tag: a tag is pushed without a review. */
  readonly ref: string;
}

/** Throws a BaseProblem, with what to type if the ref was not fetched. */
export async function mergeBase(git: Git, ref: string): Promise<Merge> {
  const head = await commitOf(git, 'HEAD');
  if (head === null) throw unknownRef('The repository has no commit yet.', 'commit first, or run without --base');
  const names = await meaningsOf(git, ref);
  if (names.length > 1) {
    const hint = `write the name in full, such as --base ${names.at(-1)}`;
    throw unknownRef(`--base ${ref} is ambiguous: ${names.join(' and ')}.`, hint);
  }
  const [full] = names;
  const isTag = full?.startsWith('refs/tags/') === true && !ref.startsWith('refs/');
  // Git would look for the branch of a remote, and for a name in full, among the tags as well.
  const isElsewhere = full === undefined ? ref.startsWith('refs/') : isTag && (await remoteOf(git, ref)) !== undefined;
  const tip = isElsewhere ? null : await commitOf(git, ref);
  if (tip === null) throw unknownRef(`--base ${ref} names no commit of this clone.`, await fetchHint(git, ref));
  const found = await git.run(['merge-base', head, tip]);
  const commit = found.ok ? lineOf(found) : '';
  if (isCommit(commit)) return { commit, tip, ref: isTag ? full + suffixOf(ref) : ref };
  if ((await linesOf(git, ['rev-parse', '--is-shallow-repository'])).includes('true')) {
    const message = `This clone is shallow and lacks the merge base of ${ref} and HEAD.`;
    const hint = 'run: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)';
    throw new BaseProblem('BASE_NOT_FETCHED', message, hint);
  }
  if (!found.ok && found.code !== 1) throw notFetched(found.message);
  const message = `${ref} and HEAD have no common commit, so there is no base.`;
  throw unknownRef(message, 'name the branch from which this one was started');
}

/** The commit that a name refers to; null if this clone has none. */
async function commitOf(git: Git, ref: string): Promise<string | null> {
  const [id = ''] = await linesOf(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return isCommit(id) ? id : null;
}

/** The way from a name to an earlier commit: `~2`. */
function suffixOf(ref: string): string {
  return /(?:[~^]|@\{).*$/.exec(ref)?.[0] ?? '';
}

const refFolders = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/**
 * The commits and the full names that a name is short for. Git prefers a tag to a branch and both to a commit, and a tag
 * is pushed without a review. A name in full is short for nothing, whatever tags there are.
 */
async function meaningsOf(git: Git, ref: string): Promise<readonly string[]> {
  const name = ref.slice(0, ref.length - suffixOf(ref).length);
  const refs = await linesOf(git, ['show-ref', '--', name, `${name}/HEAD`]);
  const known = new Set(refs.map((line) => line.slice(line.indexOf(' ') + 1)));
  if (known.has(name)) return [name];
  if (name.startsWith('refs/')) return [];
  const possible = [...refFolders.map((folder) => folder + name), `refs/remotes/${name}/HEAD`];
  const names = possible.filter((full) => known.has(full));
  return names.length === 0 ? [] : [...(await commitsNamed(git, name)), ...names];
}

/** The commits that a name abbreviates: the start of an id, or what `git describe` prints. An entire id is never a ref. */
async function commitsNamed(git: Git, name: string): Promise<readonly string[]> {
  const [, start] = /^(?:.*-g)?([0-9a-f]{4,64})$/i.exec(name) ?? [];
  if (start === undefined || isCommit(name)) return [];
  const ids = (await linesOf(git, ['rev-parse', `--disambiguate=${start.toLowerCase()}`])).filter(isCommit);
  return ids.length === 0 ? [] : linesOf(git, ['rev-list', '--no-walk=unsorted', ...ids], ids);
}

/** What git printed, or `otherwise` if it failed. */
async function linesOf(
  git: Git,
  args: readonly string[],
  otherwise: readonly string[] = [],
): Promise<readonly string[]> {
  const run = await git.run(args);
  if (!run.ok) return otherwise;
  return lineOf(run)
    .split('\n')
    .filter((line) => line !== '');
}

async function remoteOf(git: Git, ref: string): Promise<string | undefined> {
  return (await linesOf(git, ['remote'])).find((name) => ref.startsWith(`${name}/`));
}

/** What to type for a name that is not known here: continuous integration often fetches one branch. */
async function fetchHint(git: Git, ref: string): Promise<string> {
  if (suffixOf(ref) !== '') return 'correct the name; git log lists the commits';
  const short = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  const named = await remoteOf(git, short);
  const remotes = await linesOf(git, ['remote']);
  const remote = named ?? (remotes.includes('origin') ? 'origin' : remotes[0]);
  if (remote === undefined) return 'correct the name; git branch --all lists the branches';
  const branch = named === undefined ? short : short.slice(remote.length + 1);
  const destination = `refs/remotes/${remote}/${branch}`;
  const command = `git fetch ${shellWord(remote)} ${shellWord(`+refs/heads/${branch}:${destination}`)}`;
  const then = named === undefined ? `, and use --base ${shellWord(`${remote}/${branch}`)}` : '';
  return `correct the name, or run: ${command}${then}`;
}
