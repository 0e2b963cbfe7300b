// Texts of problems in the layout of a file. A name or a value is null if it may be a secret.

import type { ProblemText } from '../errors/problem.ts';
import { shortened } from '../quoted.ts';

type Shown = string | null;

/** An entry, or the one that it must be in line with. */
interface Indented {
  readonly kind: 'mapping' | 'list';
  readonly name: Shown;
  readonly column: number;
}

export function indentation(entry: Indented, like: Indented & { readonly line: number }): ProblemText {
  const what = entry.kind === 'list' ? 'This list item' : quoted(entry.name, 'This key');
  const others = entry.kind === 'list' ? 'the other items of the list' : 'the other keys of the mapping';
  const model = like.kind === 'list' ? 'the dash' : quoted(like.name, 'the key');
  return {
    code: 'CONFIG_INDENTATION',
    message: `${what} is ${indented(entry.column)}, but ${others} are ${indented(like.column)}.`,
    hint: `${like.column === 0 ? 'remove the indentation' : `indent it by ${spaces(like.column)}`}, like ${model} in line ${like.line}`,
  };
}

/** A list below a key that already has a value. */
export function noList(key: Shown): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: `No list can start here, because ${quoted(key, 'the key above')} has a value already.`,
    hint: 'indent the item below the key that it belongs to; that key must have no other value',
  };
}

export function itemWithoutKey(item: Shown): ProblemText {
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This list item is a text, so the keys below it have no mapping to belong to.',
    hint: `give the text a key: - KEY: ${cut(item)}`,
  };
}

export function valueNotIndented(key: Shown, value: Shown): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: `The value of ${quoted(key, 'a key')} must be indented by more spaces than the key.`,
    hint: `write both in one line: ${cut(key, 'KEY')}: ${cut(value)}`,
  };
}

export function blockNotIndented(): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: 'This line is indented by fewer spaces than the text above it, and without a colon it is not a key.',
    hint: 'indent it like the first line of the text',
  };
}

export function textNotIndented(key: Shown): ProblemText {
  return {
    code: 'CONFIG_INDENTATION',
    message: 'This line is not a key, because it has no colon, and it does not continue the value above it.',
    hint: `indent it by more spaces than ${quoted(key, 'the key above')} to continue its value, or write KEY: VALUE`,
  };
}

export function withoutColon(text: Shown): ProblemText {
  const [, key, value] = /^([\w-]+)(?:$|(?:\s*:|\s+)(\S.*))/m.exec(text ?? '') ?? [];
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: 'This line is not a key, because it has no colon with a space after it.',
    hint: `write ${cut(key ?? null, 'KEY')}: ${cut(value ?? null)}`,
  };
}

export function tab(): ProblemText {
  return {
    code: 'CONFIG_TAB_INDENT',
    message: 'This line is indented with a tab. YAML allows only spaces.',
    hint: 'replace the tab with spaces',
  };
}

export function neverClosed(character: string): ProblemText {
  const isQuote = character === '"' || character === "'";
  const closing = character === '[' ? ']' : character === '{' ? '}' : character;
  return {
    code: 'CONFIG_YAML_SYNTAX',
    message: `This ${isQuote ? 'quote' : 'bracket'} is not closed.`,
    hint: `write ${closing} at the end of the value; its further lines must be indented by more spaces than the key`,
  };
}

function indented(count: number): string {
  return count === 0 ? 'not indented' : `indented by ${spaces(count)}`;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

function quoted(name: Shown, otherwise: string): string {
  return name === null ? otherwise : `"${cut(name)}"`;
}

/** The first line of a text. */
function cut(text: Shown, otherwise = 'VALUE'): string {
  const [line = ''] = (text ?? otherwise).split('\n', 1);
  return shortened(line);
}
