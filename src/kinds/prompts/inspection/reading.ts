import { Tokenizer, TokenizerMode } from 'parse5';
import { firstIndex } from '../../../values/first-index.ts';
import { type Block, blockAt, type Markup, outside } from './liquid.ts';
import type { Review } from './review-liquid.ts';

/** How a parser of HTML reads a text. It shows only whether what is known becomes active: it hides no tag. */
export interface Reading {
  /** What an offset is a part of: `tag` where a start tag begins, with the open elements that matter. */
  contextAt(offset: number): string;
  /** A comment or an element that begins in one branch of Liquid and ends in another, or does not end; null if all do. */
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
/** Elements in which markup is read in another way, or left out. */
const special = new Set(['svg', 'math', 'template', 'select']);

interface Open {
  readonly name: string;
  readonly at: number;
  readonly block: Block;
  /** The names of the open elements, each once. */
  readonly path: string;
}

export function readHtml(markup: Markup, hasScripting: boolean): Reading {
  const open: Open[] = [];
  const changes: { readonly at: number; readonly context: string }[] = [];
  let doubt: Review | null = null;

  const path = () => open.at(-1)?.path ?? '';
  const change = (at: number, context: string) => changes.push({ at, context: `${path()} ${context}` });
  const modeOf = (name: string) => (name === 'noscript' && !hasScripting ? undefined : modes.get(name));
  const isOpened = (name: string) => special.has(name) || modeOf(name) !== undefined;

  function push(name: string, at: number): void {
    const names = path().includes(name) ? path() : `${path()} ${name}`;
    open.push({ name, at, block: blockAt(markup, at), path: names });
  }

  function pop(name: string, at: number): void {
    const index = open.findLastIndex((element) => element.name === name);
    checkBlocks(at, open[index]?.block ?? outside, blockAt(markup, at));
    if (index !== -1) open.length = index;
  }

  function checkBlocks(at: number, one: Block, other: Block | null): void {
    if (one !== other) doubt ??= { what: 'an element or a comment that Liquid divides', at };
  }

  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag({ tagName, selfClosing, location }) {
        const { startOffset: at = 0, endOffset: to = 0 } = location ?? {};
        const name = withoutLiquid(tagName);
        const isForeign = /svg|math/.test(path());
        const isEmpty = selfClosing && (isForeign || /^(?:svg|math)$/.test(name));
        change(at, 'tag');
        change(at + 1, 'value');
        if (!isEmpty && isOpened(name)) push(name, at);
        change(to, '');
        tokenizer.lastStartTagName = name;
        if (!isForeign) tokenizer.state = modeOf(name) ?? tokenizer.state;
      },
      onEndTag({ tagName, location }) {
        const { startOffset: at = 0, endOffset: to = 0 } = location ?? {};
        const name = withoutLiquid(tagName);
        change(at, 'value');
        if (isOpened(name)) pop(name, at);
        change(to, '');
      },
      onComment({ location }) {
        const { startOffset: at = 0, endOffset: to = 0 } = location ?? {};
        const isMade = /[-!][\ue000-\uf8ff]/.test(markup.text.slice(at, to));
        checkBlocks(at, blockAt(markup, at), isMade ? null : blockAt(markup, to));
        change(at, 'comment');
        change(to, '');
      },
      onEof: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(markup.text, true);

  const [unclosed] = open;
  return {
    contextAt: (offset) => changes[firstIndex(changes, ({ at }) => at > offset) - 1]?.context ?? '',
    doubt:
      doubt ?? (unclosed === undefined ? null : { what: `<${unclosed.name}> that is not closed`, at: unclosed.at }),
  };
}

/** Liquid that follows a name at once is taken for a part of it. */
function withoutLiquid(name: string): string {
  return name.replaceAll(/[\ue000-\uf8ff]/g, '');
}
