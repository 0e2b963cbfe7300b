// Plants small bugs in one package after the other, one at a time, and runs the tests that have to notice each: those of the
// package itself. All tests that reach a bug would take three times as long.
//
//   npm run mutants                             every package
//   npm run mutants -- edit pull                two of them
//   npm run mutants -- src/apply/conflict.ts    a file, in a minute or two
//   npm run mutants -- edit --incremental       only what the last such run did not decide
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const packages = ['apply', 'plan', 'differ', 'items', 'edit', 'pull', 'kinds'];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { incremental: { type: 'boolean' } } });
process.chdir(join(import.meta.dirname, '../..'));
for (const what of positionals.length > 0 ? positionals : packages) {
  const name = /^src\/([^/]+)\//.exec(what)?.[1] ?? what;
  console.log(`# ${what}`);
  // For vitest.config.ts, which Stryker reads in processes of its own.
  process.env.MUTATED_PACKAGE = name;
  // Sets the exit code where the score is below the threshold, and goes on.
  await new Stryker({
    configFile: 'test/mutants/stryker.config.json',
    mutate: [what === name ? `src/${name}/**/*.ts` : what, '!src/**/*.generated.ts'],
    jsonReporter: { fileName: `.mutants/${name}.json` },
    incremental: values.incremental ?? false,
    incrementalFile: `.mutants/${name}-incremental.json`,
  }).runMutationTest();
}
