// Runs the checks of the project, the quickest first, and stops at the first step that fails.
//
//   node scripts/check.mjs          npm test: generated files, types, fast tests
//   node scripts/check.mjs --rest   npm run check: build, lint, tables of the documents, slow tests, and other versions of Node
//   node scripts/check.mjs --long   npm run check:long: inputs of full size, all cases of property tests with another seed each
//                                   time, what waits for clocks, coverage, auth0-deploy-cli from the registry, chaos, kills and
//                                   mutants; hours
//
// The last line is `N passed, N failed`. Every test counts once: a test that runs again, with more cases or on another version
// of Node, counts only if it fails then. A step that fails without a failed test, such as lint, counts as one failure.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { findChromium, noChromium } from './chromium.mjs';

const root = join(import.meta.dirname, '..');
const mode = ['--rest', '--long'].find((name) => process.argv.includes(name));
const otherNodes = ['22', '24'];
/** What the other versions of Node run: what meets the outside. They find dist/ built. */
const testsOnOtherNodes = ['test/contract/', 'test/cli/built-command.', 'test/library/'];

const bin = (path) => join(root, 'node_modules', path);
const vitest = bin('vitest/vitest.mjs');

if (mode !== undefined && isBuildStale()) await step('build', ['scripts/build.mjs']);
finish(await (mode === '--rest' ? testRest() : mode === '--long' ? testLong() : testFast()));

/** `npm ci` builds as well: what nobody changed since is not built again. */
function isBuildStale() {
  const sources = ['src', 'schemas', 'scripts'].flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  ]);
  const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAt = changedAt('dist/THIRD-PARTY-LICENSES');
  return [...sources, 'package.json', 'tsconfig.build.json'].some((path) => changedAt(path) > builtAt);
}

async function testFast() {
  await Promise.all([
    step('generated files', ['scripts/generate.mjs', '--check']),
    step('types', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']),
    step('types of the page', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.browser.json']),
  ]);
  return test('fast tests', ['--project=fast']);
}

async function testRest() {
  await Promise.all([
    step('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--colors=off']),
    step('table of operations', ['scripts/operations-doc.mjs', '--check']),
    step('table of codes', ['scripts/diagnostics-doc.mjs', '--check']),
    step('table of conformance', ['scripts/conformance-doc.mjs', '--check']),
  ]);
  const counts = await test('slow tests', ['--project=slow']);
  for (const version of otherNodes.filter((version) => !process.versions.node.startsWith(`${version}.`))) {
    const node = await findNode(version);
    if (node === null) counts.failed += 1;
    else
      counts.failed += (
        await test(`Node ${version}: built command, contract, library`, testsOnOtherNodes, { node })
      ).failed;
  }
  return counts;
}

async function testLong() {
  const seed = String(randomInt(1_000_000_000));
  console.log(`# PROPERTY_SEED=${seed} THOROUGH=1 repeats the property tests, and --seed ${seed} the chaos`);
  const counts = await test('all cases, full size', [], { env: { THOROUGH: '1', PROPERTY_SEED: seed } });
  // Counting takes a third longer.
  counts.failed += (await test('coverage of the fast tests', ['--project=fast', '--coverage'])).failed;
  await step('compiled validators', ['scripts/generate.mjs', '--compiled-only']);
  await step('chaos', ['test/chaos/run.mjs', 'chaos', '--seeds', '10000', '--seed', seed]);
  await step('kills', ['test/chaos/run.mjs', 'kill', '--points', '100']);
  await step('mutants', ['test/mutants/run.mjs']);
  return counts;
}

/** Runs a program of this repository and prints its name, its time, and what it printed. Ends the check if it fails. */
async function step(name, args) {
  if (!(await run(name, process.execPath, args)).ok) finish({ passed: 0, failed: 1 });
}

/** Runs tests and returns their counts. */
async function test(name, args, { node = process.execPath, env = {} } = {}) {
  const results = join(root, 'coverage', 'results.json');
  await rm(results, { force: true });
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${results}`];
  // Programs that tests start by name are of the same version.
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const { ok } = await run(name, node, [vitest, 'run', ...reporters, ...args], { ...env, PATH: path });
  const { passed, failed } = await readCounts(results);
  return { passed, failed: ok || failed > 0 ? failed : 1 };
}

async function readCounts(results) {
  const text = await readFile(results, 'utf8').catch(() => null);
  if (text === null) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numTotalTests } = JSON.parse(text);
  // A file that cannot be loaded is a failed suite without tests.
  const unloadable = numFailedTests === 0 ? numFailedTestSuites : 0;
  return { passed: numPassedTests, failed: numFailedTests + unloadable + (numTotalTests === 0 ? 1 : 0) };
}

/** The binary of another version of Node, or null: npm installs it into its cache, from the package `node` of the registry. */
async function findNode(version) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const printPath = ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'];
  const { ok, stdout } = await run(`Node ${version}: install`, command, [...first, ...printPath], {}, { quiet: true });
  return ok ? stdout.trim().split('\n').at(-1) : null;
}

async function run(name, command, args, env = {}, { quiet = false } = {}) {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', both: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
    output.both += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.both += text;
  });
  const status = await new Promise((resolve) => {
    child.on('error', (error) => {
      output.both += `${error.message}\n`;
      resolve(1);
    });
    child.on('close', resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = status === 0;
  console.log(`# ${name}: ${ok ? 'ok' : 'FAILED'}, ${seconds} s`);
  if (!(ok && quiet) && output.both.trim() !== '') console.log(`${output.both.trim()}\n`);
  return { ok, stdout: output.stdout };
}

function finish({ passed, failed }) {
  if (mode === '--rest' && findChromium() === null) console.log(`\n# ${noChromium}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
