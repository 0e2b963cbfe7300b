import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { placeholder } from './liquid.ts';

/** From one offset in the text to another. */
export interface Range {
  readonly at: number;
  readonly end: number;
}

export interface Attribute extends Range {
  /** In lower case, without Liquid. */
  readonly name: string;
  /** With its entities decoded. */
  readonly value: string;
}

/** A start tag, an end tag, a comment, or what is between two of these. */
export interface Piece extends Range {
  /** Of a start tag. */
  readonly tag?: Tag;
}

export interface Tag {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly isSelfClosing: boolean;
}

/** Elements whose content is no markup. */
const modes: ReadonlyMap<string, number> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ...['textarea', 'title'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
]);

/**
 * A text in its pieces, as a parser of HTML reads it without scripts: after each other piece is one of text. `isOpen`: the
 * last one is in a tag, a comment, or an element whose content is no markup.
 */
export function readHtml(text: string): { readonly pieces: readonly Piece[]; readonly isOpen: boolean } {
  const pieces: Piece[] = [];
  let [end, isOpen] = [0, false];
  const cut = ({ location }: Token.TagToken | Token.CommentToken, tag?: Tag) => {
    const range = rangeOf(location);
    pieces.push({ at: end, end: range.at }, { ...range, ...(tag && { tag }) });
    end = range.end;
  };
  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const tag = tagOf(token);
        cut(token, tag);
        if (!tag.isSelfClosing) tokenizer.state = modes.get(tag.name) ?? tokenizer.state;
        tokenizer.lastStartTagName = tag.name;
      },
      onEndTag: (token) => cut(token),
      onComment: (token) => cut(token),
      onEof() {
        isOpen = tokenizer.state !== TokenizerMode.DATA;
      },
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(text, true);
  return { pieces: [...pieces, { at: end, end: text.length }], isOpen };
}

function rangeOf(location: Token.Location | null | undefined): Range {
  return { at: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

function tagOf({ tagName, attrs, location, selfClosing }: Token.TagToken): Tag {
  return {
    name: withoutLiquid(tagName),
    attributes: attrs.map(({ name, value }) => ({
      ...rangeOf(location?.attrs?.[name]),
      name: withoutLiquid(name),
      value,
    })),
    isSelfClosing: selfClosing,
  };
}

function withoutLiquid(name: string): string {
  return name.replaceAll(placeholder, '');
}
