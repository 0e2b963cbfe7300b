/**
 * Text from files and from a tenant is not ours: a role may be named so that a terminal erases a line, a pull-request comment
 * mentions a team, or a log line becomes a command of the workflow runner. Every such text passes one function of this file on
 * its way out, one for each target. What is changed stays visible, so that nobody is shown a name that looks like another.
 *
 * - Terminal: characters that are not seen are written as escapes (`\x1b`, `\u202e`).
 * - JSON: the same characters as JSON escapes, so that a parser gives the original back.
 * - Markdown: only code spans and fences hold such text. GitHub looks for mentions and references in rendered text outside of
 *   code, after entities and backslashes are resolved, so escaping alone would not stop them.
 * - Workflow commands: `%`, line ends and separators as the runner unescapes them.
 *
 * The runner reads a line as a command when it starts with `::` once white space is trimmed, or holds `##[` anywhere. Both are
 * broken with a space; `joinLines` does it once more over whole lines, because a line is made of several texts.
 */

/** Controls, format characters (bidirectional, zero width), line separators, lone surrogates and all else that shows nothing. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Of these, what JSON.stringify leaves as it is. */
const unseenInJson = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const harmlessAlready = /^[\x20-\x7e]*$/;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of text for a terminal or a log. */
export function terminalText(text: string): string {
  const seen = harmlessAlready.test(text) ? text : text.replaceAll(unseen, visibleEscape);
  return breakBracketCommand(seen);
}

function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return named[character] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
}

/** Lines with an end of line after each; no line of the result is a workflow command. */
export function joinLines(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const text = breakBracketCommand(`${lines.join('\n')}\n`);
  return text.includes('::') ? text.replaceAll(/^([^\S\n]*)::/gm, '$1: :') : text;
}

function breakBracketCommand(text: string): string {
  return text.includes('##[') ? text.replaceAll('##[', '# #[') : text;
}

/** A document as JSON; parsing it gives the document back. */
export function jsonText(document: object): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  return text.replaceAll('##[', '##\\u005b').replaceAll(unseenInJson, jsonEscape);
}

function jsonEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** A code span. Its fence is longer than any run of backticks inside; a space is added where the edge would be read as fence or be stripped. */
export function markdownCode(text: string): string {
  const inside = terminalText(text) || ' ';
  const fence = '`'.repeat(longestBackticks(inside) + 1);
  const padded = /^`|`$|^ .*[^ ].* $/.test(inside) ? ` ${inside} ` : inside;
  return `${fence}${padded}${fence}`;
}

/** A code span in a table, where a bar ends the cell even in code and even after some backslashes. */
export function markdownCell(text: string): string {
  return markdownCode(text.replaceAll('|', '\\x7c'));
}

/** The mark that opens and closes a block of code with these lines. */
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
