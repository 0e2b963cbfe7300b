import { constants } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openRegular } from '../files/safe-file-access.ts';

/** Decides by its first characters whether a file that exists may be replaced; null if it may, else the reason. */
export type MayReplace = (start: string) => string | null;

const firstBytes = 512;

/**
 * Why a file cannot be written to a path, or null. A rename would replace a device, a link or a file of the tenant, so
 * a path is free, or has an empty file or one that this program has written.
 */
export async function pathProblem(path: string, mayReplace: MayReplace): Promise<string | null> {
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory()) return 'its folder does not exist';
  const isWritable = await access(dirname(path), constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return 'its folder cannot be written to';
  const present = await lstat(path).catch(() => null);
  const isFree = present === null || (present.isFile() && present.size === 0);
  if (isFree) return /\.ya?ml$/i.test(path) ? 'it would be read as a file of a tenant' : null;
  if (!present.isFile()) return 'it is not a plain file';
  const start = await startOf(path);
  return start === null ? 'it is a file that cannot be read' : mayReplace(start);
}

async function startOf(path: string): Promise<string | null> {
  const file = await openRegular(path, constants.O_RDONLY).catch(() => null);
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** One path for each file of a folder, even if a link leads to the folder. */
export async function samePath(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}
