import { type Construct, engine, isPlainTag, type Markup } from './liquid.ts';

/** A part of a text that has to be read by hand. */
export interface Review {
  readonly what: string;
  readonly at: number;
}

const decoders = new Set(['base64_decode', 'url_decode']);
/** Filters that print quotes or markup of their own. */
const markupFilters = new Set(['json', 'jsonify', 'inspect', 'newline_to_br']);
const lastFilterEscapes = /\|\s*(?:escape|xml_escape|url_encode|cgi_escape)\s*-?\}\}$/;
const literal = /"([^"]*)"|'([^']*)'/g;
/** Markup, a backslash, which may be that of an escape, or the beginning of an address. */
const madeMarkup = /[<>"'&\\]|\/\/|\b(?:javascript|vbscript|data|https?|wss?|ftp):/i;
const assigned = /^\{%-?\s*assign\b/;

/** The first construct that may leave out, move or make any part of the text, so nothing in it is certain. */
export function doubtInLiquid({ original, constructs }: Markup): Review | null {
  for (const [index, construct] of constructs.entries()) {
    const what = whyInDoubt(construct, original.slice(constructs[index - 1]?.end ?? 0, construct.at));
    if (what !== null) return { what, at: construct.at };
  }
  return null;
}

function whyInDoubt(construct: Construct, before: string): string | null {
  const { name, source } = construct;
  if (name === 'endcomment' && /\{%-?\s*(?:comment|raw)\b/.test(source.slice(2)))
    return '{% comment %} or {% raw %} inside of a comment';
  if (name === 'endraw' && before.includes('{%')) return 'tags inside of {% raw %}';
  if (name !== '' && !isPlainTag(name)) return `the tag {% ${name} %}`;
  return assigned.test(source) && whyMade(construct) !== null ? 'a variable with markup or an address' : null;
}

/** Why the result of an output or a tag may be markup or an address; null if it is a plain text. */
export function whyMade(construct: Construct): string | null {
  const { name, source } = construct;
  if (name === 'endcomment') return null;
  const filters = filtersIn(source);
  const unknown = filters.find((filter) => decoders.has(filter) || !Object.hasOwn(engine.filters, filter));
  if (unknown !== undefined) return `the result of the filter ${unknown}`;
  const isCut = name === '' ? !markupFilters.has(filters.at(-1) ?? '') : name !== 'tablerow';
  if (isCut && printsMarkup(construct)) return 'quotes or markup by a filter, of which a part may be printed';
  const literals = Array.from(source.matchAll(literal), ([, double, single]) => double ?? single ?? '');
  return literals.some((text) => madeMarkup.test(text)) ? 'markup or an address in a text of Liquid' : null;
}

/** True if it may end a value that it is printed in. */
export function printsMarkup({ name, source }: Construct): boolean {
  if (name === 'tablerow') return true;
  return !lastFilterEscapes.test(source) && filtersIn(source).some((filter) => markupFilters.has(filter));
}

function filtersIn(source: string): string[] {
  return Array.from(source.matchAll(/\|\s*([a-z_][\w-]*)/gi), ([, filter = '']) => filter);
}
