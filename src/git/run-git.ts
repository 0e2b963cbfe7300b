// The only module that starts git. Nothing of a repository is run: the commands are plumbing that reads objects,
// their arguments never contain a name that git could take for an option, and transports are switched off, so that a
// partial clone does not fetch what it lacks. A bare repository is no repository here: a commit can contain one.
import { execFile } from 'node:child_process';
import { isCommit } from '../values/commit-id.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export type GitRun = { readonly ok: true; readonly stdout: Buffer } | GitFailure;

export interface GitFailure {
  readonly ok: false;
  /** Null if git could not be started or was stopped. */
  readonly code: number | null;
  readonly message: string;
}

export type Git = ReturnType<typeof gitIn>;

/** In bytes: a tree of 500,000 files fits. */
const mostOutput = 100_000_000;

/** Everything else of the environment, such as credentials or GIT_DIR, is kept from git. */
const passedOn =
  /^(?:PATH|HOME|XDG_CONFIG_HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|PROGRAMDATA|SYSTEMROOT|SYSTEMDRIVE|WINDIR|PATHEXT|TMPDIR|TEMP|TMP|GIT_CONFIG_.*)$/i;

const settings: Env = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};

const always = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];

/** Exits with 1 if two trees differ. Settings in `.gitmodules` would otherwise hide changed submodules. */
const compareTrees = ['--literal-pathspecs', 'diff-tree', '-r', '--quiet', '--ignore-submodules=none'] as const;

/** How git is started: in a folder, with what it needs of an environment. */
export function gitIn(folder: string, env: Env) {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name)));
  const options = { cwd: folder, env: { ...given, ...settings }, windowsHide: true };
  return {
    run: (args: readonly string[], input = ''): Promise<GitRun> =>
      new Promise((resolve) => {
        const buffers = { ...options, encoding: 'buffer', maxBuffer: mostOutput } as const;
        const child = execFile('git', [...always, ...args], buffers, (error, stdout, stderr) => {
          if (error === null) return resolve({ ok: true, stdout });
          const code = typeof error.code === 'number' ? error.code : null;
          resolve({ ok: false, code, message: code === null ? error.message : stderr.toString().trim() });
        });
        child.stdin?.on('error', () => {});
        child.stdin?.end(input);
      }),
  };
}

/** Adds the bytes of files by id, through one process; none if it fails. */
export async function addFiles(found: Map<string, Buffer>, git: Git, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const run = await git.run(['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''));
  // `<id> blob <size>`, a line end, the bytes and a line end; or `<id> missing`.
  for (let left = run.ok ? run.stdout : Buffer.alloc(0); left.length > 0; ) {
    const start = left.indexOf('\n') + 1;
    const [id = '', type, size] = left.toString('latin1', 0, start).trimEnd().split(' ');
    const end = start + Number(size ?? 0);
    if (type === 'blob') found.set(id, left.subarray(start, end));
    left = left.subarray(size === undefined ? start : end + 1);
  }
}

/** What git printed, without its last line end. */
export function lineOf({ stdout }: GitRun & { readonly ok: true }): string {
  return stdout.toString().replace(/\r?\n$/, '');
}

/** The lines that git printed, without empty ones; none if it failed. */
export async function linesOf(git: Git, args: readonly string[]): Promise<readonly string[]> {
  const run = await git.run(args);
  return run.ok
    ? lineOf(run)
        .split(/\r?\n/)
        .filter((line) => line !== '')
    : [];
}

/** The commit that a name refers to; null if this clone has none. The name is no option. */
export async function commitOf(git: Git, ref: string): Promise<string | null> {
  const [id = ''] = await linesOf(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return isCommit(id) ? id : null;
}

/** True if a path, or something below it, is not the same in both commits. What cannot be compared differs. */
export async function differs(git: Git, one: string, other: string, paths: readonly string[]): Promise<boolean> {
  return one !== other && !(await git.run([...compareTrees, one, other, '--', ...paths])).ok;
}

/** The first line of a message of git, as a part of a sentence. */
export function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^fatal: /, '').replace(/\.$/, '') || 'it gave no reason';
}
