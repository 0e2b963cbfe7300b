import { Tokenizer, TokenizerMode } from 'parse5';
import { balanceOf } from './balance.ts';
import { liquidCharacters, type Markup, outputCharacter, readLiquid, withoutLiquid } from './liquid.ts';
import { type Attribute, contentOf, decodeEntities, readTags, type Tag } from './tags.ts';
import { stylesIn, urlsInAttribute, urlsInStyle, urlTarget } from './urls.ts';

/** Something in a text that reviewers need to see if it is new. Two with the same code and subject are the same. */
export interface Observation {
  readonly code: string;
  readonly subject: string;
  /** What the prompt has, for a sentence. */
  readonly what: string;
  /** Offset in the text. */
  readonly at: number;
}

/** Elements whose content is text, as parsers of HTML read it. */
const rawText = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes']);
const escapableText = new Set(['textarea', 'title']);
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
  const found: Observation[] = markup.literals.flatMap(({ at, text: literal }) => [
    ...(/[<>"'&]|javascript:|data:/i.test(literal)
      ? [dynamic(`literal ${literal}`, 'markup in a text of Liquid, which is not inspected', at)]
      : []),
    ...observeUrls(urlsInStyle(literal), 'a text of Liquid', at),
  ]);
  for (const { at, text: subject, what } of markup.unknown)
    found.push(dynamic(`${what} ${subject}`, `${what}, which is not inspected`, at));
  if (markup.error !== null) {
    const { at, message } = markup.error;
    found.push({ code: 'PARTIAL_LIQUID_BROKEN', subject: message, what: `invalid Liquid: ${message}`, at });
  }
  const collected = [...observeBalance(markup.text, markup.tags), ...observeHtml(markup.text, markup.tags, 0)];
  found.push(...collected.map((one) => ({ ...one, at: markup.originalAt(one.at) })));
  return found.toSorted((one, other) => one.at - other.at);
}

function observeBalance(text: string, tags: Markup['tags']): Observation[] {
  const found: Observation[] = [];
  const balance = balanceOf(tags, (message, at) =>
    found.push({ code: 'PARTIAL_HTML_UNBALANCED', subject: message, what: `unbalanced HTML: ${message}`, at }),
  );
  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const name = withoutLiquid(token.tagName);
        const isForeign = balance.isForeign();
        balance.open(name, token.location?.startOffset ?? 0, token.selfClosing);
        // Liquid that follows the name at once is taken for a part of it.
        tokenizer.lastStartTagName = name;
        if (isForeign) return;
        if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
        else if (rawText.has(name)) tokenizer.state = TokenizerMode.RAWTEXT;
        else if (escapableText.has(name)) tokenizer.state = TokenizerMode.RCDATA;
        else if (name === 'plaintext') tokenizer.state = TokenizerMode.PLAINTEXT;
      },
      onEndTag(token) {
        balance.close(withoutLiquid(token.tagName), token.location?.startOffset ?? 0);
      },
      onEof: () => balance.end(),
      onComment: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onDoctype: ignore,
    },
  );
  tokenizer.write(text, true);
  return found;
}

function observeHtml(text: string, tags: Markup['tags'], depth: number): Observation[] {
  const found: Observation[] = [];
  const stoppedAt = readTags(text, tags, (tag) => {
    const name = withoutLiquid(tag.name);
    if (isMadeByLiquid(tag.name))
      found.push(dynamic(`element ${tag.name}`, 'an element whose name is made by Liquid', tag.at));
    if (tag.hasPrintedMarkup)
      found.push(
        dynamic(`quotes ${text.slice(tag.at, tag.end)}`, `quotes or markup by Liquid in a tag <${name}>`, tag.at),
      );
    if (tag.isDivided || tag.attributes.some(({ isDivided }) => isDivided)) {
      const what = `a tag <${name}> that begins or ends inside of a branch of Liquid, or has such attributes`;
      found.push(dynamic(`tag ${text.slice(tag.at, tag.end)}`, what, tag.at));
    }
    found.push(...tag.attributes.flatMap((attribute) => observeNamed(tag, attribute, name, depth)));
    if (name === 'script') {
      const content = contentOf(text, tag, 'script');
      found.push(...observeScript(tag, content.trim()));
      return content.length;
    }
    if (name === 'style') {
      const content = contentOf(text, tag, 'style');
      found.push(...observeUrls([...new Set([content, decodeEntities(content)])].flatMap(stylesIn), 'style', tag.at));
      return content.length;
    }
    return 0;
  });
  if (stoppedAt !== null)
    found.push({
      code: 'PARTIAL_NOT_INSPECTED',
      subject: text.slice(stoppedAt),
      what: 'markup in markup, which is not inspected to the end',
      at: stoppedAt,
    });
  for (const match of text.matchAll(/<\/?[\ue000-\uf8ff]+[a-z{]?/gi))
    found.push(dynamic(`name ${match[0]}`, 'an element whose name is made by Liquid', match.index));
  return found;
}

function observeScript(tag: Tag, content: string): Observation[] {
  const found: Observation[] = [];
  for (const { name, value } of tag.attributes) {
    if (!namesIn(name).some((one) => /^(?:src|href|xlink:href)$/.test(one))) continue;
    const what = `a script from ${shown(value)}`;
    found.push({ code: 'PARTIAL_SCRIPT', subject: `src ${value}`, what, at: tag.at });
  }
  if (content !== '' && !isData(tag))
    found.push({ code: 'PARTIAL_SCRIPT', subject: `inline ${content}`, what: 'an inline script', at: tag.at });
  return found;
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

function observeNamed(tag: Tag, attribute: Attribute, element: string, depth: number): Observation[] {
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
    found.push(dynamic(`value ${value}`, `Liquid and markup in the attribute ${names[0] ?? ''} of <${element}>`, at));
  return found;
}

function observeAttribute(
  tag: Tag,
  element: string,
  name: string,
  value: string,
  at: number,
  depth: number,
): Observation[] {
  if (/^on./.test(name))
    return [
      {
        code: 'PARTIAL_EVENT_HANDLER',
        subject: `${element} ${name} ${value}`,
        what: `an inline handler ${name} on <${element}>`,
        at,
      },
    ];
  const found: Observation[] = [];
  if (name === 'srcdoc' && depth < deepest)
    found.push(...observeHtml(value, [], depth + 1).map((one) => ({ ...one, at })));
  else if (name === 'srcdoc') found.push(dynamic(`document ${value}`, 'a document inside of three others', at));
  if (name === 'name' && fields.has(element) && !hasPrefix(value))
    found.push({
      code: 'PARTIAL_FIELD_PREFIX',
      subject: value,
      what: `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`,
      at,
    });
  const isRefresh = element === 'meta' && name === 'content' && isRefreshing(tag);
  found.push(...observeUrls(urlsInAttribute(name, value, isRefresh), name, at));
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

function observeUrls(urls: readonly string[], name: string, at: number): Observation[] {
  return urls.flatMap((url) => observeUrl(url, name, at) ?? []);
}

function observeUrl(url: string, name: string, at: number): Observation | null {
  const target = urlTarget(url);
  switch (target.type) {
    case 'script':
      return { code: 'PARTIAL_SCRIPT_URL', subject: `${name} ${url}`, what: `a ${target.scheme} URL in ${name}`, at };
    case 'origin': {
      const { origin } = target;
      return name === 'action' || name === 'formaction'
        ? { code: 'PARTIAL_FORM_TARGET', subject: origin, what: `a form that is sent to ${origin}`, at }
        : { code: 'PARTIAL_EXTERNAL_ORIGIN', subject: origin, what: `the origin ${origin} in ${name}`, at };
    }
    case 'dynamic': {
      const what = `an address in ${name} whose origin is made by Liquid`;
      return { code: 'PARTIAL_DYNAMIC_ORIGIN', subject: `${name} ${url}`, what, at };
    }
    case 'inside':
      return null;
  }
}

/** A name of an attribute that has Liquid in it may be several names. */
function namesIn(name: string): string[] {
  const joined = withoutLiquid(name);
  return liquidCharacters.test(name)
    ? [...new Set([joined, ...name.split(/[\ue000-\uf8ff]+/)])].filter((one) => one !== '')
    : [joined];
}

/** An output in a name, or a tag that divides it; a tag after the name is none of it. */
function isMadeByLiquid(name: string): boolean {
  return name.includes(outputCharacter) || name.split(/[\ue000-\uf8ff]+/).filter((part) => part !== '').length > 1;
}

/** Liquid in `http-equiv` may make it a refresh. */
function isRefreshing({ attributes }: Tag): boolean {
  return attributes.some(
    ({ name, value }) =>
      namesIn(name).includes('http-equiv') && (liquidCharacters.test(value) || /^\s*refresh\s*$/i.test(value)),
  );
}

function dynamic(subject: string, what: string, at: number): Observation {
  return { code: 'PARTIAL_DYNAMIC_MARKUP', subject, what, at };
}

const longest = 100;

/** A value in a sentence; the difference of the texts has all of it. */
function shown(value: string): string {
  const text = value.replaceAll(/[\ue000-\uf8ff]/g, '{…}');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
