// How much is written by hand: files, lines and tokens of each package of src, of its descriptions of kinds, and of scripts.
//
//   node scripts/size.mjs              as the files are
//   node scripts/size.mjs --since REF  the same, and what it was in a commit
//
// Lines are those of the file, with comments and blank ones; tokens are names, numbers, texts and
// signs of code, without comments. What a command writes is left out (isWrittenByHand).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');

/** Whether people write a file of `src` or `scripts`, and not `npm run generate` or `npm run facts`. */
export function isWrittenByHand(path) {
  return /^(?:src|scripts)\/.*\.(?:ts|mts|mjs|cjs|css|yaml)$/.test(path) && !/\.generated\.ts$/.test(path);
}

/** `src/items`, `kind.yaml` for the descriptions of kinds, `scripts`. */
export function packageOf(path) {
  const [folder, name = ''] = path.split('/');
  if (path.endsWith('/kind.yaml')) return 'kind.yaml';
  return folder === 'src' ? `src/${name}` : folder;
}

/** Files, lines and tokens by package. `files`: texts by path. */
export function sizes(files) {
  const packages = new Map();
  for (const [path, text] of files) {
    if (!isWrittenByHand(path)) continue;
    const name = packageOf(path);
    const size = packages.get(name) ?? { files: 0, lines: 0, tokens: 0 };
    size.files += 1;
    size.lines += text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    size.tokens += /\.[mc]?[jt]s$/.test(path) ? tokensOf(text) : 0;
    packages.set(name, size);
  }
  return packages;
}

const comment = /\/\/.*|\/\*[\s\S]*?\*\//;
const token =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|\S/u;
const either = new RegExp(`(${comment.source})|${token.source}`, 'gu');

function tokensOf(text) {
  return [...text.matchAll(either)].filter(([, isComment]) => isComment === undefined).length;
}

function filesNow() {
  const paths = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? `${entry.parentPath.slice(root.length + 1)}/${entry.name}` : [],
    ),
  );
  return paths.filter(isWrittenByHand).map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

function filesAt(ref) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });
  const paths = git('ls-tree', '-r', '--name-only', ref, 'src', 'scripts').split('\n').filter(isWrittenByHand);
  return paths.map((path) => [path, git('show', `${ref}:${path}`)]);
}

function table(now, before) {
  const names = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].sort();
  const total = (all, isIn) =>
    [...all].reduce(
      (sum, [name, { files, lines, tokens }]) =>
        isIn(name) ? { files: sum.files + files, lines: sum.lines + lines, tokens: sum.tokens + tokens } : sum,
      { files: 0, lines: 0, tokens: 0 },
    );
  const none = { files: 0, lines: 0, tokens: 0 };
  const isSource = (name) => name !== 'scripts';
  const rows = [
    ...names.map((name) => [name, now.get(name) ?? none, before?.get(name) ?? none]),
    ['src, all', total(now, isSource), total(before ?? [], isSource)],
  ];
  const cells = ({ files, lines, tokens }) =>
    [files, lines, tokens].map((one) => one.toLocaleString('en-US').padStart(9));
  const head = ['files', 'lines', 'tokens'].map((one) => one.padStart(9));
  const titles = before === null ? head : [...head, ...head.map((one) => one.trim().replace(/^/, 'was ').padStart(12))];
  return [
    ['package'.padEnd(22), ...titles].join(''),
    ...rows.map(([name, one, old]) => {
      const was = before === null ? [] : cells(old).map((cell) => cell.padStart(12));
      return [name.padEnd(22), ...cells(one), ...was].join('');
    }),
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { since } = parseArgs({ options: { since: { type: 'string' } } }).values;
  console.log(table(sizes(filesNow()), since === undefined ? null : sizes(filesAt(since))));
}
