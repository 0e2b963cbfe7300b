import { lstatSync, mkdirSync, readlinkSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { refuseShared } from '../files/safe-file-access.ts';
import { tried } from '../values/tried.ts';

/**
 * Keeps the compiled code of every file that is loaded from now on, with Node 22 and later. Node's own default is a folder
 * that all users share, so this names one of the user's own. A runner of a pipeline would rarely find it again, and what one
 * job writes there must not run in another.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
  const { env } = process;
  // Where NODE_COMPILE_CACHE names a folder, Node has enabled it there before this code runs.
  if (!enableCompileCache || env['CI'] || env['NODE_COMPILE_CACHE'] || env['NODE_DISABLE_COMPILE_CACHE']) return;
  const cache = env['XDG_CACHE_HOME'] || join(tried(homedir) ?? '', '.cache');
  // A relative one could be a part of the files of a tenant.
  if (isAbsolute(cache)) tried(() => enableCompileCache(privateFolder(join(cache, 'tenant-sync'))));
}

/** The path without links of a folder that only this user can write to. Throws if another one can redirect the path. */
function privateFolder(path: string): string {
  const folder = trustedFolder(path);
  refuseShared(lstatSync(folder));
  return folder;
}

/**
 * Follows a path from the root, and creates what is missing. Every folder and link on the way belongs to this user or the
 * superuser. Others may write to a folder only where they cannot replace what is in it, as in /tmp.
 *
 *   /home/me/.cache -> /data/me, made by another user  ->  throws
 */
function trustedFolder(path: string): string {
  if (dirname(path) === path) return path;
  const folder = join(trustedFolder(dirname(path)), basename(path));
  tried(() => mkdirSync(folder, { mode: 0o700 }));
  const entry = lstatSync(folder);
  const isLink = entry.isSymbolicLink();
  refuseShared(isLink || (entry.mode & sticky) !== 0 ? { uid: entry.uid, mode: 0 } : entry);
  return isLink ? trustedFolder(resolve(dirname(folder), readlinkSync(folder))) : folder;
}

const sticky = 0o1000;
