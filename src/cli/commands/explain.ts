import { namedKinds, selectorProblems } from '../../engine/selectors.ts';
import { kinds } from '../../kinds/index.ts';
import type { Explanation } from '../../model/explanation.generated.ts';
import { joinLines, jsonText, terminalText } from '../../report/escape.ts';
import { type Style, wrapWords } from '../../report/terminal.ts';
import { explain, explanations } from '../../sync/explain.ts';
import { groupBy } from '../../values/group-by.ts';
import { shellWord } from '../../values/shell-word.ts';
import type { CommandContext } from '../context.ts';
import { exitCode, invalidOption } from '../exit-codes.ts';
import { outputWidth } from '../output.ts';

/** Prints what a code means and what to do, or all codes. */
export async function command({ arguments: options, io, output }: CommandContext): Promise<number> {
  const [code] = options.operands;
  const style = output.resultStyle;
  const print = (found: Explanation | readonly Explanation[], text: () => string) =>
    output.result(options.format === 'json' ? jsonText(found) : text());
  if (code === undefined) {
    const all = await explanations();
    print(all, () => codesText(all, style));
    return exitCode.done;
  }
  const result = await explain(code);
  if (result.status === 'unknown') {
    throw invalidOption(`"${code}" is not a code of tenant-sync.`, `run: tenant-sync ${meant(code, result.nearest)}`);
  }
  print(result.explanation, () => explanationText(result.explanation, style, outputWidth(io.stdout)));
  return exitCode.done;
}

/** The command that was probably meant: a plan shows an item. */
function meant(code: string, nearest: string | null): string {
  const [selector = ''] = namedKinds([code], kinds);
  const isItem = code.includes('/') && selectorProblems('', selector, kinds).length === 0;
  if (isItem) return `plan --only ${shellWord(code)}`;
  return nearest === null ? 'explain' : `explain ${nearest}`;
}

const indent = '  ';

/** The entry of a code, in lines of this width. */
function explanationText(explanation: Explanation, { bold }: Style, width: number): string {
  const { code, group, severity, cause, fix, exit_code } = explanation;
  const part = (title: string, text: string) => ['', bold(title), ...paragraphs(text, width)];
  return joinLines([
    [bold(code), ...(severity === null ? [] : [severity]), group].join('  '),
    ...part('Cause', cause),
    ...part('Fix', fix),
    ...part('Exit code', exit_code.replace(/^Exit code (\d)\.$/, '$1')),
  ]);
}

/** All codes, below the name of their group. */
function codesText(explanations: readonly Explanation[], { bold }: Style): string {
  const groups = groupBy(explanations, ({ group }) => group);
  return joinLines([...groups].flatMap(([group, codes]) => [bold(group), ...codes.map(({ code }) => indent + code)]));
}

/** Markdown for a terminal: links become their texts, and code blocks keep their lines. */
function paragraphs(text: string, width: number): readonly string[] {
  return text.split(/\n\n/).flatMap((block, index) => {
    const lines = block.startsWith('```') ? block.split('\n').slice(1, -1) : wrapped(block, width - indent.length);
    return [...(index === 0 ? [] : ['']), ...lines.map((line) => indent + terminalText(line))];
  });
}

/** Lines of an item of a list after the first one are below its text. */
function wrapped(block: string, width: number): readonly string[] {
  const plain = block.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return plain.split(/\n(?=- )/).flatMap((item) => {
    const words = item.split(/\s+/).join(' ');
    if (!words.startsWith('- ')) return wrapWords(words, width);
    return wrapWords(words.slice(2), width - 2).map((line, index) => (index === 0 ? `- ${line}` : indent + line));
  });
}
