import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { firstIndex } from '../../../values/first-index.ts';
import { branchOf, digestOf, type Markup, placeholder, type Review, type Step } from './liquid.ts';

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
  /** Where the next end tag of the same name begins. */
  contentEnd: number;
}

/** A text as a parser of HTML reads it without scripts, along its tokens. */
export interface Reading {
  readonly tags: readonly Tag[];
  /** The tag, the comment or the text that an offset is in. */
  regionAt(offset: number): Range;
  /** The blocks of Liquid and the elements around an offset that decide what it is read as. */
  contextAt(offset: number): string;
  /** What is not closed, or begins and ends in different branches of Liquid; null if all is in order. */
  readonly doubt: Review | null;
}

/** Elements whose content is no markup. */
const modes: ReadonlyMap<string, number> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ...['textarea', 'title'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
]);
/** Elements whose content is read in another way, or left out. */
const special = new Set([...modes.keys(), 'svg', 'math', 'template', 'select', 'noscript']);

export function readHtml(markup: Markup): Reading {
  const { text } = markup;
  const tags: Tag[] = [];
  const boundaries: number[] = [];
  const steps: Step[] = [];
  const last = new Map<string, Tag>();
  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const tag = tagOf(token);
        tags.push(tag);
        last.set(tag.name, tag);
        boundaries.push(tag.at, tag.end);
        steps.push({ at: tag.at, opens: 'tag' }, { at: tag.end, closes: 'tag' });
        if (special.has(tag.name)) steps.push({ at: tag.end, opens: tag.name });
        if (!token.selfClosing) tokenizer.state = modes.get(tag.name) ?? tokenizer.state;
        tokenizer.lastStartTagName = tag.name;
      },
      onEndTag({ tagName, location }) {
        const { at, end } = rangeOf(location);
        const name = withoutLiquid(tagName);
        boundaries.push(at, end);
        if (special.has(name)) steps.push({ at, closes: name });
        const tag = last.get(name);
        if (tag !== undefined) tag.contentEnd = Math.min(tag.contentEnd, at);
      },
      onComment({ location }) {
        const { at, end } = rangeOf(location);
        boundaries.push(at, end);
        steps.push({ at, opens: 'comment' });
        if (text[end - 1] === '>') steps.push({ at: end, closes: 'comment' });
      },
      onParseError({ code, startOffset }) {
        if (code === 'eof-in-tag') steps.push({ at: startOffset, opens: 'tag' });
      },
      onEof: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(text, true);
  return {
    tags,
    regionAt(offset) {
      const next = firstIndex(boundaries, (at) => at > offset);
      return { at: boundaries[next - 1] ?? 0, end: boundaries[next] ?? text.length };
    },
    ...followed([...steps, ...markup.constructs.flatMap(branchOf)].toSorted((one, other) => one.at - other.at)),
  };
}

/** What is open after a step. An end that does not fit stays open, so that all that follows has another context. */
interface Open extends Step {
  readonly context: string;
}

const whatIsOpen = 'an element, a tag or a comment that does not begin and end in one place of this text';

function followed(steps: readonly Step[]): Pick<Reading, 'contextAt' | 'doubt'> {
  const open: Open[] = [];
  const contexts: { readonly at: number; readonly context: string }[] = [];
  for (const step of steps) {
    const { at, opens, closes, condition = '' } = step;
    const around = open.at(-1);
    const isFitting = closes !== undefined && around?.opens === closes;
    if (isFitting) open.pop();
    // The conditions of a branch are also those of the branches before it.
    const before = (isFitting ? around : open.at(-1))?.context ?? '';
    if (opens !== undefined || !isFitting)
      open.push({ ...step, context: digestOf(`${before} ${opens ?? `/${closes}`} ${condition}`) });
    contexts.push({ at, context: open.at(-1)?.context ?? '' });
  }
  const doubt = open.find(({ condition }) => condition === undefined);
  return {
    contextAt: (offset) => contexts[firstIndex(contexts, ({ at }) => at > offset) - 1]?.context ?? '',
    doubt: doubt === undefined ? null : { what: whatIsOpen, at: doubt.at },
  };
}

function rangeOf(location: Token.Location | null | undefined): Range {
  return { at: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

function tagOf({ tagName, attrs, location }: Token.TagToken): Tag {
  return {
    ...rangeOf(location),
    name: withoutLiquid(tagName),
    attributes: attrs.map(({ name, value }) => ({
      ...rangeOf(location?.attrs?.[name]),
      name: withoutLiquid(name),
      value,
    })),
    contentEnd: Number.POSITIVE_INFINITY,
  };
}

function withoutLiquid(name: string): string {
  return name.replaceAll(placeholder, '');
}
