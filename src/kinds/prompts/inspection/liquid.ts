import { Liquid, LiquidError, Tokenizer, TokenKind, type TopLevelToken } from 'liquidjs';
import { firstIndex } from '../../../values/first-index.ts';

/**
 * A text with its Liquid replaced, so that it can be read as HTML: an output by one character, and each tag by one of
 * its own, because two branches may have the same attribute. Nothing is evaluated.
 *
 *   <a href="{{ url }}" {% if x %}class="b"{% endif %}>   ->   <a href="O" Aclass="b"B>
 */
export interface Markup {
  readonly text: string;
  readonly tags: readonly LiquidTag[];
  /** Literals and captured texts of Liquid. */
  readonly literals: readonly LiquidText[];
  /** What makes text that is not known here. */
  readonly unknown: readonly (LiquidText & { readonly what: string })[];
  /** Why it is no valid Liquid; null if it is. */
  readonly error: { readonly at: number; readonly message: string } | null;
  /** The offset in the original text. */
  originalAt(offset: number): number;
}

/** A text in Liquid, by its offset in the original text. */
export interface LiquidText {
  readonly at: number;
  readonly text: string;
  /** The offset of the tag or the output in the text without Liquid. */
  readonly place: number;
  /** True if it is not printed there. */
  readonly isKept: boolean;
}

/** A tag, or an output, whose name is ''. They are in order. */
export interface LiquidTag {
  /** Its offset in `text`. */
  readonly at: number;
  readonly name: string;
  readonly branch: number;
  /** True if it may print quotes or markup, which end a value. */
  readonly printsMarkup: boolean;
  /** As it is in the original text; the end of an outermost capture has what was captured. */
  readonly source: string;
  /** True if it may stop, replace or leave out the text around it: `break`, and tags that only the service knows. */
  readonly isFlow: boolean;
}

/** Characters for private use. A text that has them itself is taken for one with Liquid. */
export const outputCharacter = '\ue000';
const firstTag = 0xe001;
const tagCharacters = 0xf8ff - firstTag + 1;
export const liquidCharacters = /[\ue000-\uf8ff]/;

export function readLiquid(original: string): Markup {
  const engine = new Liquid({ cache: false });
  const read = tokensOf(engine, original);
  if ('message' in read) {
    const literals = [{ at: read.at, text: original, place: 0, isKept: false }];
    return { text: original, tags: [], literals, unknown: [], error: read, originalAt: (offset) => offset };
  }
  const error = parseError(engine, original, read);
  let text = '';
  const pieces: { readonly at: number; readonly from: number }[] = [];
  const tags: LiquidTag[] = [];
  const literals: LiquidText[] = [];
  const unknown: (LiquidText & { what: string })[] = [];
  const captures: { readonly at: number; readonly from: number }[] = [];
  const nextBranch = branchesOf();
  let comment: number | null = null;
  for (const token of read) {
    const { kind, begin, end } = token;
    const name = kind === TokenKind.Tag ? nameOf(token) : '';
    if (comment !== null) {
      if (name === 'endcomment') comment = null;
      else if (name === 'comment' || name === 'raw') {
        const what = `{% ${name} %} inside of a comment, whose end depends on the version of Liquid`;
        unknown.push({ at: begin, text: original.slice(comment), what, place: text.length, isKept: true });
      } else if (error === null) continue;
      if (kind !== TokenKind.HTML) continue;
    } else if (name === 'comment') {
      comment = begin;
      continue;
    }
    if (kind === TokenKind.HTML) {
      const content = 'getContent' in token ? (token as HtmlToken).getContent() : original.slice(begin, end);
      pieces.push({ at: text.length, from: begin + Math.max(0, original.slice(begin, end).indexOf(content)) });
      text += content;
      continue;
    }
    pieces.push({ at: text.length, from: begin });
    if (name === 'capture') captures.push({ at: begin, from: end });
    const capture = name === 'endcapture' ? captures.pop() : undefined;
    // The outermost one has the others.
    if (capture !== undefined && captures.length === 0)
      literals.push({ at: capture.at, text: original.slice(capture.from, begin), place: text.length, isKept: true });
    const here = { place: text.length, isKept: name !== '' };
    literals.push(...literalsIn(original, begin, end).map((one) => ({ ...one, ...here })));
    const source = original.slice(begin, end);
    unknown.push(
      ...unknownIn(engine, source, name, captures.length > 0).map((one) => ({ at: begin, ...one, ...here })),
    );
    const branch = nextBranch(name);
    const isOutput = kind === TokenKind.Output || printing.has(name) || !isKnownTag(engine, name);
    tags.push({
      at: text.length,
      name,
      branch,
      printsMarkup: printsMarkup(source, name),
      source: capture !== undefined && captures.length === 0 ? original.slice(capture.from, end) : source,
      isFlow: isFlow(engine, source, name),
    });
    text += isOutput ? outputCharacter : String.fromCharCode(firstTag + (tags.length % tagCharacters));
  }
  return { text, tags, literals, unknown, error, originalAt: (at) => originalOf(pieces, at) };
}

interface HtmlToken {
  getContent(): string;
}

/** Tags that print. */
const printing = new Set(['echo', 'cycle', 'increment', 'decrement', 'liquid', 'include', 'render', 'layout', 'block']);
/** Tags that print texts of other files. */
const including = new Set(['include', 'render', 'layout', 'block']);
const opensBlock = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'ifchanged', 'capture']);
const branches = new Set(['else', 'elsif', 'when']);

/** A number for each branch of each block, in the order of tags; 0 outside of all blocks. */
function branchesOf(): (name: string) => number {
  const open: number[] = [];
  let last = 0;
  return (name) => {
    if (branches.has(name) || (name.startsWith('end') && opensBlock.has(name.slice(3)))) open.pop();
    if (branches.has(name) || opensBlock.has(name)) {
      last += 1;
      open.push(last);
    }
    return open.at(-1) ?? 0;
  };
}

/** The branch that an offset of the text is in. */
export function branchAt(tags: Markup['tags'], offset: number): number {
  return tags[firstIndex(tags, ({ at }) => at >= offset) - 1]?.branch ?? 0;
}

/** The Liquid from one offset to another. */
export function liquidIn(tags: Markup['tags'], from: number, to: number): Markup['tags'] {
  return tags.slice(
    firstIndex(tags, ({ at }) => at >= from),
    firstIndex(tags, ({ at }) => at >= to),
  );
}

/** An output in a name, or a tag that divides it; a tag after the name is none of it. */
export function isMadeByLiquid(name: string): boolean {
  return name.includes(outputCharacter) || name.split(/[\ue000-\uf8ff]+/).filter((part) => part !== '').length > 1;
}

export function withoutLiquid(text: string): string {
  return text.replaceAll(/[\ue000-\uf8ff]/g, '');
}

const decoders = new Set(['base64_decode', 'url_decode']);

/** Filters that print quotes or markup of their own. */
const markupFilters = new Set(['json', 'jsonify', 'inspect', 'newline_to_br']);
const lastFilterEscapes = /\|\s*(?:escape|xml_escape|url_encode|cgi_escape)\s*-?\}\}$/;
const markupTags = /^\s*(?:tablerow|render|include|layout|block)\b/m;
const stopping = /^(?:\{%-?\s*liquid)?\s*(?:break|continue)\b/m;

function printsMarkup(text: string, tag: string): boolean {
  if (tag === 'tablerow') return true;
  if (lastFilterEscapes.test(text)) return false;
  return filtersIn(text).some((filter) => markupFilters.has(filter));
}

function isFlow(engine: Liquid, text: string, tag: string): boolean {
  if (tag === 'liquid') return stopping.test(text) || markupTags.test(text);
  return tag === 'break' || tag === 'continue' || including.has(tag) || (tag !== '' && !isKnownTag(engine, tag));
}

function filtersIn(text: string): string[] {
  return Array.from(text.matchAll(/\|\s*([a-z_][\w-]*)/gi), ([, filter = '']) => filter);
}

/** Filters that turn a text without markup into markup, and what only the service knows. */
function unknownIn(engine: Liquid, text: string, tag: string, isCaptured: boolean): { text: string; what: string }[] {
  const found: { text: string; what: string }[] = [];
  if (including.has(tag)) found.push({ text, what: `a text of another file, by {% ${tag} %}` });
  else if (tag !== '' && !isKnownTag(engine, tag)) found.push({ text, what: `the unknown tag {% ${tag} %}` });
  if (tag === 'liquid' && markupTags.test(text)) found.push({ text, what: 'a tag of {% liquid %} that prints markup' });
  if (tag === 'tablerow' && isCaptured) found.push({ text, what: 'the markup of {% tablerow %}' });
  const isKept = tag !== '' || isCaptured;
  const filters = filtersIn(text);
  for (const [index, filter] of filters.entries()) {
    // Its markup is printed later, or only a part of it.
    const isCut = markupFilters.has(filter) && (isKept || (index < filters.length - 1 && printsMarkup(text, tag)));
    if (decoders.has(filter) || isCut || !Object.hasOwn(engine.filters, filter))
      found.push({ text, what: `the result of the filter ${filter}` });
  }
  return found;
}

function isKnownTag(engine: Liquid, name: string): boolean {
  return Object.hasOwn(engine.tags, name) || isPart(engine, name);
}

type Failure = NonNullable<Markup['error']>;

function tokensOf(engine: Liquid, original: string): TopLevelToken[] | Failure {
  try {
    return new Tokenizer(original, engine.options.operators).readTopLevelTokens(engine.options);
  } catch (error) {
    return failureOf(error);
  }
}

function nameOf(token: TopLevelToken): string {
  return 'name' in token && typeof token.name === 'string' ? token.name : '';
}

/** Tags that are not known here may be known to the service, so only known ones are parsed. */
function parseError(engine: Liquid, original: string, tokens: readonly TopLevelToken[]): Failure | null {
  const parser = new Liquid({ cache: false });
  const unknown = new Set(tokens.map(nameOf).filter((name) => name !== '' && !isKnownTag(engine, name)));
  for (const name of unknown) parser.registerTag(name, { parse() {}, render() {} });
  try {
    parser.parse(original);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** `else`, or the end of a block that is known: an error where it is alone. */
function isPart(engine: Liquid, name: string): boolean {
  return branches.has(name) || (name.startsWith('end') && Object.hasOwn(engine.tags, name.slice(3)));
}

/** Deep nesting ends in an error of the stack. */
function failureOf(error: unknown): Failure {
  if (LiquidError.is(error)) {
    const { message, originalError, token } = error as Error & { originalError?: Error; token?: { begin?: number } };
    return { at: token?.begin ?? 0, message: originalError?.message ?? message.replace(/, line:\d+, col:\d+$/, '') };
  }
  if (error instanceof RangeError) return { at: 0, message: 'it is nested too deeply' };
  throw error;
}

/** Text in quotes, between the delimiters of a tag or an output. */
function literalsIn(original: string, begin: number, end: number): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  for (let at = begin; at < end; at += 1) {
    const quote = original[at];
    if (quote !== '"' && quote !== "'") continue;
    const close = original.indexOf(quote, at + 1);
    if (close === -1 || close >= end) break;
    found.push({ at, text: original.slice(at + 1, close) });
    at = close;
  }
  return found;
}

function originalOf(pieces: readonly { readonly at: number; readonly from: number }[], offset: number): number {
  const piece = pieces[firstIndex(pieces, ({ at }) => at > offset) - 1];
  return piece === undefined ? offset : piece.from + (offset - piece.at);
}
