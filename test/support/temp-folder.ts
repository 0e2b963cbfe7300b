import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes files (by relative path) into a new folder that is removed after the test. Returns the folder. */
export async function folder(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'tenant-sync-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), content, { mode: 0o644 });
  }
  return root;
}

/** A new folder for several tests of a file, which removes it after the last. */
export async function keptFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tenant-sync-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
