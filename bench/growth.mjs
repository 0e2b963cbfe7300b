// How the time of loading hostile files grows with their size. The inputs are those of the tests, in TypeScript, so they are
// bundled first.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** The time of each input and of twice the input, in milliseconds: the slowest growth first. */
export async function measureGrowth() {
  // Bundled modules find files of the package two folders above their own.
  const home = await mkdtemp(join(tmpdir(), 'tenant-sync-growth-'));
  try {
    for (const name of ['node_modules', 'schemas', 'package.json']) await symlink(join(root, name), join(home, name));
    const bundle = await rolldown({
      cwd: root,
      input: join(root, 'bench/growth/main.ts'),
      platform: 'node',
      external: /^[a-z@]/,
      tsconfig: false,
    });
    await bundle.write({ dir: join(home, 'built/growth'), format: 'esm', entryFileNames: 'main.mjs' });
    await bundle.close();
    const { measureAll } = await import(pathToFileURL(join(home, 'built/growth/main.mjs')).href);
    return await measureAll();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
