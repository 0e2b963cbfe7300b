export interface MaskerOptions {
  /** The length, in UTF-16 units, from which a secret is hidden: a shorter one would hide half of a report. */
  readonly shortest: number;
  /** Whether the beginning of a secret counts; by default it does. */
  readonly prefixes?: boolean;
}

/** Hiding a secret of three characters or less would hide half of a report. */
export const shortestSecret = 4;

const mask = '***';
const enough = 12;
const shortestLine = 8;
/** A shorter part of base64 could be a part of a word. */
const shortestBase64 = 6;
/** A shorter secret in small letters could be a word. */
const shortestLowered = 8;
/** A text that was made to be slow is hidden from where comparing it takes so many steps for each character. */
const mostWork = 8;
const fewSecrets = 20;

/**
 * Removes secrets from texts, as the last check before they are shown. A secret is found as it is, and as programs write
 * it: in JSON, in a URL or a form, in HTML, in small letters as the host of an address has it, in the id of an action, and
 * in base64 with both alphabets and at any offset, alone or as a part of `user:secret`. Of a long secret its first
 * characters are enough, because a text may have been cut.
 */
export function openMasker({ shortest, prefixes = true }: MaskerOptions) {
  const hidden = new Set<string>();
  /** The secrets with a form that begins so; those with a shorter one below an empty text. */
  const byHead = new Map<string, Set<string>>();
  /** A text without any of these has no secret: how the forms begin. */
  const heads = new Set<string>();
  let anyHead: RegExp | null = null;
  let shortestHead = enough;

  /** Masks this secret from now on. */
  const hide = (secret: string): void => {
    if (secret.length < shortest || secret === '' || hidden.has(secret)) return;
    hidden.add(secret);
    for (const form of formsOf(secret)) {
      const head = form.length < enough ? '' : form.slice(0, enough);
      byHead.set(head, (byHead.get(head) ?? new Set()).add(secret));
      heads.add(form.slice(0, enough));
      shortestHead = Math.min(shortestHead, form.length);
    }
    anyHead = null;
    for (const part of partsOf(secret)) hide(part);
  };
  /** One pass, where looking for one form after the other would take many. */
  const hasHead = (text: string): boolean => {
    if (text.length < shortestHead) return false;
    anyHead ??= new RegExp([...heads].map((head) => head.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'));
    return anyHead.test(text);
  };
  /** The forms that a text may have. Many secrets, such as the lines of a private key, are looked up. */
  const candidates = (text: string): ReadonlySet<string> => {
    const found = new Set(byHead.get(''));
    for (let at = 0; at + enough <= text.length; at += 1) {
      const secrets = byHead.get(text.slice(at, at + enough));
      for (const secret of secrets ?? none) found.add(secret);
    }
    return new Set([...found].flatMap(formsOf));
  };
  const find = (text: string): readonly Range[] => {
    if (hidden.size <= fewSecrets && !hasHead(text)) return none;
    const work = { left: mostWork * (text.length + 10_000) };
    return [...candidates(text)].flatMap((form) => rangesOf(text, form, prefixes ? enough : form.length, work));
  };
  return {
    hide,
    contains: (text: string) => find(text).length > 0,
    /** The text with `***` for every secret. */
    mask(text: string): string {
      const found = find(text);
      if (found.length === 0) return text;
      let result = '';
      let done = 0;
      for (const { start, end } of found.toSorted((one, other) => one.start - other.start)) {
        // Secrets may overlap: what follows a first match may belong to a second one.
        if (start >= done) result += text.slice(done, start) + mask;
        done = Math.max(done, end);
      }
      return result + text.slice(done);
    },
  };
}

const isPem = (secret: string) => secret.includes('-----BEGIN ');

/** A secret of several lines may be shown line by line, and the body of a PEM as one line. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split(isPem(secret) ? /(?:\\r)?\\n|\n/ : '\n').map((line) => line.trim());
  const body = isPem(secret) ? lines.filter((line) => /^[A-Za-z0-9+/=]+$/.test(line)) : lines;
  const joined = isPem(secret) ? [body.join('')] : [];
  return [...joined, ...(lines.length > 1 ? body.filter(({ length }) => length >= shortestLine) : [])];
}

const none: readonly never[] = [];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where a text has a form, or at least its first characters. */
function rangesOf(text: string, form: string, least: number, work: { left: number }): readonly Range[] {
  const head = form.slice(0, least);
  const ranges: Range[] = [];
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
    let length = head.length;
    while (length < form.length && text[start + length] === form[length]) length += 1;
    work.left -= length;
    if (work.left < 0) return [...ranges, { start, end: text.length }];
    // A line stays a line where the first line of a secret is masked.
    ranges.push({ start, end: start + length - (text[start + length - 1] === '\n' ? 1 : 0) });
  }
  return ranges;
}

/** Those of a token take ten times its memory, so only the last ones are kept. */
const knownForms = new Map<string, readonly string[]>();

function formsOf(secret: string): readonly string[] {
  const forms = knownForms.get(secret) ?? (isPem(secret) ? [] : computedForms(secret));
  if (knownForms.size >= fewSecrets) knownForms.clear();
  knownForms.set(secret, forms);
  return forms;
}

/** How programs write a secret. Every PEM begins in the same way, which is no secret: its lines are. */
function computedForms(secret: string): readonly string[] {
  const json = inJson(secret);
  const inId = secret.replaceAll(/[%#{}]/g, encodeURIComponent);
  const lowered = secret.length < shortestLowered ? [] : [secret.toLowerCase()];
  // A document in a document is written twice.
  const written = [secret, json, inJson(json), inId, ...lowered];
  // `encodeURIComponent` refuses a lone surrogate.
  const uri = encodeURIComponent(Buffer.from(secret).toString());
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const once = [uri, form].flatMap((url) => [url, url.replaceAll(/%../g, (byte) => byte.toLowerCase())]);
  // A name in a path is encoded once more.
  const urls = [...once, ...once.map(encodeURIComponent)];
  const html = [...new Set(written)].map((text) => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter));
  const base64 = [...written, uri].flatMap((text) => base64Parts(Buffer.from(text)));
  const alphabets = base64.flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
    encodeURIComponent(text),
  ]);
  return [...written, ...urls, ...html, ...alphabets];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The characters of base64 that depend on the bytes alone, for each of the three offsets that they may have. */
function base64Parts(bytes: Buffer): readonly string[] {
  const parts = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    return end - start >= shortestBase64 ? [text.slice(start, end)] : [];
  });
  return parts.length > 0 ? parts : [bytes.toString('base64')];
}
