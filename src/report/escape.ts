/**
 * Escapes text from files and from the tenant, with one function for each output. A role name may contain a sequence
 * that erases a terminal line, mentions a team in a pull request, or becomes a command of the workflow runner. Escapes
 * stay visible, so that no name looks like another.
 *
 * - Terminal: invisible characters are written as escapes (`\x1b`, `\u202e`).
 * - JSON: the same characters as JSON escapes, so a parser restores the original.
 * - Markdown: such text appears in code spans and fences only. GitHub finds mentions and references in rendered text
 *   outside of code, after it has resolved entities and backslashes, so escaping alone would not prevent them.
 * - Workflow commands: `%`, line ends and separators, as the runner unescapes them.
 *
 * The runner reads a line as a command if it starts with `::` after white space, or contains `##[`. A space breaks
 * both; `joinLines` repeats this for entire lines, because one line combines several texts.
 */

/**
 * Controls, format characters (bidirectional, zero width), line separators, lone surrogates and other invisible
 * characters; blanks that look like a space, and characters of private use, which have no look.
 */
const invisible = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Those that JSON.stringify does not escape. */
const invisibleInJson = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const printableAscii = /^[\x20-\x7e]*$/;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of text for a terminal or a log. */
export function terminalText(text: string): string {
  return breakBracketCommand(visibleText(text));
}

/** One line of text in which every invisible character is an escape. */
export function visibleText(text: string): string {
  return printableAscii.test(text) ? text : text.replaceAll(invisible, visibleEscape);
}

function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return named[character] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
}

/** Ends every line with a newline; no line of the result is a workflow command. */
export function joinLines(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const text = breakBracketCommand(`${lines.join('\n')}\n`);
  return text.includes('::') ? text.replaceAll(/^([^\S\n]*)::/gm, '$1: :') : text;
}

function breakBracketCommand(text: string): string {
  return text.includes('##[') ? text.replaceAll('##[', '# #[') : text;
}

/** A document as JSON; parsing restores the document. */
export function jsonText(document: object): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  return text.replaceAll('##[', '##\\u005b').replaceAll(invisibleInJson, jsonEscape);
}

function jsonEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/**
 * A code span with a fence longer than any run of backticks inside. Spaces protect an edge that Markdown would read as
 * fence or strip.
 */
export function markdownCode(text: string): string {
  const inside = terminalText(text) || ' ';
  const fence = '`'.repeat(longestBackticks(inside) + 1);
  const padded = /^`|`$|^ .*[^ ].* $/.test(inside) ? ` ${inside} ` : inside;
  return `${fence}${padded}${fence}`;
}

/** The fence around a code block with these lines. */
export function markdownFence(lines: readonly string[]): string {
  return '`'.repeat(Math.max(3, 1 + lines.reduce((longest, line) => Math.max(longest, longestBackticks(line)), 0)));
}

function longestBackticks(text: string): number {
  if (!text.includes('`')) return 0;
  return Math.max(...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** The message of a workflow command, of several lines. */
export function commandMessage(lines: readonly string[]): string {
  return joinLines(lines.map(terminalText)).trimEnd().replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/** The value of a property of a workflow command. */
export function commandProperty(text: string): string {
  return terminalText(text).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A path as a part of a URI. */
export function encodedPath(path: string): string {
  const parts = path.replaceAll(/\p{Cs}/gu, '\ufffd').split('/');
  return parts.map(encodeURIComponent).join('/');
}
