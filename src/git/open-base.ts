import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { mostBytes } from '../config/files/read-regular-file.ts';
import type { VariableFile } from '../config/variables/variables.ts';
import { problem } from '../diagnostics/problem.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileContent, FileSource } from '../model/file-source.ts';
import { shellWord } from '../values/shell-word.ts';
import { followLinks } from './follow-links.ts';
import { type Git, type GitObjects, type GitRun, gitIn } from './run-git.ts';
import { type TreeFile, treeSource } from './tree-source.ts';
import { pathInTree, type WorkingTree, workingTreesAround } from './working-tree.ts';

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
  readonly files: FileSource;
  /** Without those that the commit lacks. */
  readonly variableFiles: readonly VariableFile[];
  /** Ends the process that reads objects. */
  close(): void;
}

/**
 * Opens the merge base of `ref` and HEAD with git plumbing: no checkout, no hooks, no network. A folder that the commit
 * lacks has no files.
 */
export async function openBase(
  options: OpenBaseOptions,
): Promise<OpenedBase | { readonly status: 'invalid'; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return await open(options);
  } catch (error) {
    if (error instanceof BaseProblem) return { status: 'invalid', diagnostics: [error.diagnostic] };
    throw error;
  }
}

class BaseProblem extends Error {
  readonly diagnostic: Diagnostic;

  constructor(code: Diagnostic['code'], message: string, hint: string) {
    super(message);
    this.diagnostic = problem(code, message, hint);
  }
}

async function open({ folder: given, ref, env, variableFiles = [] }: OpenBaseOptions): Promise<OpenedBase> {
  checkRef(ref);
  const folder = await realpath(given).catch(() => {
    const message = 'The tenant folder does not exist, so --base has no earlier state of it.';
    throw new BaseProblem('BASE_NO_REPOSITORY', message, 'pass the path of the folder that contains the YAML files');
  });
  const { git, tree } = await repositoryOf(folder, env);
  const commit = await mergeBase(git, ref);
  const objects = git.openObjects();
  const at: Revision = { git, commit, objects };
  const read = ({ id }: TreeFile) => objects.read(id);
  try {
    const prefix = await baseFolder(at, await pathInTree(tree, given));
    const files = prefix === null ? [] : await filesBelow(at, prefix);
    const source = treeSource({ folder: prefix ?? '', files, links: await linkTexts(files, objects), read });
    const others: VariableFile[] = [];
    for (const { absolute, now } of variableFiles) {
      const path = await pathInTree(tree, absolute);
      if (path === null) others.push(now);
      else others.push(...(await variableFileAt(at, path, now.path)));
    }
    return {
      status: 'opened',
      ref,
      commit,
      files: source,
      variableFiles: others,
      close: () => objects.close(),
    };
  } catch (error) {
    objects.close();
    throw error;
  }
}

const longestRef = 1000;

/** A ref comes from a workflow, and may be the name of a branch that an outsider chose. */
function checkRef(ref: string): void {
  if (ref !== '' && ref.length <= longestRef && !ref.startsWith('-') && !/[\u0000-\u0020\u007f]/.test(ref)) return;
  const message = `--base ${JSON.stringify(ref.slice(0, 100))} is not the name of a branch, a tag or a commit.`;
  throw new BaseProblem('BASE_REF_UNKNOWN', message, 'name a branch, such as --base origin/main, or a commit');
}

interface Repository {
  readonly git: Git;
  readonly tree: WorkingTree;
}

/** The repository of a folder, unless another one tracks that folder. */
async function repositoryOf(folder: string, env: OpenBaseOptions['env']): Promise<Repository> {
  const [tree, ...around] = await workingTreesAround(folder);
  if (tree === undefined) throw noRepository(folder, { ok: false, code: 1, message: 'not a git repository' });
  const git = gitIn(tree.top, env);
  const problem = await mismatch(git, tree);
  if (problem !== null) throw noRepository(folder, problem);
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
async function mismatch(git: Git, { top, gitDir }: WorkingTree): Promise<(GitRun & { readonly ok: false }) | null> {
  const run = await git.run(['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  if (!run.ok) return run;
  const found = await Promise.all(lineOf(run).split(/\r?\n/).map(realPathOf));
  return isDeepStrictEqual(found, [top, gitDir]) ? null : { ok: false, code: 1, message: 'it has no working tree' };
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function noRepository(folder: string, run: GitRun & { readonly ok: false }): BaseProblem {
  const code = 'BASE_NO_REPOSITORY';
  if (run.code === null) {
    const message = `--base needs git, which could not be started: ${firstLine(run.message)}.`;
    return new BaseProblem(code, message, 'install git, or run without --base');
  }
  if (/dubious ownership/.test(run.message)) {
    const message = 'git does not read this repository, because its folder belongs to another user.';
    const owned = /repository at '([^'\n]+)'/.exec(run.message)?.[1] ?? folder;
    const hint = `if you trust the repository, run: git config --global --add safe.directory ${shellWord(owned)}`;
    return new BaseProblem(code, message, hint);
  }
  if (!/not a git repository|work tree|working tree/.test(run.message))
    return new BaseProblem(
      code,
      `git could not read the repository: ${firstLine(run.message)}.`,
      'run git status there',
    );
  const message = 'The tenant folder is not in the working tree of a git repository, so --base has no earlier state.';
  return new BaseProblem(code, message, 'run in a clone of the repository, or without --base');
}

async function mergeBase(git: Git, ref: string): Promise<string> {
  const head = await commitOf(git, 'HEAD');
  if (head === null)
    throw new BaseProblem(
      'BASE_REF_UNKNOWN',
      'The repository has no commit yet.',
      'commit first, or run without --base',
    );
  const names = await refsNamed(git, ref);
  if (names.length > 1) {
    const message = `--base ${ref} is ambiguous: ${names.join(' and ')}.`;
    throw new BaseProblem('BASE_REF_UNKNOWN', message, `write the name in full, such as --base ${names.at(-1)}`);
  }
  const other = await commitOf(git, ref);
  if (other === null) {
    const message = `--base ${ref} names no commit of this clone.`;
    throw new BaseProblem('BASE_REF_UNKNOWN', message, await fetchHint(git, ref));
  }
  const found = await git.run(['merge-base', head, other]);
  const commit = found.ok ? lineOf(found) : '';
  if (isId(commit)) return commit;
  const isShallow = await git.run(['rev-parse', '--is-shallow-repository']);
  if (isShallow.ok && lineOf(isShallow) === 'true') {
    const message = `This clone is shallow and lacks the merge base of ${ref} and HEAD.`;
    const hint = 'run: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)';
    throw new BaseProblem('BASE_NOT_FETCHED', message, hint);
  }
  if (!found.ok && found.code !== 1) throw notFetched(found.message);
  const message = `${ref} and HEAD have no common commit, so there is no base.`;
  throw new BaseProblem('BASE_REF_UNKNOWN', message, 'name the branch from which this one was started');
}

/** The commit that a name refers to; null if this clone has none. */
async function commitOf(git: Git, ref: string): Promise<string | null> {
  const run = await git.run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  const id = run.ok ? lineOf(run) : '';
  return isId(id) ? id : null;
}

const refFolders = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** The full names that a name is short for. Git prefers a tag to a branch, and a tag is pushed without a review. */
async function refsNamed(git: Git, ref: string): Promise<readonly string[]> {
  const name = ref.replace(/(?:[~^]|@\{).*$/, '');
  const run = await git.run(['show-ref', '--', name]);
  if (!run.ok) return [];
  const known = new Set(
    lineOf(run)
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1)),
  );
  return refFolders.map((folder) => folder + name).filter((full) => known.has(full));
}

/** What to type for a name that is not known here: continuous integration often fetches one branch. */
async function fetchHint(git: Git, ref: string): Promise<string> {
  const remotes = await git.run(['remote']);
  const names = remotes.ok
    ? lineOf(remotes)
        .split('\n')
        .filter((name) => name !== '')
    : [];
  const remote = names.find((name) => ref.startsWith(`${name}/`)) ?? (names.includes('origin') ? 'origin' : names[0]);
  if (remote === undefined) return 'correct the name; git branch --all lists the branches';
  const branch = ref.startsWith(`${remote}/`) ? ref.slice(remote.length + 1) : ref;
  const destination = `refs/remotes/${remote}/${branch}`;
  const command = `git fetch ${shellWord(remote)} ${shellWord(`+refs/heads/${branch}:${destination}`)}`;
  const then = ref === branch ? `, and use --base ${shellWord(`${remote}/${branch}`)}` : '';
  return `correct the name, or run: ${command}${then}`;
}

function notFetched(detail: string): BaseProblem {
  const message = `This clone lacks objects of the base: ${firstLine(detail)}.`;
  return new BaseProblem(
    'BASE_NOT_FETCHED',
    message,
    'clone without --filter, or run: git fetch --refetch --no-filter',
  );
}

/** A commit, and how it is read. */
interface Revision {
  readonly git: Git;
  readonly commit: string;
  readonly objects: GitObjects;
}

/** The path of the tenant folder in the base, without links; null if the base lacks it. */
async function baseFolder(at: Revision, written: string | null): Promise<string | null> {
  const path = written === null ? 'outside' : await realPathAt(at, written);
  if (path !== 'outside') return path;
  const message = 'At the base, the tenant folder is a link that leads out of the repository.';
  throw new BaseProblem('BASE_NO_REPOSITORY', message, 'run without --base until this change is merged');
}

/** A path in a commit, without links; null if the commit lacks it. */
async function realPathAt({ git, commit, objects }: Revision, written: string): Promise<string | null | 'outside'> {
  const walk = followLinks([], written);
  let step = walk.next();
  while (step.done !== true) {
    const path = step.value.path.join('/');
    const entry = await entryAt(git, commit, path);
    if (entry === null) return null;
    if (entry.mode === '160000') {
      const message = `At the base, ${path} is a submodule, whose files are in another repository.`;
      throw new BaseProblem('BASE_SUBMODULE', message, 'run without --base until this change is merged');
    }
    step = walk.next(entry.mode === '120000' ? await linkText(objects, path, entry.id) : null);
  }
  return typeof step.value === 'string' ? 'outside' : step.value.join('/');
}

/** Everything below a folder of a commit. */
async function filesBelow({ git, commit }: Revision, folder: string): Promise<readonly TreeFile[]> {
  const entry = folder === '' ? null : await entryAt(git, commit, folder);
  if (folder !== '' && entry?.mode !== '040000') return [];
  const tree = entry?.id ?? `${commit}^{tree}`;
  const listed = await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', tree]);
  if (!listed.ok) throw notFetched(listed.message);
  const files = listed.stdout
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map(treeFile);
  const submodule = files.find(({ type }) => type === 'submodule');
  if (submodule === undefined) return files;
  const message = `At the base, the tenant folder contains the submodule ${submodule.path}, whose files are in another repository.`;
  throw new BaseProblem(
    'BASE_SUBMODULE',
    message,
    'move the submodule out of the tenant folder, or run without --base',
  );
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

async function entryAt(git: Git, commit: string, path: string): Promise<Entry | null> {
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path]);
  if (!listed.ok) throw notFetched(listed.message);
  const [, mode, id] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(listed.stdout.toString()) ?? [];
  return mode === undefined || id === undefined ? null : { mode, id };
}

/** `<mode> <type> <id> <size>`, a tab and the path. The size of a submodule is `-`, and of a missing object `BAD`. */
function treeFile(line: string): TreeFile {
  const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (mode === undefined || id === undefined || size === undefined || path === undefined) throw notFetched(line);
  const type = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
  return { path, type, id, size: size === '-' ? 0 : Number(size) };
}

/** Longer than any path of a file system. */
const longestLink = 5000;

async function linkTexts(files: readonly TreeFile[], objects: GitObjects): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, type, id, size } of files) {
    if (type !== 'link' || size > longestLink) continue;
    texts.set(path, await linkText(objects, path, id));
  }
  return texts;
}

async function linkText(objects: GitObjects, path: string, id: string): Promise<string> {
  const text = await objects.read(id);
  if (text === null) throw notFetched(`the link ${path}`);
  return text.toString();
}

async function variableFileAt(at: Revision, written: string, name: string): Promise<readonly VariableFile[]> {
  const path = await realPathAt(at, written);
  if (path === 'outside') return [{ path: name, read: async () => ({ ok: false, reason: 'outside', detail: '' }) }];
  const entry = path === null || path === '' ? null : await entryAt(at.git, at.commit, path);
  if (entry === null) return [];
  const read = async (): Promise<FileContent> => {
    if (!entry.mode.startsWith('100')) return { ok: false, reason: 'not_a_file', detail: '' };
    const bytes = await at.objects.read(entry.id);
    if (bytes === null) return { ok: false, reason: 'unreadable', detail: 'this clone lacks the object' };
    if (bytes.length > mostBytes) return { ok: false, reason: 'too_large', detail: String(bytes.length) };
    return { ok: true, path: name, bytes };
  };
  return [{ path: name, read }];
}

function isId(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** What git printed, without its last line end. */
function lineOf({ stdout }: GitRun & { readonly ok: true }): string {
  return stdout.toString().replace(/\r?\n$/, '');
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^fatal: /, '').replace(/\.$/, '') || 'it gave no reason';
}
