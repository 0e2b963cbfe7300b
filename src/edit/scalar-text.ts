// How a string is written so that it reads back as itself, here and in the other tools that read YAML.
import { readPlainScalar } from '../config/yaml/read-plain-scalar.ts';
import { withoutFinal } from '../values/line-ends.ts';

export type Quote = '"' | "'";
export type ScalarStyle = 'plain' | Quote | 'literal';

/** A text that some tool takes for something else than a string, and this package does not. */
const lookalikes: readonly RegExp[] = [
  /^(?:true|false|null|=|<<)$/i,
  // Numbers with groups of digits and an exponent.
  /^[-+]?(?:\d[\d_,]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[-+]?\d+)?$/i,
  // Dates and times.
  /^\d{4}-\d\d?-\d\d?(?:$|[Tt\s])/,
];
/** An unquoted text cannot start with these, or can only in some positions. */
const indicator = /^[-?:,[\]{}#&*!|>'"%@`]/;
/** Invisible or not printable, or a line end to some tools. The joiner is a part of visible characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u00a0]/u;
const unprintables = new RegExp(unprintable, 'gu');
const joiner = '\u200d';

function isPrintable(text: string): boolean {
  return !unprintable.test(text.replaceAll(joiner, ''));
}

/** Without quotes, the text is a string to every tool. `inFlow`: between brackets. */
export function isPlainText(text: string, inFlow: boolean): boolean {
  return (
    text !== '' &&
    text.trim() === text &&
    isPrintable(text) &&
    !indicator.test(text) &&
    !text.startsWith('...') &&
    !/:(?:\s|$)|\s#/.test(text) &&
    !(inFlow && /[,[\]{}]/.test(text)) &&
    !lookalikes.some((pattern) => pattern.test(text)) &&
    typeof readPlainScalar(text) === 'string'
  );
}

/** The text in the quotes that are wanted, if they can express it, and in double quotes otherwise. */
export function quotedText(text: string, quote: Quote): string {
  if (quote === "'" && isPrintable(text)) return `'${text.replaceAll("'", "''")}'`;
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(unprintables, escapeOf)}"`;
}

/** The quotes that need fewer escapes. */
export function readableQuote(text: string, preferred: Quote): Quote {
  if (!isPrintable(text)) return '"';
  if (preferred === '"') return /["\\]/.test(text) && !text.includes("'") ? "'" : '"';
  return text.includes("'") ? '"' : "'";
}

/** The escape of JSON, if it has one: YAML has all of them. */
function escapeOf(character: string): string {
  const json = JSON.stringify(character).slice(1, -1);
  if (character === joiner || json !== character) return json;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/**
 * The header of a literal block and its lines without indentation; null if the block would read as another text. Tabs
 * and a text that starts with a line end are possible in a block, and easily lost by people: `strict` refuses them. One that
 * ends in blank lines would take over those after it.
 */
export function literalBlock(
  text: string,
  strict: boolean,
): { readonly header: string; readonly lines: readonly string[] } | null {
  const body = withoutFinal(text, '\n');
  const ends = text.length - body.length;
  const lines = body.split('\n');
  const isExact =
    body !== '' &&
    ends < 2 &&
    lines.every((line) => isPrintable(line.replaceAll('\t', '')) && !/\s$/.test(line)) &&
    !/^\s/.test(lines.find((line) => line !== '') ?? '') &&
    !(strict && /^\n|\t/.test(text));
  if (!isExact) return null;
  return { header: ends === 0 ? '|-' : '|', lines };
}
