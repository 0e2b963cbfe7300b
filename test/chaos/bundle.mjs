// The harness is TypeScript, and the oldest supported Node runs none: so it is bundled into a folder of its own, two levels below a
// copy of what the sources look for by their own place.
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');

/** Bundles an entry of this folder; answers the file to run, and how to remove it. */
export async function bundle(entry) {
  const home = await mkdtemp(join(tmpdir(), 'tenant-sync-chaos-built-'));
  for (const name of ['node_modules', 'schemas', 'dist']) await symlink(join(root, name), join(home, name), 'dir');
  await copyFile(join(root, 'package.json'), join(home, 'package.json'));
  const target = join(home, 'built', 'chaos');
  await mkdir(target, { recursive: true });
  const bundled = await rolldown({
    input: join(import.meta.dirname, entry),
    cwd: root,
    platform: 'node',
    external: /^[a-z@]/,
    tsconfig: false,
  });
  await bundled.write({ dir: target, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundled.close();
  return {
    file: join(target, basename(entry).replace(/\.ts$/, '.js')),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
