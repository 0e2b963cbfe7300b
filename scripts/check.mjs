// Everything that has to hold, in the order in which it is cheapest to learn that it does not.
// The last line counts what the test runner counted; a step that fails before the tests counts as one failure.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const report = join(root, 'coverage', 'results.json');
const bin = (name) => join(root, 'node_modules', name);

const steps = [
  ['build', ['scripts/build.mjs']],
  ['generated files are fresh', ['scripts/generate.mjs', '--check']],
  ['types', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']],
  ['lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']],
  ['generated documents are fresh', ['scripts/operations-doc.mjs', '--check']],
];

for (const [name, args] of steps) {
  if (!run(name, args)) finish({ passed: 0, failed: 1 });
}
rmSync(report, { force: true });
const green = run('tests with coverage', [
  bin('vitest/vitest.mjs'),
  'run',
  '--coverage',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
const counted = countTests();
// A threshold of the coverage fails the run without failing a test.
finish(green || counted.failed > 0 ? counted : { ...counted, failed: counted.failed + 1 });

function run(name, args) {
  const started = Date.now();
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(`# ${name}: ${status === 0 ? 'ok' : 'FAILED'}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return status === 0;
}

function countTests() {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numTotalTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const brokenFiles = numFailedTests === 0 ? numFailedTestSuites : 0;
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles + (numTotalTests === 0 ? 1 : 0) };
}

function finish({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
