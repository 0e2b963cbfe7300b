import type { Effect } from '../../../model/plan.generated.ts';
import {
  type Construct,
  constructsIn,
  digestOf,
  doubtInLiquid,
  type Markup,
  placeholder,
  type Review,
  readLiquid,
  whyMade,
} from './liquid.ts';
import { type Attribute, type Range, type Reading, readHtml, type Tag } from './reading.ts';
import { dynamic, targetsIn, targetsInStyle, type UrlTarget, urlTarget } from './urls.ts';

/** Something in a text that reviewers need to see if it is new. Two with the same code and subject are the same. */
export interface Observation extends Found {
  /** What decides whether it is active and how it is used, as far as it is known. */
  readonly context: string;
}

interface Found extends Review {
  readonly code: Effect['code'];
  readonly subject: string;
  /** A digest of what decides how it is used; absent if nothing else does. */
  readonly use?: string;
  /** Of a script that is loaded: from where. */
  readonly origins?: readonly string[];
  /** Of a script in the text: the origins of the addresses in it, to which it may send what people type. */
  readonly named?: readonly string[];
  /** Of an address: true if it is a link or a picture. */
  readonly isShown?: boolean;
  /** True if it is about the complete text. */
  readonly isWhole?: true;
}

interface Page extends Reading {
  readonly markup: Markup;
  /** True if entities and elements may be read in another way in a part of the text. */
  readonly hasForeign: boolean;
}

/**
 * Everything in a text that may be worth showing, in its order. Parses only, and evaluates nothing. A text of which any
 * part may be active or not, whatever it looks like, has one review of its complete source.
 */
export function observe(text: string): Observation[] {
  const markup = readLiquid(text);
  const page: Page = { markup, ...readHtml(markup), hasForeign: /<(?:svg|math)/i.test(text) };
  const doubt = doubtInLiquid(markup) ?? page.doubt ?? madeDelimiter(markup);
  const variables = markup.constructs.filter(({ name }) => /^(?:assign|increment|decrement|cycle)$/.test(name));
  const decisive = [markup.error?.message, doubt?.what, ...variables.map(({ source }) => source)];
  const common = digestOf(JSON.stringify(decisive));
  return [
    ...(doubt === null ? [] : [{ ...review(doubt.what, text, doubt.at), isWhole: true } as const]),
    ...page.tags.flatMap((tag) => observeTag({ ...page, tag, use: digestOf(text.slice(tag.at, tag.end)) })),
    ...markup.constructs.flatMap(reviewLiquid),
    ...hiddenMarkup(page),
    ...brokenLiquid(markup),
  ]
    .map((found) => ({ ...found, context: `${common} ${page.contextAt(found.at)} ${found.use}` }))
    .toSorted((one, other) => one.at - other.at);
}

function reviewLiquid(construct: Construct): Found[] {
  const what = whyMade(construct);
  return what === null ? [] : [review(what, construct.source, construct.at)];
}

/** In each text that has it, because the service may read it in another way. */
function brokenLiquid({ original, error }: Markup): Found[] {
  if (error === null) return [];
  return [{ code: 'PARTIAL_LIQUID_BROKEN', subject: original, what: `invalid Liquid: ${error.message}`, at: error.at }];
}

function madeDelimiter({ text }: Markup): Review | null {
  const at = text.search(/<(?:[!/][a-z0-9-]*)?\ue000/i);
  return at === -1 ? null : { what: 'Liquid that may make a tag or a comment', at };
}

/**
 * Comments, values and texts of elements with what may be a start tag, which a page around them may read as one. A
 * script is shown as what it is, unless there may be another one in it.
 */
function hiddenMarkup({ markup, tags, regionAt, hasForeign }: Page): Found[] {
  const starts = new Set(tags.map(({ at }) => at));
  const scripts = new Set(tags.filter((tag) => isInlineScript(markup, tag)).map(({ end }) => end));
  const regions = new Set<number>();
  return Array.from(markup.text.matchAll(/<[a-z]/gi)).flatMap(({ index }) => {
    if (starts.has(index)) return [];
    const { at, end } = regionAt(index);
    if (regions.has(at)) return [];
    regions.add(at);
    const hidden = markup.original.slice(at, end);
    if (scripts.has(at) && !/<script|<base/i.test(hidden)) return [];
    // What ends SVG and MathML depends on the elements in it, so there the complete text decides.
    const subject = hasForeign ? markup.original : hidden;
    return [{ ...review('markup in a comment, a value or a text', subject, index), origins: scriptOrigins(hidden) }];
  });
}

function review(what: string, subject: string, at: number): Found {
  return { code: 'PARTIAL_REVIEW_BY_HAND', what, subject, at };
}

interface TagInText extends Page {
  readonly tag: Tag;
  /** A digest of the tag. */
  readonly use: string;
}

function observeTag(place: TagInText): Found[] {
  const { markup, tag, use } = place;
  const { name, at, end, contentEnd } = tag;
  const found = tag.attributes.flatMap((attribute) => observeAttribute(place, attribute));
  const [liquid] = constructsIn(markup, at, end);
  if (liquid !== undefined && isMade(place)) {
    const source = markup.original.slice(at, end);
    const origins = loadsScripts(name) ? [source] : [];
    found.push({ ...review(`a tag <${name}> that Liquid divides or makes`, source, liquid.at), origins });
  }
  if (isInlineScript(markup, tag)) {
    const content = markup.original.slice(end, contentEnd);
    const named = originsNamed(content);
    const imports = /\bimports?\b/.test(content) && named.length > 0;
    const what = imports
      ? `an inline script that imports from ${named.join(', ')}`
      : withOrigins('an inline script', named);
    const origins = imports ? named : [];
    found.push({ code: 'PARTIAL_SCRIPT', subject: `inline ${content}`, use, what, origins, named, at });
  }
  if (name === 'style') found.push(...observeStyle(place));
  return found;
}

/** True if Liquid is outside of quotes, begins or ends a block or a reference in them, or may print quotes. */
function isMade({ markup, contextAt, tag }: TagInText): boolean {
  const sourceOf = ({ at, end }: Range) => markup.text.slice(at, end);
  const quoted = tag.attributes.map(sourceOf).filter((source) => isQuoted.test(source));
  if (countLiquid([sourceOf(tag)]) > countLiquid(quoted) || /&[#a-z0-9]*\ue000/i.test(sourceOf(tag))) return true;
  if (constructsIn(markup, tag.at, tag.end).some((one) => whyMade(one) !== null)) return true;
  return tag.attributes.some(({ at, end }) => contextAt(at) !== contextAt(end));
}

const isQuoted = /^[^\s"'<>=\ue000]+[\t\n\f\r ]*=[\t\n\f\r ]*["']/;

function countLiquid(sources: readonly string[]): number {
  return sources.reduce((count, source) => count + source.split(placeholder).length - 1, 0);
}

/** False for data, unless Liquid may make it something else. */
function isInlineScript(markup: Markup, { name, attributes, at, end, contentEnd }: Tag): boolean {
  if (name !== 'script' || markup.original.slice(end, contentEnd).trim() === '') return false;
  const type = attributes.find((one) => one.name === 'type')?.value ?? '';
  const hasLiquid = constructsIn(markup, at, end).length > 0;
  return hasLiquid || !/^\s*application\/(?:ld\+)?json\s*$/i.test(type);
}

/** Origins of the addresses with a host that begin a text of a script. The names of SVG and others are no addresses. */
function originsNamed(content: string): string[] {
  const addresses = content.replaceAll('\\/', '/').matchAll(/["'`]\s*((?:(?:http|ws)s?:)?[\\/]{2}[^"'`\s]+)/gi);
  const origins = Array.from(addresses, ([, address = '']) => originOf(urlTarget(address)));
  return [...new Set(origins)].filter((origin) => origin !== '' && origin !== 'http://www.w3.org');
}

function withOrigins(what: string, origins: readonly string[]): string {
  return origins.length === 0 ? what : `${what} with addresses of ${origins.join(', ')}`;
}

/** '' for the page itself. */
function originOf(target: UrlTarget): string {
  return target.type === 'origin' ? target.origin : '';
}

/** In SVG and MathML, a style has entities, which are not read. */
function observeStyle({ markup, hasForeign, tag, use }: TagInText): Found[] {
  const content = markup.text.slice(tag.end, tag.contentEnd);
  const targets = hasForeign && content.includes('&') ? [dynamic] : targetsInStyle(content);
  const source = markup.original.slice(tag.at, tag.contentEnd);
  const [liquid] = constructsIn(markup, tag.at, tag.contentEnd);
  const imports = `${use} ${/@import/i.test(content)}`;
  return targets.flatMap((target) =>
    observeTarget(target, { element: 'style', name: 'style', source, at: tag.at, madeAt: liquid?.at, use: imports }),
  );
}

function observeAttribute({ markup, tag, use }: TagInText, { name, value, at, end }: Attribute): Found[] {
  const element = tag.name;
  const source = markup.original.slice(at, end);
  const named = originsNamed(value);
  if (/^on./.test(name)) {
    const what = withOrigins(`an inline handler ${name} on <${element}>`, named);
    return [{ code: 'PARTIAL_EVENT_HANDLER', subject: source, use, what, named, at }];
  }
  const madeAt = constructsIn(markup, at, end)[0]?.at;
  // A form is used by controls anywhere in the text.
  const used = isForm(name) ? digestOf(markup.original) : isLink(element) ? '' : use;
  const found = targetsIn(element, name, value).flatMap((target) =>
    // A script in an address runs where it is used, also in a link.
    observeTarget(target, { element, name, source, at, madeAt, named, use: target.type === 'script' ? use : used }),
  );
  if (name === 'srcdoc')
    found.push({ ...review('a document in srcdoc', source, at), use, origins: scriptOrigins(value) });
  if (name === 'name' && /^(?:input|select|textarea|button)$/.test(element) && !value.startsWith(fieldPrefix)) {
    const what = `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`;
    found.push({ code: 'PARTIAL_FIELD_PREFIX', subject: source, use, what, at });
  }
  if (loadsScripts(element) && /^(?:src|href|xlink:href)$/.test(name))
    found.push({ ...loadedScript(element, value, source), use, at: tag.at });
  return found;
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

/** An address that Liquid makes is an origin of its own. */
function loadedScript(element: string, value: string, source: string): Omit<Found, 'at'> {
  const target = urlTarget(value);
  const origins = target.type === 'dynamic' ? [source] : [originOf(target)];
  const what = `${element === 'base' ? 'the base address' : 'a script from'} ${shown(value)}`;
  return { code: 'PARTIAL_SCRIPT', subject: `loaded by ${element} ${source}`, what, origins };
}

/** An attribute or a style that has an address. */
interface Place {
  readonly element: string;
  readonly name: string;
  readonly source: string;
  readonly at: number;
  /** Where its first Liquid is. */
  readonly madeAt: number | undefined;
  readonly named?: readonly string[];
  readonly use: string;
}

function observeTarget(target: UrlTarget, { element, name, source, at, madeAt, named = [], use }: Place): Found[] {
  const subject = `${element} ${name}`;
  switch (target.type) {
    case 'inside':
      return [];
    case 'script': {
      const what = withOrigins(`a ${target.scheme} URL in ${name}`, named);
      return [{ code: 'PARTIAL_SCRIPT_URL', subject: source, use, what, named, at }];
    }
    case 'dynamic':
      return [{ ...review(`Liquid in ${name} that may make an address`, `${subject} ${source}`, madeAt ?? at), use }];
    case 'origin': {
      const { origin } = target;
      const found = { subject: `${subject} ${origin}`, use, at };
      return isForm(name)
        ? [{ ...found, code: 'PARTIAL_FORM_TARGET', what: `a form that is sent to ${origin}` }]
        : [
            {
              ...found,
              code: 'PARTIAL_EXTERNAL_ORIGIN',
              what: `the origin ${origin} in ${name}`,
              isShown: isLink(element),
            },
          ];
    }
  }
}

function isForm(attribute: string): boolean {
  return attribute === 'action' || attribute === 'formaction';
}

/** Elements that show their address, or load a picture. Each other one may use it in several ways. */
function isLink(element: string): boolean {
  return element === 'a' || element === 'area' || element === 'img';
}

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/\ue000+/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
