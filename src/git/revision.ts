import { posix } from 'node:path';
import { mostBytes } from '../config/files/folder-source.ts';
import { isYaml, listTree } from '../config/files/list-tree.ts';
import type { FileContent, FileSource, VariableFile } from '../model/file-source.ts';
import { BaseProblem, notFetched } from './repository.ts';
import { addFiles, type Git } from './run-git.ts';

/** A commit, and how it is read. */
export interface Revision {
  readonly git: Git;
  readonly commit: string;
  /** Files that were read, by id: those of a project are those of its layers. */
  readonly known: Map<string, Buffer>;
}

/** What a commit has at a path. */
interface Entry {
  readonly path: string;
  /** A submodule is an empty folder: its files are in another repository. */
  readonly type: 'file' | 'link' | 'folder' | 'submodule';
  readonly id: string;
  /** In bytes; 0 for a folder. */
  readonly size: number;
}

type EntryAt = (path: string) => Promise<Entry | undefined>;

type Failure = FileContent & { readonly ok: false };

const notAFile: Failure = { ok: false, reason: 'not_a_file', detail: '' };
const missing: Failure = { ok: false, reason: 'missing', detail: '' };
const outside: Failure = { ok: false, reason: 'outside', detail: '' };

/** The path of the tenant folder in the base, without links; null if the base lacks it. */
export async function baseFolder(at: Revision, written: string | null): Promise<string | null> {
  const real = written === null ? outside : await realPath(at, entriesOf(at), '', written);
  if (typeof real === 'string') return real;
  if (real === missing) return null;
  const message = 'At the base, the tenant folder is a link that leads out of the repository.';
  throw new BaseProblem('BASE_NO_REPOSITORY', message, 'run without --base until this change is merged');
}

/** A file of values at the base, under the name that reports show; none if the commit lacks it. */
export async function variableFileAt(at: Revision, written: string, name: string): Promise<readonly VariableFile[]> {
  const entryAt = entriesOf(at);
  const real = await realPath(at, entryAt, '', written);
  if (real === missing) return [];
  const content = typeof real === 'string' ? await contentOf(at, await entryAt(real), name) : real;
  return [{ path: name, read: async () => content }];
}

async function contentOf(at: Revision, entry: Entry | undefined, path: string): Promise<FileContent> {
  if (entry?.type !== 'file') return notAFile;
  if (entry.size > mostBytes) return { ok: false, reason: 'too_large', detail: String(entry.size) };
  const bytes = await bytesOf(at, entry);
  return bytes === undefined
    ? { ok: false, reason: 'unreadable', detail: 'this clone lacks the object' }
    : { ok: true, path, bytes };
}

/** Undefined if this clone lacks the object. */
async function bytesOf({ git, known }: Revision, { id }: Entry): Promise<Buffer | undefined> {
  if (!known.has(id)) await addFiles(known, git, [id]);
  return known.get(id);
}

/** Looks up paths of the repository in a commit, one by one. */
function entriesOf({ git, commit }: Revision): EntryAt {
  return async (path) => (await entriesIn(git, [commit, '--', path]))[0];
}

/** `<mode> <type> <id> <size>`, a tab and the path. The size of a folder is `-`, and of a missing object `BAD`. */
async function entriesIn(git: Git, args: readonly string[]): Promise<readonly Entry[]> {
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', ...args]);
  if (!listed.ok) throw notFetched(listed.message);
  const lines = listed.stdout.toString().split('\0');
  return lines.filter((line) => line !== '').map(entryOf);
}

const typesByMode: Readonly<Record<string, Entry['type']>> = {
  '120000': 'link',
  '160000': 'submodule',
  '040000': 'folder',
};

function entryOf(line: string): Entry {
  const [, mode = '', id = '', size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (size === undefined || path === undefined) throw notFetched(line);
  return { path, type: typesByMode[mode] ?? 'file', id, size: size === '-' ? 0 : Number(size) };
}

/** Everything below a folder of a commit, folders before what is in them. Paths are below the folder. */
async function entriesBelow(at: Revision, folder: string | null): Promise<readonly Entry[]> {
  if (folder === null) return [];
  const entry = folder === '' ? { type: 'folder', id: `${at.commit}^{tree}` } : await entriesOf(at)(folder);
  return entry?.type === 'folder' ? entriesIn(at.git, ['-r', '-t', entry.id]) : [];
}

/**
 * The files of a tenant folder in a revision, under the rules of a folder on disk. `folder` is its path in the
 * repository; '' for the repository itself, and null if the commit lacks it.
 */
export async function treeSource(at: Revision, folder: string | null): Promise<FileSource> {
  const entries = await entriesBelow(at, folder);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const root = folder ?? '';
  const elsewhere = entriesOf(at);
  const entryAt: EntryAt = async (path) => {
    const inside = below(root, path);
    return inside === null || inside === '' ? elsewhere(path) : byPath.get(inside);
  };

  /** The path below the folder, without links. It may leave the tenant folder and come back, as on disk. */
  const real = async (written: string): Promise<string | Failure> => {
    const path = await realPath(at, entryAt, root, written);
    return typeof path === 'string' ? (below(root, path) ?? outside) : path;
  };
  const targetOf = async (link: string) => {
    const path = await real(link);
    if (typeof path === 'string') return { path, isFolder: byPath.get(path)?.type !== 'file' };
    // What is outside is not known: only a link that is named like a YAML file is reported.
    return path === missing ? null : { path: null, isFolder: false };
  };
  const members = entries.flatMap(({ path, type }) => (type === 'file' || type === 'link' ? { path, type } : []));
  // Now, so that an object that this clone lacks is an error of the base.
  const listing = entries.length === 0 ? null : await listTree(members, targetOf);
  const files = entries.filter(({ path, type, size }) => type === 'file' && isYaml(path) && size <= mostBytes);
  const unknown = files.flatMap(({ id }) => (at.known.has(id) ? [] : id));
  await addFiles(at.known, at.git, unknown);
  return {
    list: async () => listing,
    async read(path) {
      const found = await real(posix.normalize(path));
      return typeof found === 'string' ? contentOf(at, byPath.get(found), found) : found;
    },
    async namesIn(path) {
      const found = await real(posix.normalize(path));
      return entries.filter((entry) => parentOf(entry.path) === found).map((entry) => posix.basename(entry.path));
    },
  };
}

/** A path of the repository as one below a folder; null outside. */
function below(folder: string, path: string): string | null {
  if (folder === '' || path === folder) return path.slice(folder.length);
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Longer chains of links are cycles. */
const mostLinks = 40;
/** In bytes; longer than any path of a file system. */
const longestLink = 5000;

/** The path of what a name leads to from a folder, without links; both are paths of the repository. */
async function realPath(
  revision: Revision,
  entryAt: EntryAt,
  from: string,
  written: string,
): Promise<string | Failure> {
  let left: readonly string[] = written.split('/');
  let at = from;
  for (let followed = 0; left.length > 0; ) {
    const [name = '', ...rest] = left;
    left = rest;
    if (name === '' || name === '.') continue;
    if (name === '..' && at === '') return outside;
    const path = name === '..' ? parentOf(at) : posix.join(at, name);
    const entry = name === '..' ? undefined : await entryAt(path);
    if (name !== '..' && entry === undefined) return missing;
    if (entry?.type !== 'link') {
      at = path;
      continue;
    }
    followed += 1;
    if (followed > mostLinks || entry.size > longestLink) return missing;
    const target = (await bytesOf(revision, entry))?.toString();
    if (target === undefined) throw notFetched(`the link ${path}`);
    if (target.startsWith('/') || /^[A-Za-z]:/.test(target)) return outside;
    left = [...target.split('/'), ...left];
  }
  return at;
}
