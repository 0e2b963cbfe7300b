import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder of the user's own, and those above it that are missing. What Node has for this says ENOENT of a file system
 * that is read-only, and never ends below /proc.
 */
export function makeFolder(path: string, isBelowFolder = false): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || isBelowFolder) throw error;
    makeFolder(dirname(path));
    makeFolder(path, true);
  }
}
