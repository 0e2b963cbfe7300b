import { parseFragment } from 'parse5';
import { liquidCharacter } from './liquid.ts';

/** By the offsets of what it has between tags of Liquid. */
export interface Attribute {
  /** In lower case, without the Liquid around it. */
  readonly name: string;
  /** With its entities decoded. */
  readonly value: string;
  readonly at: number;
  readonly end: number;
  /** True if Liquid makes its name, its quotes or references in it, so it may be another attribute. */
  readonly isDivided: boolean;
}

/** A start tag, by its offsets in the text. */
export interface Tag {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly at: number;
  /** Where its content begins. */
  readonly end: number;
  /** False if the text ends in it. */
  readonly isClosed: boolean;
  /** True if Liquid makes its name. */
  readonly isDivided: boolean;
}

/** Reads at most this many times the characters of a text. */
const mostReadings = 4;

/**
 * Every start tag that any reading of a text may have. What is a comment, raw text, CDATA or a value depends on elements
 * before it, on the page, and on whether scripts run. A tag depends on none of them: it begins at a `<`, so one is read
 * from each. `use` returns how many characters of its content it read. Returns where the limit of work stopped it; null
 * if it read everything.
 *
 *   <noscript><p title="</noscript><img onerror=x>">   ->   noscript, p, img
 */
export function readTags(text: string, use: (tag: Tag) => number): number | null {
  let left = text.length * mostReadings;
  for (const { index } of text.matchAll(/<[a-z]/gi)) {
    if (left < 0) return index;
    const tag = readTag(text, index);
    left -= tag.end - tag.at + use(tag);
  }
  return null;
}

const tagName = /<([^\t\n\f\r />]+)/y;
/** As the tokenizer of HTML has it, and with every attribute: of two with one name, branches may have either. */
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*("[^"]*"?|'[^']*'?|[^\t\n\f\r >]*))?/y;
const afterAttributes = /[\t\n\f\r /]*/y;

function readTag(text: string, at: number): Tag {
  tagName.lastIndex = at;
  const name = tagName.exec(text)?.[1] ?? '';
  const attributes: Attribute[] = [];
  let end = at + 1 + name.length;
  attribute.lastIndex = end;
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    end = attribute.lastIndex;
    attributes.push(attributeOf(match, end));
  }
  afterAttributes.lastIndex = end;
  afterAttributes.exec(text);
  const isClosed = text[afterAttributes.lastIndex] === '>';
  end = Math.min(afterAttributes.lastIndex + 1, text.length);
  return { name: bare(name), attributes, at, end, isClosed, isDivided: !undivided.test(name) };
}

function attributeOf([all, name = '', written = '']: RegExpExecArray, end: number): Attribute {
  const source = all.replace(/^[\t\n\f\r /]+/, '');
  const own = trimmed(source);
  const at = end - source.length + source.indexOf(own);
  return {
    name: bare(name),
    value: decodeEntities(unquoted(written)),
    at,
    end: at + own.length,
    isDivided: liquidCharacter.test(source) && (!undivided.test(source) || madeReference.test(source)),
  };
}

function unquoted(value: string): string {
  const [quote = ''] = value;
  if (quote !== '"' && quote !== "'") return value;
  return value.slice(1, value.length > 1 && value.endsWith(quote) ? -1 : undefined);
}

/** Tags of Liquid around it, and Liquid in its quotes. */
const undivided =
  /^[\ue001-\uf8ff]*(?![\ue001-\uf8ff])[^\s"'<>/=\ue000-\uf8ff]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\s"'<>=\ue000-\uf8ff]*))?[\ue001-\uf8ff]*$/;

const madeReference = /&[#a-z0-9]*[\ue000-\uf8ff]/i;

function trimmed(name: string): string {
  return name.replace(/^[\ue000-\uf8ff]+/, '').replace(/(?<![\ue000-\uf8ff])[\ue000-\uf8ff]+$/, '');
}

function bare(name: string): string {
  return name.replaceAll(/[\ue000-\uf8ff]/g, '').toLowerCase();
}

/** A value with its entities decoded. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value;
  const [element] = parseFragment(`<a a="${value.replaceAll('"', '&quot;')}"></a>`).childNodes;
  return element !== undefined && 'attrs' in element ? (element.attrs[0]?.value ?? '') : '';
}
