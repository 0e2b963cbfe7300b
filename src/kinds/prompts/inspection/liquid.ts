import { hash } from 'node:crypto';
import { Liquid, LiquidError, Tokenizer, TokenKind, type TopLevelToken } from 'liquidjs';
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
  /** Why it is no valid Liquid; null if it is. Without tokens, it has no constructs. */
  readonly error: { readonly at: number; readonly message: string } | null;
}

/** An output, a tag, or a comment with its content. */
export interface Construct {
  readonly at: number;
  readonly end: number;
  readonly source: string;
  /** '' for an output. */
  readonly name: string;
}

/** A character for private use. Where a text has it itself, it is read as another one. */
export const placeholder = '\ue000';

const opensBlock = new Set(['if', 'unless', 'case', 'for', 'tablerow']);
const nextBranch = new Set(['else', 'elsif', 'when']);
/** Outputs, and tags that print a value or nothing, and leave the text around them where it is. */
const plain = new Set(['', 'assign', 'echo', 'cycle', 'increment', 'decrement', '#']);

const engine = new Liquid();

export function readLiquid(original: string): Markup {
  try {
    const tokens = new Tokenizer(original, engine.options.operators).readTopLevelTokens(engine.options);
    return { ...replaceLiquid(original, tokens), original, error: parseError(original, tokens) };
  } catch (error) {
    return { original, text: withoutPlaceholder(original), constructs: [], error: failureOf(error) };
  }
}

function replaceLiquid(original: string, tokens: readonly TopLevelToken[]): Pick<Markup, 'text' | 'constructs'> {
  const constructs: Construct[] = [];
  let text = '';
  let isComment = false;
  for (const token of tokens) {
    const name = nameOf(token);
    isComment ||= name === 'comment';
    if (isComment && name !== 'endcomment') continue;
    isComment = false;
    if (token.kind === TokenKind.HTML) {
      text += htmlOf(token as unknown as HtmlToken);
      continue;
    }
    const at = text.length;
    const source = original.slice(at, token.end);
    constructs.push({ at, end: token.end, source, name });
    text += placeholder.repeat(source.length);
  }
  return { text: text.padEnd(original.length, placeholder), constructs };
}

interface HtmlToken {
  readonly begin: number;
  readonly end: number;
  /** Characters of white space that constructs beside it remove. */
  readonly trimLeft: number;
  getContent(): string;
}

function htmlOf(token: HtmlToken): string {
  const left = placeholder.repeat(token.trimLeft) + withoutPlaceholder(token.getContent());
  return left.padEnd(token.end - token.begin, placeholder);
}

/** What begins or ends at an offset: an element, a tag, a comment, or a block of Liquid, which has its condition. */
export interface Step {
  readonly at: number;
  readonly opens?: string;
  readonly closes?: string;
  readonly condition?: string;
}

/** What a construct opens or closes; a branch does both. */
export function branchOf({ at, name, source }: Construct): Step[] {
  if (opensBlock.has(name)) return [{ at, opens: 'block', condition: source }];
  if (nextBranch.has(name)) return [{ at, opens: 'block', closes: 'block', condition: source }];
  return endsBlock(name) ? [{ at, closes: 'block', condition: source }] : [];
}

function endsBlock(name: string): boolean {
  return name.startsWith('end') && opensBlock.has(name.slice(3));
}

function withoutPlaceholder(text: string): string {
  return text.replaceAll(placeholder, '\ufffd');
}

/** The constructs that begin from one offset to another. */
export function constructsIn({ constructs }: Markup, from: number, to: number): readonly Construct[] {
  return constructs.slice(
    firstIndex(constructs, ({ at }) => at >= from),
    firstIndex(constructs, ({ at }) => at >= to),
  );
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

function nameOf(token: TopLevelToken): string {
  return 'name' in token ? token.name : '';
}

/** Tags that are not known here may be known to the service, so only those of the parser are parsed. */
function parseError(original: string, tokens: readonly TopLevelToken[]): Markup['error'] {
  const parser = new Liquid();
  for (const name of new Set(tokens.map(nameOf))) if (!isPart(name)) parser.registerTag(name, { render() {} });
  try {
    parser.parse(original);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** True for tags of the parser, and for ends of its blocks, which are errors where they are alone. */
function isPart(name: string): boolean {
  return nextBranch.has(name) || Object.hasOwn(engine.tags, name.replace(/^end/, ''));
}

function failureOf(error: unknown): NonNullable<Markup['error']> {
  if (!LiquidError.is(error)) throw error;
  const { message, originalError, token } = error;
  // Where deep nesting ends in an error depends on the stack.
  if (originalError instanceof RangeError) return { at: 0, message: 'it is nested too deeply' };
  return { at: token.begin, message: message.replace(/, line:\d+, col:\d+$/, '') };
}

/** A part of a text that has to be read by hand. */
export interface Review {
  readonly what: string;
  readonly at: number;
}

/** Filters that decode, and filters that print quotes or markup of their own. */
const decoders = new Set(['base64_decode', 'url_decode']);
const markupFilters = new Set(['json', 'jsonify', 'inspect', 'newline_to_br']);
const lastFilterEscapes = /\|\s*(?:escape|xml_escape|url_encode|cgi_escape)\s*-?\}\}$/;
const literal = /"[^"]*"|'[^']*'/g;
/** Markup, a backslash, which may be that of an escape, or the beginning of an address. */
const madeMarkup = /[<>"'&\\]|\/\/|\b(?:javascript|vbscript|data|https?|wss?|ftp):/i;

/** The first construct that may leave out, move or make any part of the text, so nothing in it is certain. */
export function doubtInLiquid({ constructs }: Markup): Review | null {
  const inDoubt = constructs.find((one) => !isPlainTag(one) || (one.name === 'assign' && whyMade(one) !== null));
  return inDoubt === undefined ? null : { what: `the tag {% ${inDoubt.name} %}`, at: inDoubt.at };
}

/** False for tags that print texts of other files, that leave out the text around them, and that may do anything. */
function isPlainTag({ name, source }: Construct): boolean {
  if (name === 'endcomment') return !/\{%-?\s*(?:comment|raw)\b/.test(source.slice(2));
  return plain.has(name) || opensBlock.has(name) || nextBranch.has(name) || endsBlock(name);
}

/** Why the result of an output or a tag may be markup or an address; null if it is a plain text. */
export function whyMade({ name, source }: Construct): string | null {
  if (name === 'endcomment') return null;
  if (name === 'tablerow') return 'quotes and markup of {% tablerow %}';
  const filters = Array.from(source.matchAll(/\|\s*([a-z_][\w-]*)/gi), ([, filter = '']) => filter);
  const isEscaped = lastFilterEscapes.test(source);
  const filter = filters.find(
    (one) => decoders.has(one) || !Object.hasOwn(engine.filters, one) || (!isEscaped && markupFilters.has(one)),
  );
  if (filter !== undefined) return `the result of the filter ${filter}`;
  const literals = Array.from(source.matchAll(literal), ([quoted]) => quoted.slice(1, -1));
  return literals.some((text) => madeMarkup.test(text)) ? 'markup or an address in a text of Liquid' : null;
}
