import { Tokenizer } from 'parse5';
import { branchAt, liquidCharacters, liquidIn, type Markup, outputCharacter, withoutLiquid } from './liquid.ts';

export interface Attribute {
  /** In lower case, with the characters of Liquid. */
  readonly name: string;
  /** With its entities decoded. */
  readonly value: string;
  /** The value as it is in the text. */
  readonly written: string;
  readonly at: number;
  /** True if Liquid divides it, so that another choice of branches may have other attributes. */
  readonly isDivided: boolean;
  /** True if an output in a value without quotes may make it several attributes. */
  readonly isOpen: boolean;
  /** The branch that it is in. */
  readonly branch: number;
}

export interface Tag {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly at: number;
  /** Where its content begins. */
  readonly end: number;
  /** True if it begins in one branch of Liquid and ends in another. */
  readonly isDivided: boolean;
  readonly branch: number;
  /** True if Liquid in it may print quotes or markup, which end a value. */
  readonly hasPrintedMarkup: boolean;
}

/** Reads at most this many times the characters of a text. */
const mostReadings = 4;

/**
 * Every start tag that any reading of a text may have. What is a comment, raw text, CDATA or a value depends on elements
 * before it, on the page, on whether scripts run, and on branches of Liquid. A tag depends on none of them: it begins at
 * a `<`, so one is read from each. `use` returns how many characters of its content it read. Returns where the limit of
 * work stopped it; null if it read everything.
 *
 *   <noscript><p title="</noscript><img onerror=x>">   ->   noscript, p, img
 */
export function readTags(text: string, tags: Markup['tags'], use: (tag: Tag) => number): number | null {
  let left = text.length * mostReadings;
  for (const { index } of text.matchAll(/<[a-z]/gi)) {
    if (left < 0) return index;
    const tag = readTag(text, index, tags);
    left -= tag.end - tag.at + use(tag);
  }
  return null;
}

/** What follows a tag, up to an end tag of its name. Comments and CDATA may contain such an end tag. */
export function contentOf(text: string, tag: Tag, name: 'script' | 'style'): string {
  const ends = name === 'script' ? /<\/script[\s/>\ue000-\uf8ff]/gi : /<\/style[\s/>\ue000-\uf8ff]/gi;
  ends.lastIndex = tag.end;
  const first = ends.exec(text);
  const content = text.slice(tag.end, first?.index);
  if (first === null || !content.includes('<!')) return content;
  let last = first.index;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) last = end.index;
  return text.slice(tag.end, last);
}

/** A value with its entities decoded. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value;
  let decoded = value;
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ attrs }) {
        decoded = attrs[0]?.value ?? value;
      },
      onEndTag: ignore,
      onComment: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(`<a a="${value.replaceAll('"', '&quot;')}">`, true);
  return decoded;
}

// White space of HTML: other white space is a part of names and values.
const endsSpace = /[^\t\n\f\r ]/;
const endsSeparators = /[^\t\n\f\r /]/;
const endsName = /[\t\n\f\r />]/;
const endsAttributeName = /[\t\n\f\r />=]/;
const endsValue = /[\t\n\f\r >]/;

/** A text may end inside of a tag: the page continues it. */
function readTag(text: string, at: number, tags: Markup['tags']): Tag {
  let next = at + 1;
  const skip = (end: RegExp) => {
    const start = next;
    while (next < text.length && !end.test(text[next] ?? '')) next += 1;
    return text.slice(start, next);
  };
  const name = skip(endsName).toLowerCase();
  const attributes: Attribute[] = [];
  while (next < text.length) {
    skip(endsSeparators);
    if (next >= text.length || text[next] === '>') break;
    attributes.push(readAttribute());
  }
  const end = Math.min(next + 1, text.length);
  const branch = branchAt(tags, at);
  const isDivided = branchAt(tags, end - 1) !== branch;
  const hasPrintedMarkup = liquidIn(tags, at, end).some(({ printsMarkup }) => printsMarkup);
  return { name, attributes, at, end, branch, isDivided, hasPrintedMarkup };

  function readAttribute(): Attribute {
    const start = next;
    next += 1;
    const attribute = (text[start] ?? '') + skip(endsAttributeName);
    const afterName = next;
    skip(endsSpace);
    let value = '';
    let isOpen = false;
    let hasQuote = /["']/.test(attribute);
    if (text[next] === '=') {
      next += 1;
      skip(endsSpace);
      const quote = text[next];
      if (quote === '"' || quote === "'") {
        const close = text.indexOf(quote, next + 1);
        const stop = close === -1 ? text.length : close;
        value = text.slice(next + 1, stop);
        next = Math.min(stop + 1, text.length);
      } else {
        value = skip(endsValue);
        hasQuote ||= /["']/.test(value);
        isOpen = value.includes(outputCharacter);
      }
    } else next = afterName;
    const written = text.slice(start, next);
    const first = start + written.length - written.replace(/^[\ue000-\uf8ff]+/, '').length;
    const last = start + written.replace(/[\ue000-\uf8ff]+$/, '').length - 1;
    const branch = branchAt(tags, first);
    const isDivided =
      (last > first && branchAt(tags, last) !== branch) ||
      (hasQuote && liquidCharacters.test(text.slice(at, next))) ||
      parts(attribute) > 1;
    return {
      name: attribute.toLowerCase(),
      value: decodeEntities(value),
      written: value,
      at: start,
      isDivided,
      isOpen,
      branch,
    };
  }
}

function parts(name: string): number {
  return withoutLiquid(name) === '' ? 0 : name.split(/[\ue000-\uf8ff]+/).filter((part) => part !== '').length;
}
