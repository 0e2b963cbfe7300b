import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that makes a folder a project. */
export const projectFile = 'tenant-sync.yaml';

export function isProject(folder: string): boolean {
  return existsSync(join(folder, projectFile));
}
