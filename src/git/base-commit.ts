// What a name on the command line means: the commit that the files are compared with.
import { isCommit } from '../values/commit-id.ts';
import { shellWord } from '../values/shell-word.ts';
import { BaseProblem, notFetched } from './repository.ts';
import { type Git, lineOf } from './run-git.ts';

function unknownRef(message: string, hint: string): BaseProblem {
  return new BaseProblem('BASE_REF_UNKNOWN', message, hint);
}

/** A ref comes from a workflow, and may be the name of a branch that an outsider chose. */
export function checkRef(ref: string): void {
  if (ref !== '' && !ref.startsWith('-') && !/[\u0000-\u0020\u007f]/.test(ref)) return;
  const message = `--base ${JSON.stringify(ref.slice(0, 100))} is not the name of a branch, a tag or a commit.`;
  throw unknownRef(message, 'name a branch, such as --base origin/main, or a commit');
}

/** The best common commit of a ref and HEAD. Throws a BaseProblem, with what to type if the ref was not fetched. */
export async function mergeBase(git: Git, ref: string) {
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

/** What git printed; nothing if it failed. */
async function linesOf(git: Git, args: readonly string[]): Promise<readonly string[]> {
  const run = await git.run(args);
  const lines = run.ok ? lineOf(run).split('\n') : [];
  return lines.filter((line) => line !== '');
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
