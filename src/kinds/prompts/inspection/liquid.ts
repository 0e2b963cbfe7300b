import { Liquid, LiquidError, Tokenizer, TokenKind, type TopLevelToken } from 'liquidjs';

/**
 * A text with its Liquid replaced, so that it can be read as HTML: an output by one character, and each tag by one of
 * its own, because two branches may have the same attribute. Nothing is evaluated.
 *
 *   <a href="{{ url }}" {% if x %}class="b"{% endif %}>   ->   <a href="O" Aclass="b"B>
 */
export interface Markup {
  readonly text: string;
  /** Block tags, in order, by their offset in `text`. */
  readonly tags: readonly { readonly at: number; readonly name: string }[];
  /** Literals of Liquid that may become markup. */
  readonly literals: readonly { readonly at: number; readonly text: string }[];
  /** Why it is no valid Liquid; null if it is. */
  readonly error: { readonly at: number; readonly message: string } | null;
  /** The offset in the original text. */
  originalAt(offset: number): number;
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
    const text = original;
    return { text, tags: [], literals: [], error: read, originalAt: (offset) => offset };
  }
  let text = '';
  const pieces: { readonly at: number; readonly from: number }[] = [];
  const tags: { at: number; name: string }[] = [];
  const literals: { at: number; text: string }[] = [];
  let comments = 0;
  for (const token of read) {
    const { kind, begin, end } = token;
    const name = kind === TokenKind.Tag ? nameOf(token) : '';
    if (name === 'comment') comments += 1;
    if (comments > 0) {
      if (name === 'endcomment') comments -= 1;
      continue;
    }
    pieces.push({ at: text.length, from: begin });
    if (kind === TokenKind.HTML) {
      text += original.slice(begin, end);
      continue;
    }
    literals.push(...literalsIn(original, begin, end));
    if (kind === TokenKind.Output) text += outputCharacter;
    else {
      tags.push({ at: text.length, name });
      text += String.fromCharCode(firstTag + (tags.length % tagCharacters));
    }
  }
  return {
    text,
    tags,
    literals,
    error: parseError(engine, original, read),
    originalAt: (at) => originalOf(pieces, at),
  };
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

const branches = new Set(['else', 'elsif', 'when']);

/** Tags that are not known here may be known to the service, so only known ones are parsed. */
function parseError(engine: Liquid, original: string, tokens: readonly TopLevelToken[]): Failure | null {
  const unknown = new Set(
    tokens.map(nameOf).filter((name) => name !== '' && !Object.hasOwn(engine.tags, name) && !isPart(engine, name)),
  );
  for (const name of unknown) engine.registerTag(name, { parse() {}, render() {} });
  try {
    engine.parse(original);
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

/** Text in quotes, between the delimiters of a tag or an output, that may become markup. */
function literalsIn(original: string, begin: number, end: number): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  for (let at = begin; at < end; at += 1) {
    const quote = original[at];
    if (quote !== '"' && quote !== "'") continue;
    const close = original.indexOf(quote, at + 1);
    if (close === -1 || close >= end) break;
    const text = original.slice(at + 1, close);
    if (/[<>]|javascript:/i.test(text)) found.push({ at, text });
    at = close;
  }
  return found;
}

function originalOf(pieces: readonly { readonly at: number; readonly from: number }[], offset: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece === undefined ? offset : piece.from + (offset - piece.at);
}
