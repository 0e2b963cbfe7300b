import { chmod, lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { readUnlinkedText, writeAtomically } from './safe-file-access.ts';

/** A file below a folder; `before` is null if it must not exist yet, unless with the new text. Texts are without a byte order mark. */
export interface FileToWrite {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}

/** A file that is not written, because it is not as it was read, or because a link leads out of the folder. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
  readonly file: string;
  readonly reason: 'changed' | 'outside';

  constructor(file: string, reason: WriteRefused['reason']) {
    super(`${file} was not written: ${reason}`);
    this.file = file;
    this.reason = reason;
  }
}

const mark = '\uFEFF';
/** What is left to do, while files are written. */
const unfinishedFile = '.tenant-sync-pull.json';

/**
 * Writes files below a folder, each atomically and in the given order. First, all of them are checked: each must be as it
 * was read, inside the folder by the file system's own account. Nothing is written if one is not. `unfinished` is kept
 * in the folder until the last file is written. Rejects with a WriteRefused, or with the error of the file system.
 */
export async function writeFiles(
  folder: string,
  files: readonly FileToWrite[],
  unfinished: readonly string[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  for (const file of files) await prepared(root, file);
  const record = join(root, unfinishedFile);
  const isRecorded = unfinished.length > 0 && files.length > 1;
  if (isRecorded) await writeAtomically(record, `${JSON.stringify(unfinished)}\n`);
  for (const file of files) {
    const { path, mode, hasMark } = await prepared(root, file);
    await makeFolder(root, path, file.file);
    const text = `${hasMark ? mark : ''}${file.after}`;
    // The next writing removes what a kill leaves.
    const beside = join(dirname(path), `.${basename(path)}.tenant-sync.tmp`);
    await writeAtomically(path, text, beside, mode ?? newFileMode);
    if (mode !== null) await chmod(path, mode);
  }
  // Nothing is left to do, also of an interrupted writing.
  await rm(record, { force: true }).catch(() => {});
}

/** What an interrupted writing has left to do; empty if there was none. */
export async function unfinishedIn(folder: string): Promise<readonly string[]> {
  try {
    const value: unknown = JSON.parse(await readUnlinkedText(join(folder, unfinishedFile)));
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** The umask decides. */
const newFileMode = 0o666;

interface Prepared {
  /** Without links. */
  readonly path: string;
  /** Null for a new file. */
  readonly mode: number | null;
  readonly hasMark: boolean;
}

async function prepared(root: string, { file, before, after }: FileToWrite): Promise<Prepared> {
  const target = join(root, file);
  if (!isInside(root, target)) throw new WriteRefused(file, 'outside');
  if (before === null) {
    const path = await newPath(root, file);
    // An interrupted writing may have left it.
    const present = await lstat(path).catch(() => null);
    const isSame = present?.isFile() && (await readFile(path, 'utf8')) === after;
    if (present !== null && !isSame) throw new WriteRefused(file, 'changed');
    return { path, mode: null, hasMark: false };
  }
  const path = await realpath(target).catch(() => null);
  if (path === null) throw new WriteRefused(file, 'changed');
  if (!isInside(root, path)) throw new WriteRefused(file, 'outside');
  const text = await readFile(path, 'utf8');
  const hasMark = text.startsWith(mark);
  if ((hasMark ? text.slice(1) : text) !== before) throw new WriteRefused(file, 'changed');
  return { path, mode: (await lstat(path)).mode & 0o7777, hasMark };
}

/** A folder without links; the last parts of its path may not exist yet. */
async function existingFolder(root: string, folder: string, file: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return join(await existingFolder(root, dirname(folder), file), basename(folder));
  if (real !== root && !isInside(root, real)) throw new WriteRefused(file, 'outside');
  return real;
}

/** The path of a file that may not exist yet, without links. */
async function newPath(root: string, file: string): Promise<string> {
  return join(await existingFolder(root, dirname(join(root, file)), file), basename(file));
}

/** The folder may have been replaced by a link since. */
async function makeFolder(root: string, path: string, file: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (!isInside(root, await realpath(dirname(path)))) throw new WriteRefused(file, 'outside');
}

/**
 * Makes the folder of a file below `folder`, and returns the path of the file without links. Rejects with a WriteRefused
 * if a link leads out of `folder`.
 */
export async function folderFor(folder: string, file: string): Promise<string> {
  const root = await realpath(folder);
  const path = await newPath(root, file);
  await makeFolder(root, path, file);
  return path;
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep) || path === root;
}
