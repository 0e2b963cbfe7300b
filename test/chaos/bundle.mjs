// The harness is TypeScript, and the oldest supported Node runs none: so it is bundled into a folder of its own, two levels below a
// copy of what the sources look for by their own place.
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');

/** What can be taken out of the product, and the module that a module of `mutants` replaces. */
const mutants = {
  'second-pass': 'src/snapshot/passes.ts',
  'counts-of-passes': 'src/snapshot/passes.ts',
  'own-changes': 'src/snapshot/passes.ts',
  'proof-time': 'src/snapshot/shared.ts',
  freshness: 'src/apply/knowledge.ts',
  replaced: 'src/apply/proofs.ts',
  verification: 'src/apply/verify.ts',
};

/**
 * Bundles an entry of this folder; returns the file to run, and how to remove it. With `without`, the product lacks one of its
 * mechanisms.
 */
export async function bundle(entry, { without } = {}) {
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
    plugins: without === undefined ? [] : [replacing(without)],
  });
  await bundled.write({ dir: target, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundled.close();
  return {
    file: join(target, basename(entry).replace(/\.ts$/, '.js')),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

/** Imports of a module lead to the mutant of that name; only the mutant imports the module itself. */
function replacing(name) {
  const module = join(root, mutants[name] ?? '');
  const mutant = join(import.meta.dirname, 'mutants', `${name}.ts`);
  if (mutants[name] === undefined) throw new Error(`${name} is none of ${Object.keys(mutants).join(', ')}`);
  return {
    name: 'replace a module',
    resolveId: (source, importer) =>
      importer !== undefined && importer !== mutant && join(dirname(importer), source) === module ? mutant : null,
  };
}
