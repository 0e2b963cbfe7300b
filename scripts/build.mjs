// From a clean checkout to a command that runs: compiled validators, then dist/.
//
// The command line is bundled, with the argument and YAML parsers inside: loading their many small files one by one takes longer
// than most commands run. What only talks to a tenant, or plays one, stays outside, as the dependencies of the package, and is
// loaded when it is needed. Everything that finds a file of the package by its own place is two folders below the root, in src/
// and in dist/ alike.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

execFileSync(process.execPath, [join(root, 'scripts/generate.mjs'), '--compiled-only'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  // The last three are doors for scripts that look at the parts.
  input: {
    'cli/main': 'src/cli/main.ts',
    'kinds/index': 'src/kinds/index.ts',
    'config/files/folder-source': 'src/config/files/folder-source.ts',
    'config/load-desired': 'src/config/load-desired.ts',
  },
  platform: 'node',
  external: Object.keys(dependencies).flatMap((name) => [name, new RegExp(`^${name}/`)]),
  tsconfig: false,
  logLevel: 'warn',
  // Three that would only cost time: help pages are ASCII, so a measure of width needs no table of all emoji; the YAML parser comes
  // as modules too; and two functions of node:assert are all that anything asks for.
  resolve: {
    alias: {
      'string-width': join(root, 'scripts/ascii-width.mjs'),
      yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
      assert: join(root, 'scripts/small-assert.mjs'),
    },
  },
});
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  minify: true,
  // Few files: each that a command loads costs it a good part of a millisecond.
  codeSplitting: {
    groups: [
      { name: 'version', test: /src\/cli\/version\.ts/, priority: 1 },
      {
        name: 'command-line',
        test: /node_modules\/(yargs|yargs-parser|cliui|y18n|escalade|get-caller-file|wrap-ansi|strip-ansi|ansi-regex|ansi-styles)\/|src\/(report|cli\/(run|parse-arguments|command-options|process-io|output|environment|fault|internal-error|exit-codes|folder-in-repository)\.ts)/,
      },
      {
        name: 'files',
        test: /node_modules\/(yaml|fast-deep-equal|ajv-formats|leven)\/|src\/(config\/(?!errors\/(?:explain|wording|schema-))|(kinds|resources)\/(?!.*(tenant(-resources)?|seed-validators\.generated)\.ts)|contract\/(?!plan|clients|token|error|journal)|diagnostics|differ|model)/,
      },
    ],
  },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  comments: { legal: true, annotation: true, jsdoc: false },
});
await bundle.close();
chmodSync(join(dist, 'cli/main.js'), 0o755);
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES'), licensesOf(output));

/** The licences of the packages that ended up inside. */
function licensesOf(chunks) {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds ?? []);
  const folders = new Set(
    modules.flatMap((id) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${license === undefined ? 'no licence file' : readFileSync(join(folder, license), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
