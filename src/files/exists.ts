import { access } from 'node:fs/promises';

/** True if there is a file or a folder at this path that can be found; a link counts as what it leads to. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
