import type { Effect } from '../../../model/plan.generated.ts';
import { contextsOf } from './contexts.ts';
import {
  isMadeByLiquid,
  type LiquidText,
  liquidCharacters,
  type Markup,
  outputCharacter,
  readLiquid,
  withoutLiquid,
} from './liquid.ts';
import { type Attribute, contentOf, decodeEntities, readTags, type Tag } from './tags.ts';
import { hasImport, isAddress, isText, stylesIn, urlsInAttribute, urlsInStyle, urlTarget } from './urls.ts';

/** Something in a text that reviewers need to see if it is new. Two with the same code and subject are the same. */
export interface Observation {
  readonly code: Effect['code'];
  /** With what decides how it is used, such as the type of a script. */
  readonly subject: string;
  /** What the prompt has, for a sentence. */
  readonly what: string;
  /** Of a script that is loaded: from where. */
  readonly origins?: readonly string[];
  /** Offset in the text. */
  readonly at: number;
  /** What decides whether it is active; '' if it always is. */
  readonly context: string;
}

interface Found extends Omit<Observation, 'context'> {
  /** True if the structure of the text depends on Liquid here. */
  readonly divides?: boolean;
}

/** With the tag that it is a part of. */
interface Placed extends Found {
  readonly from: number;
  readonly to: number;
  readonly isKept: boolean;
}

const fields = new Set(['input', 'select', 'textarea', 'button']);
const fieldPrefix = 'ulp-';
/** Tags of Liquid; an output is another character. */
const tagCharacters = /[\ue001-\uf8ff]+/;
const referenceByLiquid = /&[#a-z0-9]*[\ue000-\uf8ff]/i;
/** Types of scripts that are data. */
const dataScript = /^application\/(?:ld\+)?json$/i;
/** A document in an attribute, which may have one itself. */
const deepest = 3;

/** Everything in a text that may be worth showing, in the order of the text. Parses only, and evaluates nothing. */
export function observe(text: string): Observation[] {
  const markup = readLiquid(text);
  const placed: Placed[] = [
    ...markup.literals.flatMap((literal) =>
      observeLiteral(literal.text, literal.at).map((one) => inLiquid(one, literal)),
    ),
    ...markup.unknown.map((one) =>
      inLiquid(dynamic(`${one.what} ${one.text}`, `${one.what}, which is not inspected`, one.at), one),
    ),
    ...observeHtml(markup.text, markup.tags, 0).map((one) => ({ ...one, at: markup.originalAt(one.at) })),
  ];
  const found: Observation[] = [];
  const report = (subject: string, at: number) =>
    found.push({
      code: 'PARTIAL_HTML_UNBALANCED',
      subject,
      what: `unbalanced HTML: ${subject}`,
      at: markup.originalAt(at),
      context: '',
    });
  const isUncertain = placed.some(({ divides }) => divides);
  const contextOf = contextsOf(text, markup, isUncertain, report);
  found.push(...placed.map((one) => ({ ...one, context: contextOf(one) })));
  if (markup.error !== null) {
    const { at, message } = markup.error;
    found.push({
      code: 'PARTIAL_LIQUID_BROKEN',
      subject: message,
      what: `invalid Liquid: ${message}`,
      at,
      context: '',
    });
  }
  return found.toSorted((one, other) => one.at - other.at);
}

function observeLiteral(literal: string, at: number): Found[] {
  return [
    ...(/[<>"'&]|javascript:|data:/i.test(literal)
      ? [dynamic(`literal ${literal}`, 'markup in a text of Liquid, which is not inspected', at)]
      : []),
    ...observeUrls(urlsInStyle(literal), 'a text of Liquid', '', at),
  ];
}

function inLiquid(one: Found, { place, isKept }: LiquidText): Placed {
  return { ...one, from: place, to: place + 1, isKept };
}

function observeHtml(text: string, tags: Markup['tags'], depth: number): Placed[] {
  const placed: Placed[] = [];
  const stoppedAt = readTags(text, tags, (tag) => {
    const found: Found[] = [];
    const size = observeTag(text, tag, depth, found);
    placed.push(...found.map((one) => ({ ...one, from: tag.at, to: tag.end + size, isKept: false })));
    return size;
  });
  if (stoppedAt !== null) {
    const what = 'markup in markup, which is not inspected to the end';
    const range = { at: stoppedAt, from: stoppedAt, to: text.length, isKept: false };
    placed.push({ code: 'PARTIAL_NOT_INSPECTED', subject: text.slice(stoppedAt), what, ...range });
  }
  for (const match of text.matchAll(/<\/?[\ue000-\uf8ff]+[a-z{]?/gi)) {
    const range = { from: match.index, to: match.index + match[0].length, isKept: false };
    const what = 'an element whose name is made by Liquid';
    placed.push({ ...dynamic(`name ${match[0]}`, what, match.index), divides: true, ...range });
  }
  return placed;
}

/** Adds to `found`; returns how many characters of the content were read. */
function observeTag(text: string, tag: Tag, depth: number, found: Found[]): number {
  const name = withoutLiquid(tag.name);
  if (isMadeByLiquid(tag.name))
    found.push(dynamic(`element ${tag.name}`, 'an element whose name is made by Liquid', tag.at));
  if (tag.hasPrintedMarkup)
    found.push(
      dynamic(`quotes ${text.slice(tag.at, tag.end)}`, `quotes or markup by Liquid in a tag <${name}>`, tag.at),
    );
  if (tag.isDivided || tag.attributes.some(({ isDivided }) => isDivided)) {
    const what = `a tag <${name}> that begins or ends inside of a branch of Liquid, or has such attributes`;
    found.push({ ...dynamic(`tag ${text.slice(tag.at, tag.end)}`, what, tag.at), divides: true });
  }
  found.push(...tag.attributes.flatMap((attribute) => observeNamed(tag, attribute, name, depth)));
  if (name === 'script') {
    const content = contentOf(text, tag, 'script');
    found.push(...observeScript(tag, content.trim()));
    return content.length;
  }
  if (name === 'style') {
    const content = contentOf(text, tag, 'style');
    const texts = [...new Set([content, decodeEntities(content)])];
    const use = `${usageOf(tag)} ${texts.some(hasImport) ? '@import' : ''}`;
    found.push(...observeUrls(texts.flatMap(stylesIn), 'style', use, tag.at));
    return content.length;
  }
  return 0;
}

function observeScript(tag: Tag, content: string): Found[] {
  const found: Found[] = [];
  for (const { name, value } of tag.attributes) {
    if (!namesIn(name).some((one) => /^(?:src|href|xlink:href)$/.test(one))) continue;
    const what = `a script from ${shown(value)}`;
    const subject = `src ${usageOf(tag)} ${value}`;
    found.push({ code: 'PARTIAL_SCRIPT', subject, what, origins: originsOf(value), at: tag.at });
  }
  if (content !== '' && !isData(tag))
    found.push({
      code: 'PARTIAL_SCRIPT',
      subject: `inline ${usageOf(tag)} ${content}`,
      what: 'an inline script',
      at: tag.at,
    });
  return found;
}

/** The origins that an address may have; one that Liquid makes is an origin of its own. */
function originsOf(value: string): string[] {
  return urlsInAttribute('src', value, false).flatMap((url) => {
    const target = urlTarget(url);
    if (target.type === 'dynamic') return [url];
    return target.type === 'origin' ? [target.origin] : [];
  });
}

/** True if every choice of branches has the same type, of data. */
function isData({ attributes, branch, isDivided }: Tag): boolean {
  const types = attributes.filter(({ name }) => namesIn(name).includes('type'));
  return (
    !isDivided &&
    types.length > 0 &&
    types.every((type) => type.branch === branch && !type.isDivided && dataScript.test(type.value)) &&
    !attributes.some(({ name, isOpen }) => isOpen || name.includes(outputCharacter))
  );
}

function observeNamed(tag: Tag, attribute: Attribute, element: string, depth: number): Found[] {
  const { name: written, value, at, isOpen } = attribute;
  const names = namesIn(written);
  const found = names.flatMap((name) => observeAttribute(tag, element, name, value, at, depth));
  if (written.includes(outputCharacter))
    found.push(dynamic(`attribute ${written}`, `an attribute of <${element}> whose name is made by Liquid`, at));
  if (isOpen)
    found.push(
      dynamic(`open ${element} ${names[0] ?? ''} ${value}`, `Liquid in a value without quotes of <${element}>`, at),
    );
  if (referenceByLiquid.test(attribute.written))
    found.push(dynamic(`reference ${value}`, `a character reference in <${element}> that Liquid makes`, at));
  if (liquidCharacters.test(value) && (value.includes('<') || names.includes('srcdoc')))
    found.push(
      dynamic(
        `value ${element} ${written} ${value}`,
        `Liquid and markup in the attribute ${names[0] ?? ''} of <${element}>`,
        at,
      ),
    );
  return found;
}

function observeAttribute(tag: Tag, element: string, name: string, value: string, at: number, depth: number): Found[] {
  if (/^on./.test(name))
    return [
      {
        code: 'PARTIAL_EVENT_HANDLER',
        subject: `${usageOf(tag)} ${name} ${value}`,
        what: `an inline handler ${name} on <${element}>`,
        at,
      },
    ];
  const found: Found[] = [];
  if (name === 'srcdoc' && depth < deepest)
    found.push(...observeHtml(value, [], depth + 1).map((one) => ({ ...one, at })));
  else if (name === 'srcdoc') found.push(dynamic(`document ${value}`, 'a document inside of three others', at));
  if (name === 'name' && fields.has(element) && !hasPrefix(value))
    found.push({
      code: 'PARTIAL_FIELD_PREFIX',
      subject: `${element} ${tag.attributes.find((one) => one.name === 'type')?.value.toLowerCase() ?? ''} ${value}`,
      what: `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`,
      at,
    });
  const isRefresh = element === 'meta' && name === 'content' && isRefreshing(tag);
  const use = isLink(element) ? `${element} ${name}` : `${usageOf(tag)} ${name}`;
  found.push(...observeUrls(urlsInAttribute(name, value, isRefresh), name, use, at));
  return found;
}

/** True if each choice of branches begins with the prefix. */
function hasPrefix(name: string): boolean {
  const [first = '', ...rest] = name.split(tagCharacters);
  const parts = rest.filter((part) => part !== '');
  return first === ''
    ? parts.length > 0 && parts.every((part) => part.startsWith(fieldPrefix))
    : first.startsWith(fieldPrefix);
}

function observeUrls(urls: readonly string[], name: string, use: string, at: number): Found[] {
  return urls.flatMap((url) => observeUrl(url, name, use, at) ?? []);
}

function observeUrl(url: string, name: string, use: string, at: number): Found | null {
  const target = urlTarget(url);
  switch (target.type) {
    case 'script':
      return { code: 'PARTIAL_SCRIPT_URL', subject: `${use} ${url}`, what: `a ${target.scheme} URL in ${name}`, at };
    case 'origin': {
      const { origin } = target;
      return name === 'action' || name === 'formaction'
        ? { code: 'PARTIAL_FORM_TARGET', subject: `${use} ${origin}`, what: `a form that is sent to ${origin}`, at }
        : { code: 'PARTIAL_EXTERNAL_ORIGIN', subject: `${use} ${origin}`, what: `the origin ${origin} in ${name}`, at };
    }
    case 'dynamic': {
      const what = `Liquid in ${name} that may make the origin of an address`;
      return { code: 'PARTIAL_DYNAMIC_ORIGIN', subject: `${use} ${url}`, what, at };
    }
    case 'inside':
      return null;
  }
}

/** Elements that show their address, or load a picture. Each other one may use it in several ways. */
function isLink(element: string): boolean {
  return element === 'a' || element === 'area' || element === 'img';
}

const usages = new WeakMap<Tag, string>();

/** What decides how a tag is used: its attributes except for texts, and of addresses and code, only that it has them. */
function usageOf(tag: Tag): string {
  const known = usages.get(tag);
  if (known !== undefined) return known;
  const attributes = tag.attributes
    .filter(({ name }) => name === 'type' || !isText(name))
    .map(({ name, value }) => (/^on|^style$/.test(name) || isAddress(name) ? name : `${name}=${value}`));
  const usage = [withoutLiquid(tag.name), ...attributes].join(' ');
  usages.set(tag, usage);
  return usage;
}

/** A name of an attribute that has Liquid in it may be several names. */
function namesIn(name: string): string[] {
  const joined = withoutLiquid(name);
  return liquidCharacters.test(name)
    ? [...new Set([joined, ...name.split(/[\ue000-\uf8ff]+/)])].filter((one) => one !== '')
    : [joined];
}

/** Liquid in `http-equiv` may make it a refresh. */
function isRefreshing({ attributes }: Tag): boolean {
  return attributes.some(
    ({ name, value }) =>
      namesIn(name).includes('http-equiv') && (liquidCharacters.test(value) || /^\s*refresh\s*$/i.test(value)),
  );
}

function dynamic(subject: string, what: string, at: number): Found {
  return { code: 'PARTIAL_DYNAMIC_MARKUP', subject, what, at };
}

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/[\ue000-\uf8ff]/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
