import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { firstIndex } from '../../../values/first-index.ts';
import type { Review } from './liquid.ts';
import { type Block, blockAt, type Markup, placeholder } from './liquid.ts';

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

/** A start tag. */
export interface Tag extends Range {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** The elements around it in which markup is read in another way, or left out. */
  readonly context: string;
  /** Where the end tag of a script or a style begins. */
  contentEnd: number;
}

/** One reading of a text, as parsers of HTML have it, along its tokens. */
export interface Reading {
  readonly tags: readonly Tag[];
  /** The token or the text that an offset is in. */
  regionAt(offset: number): Range & { readonly context: string };
  /** What does not end, or ends in another branch of Liquid than it begins in; null if all ends where it should. */
  readonly doubt: Review | null;
}

/** Elements whose content is no markup. */
const modes: ReadonlyMap<string, number> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ...['textarea', 'title'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map(
    (name) => [name, TokenizerMode.RAWTEXT] as const,
  ),
]);
const special = new Set(['svg', 'math', 'template', 'select']);

interface Open {
  readonly tag: Tag;
  readonly block: Block;
  /** The names of the open elements, each once. */
  readonly path: string;
}

export function readHtml(markup: Markup, hasScripting: boolean): Reading {
  const { text } = markup;
  const tags: Tag[] = [];
  const open: Open[] = [];
  const changes: { readonly at: number; readonly context: string }[] = [];
  let doubt: Review | null = null;

  const path = () => open.at(-1)?.path ?? '';
  const isForeign = () => /svg|math/.test(path());
  const modeOf = (name: string) => (name === 'noscript' && !hasScripting ? undefined : modes.get(name));
  const isOpened = (name: string) => special.has(name) || modeOf(name) !== undefined;
  const change = (at: number, context: string) => changes.push({ at, context: `${path()} ${context}` });

  function checkBranch(at: number, isSame: boolean): void {
    if (!isSame) doubt ??= { what: 'an element or a comment that Liquid divides, or that does not end', at };
  }

  function push(tag: Tag): void {
    const names = path().includes(tag.name) ? path() : `${path()} ${tag.name}`;
    open.push({ tag, block: blockAt(markup, tag.at), path: names });
  }

  function pop(name: string, at: number): void {
    const index = open.findLastIndex(({ tag }) => tag.name === name);
    const element = open[index];
    if (element === undefined) {
      doubt ??= { what: `</${name}> of an element of the page`, at };
      return;
    }
    checkBranch(at, element.block === blockAt(markup, at));
    element.tag.contentEnd = at;
    open.length = index;
  }

  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const tag = tagOf(token, path());
        tags.push(tag);
        change(tag.at, 'tag');
        const isEmpty = token.selfClosing && (isForeign() || /^(?:svg|math)$/.test(tag.name));
        if (!isForeign()) tokenizer.state = modeOf(tag.name) ?? tokenizer.state;
        if (!isEmpty && isOpened(tag.name)) push(tag);
        change(tag.end, '');
        tokenizer.lastStartTagName = tag.name;
        tokenizer.inForeignNode = isForeign();
      },
      onEndTag(token) {
        const { at, end } = rangeOf(token.location);
        const name = withoutLiquid(token.tagName);
        change(at, 'tag');
        if (isOpened(name)) pop(name, at);
        change(end, '');
        tokenizer.inForeignNode = isForeign();
      },
      onComment({ location }) {
        const { at, end } = rangeOf(location);
        const isWhole = text[end - 1] === '>' && !/[-!]\ue000/.test(text.slice(at, end));
        checkBranch(at, isWhole && blockAt(markup, at) === blockAt(markup, end));
        change(at, 'comment');
        change(end, '');
      },
      onParseError({ code, startOffset }) {
        if (/^eof-in-/.test(code)) doubt ??= { what: 'a tag or a comment that does not end', at: startOffset };
      },
      onEof: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(text, true);
  const [unclosed] = open;
  if (unclosed !== undefined) doubt ??= { what: `<${unclosed.tag.name}> that is not closed`, at: unclosed.tag.at };

  return {
    tags,
    regionAt(offset) {
      const next = firstIndex(changes, ({ at }) => at > offset);
      return { at: 0, context: '', ...changes[next - 1], end: changes[next]?.at ?? text.length };
    },
    doubt,
  };
}

function rangeOf(location: Token.Location | null | undefined): Range {
  return { at: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

function tagOf({ tagName, attrs, location }: Token.TagToken, context: string): Tag {
  return {
    ...rangeOf(location),
    name: withoutLiquid(tagName),
    attributes: attrs.map(({ name, value }) => ({
      ...rangeOf(location?.attrs?.[name]),
      name: withoutLiquid(name),
      value,
    })),
    context,
    contentEnd: Number.POSITIVE_INFINITY,
  };
}

function withoutLiquid(name: string): string {
  return name.replaceAll(placeholder, '');
}
