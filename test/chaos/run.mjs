// Runs one of the harnesses with the arguments of the command line: node test/chaos/run.mjs chaos|kill …
import { spawnSync } from 'node:child_process';
import { bundle } from './bundle.mjs';

const [harness, ...rest] = process.argv.slice(2);
const { file, remove } = await bundle(`${harness}-main.ts`);
try {
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', file, ...rest], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  await remove();
}
