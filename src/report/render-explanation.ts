import type { Explanation } from '../model/explanation.generated.ts';
import { groupBy } from '../values/group-by.ts';
import { joinLines, jsonText, terminalText } from './escape.ts';
import { type Style, wrapWords } from './terminal.ts';

const indent = '  ';

/** The entry of a code, in lines of this width, or as JSON. */
export function renderExplanation(
  explanation: Explanation,
  format: 'text' | 'json',
  { bold }: Style,
  width: number,
): string {
  if (format === 'json') return jsonText(explanation);
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
export function renderCodes(explanations: readonly Explanation[], format: 'text' | 'json', { bold }: Style): string {
  if (format === 'json') return jsonText(explanations);
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
