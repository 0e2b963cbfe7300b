// Runs one of the harnesses with the arguments of the command line: node test/chaos/run.mjs chaos|kill …
// With --without MECHANISM, the product lacks it, and the checks should notice.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const [harness, ...args] = process.argv.slice(2);
const { values, tokens } = parseArgs({ args, options: { without: { type: 'string' } }, strict: false, tokens: true });
const own = tokens
  .filter(({ name }) => name === 'without')
  .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1]));
const rest = args.filter((_arg, index) => !own.includes(index));
const { file, remove } = await bundle(`${harness}-main.ts`, { without: values.without });
try {
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', file, ...rest], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  await remove();
}
