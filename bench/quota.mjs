// Measures the rate limiter of the client against simulated services: `npm run bench:quota`. `-- --real` uses a real HTTP server;
// `-- --applies` runs only complete applies under small quotas. The simulator is TypeScript, so it is bundled first.
import { pathToFileURL } from 'node:url';
import { bundle } from '../test/chaos/bundle.mjs';

const { file, remove } = await bundle('../../bench/quota/main.ts');
try {
  await import(pathToFileURL(file));
} finally {
  await remove();
}
