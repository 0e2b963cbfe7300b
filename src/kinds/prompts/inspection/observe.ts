import { hash } from 'node:crypto';
import type { Effect } from '../../../model/plan.generated.ts';
import { type Attribute, type Piece, type Range, readHtml } from './html.ts';
import {
  brokenLiquid,
  type Construct,
  constructsIn,
  isClosed,
  type Markup,
  placeholder,
  readLiquid,
  whyMade,
} from './liquid.ts';
import { targetsIn, targetsInStyle, type UrlTarget, urlTarget } from './urls.ts';

/** Something in a text that reviewers need to see if it is new. Two with the same code, subject and context are the same. */
export interface Observation extends Found {
  /** What decides how it is used; of code, also what is before it and may decide whether it is active. */
  readonly context: string;
}

interface Found {
  readonly code: Effect['code'];
  readonly subject: string;
  readonly what: string;
  readonly at: number;
  /** Its tag; absent if that does not matter. */
  readonly use?: string;
  /** Of a script that is loaded: from where. */
  readonly origins?: readonly string[];
}

/**
 * Everything in a text that may be worth showing, in its order, wherever it is: what is in a comment, a template or a
 * branch that is not taken may become active. Parses only, and evaluates nothing.
 */
export function observe(text: string): Observation[] {
  const markup = readLiquid(text);
  const { pieces, isOpen } = readHtml(markup.text);
  const last = pieces.findLast(({ at, end }) => end > at);
  const found = [
    ...pieces.flatMap((piece, index) => [
      ...(piece.tag === undefined ? [] : observeTag(markup, { ...piece, tag: piece.tag }, pieces[index + 1])),
      ...hiddenMarkup(markup, piece, pieces[index - 1]),
    ]),
    ...markup.constructs.flatMap(observeLiquid),
    // The page around the text may end it in another place.
    ...(isOpen && last
      ? [review('an element, a tag or a comment without its end', sourceIn(text, last), last.at)]
      : []),
    ...observeWhole(markup),
  ];
  return withContexts(
    text,
    found.toSorted((one, other) => one.at - other.at),
  );
}

/** Tags of Liquid, and of elements whose content is left out or read in another way. */
const deciding = /\{%[^}]*|<\/?(?:template|noscript|select|svg|math)\b/gi;

function withContexts(text: string, found: readonly Found[]): Observation[] {
  let [context, end] = ['', 0];
  return found.map((one) => {
    const between = text.slice(end, one.at).match(deciding);
    if (between !== null) context = hash('sha256', context + between.join());
    end = one.at;
    return { ...one, context: `${/SCRIPT|HANDLER/.test(one.code) ? context : ''} ${one.use}` };
  });
}

function observeLiquid(construct: Construct): Found[] {
  const what = whyMade(construct);
  return what === null ? [] : [review(what, construct.source, construct.at)];
}

/** What may change how all of the text is read, in each change of it. */
function observeWhole(markup: Markup): Found[] {
  const { original: subject, text } = markup;
  const at = text.search(/<(?:[!/][a-z0-9-]*)?\ue000/i);
  const found = at === -1 ? [] : [review('Liquid that may make a tag or a comment', subject, at)];
  const broken = brokenLiquid(markup);
  if (broken !== null)
    found.push({ code: 'PARTIAL_LIQUID_BROKEN', subject, what: `invalid Liquid: ${broken.message}`, at: broken.at });
  return found;
}

/**
 * Comments, values and texts of elements with what may be a start tag, which a page around them may read as one. A
 * script is shown as what it is, unless there may be another one in it.
 */
function hiddenMarkup(markup: Markup, piece: Piece, before: Piece | undefined): Found[] {
  const start = piece.at + (piece.tag === undefined ? 0 : 1);
  const first = markup.text.slice(start, piece.end).search(/<[a-z]/i);
  if (first === -1) return [];
  const hidden = sourceIn(markup.original, piece);
  if (before && isScript(markup, before) && !/<script|<base/i.test(hidden)) return [];
  const found = review('markup in a comment, a value or a text', hidden, start + first);
  return [{ ...found, origins: scriptOrigins(hidden) }];
}

function review(what: string, subject: string, at: number): Found {
  return { code: 'PARTIAL_REVIEW_BY_HAND', what, subject, at };
}

function sourceIn(text: string, { at, end }: Range): string {
  return text.slice(at, end);
}

type StartTag = Piece & Required<Pick<Piece, 'tag'>>;

/** `next`: what is up to the next tag or comment. */
function observeTag(markup: Markup, start: StartTag, next: Range | undefined): Found[] {
  const { at, end, tag } = start;
  const source = sourceIn(markup.original, start);
  // A script or a style that is closed in SVG is open outside of it.
  const content = { at: end, end: tag.isSelfClosing ? markup.text.length : (next?.end ?? end) };
  // In SVG and MathML, a style has entities, which are not read.
  const value = sourceIn(markup.text, content).replaceAll(/&#?\w+;/g, placeholder);
  const style: readonly Attribute[] = tag.name === 'style' ? [{ name: 'style', value, at, end: content.end }] : [];
  const found = [...tag.attributes, ...style].flatMap((attribute) => observeAttribute(markup, start, attribute));
  const [liquid] = constructsIn(markup, at, end);
  if (liquid !== undefined && isMade(markup, start)) {
    const origins = loadsScripts(tag.name) ? [source] : [];
    found.push({ ...review(`a tag <${tag.name}> that Liquid divides or makes`, source, liquid.at), origins });
  }
  const script = sourceIn(markup.original, content);
  if (isScript(markup, start) && script.trim() !== '') {
    const origins = importsOf(script);
    const what = `an inline script${origins.length === 0 ? '' : ` that imports from ${origins.join(', ')}`}`;
    found.push({ code: 'PARTIAL_SCRIPT', subject: `inline ${script}`, use: source, what, origins, at });
  }
  return found;
}

/** True if Liquid is outside of quotes, begins or ends a block or a reference in them, or may print quotes. */
function isMade(markup: Markup, start: StartTag): boolean {
  const { attributes } = start.tag;
  const source = sourceIn(markup.text, start);
  const quoted = attributes.map((range) => sourceIn(markup.text, range)).filter((one) => isQuoted.test(one));
  return (
    countLiquid([source]) > countLiquid(quoted) ||
    /&[#a-z0-9]*\ue000/i.test(source) ||
    constructsIn(markup, start.at, start.end).some((one) => whyMade(one) !== null) ||
    attributes.some(({ at, end }) => !isClosed(constructsIn(markup, at, end)))
  );
}

const isQuoted = /^[^\s"'<>=\ue000]+[\t\n\f\r ]*=[\t\n\f\r ]*["']/;

function countLiquid(sources: readonly string[]): number {
  return sources.reduce((count, source) => count + source.split(placeholder).length - 1, 0);
}

/** False for data, unless Liquid may make it something else. */
function isScript(markup: Markup, { at, end, tag }: Piece): boolean {
  const type = tag?.attributes.find(({ name }) => name === 'type')?.value ?? '';
  const isData = /^\s*application\/(?:ld\+)?json\s*$/i.test(type) && constructsIn(markup, at, end).length === 0;
  return tag?.name === 'script' && !isData;
}

/** Addresses with a host in a script that imports others, or in a map of imports. */
function importsOf(content: string): string[] {
  if (!/\bimports?\b/.test(content)) return [];
  const addresses = content.replaceAll('\\/', '/').matchAll(/["'`]\s*((?:https?:)?[\\/]{2}[^"'`\s]+)/gi);
  const origins = Array.from(addresses, ([, address = '']) => originOf(urlTarget(address)));
  return [...new Set(origins)].filter((origin) => origin !== '');
}

/** '' for the page itself. */
function originOf(target: UrlTarget): string {
  return target.type === 'origin' ? target.origin : '';
}

function observeAttribute(markup: Markup, start: StartTag, attribute: Attribute): Found[] {
  const { name: element } = start.tag;
  const { name, value, at } = attribute;
  const use = sourceIn(markup.original, start);
  const subject = sourceIn(markup.original, attribute);
  if (/^on./.test(name))
    return [{ code: 'PARTIAL_EVENT_HANDLER', subject, use, what: `an inline handler ${name} on <${element}>`, at }];
  const found = targetsIn(element, name, value).flatMap((target) => observeTarget(markup, start, attribute, target));
  if (name === 'srcdoc')
    found.push({ ...review('a document in srcdoc', subject, at), use, origins: scriptOrigins(value) });
  if (name === 'name' && /^(?:input|select|textarea|button)$/.test(element) && !value.startsWith(fieldPrefix)) {
    const what = `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`;
    found.push({ code: 'PARTIAL_FIELD_PREFIX', subject, use, what, at });
  }
  if (loadsScripts(element) && /^(?:src|href|xlink:href)$/.test(name)) {
    const target = urlTarget(value);
    // An address that Liquid makes is an origin of its own.
    const origins = target.type === 'dynamic' ? [subject] : [originOf(target)];
    const what = `${element === 'base' ? 'the base address' : 'a script from'} ${shown(value)}`;
    found.push({
      code: 'PARTIAL_SCRIPT',
      subject: `loaded by ${element} ${subject}`,
      use,
      what,
      origins,
      at: start.at,
    });
  }
  return found;
}

function observeTarget(markup: Markup, start: StartTag, attribute: Attribute, target: UrlTarget): Found[] {
  const element = start.tag.name;
  const { name, at, end } = attribute;
  const subject = sourceIn(markup.original, attribute);
  const tag = sourceIn(markup.original, start);
  // These show their address, or load a picture. Each other element may use it in several ways.
  const use = /^(?:a|area|img)$/.test(element) ? '' : tag;
  switch (target.type) {
    case 'inside':
      return [];
    case 'script':
      return [{ code: 'PARTIAL_SCRIPT_URL', subject, use: tag, what: `a ${target.scheme} URL in ${name}`, at }];
    case 'dynamic': {
      const [liquid] = constructsIn(markup, at, end);
      const what = `Liquid in ${name} that may make an address`;
      return [{ ...review(what, `${element} ${subject}`, liquid?.at ?? at), use }];
    }
    case 'origin': {
      const { origin } = target;
      const isForm = name === 'action' || name === 'formaction';
      const code = isForm ? 'PARTIAL_FORM_TARGET' : 'PARTIAL_EXTERNAL_ORIGIN';
      const what = isForm ? `a form that is sent to ${origin}` : `the origin ${origin} in ${name}`;
      return [{ code, subject: `${element} ${name} ${origin}`, use, what, at }];
    }
  }
}

/** A base is a part of the address of every relative script, and of every form and link. */
function loadsScripts(element: string): boolean {
  return element === 'script' || element === 'base';
}

/** Of text that is not read as HTML: if it has a script or a base, its addresses may be those of scripts. */
function scriptOrigins(text: string): string[] {
  return /script|<base/i.test(text) ? targetsInStyle(text).map(originOf) : [];
}

const fieldPrefix = 'ulp-';

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/\ue000+/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
