// Words that do not belong in texts and comments, and where they are looked for. Identifiers do not count.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { commandNames } from '../src/cli/command-options.ts';
import { runCommand } from './support/run-command.ts';

const root = join(import.meta.dirname, '..');

/**
 * Files and folders whose texts are checked: string literals of modules, descriptions of schemas, and all other documents from
 * beginning to end.
 */
const covered: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'schemas',
  'action',
  'examples',
  'src',
];

/** Each word with what to write instead. */
const words: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(tell|tells|told|telling|say|says|said)\b/i, 'report, print, show'],
  [/\b(stand|stands|stood|holds|held)\b/i, 'is, are, has'],
  [/\bwhole\b/i, 'complete, entire'],
  [/\bfaults?\b|\bfaulty\b/i, 'error, problem'],
  [/\b(go|goes|going|gone|went) on\b/i, 'resume, continue'],
  [/\b(mend|mends|mended|cure|cures|cured|remedy|remedies)\b/i, 'fix'],
  [/\b(answer|answers|answered|answering)\b/i, 'response; returns, exits with'],
  [/\bbut for\b/i, 'except for'],
  [/\b(ledgers?|drips?|tally|waiting lines?)\b|\bgates?\b/i, 'rate limiter, token bucket, window, request queue'],
  [/\b(on|over) the (wire|line)\b/i, 'transport, HTTP client'],
  [/\b(goes?|gone) again\b|\bpatience\b/i, 'retry, backoff, jitter'],
  [/\bharmless\b/i, 'escape, sanitize'],
  [/\b(judge|judges|judged|judgement)\b/i, 'classify, validate'],
  [/\bblind(ly)?\b/i, 'unreadable'],
  [/\b(lanes?|in turns|another turn|next turn)\b/i, 'schedule, worker, batch'],
  [/\b(settle|settles|settled|settling)\b/i, 'resolve'],
  [/\b(house|rooms?|doors?)\b/i, 'package, module, layer'],
  [/\bon the strength of\b/i, 'because of'],
  [/\bshall\b/i, 'must, will'],
  [/\b(some|any|no)body\b/i, 'a person, a process; the passive'],
  [/\bis another one\b/i, 'differs'],
  [/\btak(e|es|en|ing) away\b|\btakes? .{1,20} away\b/i, 'delete, remove; destructive'],
];

interface Text {
  readonly line: number;
  readonly text: string;
}

interface Exception {
  readonly file: RegExp;
  readonly text: RegExp;
  readonly reason: string;
}

/** Texts in which a word is the right one. */
const exceptions: readonly Exception[] = [
  {
    file: /^src\/(tenant|cli)\/|^docs\/(embedded-tenant|failures|chaos)\.md$|^test\/help$/,
    text: /\bfaults?\b/i,
    reason: 'the embedded tenant injects faults',
  },
];

describe('words that do not belong in texts', () => {
  test.each(covered.flatMap(filesOf))('%s', (file) => {
    const content = readFileSync(join(root, file), 'utf8');
    expect(problemsOf(file, textsOf(file, content))).toEqual([]);
    if (file.endsWith('.ts')) expect(problemsOf(file, commentsOf(content))).toEqual([]);
  });

  test.each([[], ...commandNames.map((name) => [name])])('--help of %s', async (...command) => {
    const { stdout } = await runCommand([...command, '--help']);
    expect(problemsOf('test/help', linesOf(stdout))).toEqual([]);
  });

  test('every exception is used', () => {
    const files = covered.flatMap(filesOf);
    const unused = exceptions.filter(
      ({ file, text }) => !files.some((path) => file.test(path) && text.test(readFileSync(join(root, path), 'utf8'))),
    );
    expect(unused).toEqual([]);
  });
});

describe('the check', () => {
  test('reads literals and templates, not identifiers, imports or types', () => {
    const module = [
      "import { told } from './told on the wire.ts';",
      "type Word = 'was told';",
      '// is told',
      "export const held = 'is complete';",
      'export const text = `${held} is not told\\n`;',
      "export const key = 'told';",
      "export const heading = 'Faults';",
    ].join('\n');
    expect(problemsOf('src/x.ts', textsOf('src/x.ts', module))).toEqual([
      'line 5: "told" in "…  is not told\n": use report, print, show',
      'line 7: "Faults" in "Faults": use error, problem',
    ]);
  });

  test('reads comments, but neither code in them nor texts that look like comments', () => {
    const module = [
      '/** Names of `told`. */',
      "export const address = 'https://told.example/'; // told twice",
      '/*',
      ' * Whole lines.',
      ' */',
    ].join('\n');
    expect(problemsOf('src/x.ts', commentsOf(module))).toEqual([
      'line 2: "told" in "// told twice": use report, print, show',
      'line 4: "Whole" in " * Whole lines.": use complete, entire',
    ]);
  });

  test('reads descriptions of schemas and lines of documents', () => {
    const schema = '{\n  "title": "whole",\n  "description": "the whole list"\n}';
    expect(problemsOf('schemas/x.json', textsOf('schemas/x.json', schema))).toEqual([
      'line 3: "whole" in "the whole list": use complete, entire',
    ]);
    expect(problemsOf('README.md', textsOf('README.md', 'a\nit is judged\n'))).toEqual([
      'line 2: "judged" in "it is judged": use classify, validate',
    ]);
  });
});

/** JSON examples are data of a tenant. */
function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.generated)\.(ts|mjs|ya?ml|md)$/.test(file) || /\.schema\.json$/.test(file))
    .map((file) => `${path}/${file}`)
    .sort();
}

function problemsOf(file: string, texts: readonly Text[]): string[] {
  return texts.flatMap(({ line, text }) =>
    words.flatMap(([word, instead]) => {
      const found = word.exec(text)?.[0];
      const isException = exceptions.some((exception) => exception.file.test(file) && exception.text.test(found ?? ''));
      return found === undefined || isException ? [] : [`line ${line}: "${found}" in "${text}": use ${instead}`];
    }),
  );
}

function textsOf(file: string, content: string): Text[] {
  if (file.endsWith('.ts')) return literalsOf(content);
  if (!file.endsWith('.json')) return linesOf(content);
  return linesOf(content).flatMap(({ line, text }) =>
    [...text.matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(([, description = '']) => ({
      line,
      text: description,
    })),
  );
}

function linesOf(content: string): Text[] {
  return content.split('\n').map((text, index) => ({ line: index + 1, text }));
}

/** Lines of comments, without the code in them. Literals are blanked first, because an address looks like a comment. */
function commentsOf(content: string): Text[] {
  const code = content.split('');
  const blank = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) blank(child);
    if (!isNode(node)) return;
    if (/Literal$|^TemplateElement$/.test(node.type) && !/^TS/.test(node.type)) blankRange(code, node);
    for (const child of Object.values(node)) if (typeof child === 'object') blank(child);
  };
  blank(parseAst(content, { lang: 'ts' }));
  const blanked = code.join('');
  return [...blanked.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].flatMap(({ 0: comment, index }) => {
    const first = blanked.slice(0, index).split('\n').length;
    return linesOf(comment).map(({ line, text }) => ({ line: first + line - 1, text: text.replace(/`[^`]*`/g, '') }));
  });
}

/** Literals that read as texts: with a space or an upper-case beginning. Others are codes, keys and names. */
function literalsOf(content: string): Text[] {
  const texts: Text[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    if (!isNode(node) || /^(Import|TS(Type|Literal|Interface))/.test(node.type)) return;
    const text = textOf(node);
    if (text !== null && /^[A-Z]|\s/.test(text))
      texts.push({ line: content.slice(0, node.start).split('\n').length, text });
    for (const child of Object.values(node)) if (typeof child === 'object') visit(child);
  };
  visit(parseAst(content, { lang: 'ts' }));
  return texts;
}

function blankRange(code: string[], { start, end }: Node): void {
  for (let index = start; index < end; index++) if (code[index] !== '\n') code[index] = ' ';
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function textOf({ type, value, quasis }: Node): string | null {
  if (type === 'Literal' && typeof value === 'string') return value;
  return type === 'TemplateLiteral'
    ? (quasis ?? [])
        .map((quasi) => quasi.value.cooked)
        .join(' … ')
        .trimStart()
    : null;
}
