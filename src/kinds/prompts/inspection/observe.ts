import type { Effect } from '../../../model/plan.generated.ts';
import { blockAt, constructsIn, type Markup, outside, readLiquid } from './liquid.ts';
import { readHtml } from './reading.ts';
import { doubtInLiquid, printsMarkup, type Review, whyMade } from './review-liquid.ts';
import { type Attribute, decodeEntities, readTags, type Tag } from './tags.ts';
import { hasImport, isAddress, isText, targetsIn, targetsInStyle, type UrlTarget, urlTarget } from './urls.ts';

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
  const readings = [readHtml(markup, true), readHtml(markup, false)];
  const set = markup.constructs.filter(({ name }) => /^(?:assign|.*crement|cycle)$/.test(name));
  const variables = set.map(({ source }) => source).join('\n');
  const observations: Observation[] = [];
  const add = (found: readonly Found[], from: number, to: number) => {
    const block = blockAt(markup, from);
    const hasLiquid = block !== outside || constructsIn(markup, from, to).length > 0;
    const html = readings.map((reading) => reading.contextAt(from));
    const context = [markup.error === null, ...html, block.context, hasLiquid ? variables : ''].join(' | ');
    observations.push(...found.map((one) => ({ ...one, context })));
  };
  for (const { at, source, ...construct } of markup.constructs) {
    const what = whyMade({ at, source, ...construct });
    if (what !== null) add([review(what, source, at)], at, at + 1);
  }
  const broken = markup.error;
  if (broken !== null) {
    const what = `invalid Liquid: ${broken.message}`;
    add([{ code: 'PARTIAL_LIQUID_BROKEN', subject: what, what, at: broken.at }], 0, 0);
  }
  const doubtInTags = observeHtml(markup, 0, add);
  const doubts = [doubtInLiquid(markup), ...readings.map(({ doubt }) => doubt), doubtInTags, madeDelimiter(markup)];
  return {
    observations: observations.toSorted((one, other) => one.at - other.at),
    doubt: doubts.find((doubt) => doubt !== null) ?? null,
  };
}

function madeDelimiter({ text }: Markup): Review | null {
  const at = text.search(/<(?:[!/][a-z0-9-]*)?[\ue000-\uf8ff]/i);
  return at === -1 ? null : { what: 'Liquid that may make a tag or a comment', at };
}

function review(what: string, subject: string, at: number): Found {
  return { code: 'PARTIAL_REVIEW_BY_HAND', what, subject, at };
}

/** A document in an attribute may have one itself. */
const deepest = 3;

type Add = (found: readonly Found[], from: number, to: number) => void;

function observeHtml(markup: Markup, depth: number, add: Add): Review | null {
  let doubt: Review | null = null;
  const stoppedAt = readTags(markup.text, (tag) => {
    const content = contentOf(markup, tag);
    const to = tag.end + content.length;
    if (!tag.isClosed) doubt ??= { what: `a tag <${tag.name}> that does not end`, at: tag.at };
    add(observeTag({ markup, tag, content, depth }), tag.at, to);
    return content.length;
  });
  return stoppedAt === null ? doubt : { what: 'markup in markup, which is not inspected to the end', at: stoppedAt };
}

/** What follows a script or a style, up to the end tag. Comments and CDATA may contain such an end tag. */
function contentOf({ text, original }: Markup, { name, end }: Tag): string {
  if (name !== 'script' && name !== 'style') return '';
  const ends = name === 'script' ? /<\/script[\s/>\ue000-\uf8ff]/gi : /<\/style[\s/>\ue000-\uf8ff]/gi;
  ends.lastIndex = end;
  let to = ends.exec(text)?.index ?? text.length;
  if (text.slice(end, to).includes('<!'))
    for (let match = ends.exec(text); match !== null; match = ends.exec(text)) to = match.index;
  return original.slice(end, to);
}

interface TagInText {
  readonly markup: Markup;
  readonly tag: Tag;
  readonly content: string;
  /** Of documents in attributes. */
  readonly depth: number;
}

function observeTag(place: TagInText): Found[] {
  const { markup, tag, content } = place;
  const { name, at, end } = tag;
  const found = tag.attributes.flatMap((attribute) => observeAttribute(place, attribute));
  const liquid = constructsIn(markup, at, end)[0];
  if (liquid !== undefined && isMade(place))
    found.push(review(`a tag <${name}> that Liquid divides or makes`, markup.original.slice(at, end), liquid.at));
  if (name === 'script' && content.trim() !== '' && !isData(place)) found.push(inlineScript(place));
  if (name === 'style') found.push(...observeStyle(place, markup.text.slice(end, end + content.length)));
  return found;
}

/** True if branches of Liquid have different attributes, or if Liquid may print some. */
function isMade({ markup, tag }: TagInText): boolean {
  const parts = [tag, ...tag.attributes];
  const isDivided = parts.some((part) => part.isDivided || blockAt(markup, part.at) !== blockAt(markup, part.end - 1));
  return isDivided || constructsIn(markup, tag.at, tag.end).some(printsMarkup);
}

/** True for a script with data, whatever Liquid prints. */
function isData({ markup, tag }: TagInText): boolean {
  const type = tag.attributes.find(({ name }) => name === 'type')?.value ?? '';
  const hasLiquid = constructsIn(markup, tag.at, tag.end).length > 0;
  return !hasLiquid && /^\s*application\/(?:ld\+)?json\s*$/i.test(type);
}

function inlineScript(place: TagInText): Found {
  const { tag, content } = place;
  const origins = importsOf(content);
  const what = `an inline script${origins.length === 0 ? '' : ` that imports from ${origins.join(', ')}`}`;
  return { code: 'PARTIAL_SCRIPT', subject: `${usageOf(place)} ${content}`, what, origins, at: tag.at };
}

/** Addresses with a host in a script that imports others, or in a map of imports. */
function importsOf(content: string): string[] {
  if (!/\bimports?\b/.test(content)) return [];
  const addresses = content.replaceAll('\\/', '/').matchAll(/["'`]\s*((?:https?:)?[\\/]{2}[^"'`\s]+)/gi);
  const targets = Array.from(addresses, ([, address = '']) => urlTarget(address));
  return [...new Set(targets.flatMap((target) => (target.type === 'origin' ? [target.origin] : [])))];
}

function observeStyle(place: TagInText, masked: string): Found[] {
  const { tag, content } = place;
  const texts = [...new Set([masked, decodeEntities(masked)])];
  const use = `${usageOf(place)} ${texts.some(hasImport) ? '@import' : ''}`;
  const at = { name: 'style', use, source: content, at: tag.at };
  return texts.flatMap(targetsInStyle).flatMap((target) => observeTarget(place, target, at));
}

function observeAttribute(place: TagInText, attribute: Attribute): Found[] {
  const { markup, tag } = place;
  const { name, value, at } = attribute;
  const source = markup.original.slice(at, attribute.end);
  if (/^on./.test(name)) {
    const what = `an inline handler ${name} on <${tag.name}>`;
    return [{ code: 'PARTIAL_EVENT_HANDLER', subject: `${usageOf(place)} ${source}`, what, at }];
  }
  const use = isLink(tag.name) ? `${tag.name} ${name}` : `${usageOf(place)} ${name}`;
  const targets = targetsIn(tag.name, name, value);
  const found = targets.flatMap((target) => observeTarget(place, target, { name, use, source, at }));
  if (name === 'srcdoc') found.push(...observeDocument(place, attribute, source));
  if (name === 'name' && /^(?:input|select|textarea|button)$/.test(tag.name) && !hasPrefix(value)) {
    const what = `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`;
    found.push({ code: 'PARTIAL_FIELD_PREFIX', subject: `${usageOf(place)} ${source}`, what, at });
  }
  if (tag.name === 'script' && /^(?:src|href|xlink:href)$/.test(name)) found.push(loadedScript(place, value, source));
  return found;
}

function observeDocument({ depth, markup }: TagInText, { value, at, end }: Attribute, source: string): Found[] {
  const found: Found[] = [];
  const text = value.replaceAll(/[\ue000-\uf8ff]/g, '\ufffd');
  const document = { original: text, text, constructs: [], error: null };
  const isUnknown = depth >= deepest || constructsIn(markup, at, end).length > 0;
  const doubt = depth >= deepest ? null : observeHtml(document, depth + 1, (inside) => found.push(...inside));
  if (isUnknown || doubt !== null) found.push(review(doubt?.what ?? 'a document in srcdoc', source, at));
  return found.map((one) => ({ ...one, at }));
}

const fieldPrefix = 'ulp-';

/** True if each choice of branches begins with the prefix. */
function hasPrefix(name: string): boolean {
  const parts = name.split(/[\ue001-\uf8ff]+/).filter((part) => part !== '');
  return name.startsWith(fieldPrefix) || (parts.length > 0 && parts.every((part) => part.startsWith(fieldPrefix)));
}

/** An address that Liquid makes is an origin of its own. */
function loadedScript(place: TagInText, value: string, source: string): Found {
  const target = urlTarget(value);
  const own = target.type === 'origin' ? [target.origin] : [];
  const origins = target.type === 'dynamic' ? [source] : own;
  const subject = `${usageOf(place)} ${source}`;
  return { code: 'PARTIAL_SCRIPT', subject, what: `a script from ${shown(value)}`, origins, at: place.tag.at };
}

interface Use {
  readonly name: string;
  /** What decides how the address is used. */
  readonly use: string;
  readonly source: string;
  readonly at: number;
}

function observeTarget({ markup }: TagInText, target: UrlTarget, { name, use, source, at }: Use): Found[] {
  switch (target.type) {
    case 'inside':
      return [];
    case 'script':
      return [
        { code: 'PARTIAL_SCRIPT_URL', subject: `${use} ${source}`, what: `a ${target.scheme} URL in ${name}`, at },
      ];
    case 'dynamic': {
      const liquid = constructsIn(markup, at, markup.text.length)[0]?.at ?? at;
      return [review(`Liquid in ${name} that may make an address`, `${use} ${source}`, liquid)];
    }
    case 'origin': {
      const subject = `${use} ${target.origin}`;
      return name === 'action' || name === 'formaction'
        ? [{ code: 'PARTIAL_FORM_TARGET', subject, what: `a form that is sent to ${target.origin}`, at }]
        : [{ code: 'PARTIAL_EXTERNAL_ORIGIN', subject, what: `the origin ${target.origin} in ${name}`, at }];
    }
  }
}

/** Elements that show their address, or load a picture. Each other one may use it in several ways. */
function isLink(element: string): boolean {
  return element === 'a' || element === 'area' || element === 'img';
}

/** What decides how a tag is used: its attributes except for texts, and of addresses and code, only that it has them. */
function usageOf({ markup, tag }: TagInText): string {
  const attributes = tag.attributes
    .filter(({ name }) => name === 'type' || !isText(name))
    .map(({ name, at, end }) => (/^on|^style$/.test(name) || isAddress(name) ? name : markup.original.slice(at, end)));
  return [tag.name, ...attributes].join(' ');
}

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/[\ue000-\uf8ff]+/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
