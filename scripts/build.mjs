// From a clean checkout to a package that runs: compiled validators, the command line, the library and its declarations.
//
// The command line is bundled, with the YAML parser, the connections and the layout of help pages inside: loading their
// many small files one by one takes longer than most commands run. What only serves a tenant stays outside, as the
// dependencies of the package, and is loaded when it is needed; jose is inside, because it only comes as ES modules and the
// command line becomes CommonJS, which Node loads faster. The library is bundled apart, as ES modules and not minified, so
// that stack traces are readable. A module that finds a file of the package by its own location is two folders below the root,
// in src/ and in dist/ alike.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/**
 * Compiled validators that most commands do not call, by the file that has them: it is read at the first call. Those of
 * prompts check declared texts as well.
 */
const lateFiles = {
  ...Object.fromEntries(
    readdirSync(join(root, 'src/service'))
      .filter((name) => name !== 'prompts')
      .map((name) => [
        `validators/${name}`,
        new RegExp(`src[\\\\/]service[\\\\/]${name}[\\\\/](?:(?:exact|tolerant)-)?validators\\.generated\\.ts$`),
      ]),
  ),
  documents: /src[\\/]contract[\\/](plans?|outcomes|diagnostics|tenant-result|journal)\.generated\.ts$/,
};
const lateEntry = (file) => `tenant-sync:${file}`;
const lateLoader = join(root, 'src/service/late-validators.js');
/** In a chunk, one folder below the file. */
const loaderCode = `
import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export function late(file, name) {
  let real;
  const validate = (value) => {
    real ??= load(file)[name];
    const isValid = real(value);
    validate.errors = real.errors;
    return isValid;
  };
  return validate;
}`;

execFileSync(process.execPath, [join(root, 'scripts/generate.mjs'), '--compiled-only'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
rmSync(dist, { recursive: true, force: true });
const chunks = [
  ...(await bundle({
    // All but the first are entries for scripts that look at the parts.
    input: {
      'cli/start': 'src/cli/start.ts',
      'kinds/index': 'src/kinds/index.ts',
      'config/files/folder-source': 'src/config/files/folder-source.ts',
      'config/load-desired': 'src/config/load-desired.ts',
      'report/formats': 'src/report/formats.ts',
    },
    dir: dist,
    format: 'cjs',
    external: dependencies.filter((name) => name !== 'jose'),
    minify: true,
    // Node loads a file faster with require.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    plugins: [lateValidators()],
    // Few files: each that a command loads costs it a good part of a millisecond.
    codeSplitting: {
      groups: [
        // What the first file needs as well, so that it loads no large one.
        { name: 'version', test: /src\/(files\/(package-file|safe-file-access)|values\/tried)\.ts/, priority: 2 },
        {
          name: 'command-line',
          test: /src\/(report\/(document|escape|formats|markdown-document|of-tenants|render-diagnostics|terminal|wording)\.ts|secrets\/(masker|secret-spellings)\.ts|cli\/(run|parse-arguments|command-table|options|option-values|process-io|output|environment|print-document|exit-codes|targets)\.ts)/,
        },
        // A kind with what it is on the service.
        {
          debugName: 'kinds',
          name: kindOf,
          test: /src\/(?:kinds|service)\/[\w-]+\/(?!seed-validators|inspection|head)/,
        },
        // What only the results of plans need.
        { name: 'report', test: /node_modules\/diff\/|src\/report\/(?!html\/)/ },
        {
          name: 'files',
          // Above the command line, which imports the kinds.
          priority: 1,
          test: /node_modules\/(yaml|fast-deep-equal|ajv-formats)\/|src\/(config\/(?!errors\/(?:explain|describe|type-hints|wording|schema-))|(sync\/validate|engine\/(load|results)|cli\/(run-options|shared-secrets))\.ts|contract\/(?!plan|selection|stored|clients|credentials|token|error|journal|outcomes|diagnostics|project|tenant-result)|diagnostics\/(?!explanations)|items|differ|model|values\/part-path|service\/late-validators|kinds\/kind-from)/,
        },
      ],
    },
  })),
  ...(await bundle({
    input: Object.fromEntries(Object.keys(lateFiles).map((file) => [file, lateEntry(file)])),
    dir: dist,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    plugins: Object.entries(lateFiles).map(([file, pattern]) => ({
      name: file,
      resolveId: own(lateEntry(file)),
      load: own(lateEntry(file), () => validatorsOf(pattern)),
    })),
  })),
  ...(await bundle({
    input: { index: 'src/sync/index.ts' },
    dir: join(dist, 'lib'),
    minify: false,
    chunkFileNames: '[name]-[hash].js',
  })),
  // The steps of pipelines: what action/action.yml runs. It is complete in one file, and starts the command line.
  ...(await bundle({
    input: { main: 'src/pipeline/main.ts' },
    dir: join(dist, 'pipeline'),
    minify: false,
    codeSplitting: false,
  })),
];
cpSync(join(root, 'src/cli/main.cjs'), join(dist, 'cli/main.cjs'));
chmodSync(join(dist, 'cli/main.cjs'), 0o755);
writeDeclarations();
// The last file: the checks build again what is newer (scripts/check.mjs).
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES'), licensesOf(chunks));

async function bundle({ input, plugins = [], external = dependencies, ...output }) {
  const build = await rolldown({
    cwd: root,
    input,
    plugins,
    platform: 'node',
    external: external.flatMap((name) => [name, new RegExp(`^${name}/`)]),
    tsconfig: false,
    logLevel: 'warn',
    // A module that one command always needs is loaded when it is used by the others; and yargs looks for files of its own only
    // for an option that nothing uses.
    checks: { ineffectiveDynamicImport: false, emptyImportMeta: false },
    // Four that would only cost time: help pages are ASCII, so a measure of width needs no table of all emoji; the YAML parser
    // comes as modules too; two functions of node:assert are all that anything uses; and requests are all of undici.
    resolve: {
      alias: {
        'string-width': join(root, 'scripts/ascii-width.mjs'),
        yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
        assert: join(root, 'scripts/small-assert.mjs'),
        undici: join(root, 'scripts/undici-pool.mjs'),
      },
    },
  });
  const written = await build.write({
    format: 'esm',
    entryFileNames: '[name].js',
    ...output,
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  return written.output;
}

/** Each is a function that has the errors of its last call. */
function lateValidators() {
  return {
    name: 'late-validators',
    resolveId: own(lateLoader),
    load(id) {
      if (id === lateLoader) return loaderCode;
      const [file] = Object.entries(lateFiles).find(([, pattern]) => pattern.test(id)) ?? [];
      if (file === undefined) return null;
      const late = namesIn(id).map(
        (name) => `export const ${name} = late('../${file}.cjs', '${memberOf(id)}_${name}');`,
      );
      return [`import { late } from '${lateLoader}';`, ...late].join('\n');
    },
  };
}

/** All of one file, under names that say of what they are. */
function validatorsOf(pattern) {
  return readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => join(root, 'src', file))
    .filter((file) => pattern.test(file))
    .map((file) => `export { ${namesIn(file).map((name) => `${name} as ${memberOf(file)}_${name}`)} } from '${file}';`)
    .join('\n');
}

/** The file of a kind; null for a resource that is none. */
function kindOf(id) {
  const [, name = ''] = /src[\\/](?:kinds|service)[\\/]([\w-]+)/.exec(id) ?? [];
  return existsSync(join(root, 'src/kinds', name)) ? `kind-${name}` : null;
}

function own(id, code = () => id) {
  return (given) => (given === id ? code() : null);
}

function namesIn(file) {
  return [...readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
}

/** `src/service/event-streams/exact-validators.generated.ts` → `event_streams_exact_validators` */
function memberOf(file) {
  const [folder, name] = file.split(/[\\/]/).slice(-2);
  return `${folder}_${name.replace('.generated.ts', '')}`.replaceAll('-', '_');
}

/** The declarations that the library's own refer to; imports end in .js, which every version of the compiler resolves. */
function writeDeclarations() {
  const types = join(dist, 'types');
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const reached = new Set([join(types, 'sync/index.d.ts')]);
  for (const file of reached) {
    const text = readFileSync(file, 'utf8');
    const imports = [...text.matchAll(/from '(\.[^']+)\.ts'/g)];
    for (const [, target] of imports) reached.add(`${join(dirname(file), target)}.d.ts`);
    writeFileSync(file, text.replaceAll(/from '(\.[^']+)\.ts'/g, "from '$1.js'"));
  }
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(path)) rmSync(path);
  }
  for (const folder of readdirSync(types)) {
    const path = join(types, folder);
    if (readdirSync(path, { recursive: true, withFileTypes: true }).every((entry) => entry.isDirectory()))
      rmSync(path, { recursive: true });
  }
}

/** The licences of the packages that ended up inside, and of the one from whose types facts.json has names and values. */
function licensesOf(written) {
  const modules = [join(root, 'node_modules/auth0/'), ...written.flatMap((chunk) => chunk.moduleIds ?? [])];
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
