// The lines of a file that the parser has refused, as far as its tokens show them.
import { CST, Lexer } from 'yaml';

/** Dashes, a key and a value, as far as the line has them. A value may continue on further lines of the file. */
export interface LayoutLine {
  /** Offset of the first token. */
  readonly start: number;
  readonly end: number;
  /** Offsets. */
  readonly dashes: readonly number[];
  readonly key: LayoutText | null;
  readonly value: LayoutText | null;
}

export interface LayoutText {
  readonly start: number;
  readonly text: string;
  /** The lines below `|` or `>`. */
  readonly isBlock: boolean;
}

/** A quote or bracket that is never closed; what follows cannot be understood. */
export interface OpenText {
  readonly start: number;
  readonly character: string;
}

type TokenType = CST.TokenType | 'block-scalar';

interface Token {
  readonly type: TokenType;
  readonly start: number;
  readonly text: string;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}' };
const betweenTexts = new Set<TokenType>(['space', 'comment', 'comma', 'newline', 'byte-order-mark']);

/** The lines in their order; an open text is the last one. */
export function* layoutOf(text: string): Generator<LayoutLine | OpenText> {
  const brackets: Token[] = [];
  let tokens: Token[] = [];
  let open: Token | null = null;
  const endLine = function* () {
    const line = lineOf(tokens);
    tokens = [];
    if (line !== null) yield line;
  };
  for (const token of tokensOf(text)) {
    const last = tokens.at(-1);
    // A new line ends an entry, except within brackets. The text of a block has its line ends in itself.
    if (token.type === 'newline' && brackets.length === 0 && last?.type !== 'block-scalar-header') yield* endLine();
    if (betweenTexts.has(token.type)) continue;
    open = openBracket(token, brackets) ?? openQuote(token, last);
    if (open !== null) break;
    if (token.type === 'map-value-ind' && last !== undefined && isLongText(last) && brackets.length === 0) {
      const [value, key] = splitText(last);
      tokens[tokens.length - 1] = value;
      yield* endLine();
      tokens.push(...key);
    }
    tokens.push(token);
    if (token.type === 'block-scalar') yield* endLine();
  }
  open ??= brackets.at(-1) ?? null;
  yield* endLine();
  if (open !== null) yield { start: open.start, character: open.text.charAt(0) };
}

/** The lexer precedes texts and modes with marks that are not in the file. */
function* tokensOf(text: string): Generator<Token> {
  let start = 0;
  let isMarked = false;
  let isBlock = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (lexeme === CST.SCALAR) isMarked = true;
    else if (lexeme === CST.FLOW_END) yield { type: 'flow-error-end', start, text: '' };
    else if (lexeme !== CST.DOCUMENT) {
      yield { type: isMarked ? (isBlock ? 'block-scalar' : 'scalar') : (type ?? 'scalar'), start, text: lexeme };
      if (isMarked) isBlock = false;
      if (type === 'block-scalar-header') isBlock = true;
      isMarked = false;
      start += lexeme.length;
    }
  }
}

/** Keeps the stack of open brackets; returns one that is not closed. */
function openBracket(token: Token, brackets: Token[]): Token | null {
  switch (token.type) {
    case 'flow-map-start':
    case 'flow-seq-start':
      brackets.push(token);
      return null;
    case 'flow-map-end':
    case 'flow-seq-end': {
      const opened = brackets.pop();
      return opened === undefined || closing[opened.text] === token.text ? null : opened;
    }
    case 'flow-error-end':
      return brackets.at(-1) ?? null;
    default:
      return null;
  }
}

/** A quoted text that has no end, or that ends only where another one was meant to start. */
function openQuote({ type, text, start }: Token, last: Token | undefined): Token | null {
  if (isQuoted(type) && (text.length < 2 || !text.endsWith(text.charAt(0)))) return { type, text, start };
  const isNext = last !== undefined && last.start + last.text.length === start;
  return isNext && type === 'scalar' && isQuoted(last.type) && last.text.includes('\n') ? last : null;
}

function isQuoted(type: TokenType): boolean {
  return type === 'double-quoted-scalar' || type === 'single-quoted-scalar';
}

/** What the lexer takes for one text may be a value, and the key below it. */
function isLongText({ type, text }: Token): boolean {
  return type === 'scalar' && text.includes('\n');
}

function lineOf(tokens: readonly Token[]): LayoutLine | null {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return null;
  const firstText = tokens.findIndex(({ type }) => type !== 'seq-item-ind');
  const dashes = firstText < 0 ? tokens : tokens.slice(0, firstText);
  const rest = tokens.slice(dashes.length);
  const colon = colonIndex(rest);
  return {
    start: first.start,
    end: last.start + last.text.length,
    dashes: dashes.map(({ start }) => start),
    key: colon < 0 ? null : textOf(rest.slice(0, colon)),
    value: textOf(rest.slice(colon + 1)),
  };
}

/** The colon after a key, which may itself be in brackets; -1 if there is none. */
function colonIndex(tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findIndex(({ type }) => {
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth++;
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth--;
    return depth === 0 && type === 'map-value-ind';
  });
}

function textOf(tokens: readonly Token[]): LayoutText | null {
  const [first] = tokens;
  if (first === undefined) return null;
  const content = tokens.find(({ type }) => type === 'scalar' || isQuoted(type)) ?? first;
  return { start: first.start, text: content.text, isBlock: tokens.some(({ type }) => type === 'block-scalar-header') };
}

/** `acme\n    - api` before a colon: the value `acme`, and the tokens of the line below. */
function splitText({ text, start }: Token): readonly [Token, readonly Token[]] {
  const end = text.lastIndexOf('\n');
  const line = text.slice(end + 1);
  const tokens: Token[] = [];
  const [, indent = '', dashes = ''] = /^([ \t]*)((?:-[ \t]+)*)/.exec(line) ?? [];
  for (const dash of dashes.matchAll(/-/g))
    tokens.push({ type: 'seq-item-ind', start: start + end + 1 + indent.length + dash.index, text: '-' });
  const before = indent.length + dashes.length;
  tokens.push({ type: 'scalar', start: start + end + 1 + before, text: line.slice(before) });
  return [{ type: 'scalar', start, text: text.slice(0, end).trimEnd() }, tokens];
}
