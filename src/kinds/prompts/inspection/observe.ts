import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { balanceOf } from './balance.ts';
import { liquidCharacters, type Markup, outputCharacter, readLiquid } from './liquid.ts';
import { urlsInAttribute, urlsInStyle, urlTarget } from './urls.ts';

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
/** Types of scripts that are data. */
const dataScript = /^application\/(?:ld\+)?json$/i;
/** A document in an attribute, which may have one itself. */
const deepest = 3;

/** Everything in a text that may be worth showing, in the order of the text. Parses only, and evaluates nothing. */
export function observe(text: string): Observation[] {
  const markup = readLiquid(text);
  const found: Observation[] = markup.literals.map((literal) => ({
    code: 'PARTIAL_DYNAMIC_MARKUP',
    subject: `literal ${literal.text}`,
    what: 'markup in a text of Liquid, which is not inspected',
    at: literal.at,
  }));
  if (markup.error !== null) {
    const { at, message } = markup.error;
    found.push({ code: 'PARTIAL_LIQUID_BROKEN', subject: message, what: `invalid Liquid: ${message}`, at });
  }
  const collected = observeHtml(markup.text, markup.tags, 0);
  found.push(...collected.map((one) => ({ ...one, at: markup.originalAt(one.at) })));
  return found.toSorted((one, other) => one.at - other.at);
}

function observeHtml(text: string, tags: Markup['tags'], depth: number): Observation[] {
  const found: Observation[] = [];
  const balance = balanceOf(tags, (message, at) =>
    found.push({ code: 'PARTIAL_HTML_UNBALANCED', subject: message, what: `unbalanced HTML: ${message}`, at }),
  );
  let script: { readonly at: number; content: string } | null = null;
  let style: { readonly at: number; content: string } | null = null;
  const onText = ({ chars }: Token.CharacterToken) => {
    if (script !== null) script.content += chars;
    if (style !== null) style.content += chars;
  };
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const at = token.location?.startOffset ?? 0;
        const name = withoutLiquid(token.tagName);
        if (isMadeByLiquid(token.tagName))
          found.push(dynamic(`element ${token.tagName}`, 'an element whose name is made by Liquid', at));
        const isForeign = balance.isForeign();
        balance.open(name, at, token.selfClosing);
        found.push(...observeAttributes(token, name, depth));
        if (name === 'script') {
          const address = attributeOf(token, 'src') ?? attributeOf(token, 'href') ?? attributeOf(token, 'xlink:href');
          if (address !== null)
            found.push({
              code: 'PARTIAL_SCRIPT',
              subject: `src ${address}`,
              what: `a script from ${shown(address)}`,
              at,
            });
          if (!dataScript.test(attributeOf(token, 'type') ?? '')) script = { at, content: '' };
        }
        if (name === 'style') style = { at, content: '' };
        // Liquid that follows the name at once is taken for a part of it.
        tokenizer.lastStartTagName = name;
        if (isForeign) return;
        if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
        else if (rawText.has(name)) tokenizer.state = TokenizerMode.RAWTEXT;
        else if (escapableText.has(name)) tokenizer.state = TokenizerMode.RCDATA;
        else if (name === 'plaintext') tokenizer.state = TokenizerMode.PLAINTEXT;
      },
      onEndTag(token) {
        const name = withoutLiquid(token.tagName);
        balance.close(name, token.location?.startOffset ?? 0);
        if (name === 'script') endScript();
        if (name === 'style') endStyle();
      },
      onComment({ data, location }) {
        // A comment may begin and end in different branches.
        if (!liquidCharacters.test(data) || depth >= deepest) return;
        const at = location?.startOffset ?? 0;
        found.push(
          ...observeHtml(data, [], depth + 1)
            .filter(isCode)
            .map((one) => ({ ...one, at })),
        );
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: onText,
      onDoctype() {},
      onEof() {
        endScript();
        endStyle();
        balance.end();
      },
    },
  );
  function endScript(): void {
    if (script !== null && script.content.trim() !== '')
      found.push({
        code: 'PARTIAL_SCRIPT',
        subject: `inline ${script.content.trim()}`,
        what: 'an inline script',
        at: script.at,
      });
    script = null;
  }
  function endStyle(): void {
    if (style !== null) found.push(...observeUrls(urlsInStyle(style.content), 'style', style.at));
    style = null;
  }
  tokenizer.write(text, true);
  for (const match of text.matchAll(/<\/?[\ue000-\uf8ff]+[a-z{]?/gi))
    found.push(dynamic(`name ${match[0]}`, 'an element whose name is made by Liquid', match.index));
  return found;
}

function isCode({ code }: Observation): boolean {
  return code !== 'PARTIAL_HTML_UNBALANCED';
}

function observeAttributes(token: Token.TagToken, element: string, depth: number): Observation[] {
  return token.attrs.flatMap(({ name: written, value }): Observation[] => {
    const at = token.location?.attrs?.[written]?.startOffset ?? token.location?.startOffset ?? 0;
    const names = namesIn(written);
    const found = names.flatMap((name) => observeAttribute(token, element, name, value, at, depth));
    if (written.includes(outputCharacter))
      found.push(dynamic(`attribute ${written}`, `an attribute of <${element}> whose name is made by Liquid`, at));
    if (liquidCharacters.test(value) && value.includes('<'))
      found.push(dynamic(`value ${value}`, `Liquid and markup in the attribute ${names[0] ?? ''} of <${element}>`, at));
    return found;
  });
}

function observeAttribute(
  token: Token.TagToken,
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
    found.push(
      ...observeHtml(value, [], depth + 1)
        .filter(isCode)
        .map((one) => ({ ...one, at })),
    );
  if (name === 'name' && fields.has(element) && !withoutLiquid(value).startsWith(fieldPrefix))
    found.push({
      code: 'PARTIAL_FIELD_PREFIX',
      subject: value,
      what: `a form field "${shown(value)}" whose name does not begin with ${fieldPrefix}`,
      at,
    });
  const isRefresh =
    element === 'meta' && name === 'content' && /^refresh$/i.test(attributeOf(token, 'http-equiv') ?? '');
  found.push(...observeUrls(urlsInAttribute(name, value, isRefresh), name, at));
  return found;
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

function withoutLiquid(text: string): string {
  return text.replaceAll(/[\ue000-\uf8ff]/g, '');
}

function attributeOf({ attrs }: Token.TagToken, name: string): string | null {
  return attrs.find((attribute) => withoutLiquid(attribute.name) === name)?.value ?? null;
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
