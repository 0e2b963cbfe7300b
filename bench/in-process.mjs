// Measurements of single functions. They are TypeScript, and use what the tests use, so they are bundled first.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Passes what a module of bench/in-process exports to `use`. */
export async function inProcess(name, use) {
  // Bundled modules find files of the package two folders above their own.
  const home = await mkdtemp(join(tmpdir(), 'tenant-sync-bench-'));
  try {
    for (const entry of ['node_modules', 'schemas', 'package.json'])
      await symlink(join(root, entry), join(home, entry));
    const bundle = await rolldown({
      cwd: root,
      input: join(root, `bench/in-process/${name}.ts`),
      platform: 'node',
      external: /^[a-z@]/,
      tsconfig: false,
    });
    await bundle.write({ dir: join(home, 'built/bench'), format: 'esm', entryFileNames: 'main.mjs' });
    await bundle.close();
    return await use(await import(pathToFileURL(join(home, 'built/bench/main.mjs')).href));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
