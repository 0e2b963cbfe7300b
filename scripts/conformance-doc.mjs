// docs/internals/conformance.md from the table of test/conformance. `--check` fails when it is stale. The
// table is TypeScript, and the oldest supported Node runs none: so it is bundled first.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { keepCurrent } from './generated-doc.mjs';

const input = join(import.meta.dirname, '..', 'test', 'conformance', 'render-conformance.ts');
const folder = await mkdtemp(join(tmpdir(), 'tenant-sync-conformance-'));
try {
  const file = join(folder, 'render-conformance.mjs');
  const bundle = await rolldown({ input, platform: 'node', tsconfig: false });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const { renderConformance } = await import(pathToFileURL(file).href);
  keepCurrent('internals/conformance.md', renderConformance());
} finally {
  await rm(folder, { recursive: true, force: true });
}
