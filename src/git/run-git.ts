// The only module that starts git. Nothing of a repository is run: the commands are plumbing that reads objects,
// their arguments never contain a name that git could take for an option, and transports are switched off, so that a
// partial clone does not fetch what it lacks. A bare repository is no repository here: a commit can contain one.
import { spawn } from 'node:child_process';

export type Env = Readonly<Record<string, string | undefined>>;

export type GitRun =
  | { readonly ok: true; readonly stdout: Buffer }
  /** `code` is null if git could not be started or was stopped. */
  | { readonly ok: false; readonly code: number | null; readonly message: string };

/** How git is started: in a folder, with what it needs of an environment. */
export interface Git {
  run(args: readonly string[]): Promise<GitRun>;
  /** Objects by id, through one process that lives until `close`. */
  openObjects(): GitObjects;
}

export interface GitObjects {
  /** The bytes of a file; null if this clone lacks the object. */
  read(id: string): Promise<Buffer | null>;
  close(): void;
}

/** In bytes: a tree of 500,000 files fits. */
const mostOutput = 100_000_000;
/** In characters. */
const mostMessage = 10_000;

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

/** Exits with 1 if two trees differ. Settings in `.gitmodules` would otherwise hide changed submodules. */
export const compareTrees = ['--literal-pathspecs', 'diff-tree', '-r', '--quiet', '--ignore-submodules=none'] as const;

export function gitIn(folder: string, env: Env): Git {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name)));
  const start = (args: readonly string[]) =>
    spawn('git', ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit', ...args], {
      cwd: folder,
      env: { ...given, ...settings },
      windowsHide: true,
    });
  return {
    run: (args) =>
      new Promise((resolve) => {
        const child = start(args);
        const output: Buffer[] = [];
        let size = 0;
        let message = '';
        child.stdin.on('error', () => {});
        child.stdin.end();
        child.stdout.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size <= mostOutput) output.push(piece);
          else child.kill();
        });
        child.stderr.on('data', (piece: Buffer) => {
          if (message.length < mostMessage) message += piece.toString();
        });
        child.on('error', (error) => resolve({ ok: false, code: null, message: error.message }));
        child.on('close', (code) => {
          if (size > mostOutput) resolve({ ok: false, code: null, message: `the output of git is too long` });
          else if (code === 0) resolve({ ok: true, stdout: Buffer.concat(output) });
          else resolve({ ok: false, code, message: message.trim() });
        });
      }),
    openObjects: () => openObjects(() => start(['cat-file', '--batch'])),
  };
}

/** `<id> blob <size>`, a line end, the bytes and a line end; or `<id> missing`. In the order of the requests. */
function openObjects(start: () => ReturnType<typeof spawn>): GitObjects {
  let child: ReturnType<typeof spawn> | null = null;
  const waiting: ((bytes: Buffer | null) => void)[] = [];
  let received: Buffer[] = [];
  let size = 0;
  /** Bytes of the next response, with its header and its line end; null before the header is complete. */
  let expected: { readonly header: number; readonly bytes: number } | null = null;

  /** A partial clone that is asked for what it lacks ends the process. */
  const end = () => {
    child = null;
    for (const resolve of waiting.splice(0)) resolve(null);
  };

  const take = () => {
    while (waiting.length > 0) {
      if (expected === null) {
        const joined = Buffer.concat(received);
        received = [joined];
        const header = joined.indexOf('\n') + 1;
        if (header === 0) return;
        const [, type, length] = joined.toString('latin1', 0, header - 1).split(' ');
        if (type !== 'blob') {
          next(null, header);
          continue;
        }
        expected = { header, bytes: Number(length) };
      }
      const { header, bytes } = expected;
      if (size < header + bytes + 1) return;
      const joined = Buffer.concat(received);
      received = [joined];
      // A copy: the buffer is a part of what was received.
      next(Buffer.from(joined.subarray(header, header + bytes)), header + bytes + 1);
    }
  };

  const next = (bytes: Buffer | null, length: number) => {
    const rest = Buffer.concat(received).subarray(length);
    received = [rest];
    size = rest.length;
    expected = null;
    waiting.shift()?.(bytes);
  };

  const started = () => {
    if (child !== null) return child;
    const git = start();
    git.stdin?.on('error', () => {});
    git.stderr?.resume();
    git.stdout?.on('data', (piece: Buffer) => {
      received.push(piece);
      size += piece.length;
      take();
    });
    git.on('error', end);
    git.on('close', end);
    child = git;
    return git;
  };

  return {
    read: (id) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        started().stdin?.write(`${id}\n`);
      }),
    close() {
      child?.stdin?.end();
    },
  };
}

/** What git printed, without its last line end. */
export function lineOf({ stdout }: GitRun & { readonly ok: true }): string {
  return stdout.toString().replace(/\r?\n$/, '');
}

/** The first line of a message of git, as a part of a sentence. */
export function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^fatal: /, '').replace(/\.$/, '') || 'it gave no reason';
}
