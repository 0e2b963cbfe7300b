// Words that do not belong in texts that users read, and where they are looked for. Comments and identifiers do not count here.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * Files and folders whose texts are checked: string literals of modules (messages and help pages alike), descriptions of schemas,
 * and documents from beginning to end.
 */
const covered: readonly string[] = [
  'src/apply',
  'src/differ',
  'src/journal',
  'src/kinds',
  'src/plan',
  'src/report',
  'docs/adr/0006-escaping-output.md',
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
  [/\btak(e|es|en|ing) away\b|\btakes? .{1,20} away\b/i, 'delete, remove; destructive'],
];

/** Texts in which a word is the right one. Each exception names its reason. */
const exceptions: readonly { readonly file: RegExp; readonly text: RegExp; readonly reason: string }[] = [];

interface Text {
  readonly line: number;
  readonly text: string;
}

describe('words that do not belong in texts', () => {
  test.each(covered.flatMap(filesOf))('%s', (file) => {
    expect(problemsOf(file, readFileSync(join(root, file), 'utf8'))).toEqual([]);
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
  test('reads literals and templates, not comments, identifiers, imports or types', () => {
    const module = [
      "import { told } from './told on the wire.ts';",
      "type Word = 'was told';",
      '// is told',
      "export const held = 'is complete';",
      'export const text = `${held} is not told\\n`;',
      "export const key = 'told';",
      "export const heading = 'Faults';",
    ].join('\n');
    expect(problemsOf('src/x.ts', module)).toEqual([
      'line 5: "told" in "…  is not told\n": use report, print, show',
      'line 7: "Faults" in "Faults": use error, problem',
    ]);
  });

  test('reads descriptions of schemas and lines of documents', () => {
    const schema = '{\n  "title": "whole",\n  "description": "the whole list"\n}';
    expect(problemsOf('schemas/x.json', schema)).toEqual(['line 3: "whole" in "the whole list": use complete, entire']);
    expect(problemsOf('README.md', 'a\nit is judged\n')).toEqual([
      'line 2: "judged" in "it is judged": use classify, validate',
    ]);
  });
});

function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.generated)\.(ts|json|md)$/.test(file))
    .map((file) => `${path}/${file}`)
    .sort();
}

function problemsOf(file: string, content: string): string[] {
  return textsOf(file, content).flatMap(({ line, text }) =>
    words.flatMap(([word, instead]) => {
      const found = word.exec(text)?.[0];
      const isException = exceptions.some((exception) => exception.file.test(file) && exception.text.test(text));
      return found === undefined || isException ? [] : [`line ${line}: "${found}" in "${text}": use ${instead}`];
    }),
  );
}

function textsOf(file: string, content: string): Text[] {
  if (file.endsWith('.ts')) return literalsOf(content);
  const lines = content.split('\n').map((text, index) => ({ line: index + 1, text }));
  if (!file.endsWith('.json')) return lines;
  return lines.flatMap(({ line, text }) =>
    [...text.matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(([, description = '']) => ({
      line,
      text: description,
    })),
  );
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

interface Node {
  readonly type: string;
  readonly start: number;
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
