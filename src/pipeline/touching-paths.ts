import { posix, relative, resolve, sep } from 'node:path';
import type { Settings } from './settings.ts';

/**
 * Paths of the repository whose changes may change a plan: the tenant folder, what the job names, files of values, and
 * attributes of git above the folder, which may convert its files.
 */
export function touchingPaths(
  { folder, paths, options }: Pick<Settings, 'folder' | 'paths' | 'options'>,
  workspace: string,
): readonly string[] {
  const above = folder === '.' ? [] : folder.split('/').map((_name, index, names) => names.slice(0, index).join('/'));
  const attributes = above.map((parent) => posix.join(parent, '.gitattributes'));
  return [folder, ...paths, ...options.flatMap((option) => valuesIn(option, workspace)), ...attributes];
}

/** The file of `--var-file`. Git knows none outside of the repository. */
function valuesIn(option: string, workspace: string): readonly string[] {
  const [, file] = /^--var-?file=(.*)$/i.exec(option) ?? [];
  if (file === undefined) return [];
  const path = relative(workspace, resolve(workspace, file)).split(sep).join('/');
  return path === '..' || path.startsWith('../') || resolve(path) === path ? [] : [path];
}
