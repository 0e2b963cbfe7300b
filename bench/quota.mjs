// The gate's numbers, with the gate that is built in: `npm run bench:quota`, and `npm run bench:quota -- --real` against a real server.
// The simulator is TypeScript beside the code that it drives, so it is bundled first.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
// Below node_modules, so that what stays outside the bundle is found.
const folder = await mkdtemp(join(root, 'node_modules/.bench-quota-'));
try {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, 'bench/quota/main.ts'),
    platform: 'node',
    external: ['undici'],
    tsconfig: false,
  });
  const file = join(folder, 'main.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  await import(pathToFileURL(file).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
