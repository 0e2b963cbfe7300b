import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileSource, VariableFile } from '../model/file-source.ts';
import { isCommit } from '../values/commit-id.ts';
import { shellWord } from '../values/shell-word.ts';
import { BaseProblem, checkSubmodules, notFetched, pathInTree, repositoryOf } from './repository.ts';
import { baseFolder, type Revision, treeSource, variableFileAt } from './revision.ts';
import { commitOf, differs, type Git, lineOf, linesOf } from './run-git.ts';

export interface OpenBaseOptions {
  /** The tenant folder, absolute. */
  readonly folder: string;
  /** A branch, a tag or a commit; the base is its merge base with HEAD. */
  readonly ref: string;
  /** To find git and its settings; git gets nothing else of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Files of values beside the folder, as they are now. In the repository of the folder, they are read at the base. */
  readonly variableFiles?: readonly { readonly absolute: string; readonly now: VariableFile }[];
}

/** The files of the tenant folder at an earlier commit. */
export interface OpenedBase {
  readonly status: 'opened';
  readonly ref: string;
  readonly commit: string;
  /** True if commits of the ref that HEAD lacks change the files. */
  readonly isBehind: boolean;
  readonly files: FileSource;
  /** A folder below, with the same rules: a layer of a project. */
  readonly layer: (name: string) => Promise<FileSource>;
  /** Without those that the commit lacks. */
  readonly variableFiles: readonly VariableFile[];
}

/**
 * Opens the merge base of `ref` and HEAD with git plumbing: no checkout, no hooks, no network. A folder that the commit
 * lacks has no files.
 */
export async function openBase(
  options: OpenBaseOptions,
): Promise<OpenedBase | { readonly status: 'invalid'; readonly diagnostics: readonly Diagnostic[] }> {
  return open(options).catch((error: unknown) => {
    if (error instanceof BaseProblem) return { status: 'invalid', diagnostics: [error.diagnostic] };
    throw error;
  });
}

async function open({ folder: given, ref, env, variableFiles = [] }: OpenBaseOptions): Promise<OpenedBase> {
  checkRef(ref);
  const folder = await realpath(given).catch(() => {
    const message = 'The tenant folder does not exist, so --base has no earlier state of it.';
    throw new BaseProblem('BASE_NO_REPOSITORY', message, 'pass the path of the folder that contains the YAML files');
  });
  const { git, tree } = await repositoryOf(folder, env);
  const { commit, tip, ref: taken } = await mergeBase(git, ref);
  await checkSubmodules(git, relative(tree.top, folder).split(sep).join('/'));
  const at: Revision = { git, commit, known: new Map() };
  const written = await pathInTree(tree, given);
  const prefix = await baseFolder(at, written);
  const files = await treeSource(at, prefix);
  const others: VariableFile[] = [];
  const paths = [prefix ?? written ?? ''];
  for (const { absolute, now } of variableFiles) {
    const path = await pathInTree(tree, absolute);
    if (path === null) others.push(now);
    else {
      others.push(...(await variableFileAt(at, path, now.path)));
      paths.push(path);
    }
  }
  return {
    status: 'opened',
    ref: taken,
    commit,
    // The top of the repository is everything.
    isBehind: await differs(git, commit, tip, paths.includes('') ? [] : paths),
    files,
    layer: async (name) => treeSource(at, await baseFolder(at, written === null ? null : posix.join(written, name))),
    variableFiles: others,
  };
}

// What a name on the command line means: the commit that the files are compared with.
function unknownRef(message: string, hint: string): BaseProblem {
  return new BaseProblem('BASE_REF_UNKNOWN', message, hint);
}

/** A ref comes from a workflow, and may be the name of a branch that an outsider chose. */
function checkRef(ref: string): void {
  if (ref !== '' && !ref.startsWith('-') && !/[\u0000-\u0020\u007f]/.test(ref)) return;
  const message = `--base ${JSON.stringify(ref.slice(0, 100))} is not the name of a branch, a tag or a commit.`;
  throw unknownRef(message, 'name a branch, such as --base origin/main, or a commit');
}

/** The best common commit of a ref and HEAD. Throws a BaseProblem, with what to type if the ref was not fetched. */
async function mergeBase(git: Git, ref: string) {
  const head = await commitOf(git, 'HEAD');
  if (head === null) throw unknownRef('The repository has no commit yet.', 'commit first, or run without --base');
  const full = await fullName(git, ref);
  const isTag = full?.startsWith('refs/tags/') === true && !ref.startsWith('refs/');
  // Git would look for the branch of a remote, and for a name in full, among the tags as well.
  const isElsewhere = full === undefined ? ref.startsWith('refs/') : isTag && (await remoteOf(git, ref)) !== undefined;
  const tip = isElsewhere ? null : await commitOf(git, ref);
  if (tip === null) throw unknownRef(`--base ${ref} names no commit of this clone.`, await fetchHint(git, ref));
  const found = await git.run(['merge-base', head, tip]);
  const commit = found.ok ? lineOf(found) : '';
  // A tag is pushed without a review, so it is named in full.
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

/** The way from a name to an earlier commit: `~2`. */
function suffixOf(ref: string): string {
  return /(?:[~^]|@\{).*$/.exec(ref)?.[0] ?? '';
}

const refFolders = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/**
 * The full name of a ref; undefined for a commit. Git prefers a tag to a branch and both to an abbreviated commit, and a
 * tag is pushed without a review: a name with two meanings is refused. A name in full has one, whatever tags there are.
 */
async function fullName(git: Git, ref: string): Promise<string | undefined> {
  const name = ref.slice(0, ref.length - suffixOf(ref).length);
  if (isCommit(name)) return undefined;
  const refs = await linesOf(git, ['show-ref', '--', name, `${name}/HEAD`]);
  const known = new Set(refs.map((line) => line.slice(line.indexOf(' ') + 1)));
  if (known.has(name) || name.startsWith('refs/')) return known.has(name) ? name : undefined;
  const possible = [...refFolders.map((folder) => folder + name), `refs/remotes/${name}/HEAD`];
  const [full, ...others] = possible.filter((candidate) => known.has(candidate));
  // The start of an id, or what `git describe` prints.
  if (/^(?:.*-g)?[0-9a-f]{4,64}$/i.test(name)) others.unshift('the id of a commit');
  if (full === undefined || others.length === 0) return full;
  const hint = `write the name in full, such as --base ${full}`;
  throw unknownRef(`--base ${ref} is ambiguous: ${[full, ...others].join(' and ')}.`, hint);
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
