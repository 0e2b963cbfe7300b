import { Tokenizer, TokenizerMode } from 'parse5';
import { firstIndex } from '../../../values/first-index.ts';
import { balanceOf, isEmpty } from './balance.ts';
import { branchAt, isMadeByLiquid, type Markup, withoutLiquid } from './liquid.ts';

/** What one reading of a text takes an offset for, along the tokens of HTML. */
export interface Reading {
  /** `active` where a start tag begins. */
  regionAt(offset: number): 'active' | 'tag' | 'comment' | 'text';
  /** The open elements that decide how their content is read, with what `describe` makes of their branches. */
  elementsAt(offset: number): string;
  /** True if comments or elements begin in one branch of Liquid and end in another, so other readings differ. */
  readonly isUncertain: boolean;
}

type Open = { readonly name: string; readonly branch: number; readonly path: string; readonly below: Open } | null;

/** Elements whose content is text, as parsers of HTML read it. */
const rawText = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes']);
const escapableText = new Set(['textarea', 'title']);
/** Elements in which markup is read as it is outside of them. */
const ordinary = new Set(
  [
    'a abbr address article aside b bdi bdo big blockquote body button caption center cite code colgroup dd del dfn div',
    'dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup html i ins kbd label legend li',
    'main mark menu nav ol optgroup option p pre q rp rt ruby s samp section small span strike strong sub summary sup',
    'table tbody td tfoot th thead time tr tt u ul var',
  ].flatMap((names) => names.split(' ')),
);
/** Delimiters that Liquid may make. */
const madeDelimiter = /<(?:[!/][a-z-]*)?[\ue000-\uf8ff]/i;
const madeCommentEnd = /[-!][\ue000-\uf8ff]/;

/** Reads the tokens of a text, and reports elements that are not closed. `describe` is of a branch, and short. */
export function readTokens(
  { text, tags }: Markup,
  describe: (branch: number, text: string) => string,
  report: (message: string, at: number) => void,
): Reading {
  const balance = balanceOf(tags, report);
  const regions: { readonly from: number; readonly to: number; readonly kind: 'tag' | 'comment' }[] = [];
  const changes: { readonly at: number; readonly path: string }[] = [];
  let open: Open = null;
  let isUncertain = madeDelimiter.test(text);

  function push(name: string, at: number): void {
    const branch = branchAt(tags, at);
    open = { name, branch, path: describe(branch, `${open?.path ?? ''} ${name}`), below: open };
    changes.push({ at, path: open.path });
  }

  function pop(name: string, at: number): void {
    const branch = branchAt(tags, at);
    let element: Open = open;
    while (element !== null && element.name !== name) element = element.below;
    if (element === null) {
      // The page may have opened it.
      isUncertain ||= branch !== 0;
      push(`/${name}`, at);
      return;
    }
    for (let one: Open = open; one !== element.below && one !== null; one = one.below)
      isUncertain ||= one.branch !== branch;
    open = element.below;
    changes.push({ at, path: open?.path ?? '' });
  }

  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const name = withoutLiquid(token.tagName);
        const { startOffset: at = 0, endOffset: to = 0 } = token.location ?? {};
        const isForeign = balance.isForeign();
        balance.open(name, at, token.selfClosing);
        regions.push({ from: at, to, kind: 'tag' });
        isUncertain ||= isMadeByLiquid(token.tagName);
        const isClosed = token.selfClosing && (isForeign || name === 'svg' || name === 'math');
        if (!ordinary.has(name) && !isEmpty(name) && !isClosed) push(name, at);
        // Liquid that follows the name at once is taken for a part of it.
        tokenizer.lastStartTagName = name;
        if (isForeign) return;
        if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
        else if (rawText.has(name)) tokenizer.state = TokenizerMode.RAWTEXT;
        else if (escapableText.has(name)) tokenizer.state = TokenizerMode.RCDATA;
        else if (name === 'plaintext') tokenizer.state = TokenizerMode.PLAINTEXT;
      },
      onEndTag(token) {
        const name = withoutLiquid(token.tagName);
        const at = token.location?.startOffset ?? 0;
        balance.close(name, at);
        if (!ordinary.has(name) && !isEmpty(name)) pop(name, at);
      },
      onComment(token) {
        const { startOffset: from = 0, endOffset: to = 0 } = token.location ?? {};
        regions.push({ from, to, kind: 'comment' });
        isUncertain ||= branchAt(tags, from) !== branchAt(tags, to) || madeCommentEnd.test(text.slice(from, to));
      },
      onEof: () => balance.end(),
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(text, true);
  for (let element = open as Open; element !== null; element = element.below) isUncertain ||= element.branch !== 0;

  return {
    regionAt(offset) {
      const region = regions[firstIndex(regions, ({ from }) => from > offset) - 1];
      if (region === undefined || offset >= region.to) return 'text';
      return region.kind === 'tag' && region.from === offset ? 'active' : region.kind;
    },
    elementsAt: (offset) => changes[firstIndex(changes, ({ at }) => at >= offset) - 1]?.path ?? '',
    isUncertain,
  };
}
