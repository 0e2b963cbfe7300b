import { isCommit } from '../values/commit-id.ts';
import { shellWord } from '../values/shell-word.ts';
import { BaseProblem, notFetched } from './base-problem.ts';
import { type Git, type GitRun, lineOf } from './run-git.ts';

/** In characters. */
const longestRef = 1000;

/** A ref comes from a workflow, and may be the name of a branch that an outsider chose. */
export function checkRef(ref: string): void {
  if (ref !== '' && ref.length <= longestRef && !ref.startsWith('-') && !/[\u0000-\u0020\u007f]/.test(ref)) return;
  const message = `--base ${JSON.stringify(ref.slice(0, 100))} is not the name of a branch, a tag or a commit.`;
  throw new BaseProblem('BASE_REF_UNKNOWN', message, 'name a branch, such as --base origin/main, or a commit');
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
  if (head === null)
    throw new BaseProblem(
      'BASE_REF_UNKNOWN',
      'The repository has no commit yet.',
      'commit first, or run without --base',
    );
  const names = await meaningsOf(git, ref);
  if (names.length > 1) {
    const message = `--base ${ref} is ambiguous: ${names.join(' and ')}.`;
    throw new BaseProblem('BASE_REF_UNKNOWN', message, `write the name in full, such as --base ${names.at(-1)}`);
  }
  const [full] = names;
  const isTag = full?.startsWith('refs/tags/') === true && !ref.startsWith('refs/');
  // Git would look for the branch of a remote, and for a name in full, among the tags as well.
  const isElsewhere = full === undefined ? ref.startsWith('refs/') : isTag && (await isOfRemote(git, ref));
  const tip = isElsewhere ? null : await commitOf(git, ref);
  if (tip === null) {
    const message = `--base ${ref} names no commit of this clone.`;
    throw new BaseProblem('BASE_REF_UNKNOWN', message, await fetchHint(git, ref));
  }
  const found = await git.run(['merge-base', head, tip]);
  const commit = found.ok ? lineOf(found) : '';
  if (isCommit(commit)) return { commit, tip, ref: isTag ? full + suffixOf(ref) : ref };
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
  const run = await git.run(['show-ref', '--', name, `${name}/HEAD`]);
  if (!run.ok) return [];
  const known = new Set(linesOf(run).map((line) => line.slice(line.indexOf(' ') + 1)));
  if (known.has(name)) return [name];
  if (name.startsWith('refs/')) return [];
  const names = [...refFolders.map((folder) => folder + name), `refs/remotes/${name}/HEAD`].filter((full) =>
    known.has(full),
  );
  return names.length === 0 ? [] : [...(await commitsNamed(git, name)), ...names];
}

/** The commits that a name abbreviates: the start of an id, or what `git describe` prints. An entire id is never a ref. */
async function commitsNamed(git: Git, name: string): Promise<readonly string[]> {
  const [, start] = /^(?:.*-g)?([0-9a-f]{4,64})$/i.exec(name) ?? [];
  if (start === undefined || isCommit(name)) return [];
  const objects = await git.run(['rev-parse', `--disambiguate=${start.toLowerCase()}`]);
  const ids = objects.ok ? linesOf(objects).filter(isCommit) : [];
  if (ids.length === 0) return [];
  const commits = await git.run(['rev-list', '--no-walk=unsorted', ...ids]);
  return commits.ok ? linesOf(commits) : ids;
}

function linesOf(run: GitRun & { readonly ok: true }): readonly string[] {
  return lineOf(run)
    .split('\n')
    .filter((line) => line !== '');
}

async function remotesOf(git: Git): Promise<readonly string[]> {
  const remotes = await git.run(['remote']);
  return remotes.ok ? linesOf(remotes) : [];
}

async function isOfRemote(git: Git, ref: string): Promise<boolean> {
  return (await remotesOf(git)).some((name) => ref.startsWith(`${name}/`));
}

/** What to type for a name that is not known here: continuous integration often fetches one branch. */
async function fetchHint(git: Git, ref: string): Promise<string> {
  if (suffixOf(ref) !== '') return 'correct the name; git log lists the commits';
  const names = await remotesOf(git);
  const short = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  const remote = names.find((name) => short.startsWith(`${name}/`)) ?? (names.includes('origin') ? 'origin' : names[0]);
  if (remote === undefined) return 'correct the name; git branch --all lists the branches';
  const branch = short.startsWith(`${remote}/`) ? short.slice(remote.length + 1) : short;
  const destination = `refs/remotes/${remote}/${branch}`;
  const command = `git fetch ${shellWord(remote)} ${shellWord(`+refs/heads/${branch}:${destination}`)}`;
  const then = short === branch ? `, and use --base ${shellWord(`${remote}/${branch}`)}` : '';
  return `correct the name, or run: ${command}${then}`;
}
