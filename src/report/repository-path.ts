import { withoutFinal } from '../values/line-ends.ts';

/** A file of the tenant's folder, relative to the repository. `folder` is '' if it is the repository itself. */
export function repositoryPath(file: string, folder: string): string {
  const prefix = withoutFinal(folder.replace(/^(\.\/)+/, ''), '/');
  return prefix === '' || prefix === '.' ? file : `${prefix}/${file}`;
}
