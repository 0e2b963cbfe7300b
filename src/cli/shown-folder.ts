import { isAbsolute, relative, resolve } from 'node:path';
import type { Io } from './io.ts';

type Surroundings = Pick<Io, 'env' | 'cwd'>;

/**
 * Where the tenant folder is for people and forges: below the checkout in a pipeline, and below the working directory
 * elsewhere. '' if it is that folder itself, or outside.
 */
export function shownFolder({ env, cwd }: Surroundings, folder: string): string {
  const root = env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || cwd;
  const path = relative(root, resolve(cwd, folder)).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') || isAbsolute(path) ? '' : path;
}

/** What the paths of its files begin with. */
export function startOfPaths(surroundings: Surroundings, folder: string): string {
  const shown = shownFolder(surroundings, folder);
  return shown && `${shown}/`;
}
