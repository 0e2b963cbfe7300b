// Measures the rate limiter of the client against simulated services: `npm run bench:quota`. `-- --real` uses a real HTTP server;
// `-- --ablate` switches off one heuristic after the other. The simulator is TypeScript, so it is bundled first.
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
