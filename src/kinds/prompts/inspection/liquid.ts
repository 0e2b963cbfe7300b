import { Liquid, LiquidError } from 'liquidjs';
import { firstIndex } from '../../../values/first-index.ts';

/**
 * A text in which each Liquid construct is replaced by as many placeholders, so that it can be read as HTML and every
 * offset stays. Nothing is evaluated.
 *
 *   <a href="{{ url }}">{% if x %}b{% endif %}</a>
 *   <a href="OOOOOOOOO">OOOOOOOOOObOOOOOOOOOOO</a>
 */
export interface Markup {
  readonly original: string;
  readonly text: string;
  readonly constructs: readonly Construct[];
}

/** An output or a tag. */
export interface Construct {
  readonly at: number;
  readonly end: number;
  readonly source: string;
  /** '' for an output. */
  readonly name: string;
}

/** A character for private use. Where a text has it itself, it is read as another one. */
export const placeholder = '\ue000';

/**
 * An output or a tag, with the white space that its hyphens remove. It has no other opening delimiter in it, so as little
 * as possible is replaced, and the search takes linear time.
 */
const delimited =
  /(?:(?<!\s)\s+(?=\{[{%]-))?(?:\{\{(?:(?!\{[{%]).)*?\}\}|\{%(?:(?!\{[{%]).)*?%\})(?:(?<=-[}%]\})\s+)?/gs;

/** The content of `raw` is no Liquid; that of `comment` is read like any other, because it may become active. */
export function readLiquid(original: string): Markup {
  const constructs: Construct[] = [];
  let isRaw = false;
  const text = original.replaceAll(placeholder, '\ufffd').replaceAll(delimited, (source, offset: number) => {
    const name = /^\s*\{%-?\s*(\w+|#)/.exec(source)?.[1] ?? '';
    if (isRaw && name !== 'endraw') return source;
    isRaw = name === 'raw';
    constructs.push({ at: offset + source.search(/\S/), end: offset + source.length, source, name });
    return placeholder.repeat(source.length);
  });
  return { original, text, constructs };
}

/** The constructs that begin from one offset to another. */
export function constructsIn({ constructs }: Markup, from: number, to: number): readonly Construct[] {
  return constructs.slice(
    firstIndex(constructs, ({ at }) => at >= from),
    firstIndex(constructs, ({ at }) => at >= to),
  );
}

const blocks = ['if', 'unless', 'case', 'for', 'comment'];
const branches = ['else', 'elsif', 'when'];
/** Outputs, and tags that print a value or nothing, and leave the text around them where it is. */
const plain = new Set(['', 'assign', 'echo', 'cycle', 'increment', 'decrement', '#', ...blocks, ...branches]);

/** Whether blocks begin and end among these constructs, and no branch of another one does. */
export function isClosed(constructs: readonly Construct[]): boolean {
  let depth = 0;
  for (const { name } of constructs) {
    if (name.startsWith('end')) depth -= 1;
    if (depth < 0 || (depth === 0 && branches.includes(name))) return false;
    if (blocks.includes(name)) depth += 1;
  }
  return depth === 0;
}

/** Filters that decode, and filters that print quotes or markup of their own. */
const decoders = new Set(['base64_decode', 'url_decode']);
const markupFilters = new Set(['json', 'jsonify', 'inspect', 'newline_to_br']);
const lastFilterEscapes = /\|\s*(?:escape|xml_escape|url_encode|cgi_escape)\s*-?\}\}\s*$/;
/** A literal without its end may be longer than it looks. */
const literal = /"[^"]*"?|'[^']*'?/g;
/** Markup, an end of Liquid, a backslash, which may be that of an escape, or the beginning of an address. */
const madeMarkup = /[<>"'&\\}]|\/\/|\b(?:javascript|vbscript|data|https?|wss?|ftp):/i;

/** Why a construct may make markup, an address, or anything; null if it prints a plain text, or nothing. */
export function whyMade({ name, source }: Construct): string | null {
  if (!plain.has(name) && !name.startsWith('end')) return `the tag {% ${name} %}`;
  const filters = Array.from(source.matchAll(/\|\s*([a-z_][\w-]*)/gi), ([, filter = '']) => filter);
  const isEscaped = lastFilterEscapes.test(source);
  const filter = filters.find(
    (one) => decoders.has(one) || !Object.hasOwn(parser.filters, one) || (!isEscaped && markupFilters.has(one)),
  );
  if (filter !== undefined) return `the result of the filter ${filter}`;
  const literals = Array.from(source.matchAll(literal), ([quoted]) => quoted.slice(1, -1));
  const isMarkup = /<[a-z]/i.test(source) || literals.some((text) => madeMarkup.test(text));
  return isMarkup ? 'markup or an address in a text of Liquid' : null;
}

const parser = new Liquid();

/** A text that is no valid Liquid: why, and where. */
export interface Broken {
  readonly at: number;
  readonly message: string;
}

/** Tags that are not known here may be known to the service, so only those of the parser are parsed. */
export function brokenLiquid({ original, constructs }: Markup): Broken | null {
  const tolerant = new Liquid();
  for (const name of new Set(constructs.map((construct) => construct.name)))
    if (!isPart(name)) tolerant.registerTag(name, { render() {} });
  try {
    tolerant.parse(original);
    return null;
  } catch (error) {
    if (!LiquidError.is(error)) throw error;
    const { message, originalError, token } = error;
    // Where deep nesting ends in an error depends on the stack.
    if (originalError instanceof RangeError) return { at: 0, message: 'it is nested too deeply' };
    return { at: token.begin, message: message.replace(/, line:\d+, col:\d+$/, '') };
  }
}

/** True for tags of the parser, and for ends of its blocks, which are errors where they are alone. */
function isPart(name: string): boolean {
  return branches.includes(name) || Object.hasOwn(parser.tags, name.replace(/^end/, ''));
}
