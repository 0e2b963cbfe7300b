import type { Effect } from '../../../model/plan.generated.ts';
import {
  blockAt,
  type Construct,
  constructsIn,
  digestOf,
  doubtInLiquid,
  type Markup,
  outside,
  placeholder,
  printsMarkup,
  type Review,
  readLiquid,
  whyMade,
} from './liquid.ts';
import { type Attribute, type Range, readHtml, type Tag } from './reading.ts';
import { dynamic, isAddress, isText, targetsIn, targetsInStyle, type UrlTarget, urlTarget } from './urls.ts';

/** Something in a text that reviewers need to see if it is new. Two with the same code and subject are the same. */
export interface Observation extends Found {
  /** What decides whether it is active, as far as it is known. */
  readonly context: string;
}

interface Found extends Review {
  readonly code: Effect['code'];
  readonly subject: string;
  /** Of a script that is loaded: from where. */
  readonly origins?: readonly string[];
  /** Of an address: true if it is a link or a picture. */
  readonly isShown?: boolean;
}

export interface Observed {
  /** In the order of the text. */
  readonly observations: readonly Observation[];
  /** Why any part of the text may be active or not, whatever it looks like; null if it is as it looks. */
  readonly doubt: Review | null;
}

/** Everything in a text that may be worth showing. Parses only, and evaluates nothing. */
export function observe(text: string): Observed {
  const markup = readLiquid(text);
  const withScripts = readHtml(markup, true);
  const readings = [withScripts, /noscript/i.test(markup.text) ? readHtml(markup, false) : withScripts];
  const observations: Observation[] = [];
  const setters = markup.constructs.filter(({ name }) => /^(?:assign|increment|decrement|cycle)$/.test(name));
  const variables = digestOf(setters.map(({ source }) => source).join('\n'));
  const add = (found: readonly Found[], { at, end }: Range, place: string) => {
    if (found.length === 0) return;
    const block = blockAt(markup, at);
    const hasLiquid = block !== outside || constructsIn(markup, at, end).length > 0;
    const context = [markup.error === null, place, block.context, hasLiquid ? variables : ''].join(' | ');
    observations.push(...found.map((one) => ({ ...one, context })));
  };
  for (const [index, { tags, regionAt }] of readings.entries()) {
    const forms = digestOf(tags.flatMap((tag) => linksOfForms(markup, tag)).join('\n'));
    for (const tag of tags)
      add(
        observeTag({ markup, tag, use: useOf(markup, tag, forms) }),
        { ...tag, end: endOf(tag) },
        `${index}${tag.context}`,
      );
    for (const construct of markup.constructs)
      add(reviewLiquid(construct), construct, `${index}${regionAt(construct.at).context}`);
  }
  add([...hiddenMarkup(markup, readings), ...brokenLiquid(markup)], { at: 0, end: 0 }, '');
  const doubts = [doubtInLiquid(markup), ...readings.map(({ doubt }) => doubt), madeDelimiter(markup)];
  return {
    observations: observations.toSorted((one, other) => one.at - other.at),
    doubt: doubts.find((doubt) => doubt !== null) ?? null,
  };
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
 * script is shown as what it is.
 */
function hiddenMarkup(markup: Markup, readings: readonly ReturnType<typeof readHtml>[]): Found[] {
  const starts = new Set(readings.flatMap(({ tags }) => tags.map(({ at }) => at)));
  const scripts = new Set(
    readings.flatMap(({ tags }) => tags.filter((tag) => isInlineScript(markup, tag)).map(({ end }) => end)),
  );
  const regions = new Set<number>();
  return Array.from(markup.text.matchAll(/<[a-z]/gi)).flatMap(({ index }) => {
    if (starts.has(index)) return [];
    return readings.flatMap(({ regionAt }) => {
      const { at, end, context } = regionAt(index);
      if (regions.has(at) || scripts.has(at)) return [];
      regions.add(at);
      // What ends SVG and MathML depends on the elements in it, so there the complete text decides.
      const hidden = markup.original.slice(at, end);
      const subject = /svg|math/.test(context) ? markup.original : `${context} ${hidden}`;
      return [{ ...review('markup in a comment, a value or a text', subject, index), origins: scriptOrigins(hidden) }];
    });
  });
}

function review(what: string, subject: string, at: number): Found {
  return { code: 'PARTIAL_REVIEW_BY_HAND', what, subject, at };
}

interface TagInText {
  readonly markup: Markup;
  readonly tag: Tag;
  /** What decides how its parts are used. */
  readonly use: string;
}

/** A tag, with what is in a script or a style. */
function endOf({ name, end, contentEnd }: Tag): number {
  return name === 'script' || name === 'style' ? contentEnd : end;
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
    const origins = importsOf(content);
    const what = `an inline script${origins.length === 0 ? '' : ` that imports from ${origins.join(', ')}`}`;
    found.push({ code: 'PARTIAL_SCRIPT', subject: `${use} ${content}`, what, origins, at });
  }
  if (name === 'style') found.push(...observeStyle(place));
  return found;
}

/** True if Liquid is outside of quotes, begins or ends a block or a reference in them, or may print quotes. */
function isMade({ markup, tag }: TagInText): boolean {
  const sourceOf = ({ at, end }: Range) => markup.text.slice(at, end);
  const quoted = tag.attributes.map(sourceOf).filter((source) => isQuoted.test(source));
  if (countLiquid([sourceOf(tag)]) > countLiquid(quoted) || /&[#a-z0-9]*\ue000/i.test(sourceOf(tag))) return true;
  if (constructsIn(markup, tag.at, tag.end).some(printsMarkup)) return true;
  return [tag, ...tag.attributes].some(({ at, end }) => blockAt(markup, at) !== blockAt(markup, end - 1));
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

/** In SVG and MathML, a style has entities, which are not read. */
function observeStyle(place: TagInText): Found[] {
  const { markup, tag } = place;
  const content = markup.text.slice(tag.end, tag.contentEnd);
  const hasEntities = content.includes('&') && /svg|math/.test(tag.context);
  const targets = hasEntities ? [dynamic] : targetsInStyle(content);
  const use = `${place.use} ${/@import/i.test(content)}`;
  const range = { at: tag.at, end: tag.contentEnd };
  return targets.flatMap((target) => observeTarget(place, target, { ...range, name: 'style', use }));
}

function observeAttribute(place: TagInText, attribute: Attribute): Found[] {
  const { markup, tag } = place;
  const { name, value, at, end } = attribute;
  const source = markup.original.slice(at, end);
  const use = isLink(tag.name) ? tag.name : place.use;
  if (/^on./.test(name)) {
    const what = `an inline handler ${name} on <${tag.name}>`;
    return [{ code: 'PARTIAL_EVENT_HANDLER', subject: `${place.use} ${source}`, what, at }];
  }
  const found = targetsIn(tag.name, name, value).flatMap((target) =>
    observeTarget(place, target, { name, use, at, end }),
  );
  if (name === 'srcdoc') found.push({ ...review('a document in srcdoc', source, at), origins: scriptOrigins(value) });
  if (name === 'name' && /^(?:input|select|textarea|button)$/.test(tag.name) && !value.startsWith(fieldPrefix)) {
    const what = `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`;
    found.push({ code: 'PARTIAL_FIELD_PREFIX', subject: `${place.use} ${source}`, what, at });
  }
  if (loadsScripts(tag.name) && /^(?:src|href|xlink:href)$/.test(name)) found.push(loadedScript(place, attribute));
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
function loadedScript({ markup, tag, use }: TagInText, { value, at, end }: Attribute): Found {
  const source = markup.original.slice(at, end);
  const target = urlTarget(value);
  const origins = target.type === 'dynamic' ? [source] : [originOf(target)];
  return {
    code: 'PARTIAL_SCRIPT',
    subject: `${use} ${source}`,
    what: tag.name === 'base' ? `the base address ${shown(value)}` : `a script from ${shown(value)}`,
    origins,
    at: tag.at,
  };
}

interface Use extends Range {
  readonly name: string;
  readonly use: string;
}

function observeTarget({ markup, tag }: TagInText, target: UrlTarget, { name, use, at, end }: Use): Found[] {
  const source = markup.original.slice(at, end);
  switch (target.type) {
    case 'inside':
      return [];
    case 'script':
      return [
        { code: 'PARTIAL_SCRIPT_URL', subject: `${use} ${source}`, what: `a ${target.scheme} URL in ${name}`, at },
      ];
    case 'dynamic': {
      const place = constructsIn(markup, at, end)[0]?.at ?? at;
      return [review(`Liquid in ${name} that may make an address`, `${use} ${source}`, place)];
    }
    case 'origin': {
      const subject = `${use} ${name} ${target.origin}`;
      return name === 'action' || name === 'formaction'
        ? [{ code: 'PARTIAL_FORM_TARGET', subject, what: `a form that is sent to ${target.origin}`, at }]
        : [
            {
              code: 'PARTIAL_EXTERNAL_ORIGIN',
              subject,
              what: `the origin ${target.origin} in ${name}`,
              at,
              isShown: !loads.test(tag.name),
            },
          ];
    }
  }
}

/** Elements that load documents, styles or code, or lead the page to another one. */
const loads = /^(?:i?frame|fencedframe|portal|embed|object|applet|meta|link|base|script|style|use|animate|set)$/;

/** Elements that show their address, or load a picture. Each other one may use it in several ways. */
function isLink(element: string): boolean {
  return element === 'a' || element === 'area' || element === 'img';
}

/** What makes controls belong to a form that they are not in. */
function linksOfForms(markup: Markup, { name: element, attributes, context }: Tag): string[] {
  const links = attributes.filter(({ name }) => name === 'form' || (element === 'form' && name === 'id'));
  return links.map(({ at, end }) =>
    [context, blockAt(markup, at).context, element, markup.original.slice(at, end)].join(' '),
  );
}

/** Texts that decide how an element is used. */
const deciding = /^(?:type|form|http-equiv)$/;

/**
 * A digest of the attributes of a tag except for texts, and of addresses and code, only that it has them. With the address
 * of a form, also what belongs to forms.
 */
function useOf({ original }: Markup, { name, attributes }: Tag, forms: string): string {
  const used = attributes.filter((one) => deciding.test(one.name) || !isText(one.name));
  const sources = used.map(({ name, at, end }) => {
    if (/^(?:form)?action$/.test(name)) return `${name} ${forms}`;
    return /^on|^style$/.test(name) || isAddress(name) ? name : original.slice(at, end);
  });
  return sources.length === 0 ? name : digestOf([name, ...sources].join(' '));
}

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/\ue000+/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
