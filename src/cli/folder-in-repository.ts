import { relative, resolve } from 'node:path';
import type { Io } from './io.ts';

/** The tenant's folder as annotations of a repository name it: relative to the checkout. */
export function folderInRepository(io: Io, folder: string): string {
  return relative(io.env['GITHUB_WORKSPACE'] || io.cwd, resolve(io.cwd, folder)).replaceAll('\\', '/');
}
