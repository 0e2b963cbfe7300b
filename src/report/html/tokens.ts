/** A piece of HTML with Liquid: what it is, and where. Text has no token. */
export interface Token {
  readonly name: TokenName;
  readonly start: number;
  readonly end: number;
  /** Between tags: neither a part of a tag nor of a comment, a script or a style. */
  readonly isInText: boolean;
}

export type TokenName = 'comment' | 'liquid' | 'tag' | 'attribute' | 'string' | 'reference';

const tagStart = /<\/?([a-z][^\s/>{"'=]*)/iy;
const tagSpace = /[\s/=]+/y;
const attribute = /[^\s/>"'={]+|\{(?![{%])/y;
const reference = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iy;

/**
 * The tokens of a text, for colours only: it is never evaluated. The time follows the length of the text, whatever is in
 * it: a mark without its end is looked for once.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const find = openFinder(text);
  const add = (name: TokenName, start: number, end: number, isInText = false) => {
    if (end > start) tokens.push({ name, start, end, isInText });
    return end;
  };

  /** The end of `{{ … }}` or `{% … %}` at this position; null if there is none. */
  const liquidEnd = (at: number): number | null => {
    if (text[at] !== '{') return null;
    const close = text[at + 1] === '{' ? 'output' : text[at + 1] === '%' ? 'tag' : null;
    const end = close === null ? null : find(close, at + 2);
    return end === null ? null : end + 2;
  };

  /** A value in quotes, with the Liquid in it. */
  const readString = (from: number): number => {
    const quote = text[from] ?? '"';
    let start = from;
    for (let at = from + 1; at < text.length; ) {
      const liquid = liquidEnd(at);
      if (liquid !== null) {
        add('string', start, at);
        start = add('liquid', at, liquid);
        at = liquid;
      } else if (text[at] === quote) return add('string', start, at + 1);
      else at += 1;
    }
    return add('string', start, text.length);
  };

  /** What follows the name of a tag, to its end. */
  const readTag = (from: number): number => {
    for (let at = from; at < text.length; ) {
      const liquid = liquidEnd(at);
      if (liquid !== null) at = add('liquid', at, liquid);
      else if (text[at] === '>') return add('tag', at, at + 1);
      else if (text[at] === '"' || text[at] === "'") at = readString(at);
      else at = matchAt(tagSpace, at)?.end ?? add('attribute', at, matchAt(attribute, at)?.end ?? at + 1);
    }
    return text.length;
  };

  const matchAt = (pattern: RegExp, at: number): { readonly end: number; readonly name: string } | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    return match === null ? null : { end: pattern.lastIndex, name: match[1] ?? '' };
  };

  /** A tag; and behind a script or a style, what is in it, which has no tags. */
  const readElement = (at: number, name: string, nameEnd: number): number => {
    const end = readTag(add('tag', at, nameEnd));
    const lower = name.toLowerCase();
    if (text[at + 1] === '/' || (lower !== 'script' && lower !== 'style')) return end;
    return readLiquid(end, find(lower, end) ?? text.length);
  };

  const readLiquid = (from: number, to: number): number => {
    for (let at = from; at < to; ) {
      const liquid = liquidEnd(at);
      at = liquid === null ? at + 1 : add('liquid', at, Math.min(liquid, to));
    }
    return to;
  };

  for (let at = 0; at < text.length; ) {
    const liquid = liquidEnd(at);
    if (liquid !== null) at = add('liquid', at, liquid, true);
    else if (text.startsWith('<!--', at)) {
      const close = find('comment', at + 4);
      at = add('comment', at, close === null ? text.length : close + 3);
    } else if (text[at] === '<') {
      const tag = matchAt(tagStart, at);
      at = tag === null ? at + 1 : readElement(at, tag.name, tag.end);
    } else if (text[at] === '&') {
      const end = matchAt(reference, at)?.end;
      at = end === undefined ? at + 1 : add('reference', at, end, true);
    } else at += 1;
  }
  return tokens;
}

const closingMarks = {
  output: /\}\}/g,
  tag: /%\}/g,
  comment: /-->/g,
  script: /<\/script/gi,
  style: /<\/style/gi,
} as const;

type ClosingMark = keyof typeof closingMarks;

/** Where a mark is next, at or behind a position. Positions only rise, so each place of a mark is found once. */
function openFinder(text: string): (mark: ClosingMark, from: number) => number | null {
  const known = new Map<ClosingMark, number>();
  return (mark, from) => {
    let at = known.get(mark) ?? -1;
    if (at < from) {
      const pattern = closingMarks[mark];
      pattern.lastIndex = from;
      at = pattern.exec(text)?.index ?? text.length;
      known.set(mark, at);
    }
    return at === text.length ? null : at;
  };
}
