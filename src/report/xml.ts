import { terminalText } from './escape.ts';

/**
 * Text for XML 1.0. A parser restores it, except for characters that XML cannot have, not even as a reference: those
 * are written as terminals show them (`\x1b`).
 */

/** Control characters, lone surrogates and noncharacters. */
const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const markup = /[&<>"']/g;
/** Invisible or bidirectional characters, which could make a log look different from its content. */
const invisible = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** What the runner of a workflow would read as the start of a command. */
const commands = /::|##\[/g;
const printableAscii = /^[\x20-\x7e]*$/;

/** The content of an element. */
export function xmlText(text: string): string {
  return escaped(text).replaceAll(/[\t\r]/g, reference);
}

/** The value of an attribute, with its quotes. */
export function xmlAttribute(text: string): string {
  return `"${escaped(text).replaceAll(/[\t\n\r]/g, reference)}"`;
}

function escaped(text: string): string {
  const visibleText = printableAscii.test(text)
    ? text.replaceAll(markup, reference)
    : text.replaceAll(forbidden, visible).replaceAll(markup, reference).replaceAll(invisible, reference);
  return visibleText.includes('::') || visibleText.includes('##[')
    ? visibleText.replaceAll(commands, (found) => found.slice(0, -1) + reference(found.slice(-1)))
    : visibleText;
}

function visible(character: string): string {
  const text = terminalText(character);
  return text === character ? `\\u${character.charCodeAt(0).toString(16)}` : text;
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
