import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Texts by relative path. */
export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}
