/**
 * Removes secrets from texts: the one place for every output. A secret is found as it is, in another case, and in the
 * forms in which programs repeat it:
 *
 *   percent-encoding     a%2Fb, a%2fb, a%252Fb, a+b for a blank
 *   HTML and XML         a&amp;b, a&#38;b, a&amp;amp;b
 *   JSON, up to 3 times  a\"b, a\u0022b, a\\\"b; the same escapes as a terminal or Markdown shows them: \x22, \_
 *   hexadecimal          612f62
 *   base64               with both alphabets and at any offset: alone, or as a part of `user:secret`
 *
 * Each character may have a form of its own. Of a long secret its first characters are enough, because a text may have
 * been cut.
 *
 * The time is linear in the text and does not depend on the number of secrets: a table of pairs of characters shows
 * where one can start. Only there is it compared.
 */
export interface Masker {
  /** Masks this secret from now on. */
  hide(secret: string): void;
  /** The text with `***` for every secret. */
  mask(text: string): string;
  contains(text: string): boolean;
}

export interface MaskerOptions {
  /** The length, in UTF-16 units, from which a secret is hidden: a shorter one would hide half of a report. */
  readonly shortest: number;
  /** Whether the beginning of a secret counts; by default it does. */
  readonly prefixes?: boolean;
}

/** One form of a secret. */
interface Form {
  readonly text: string;
  /** Base64 has its own case, and two alphabets. */
  readonly base64: boolean;
  /** Number of UTF-16 units of `text` that are enough. */
  readonly least: number;
}

/** Hiding a secret of three characters or less would hide half of a report. */
export const shortestSecret = 4;

const mask = '***';
const enough = 12;
/** A shorter part of base64 could be a part of a word. */
const shortestBase64 = 6;
/** A text that was made to be slow is hidden from where the work for each character reaches this. */
const mostWork = 8;
const shortText = 10_000;
/** A character that may be escaped costs more than one that is compared as it is. */
const escapedWork = 4;

export function openMasker({ shortest, prefixes = true }: MaskerOptions): Masker {
  const hidden = new Set<string>();
  const table = new Uint8Array(128 * 128);
  const formsByPair = new Map<number, Form[]>();

  const addForm = (form: Form) => {
    for (const pair of firstPairs(form)) {
      table[pair] = 1;
      const forms = formsByPair.get(pair);
      if (forms === undefined) formsByPair.set(pair, [form]);
      else forms.push(form);
    }
  };

  const hide = (secret: string) => {
    if (secret.length < shortest || secret === '' || hidden.has(secret)) return;
    hidden.add(secret);
    for (const form of formsOf(secret, prefixes)) addForm(form);
    // A secret of several lines may be shown line by line.
    for (const line of secret.includes('\n') ? secret.split('\n') : []) if (line.trim().length >= 8) hide(line.trim());
  };

  /** The start and end of the next secret at or after a position; null if there is none. */
  const find = (text: string, from: number, work: Work): Range | null => {
    for (let at = nextStart(text, from, table); at >= 0; at = nextStart(text, at + 1, table)) {
      let end = -1;
      for (const form of formsByPair.get(pairAt(text, at)) ?? []) end = Math.max(end, endOf(text, at, form, work));
      if (work.left < 0) return { start: at, end: text.length };
      if (end > at) return { start: at, end: withoutLineEnd(text, end) };
    }
    return null;
  };

  return {
    hide,
    contains: (text) => hidden.size > 0 && find(text, 0, workFor(text)) !== null,
    mask(text) {
      if (hidden.size === 0) return text;
      const work = workFor(text);
      let result = '';
      let done = 0;
      for (let found = find(text, 0, work); found !== null; found = find(text, found.start + 1, work)) {
        // Secrets may overlap: what follows a first match may belong to a second one.
        if (found.start >= done) result += text.slice(done, found.start) + mask;
        done = Math.max(done, found.end);
        if (done === text.length) break;
      }
      return done === 0 ? text : result + text.slice(done);
    },
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Work {
  left: number;
}

function workFor(text: string): Work {
  return { left: mostWork * (text.length + shortText) };
}

/** A line stays a line where the first line of a secret is masked. */
function withoutLineEnd(text: string, end: number): number {
  return text[end - 1] === '\n' ? end - 1 : end;
}

function formsOf(secret: string, prefixes: boolean): readonly Form[] {
  const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(toWellFormed(secret))];
  const sources = [...new Set(written)];
  const encoded = sources.flatMap((source) => {
    const bytes = Buffer.from(source);
    return [
      { text: bytes.toString('hex'), base64: false },
      ...base64Parts(bytes).map((text) => ({ text, base64: true })),
    ];
  });
  // Beyond ASCII, a capital may have another length or another small letter.
  const cases = /^[\0-\x7f]*$/.test(secret) ? [secret] : [secret, secret.toUpperCase(), secret.toLowerCase()];
  const plain = [...new Set(cases)].map((text) => ({ text, base64: false }));
  return [...plain, ...encoded].map(({ text, base64 }) => ({
    text,
    base64,
    least: prefixes ? Math.min(text.length, enough) : text.length,
  }));
}

/** `encodeURIComponent` refuses a lone surrogate. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}

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

/** Capitals of ASCII as small letters; one code for everything beyond ASCII. */
const folded = new Uint8Array(0x10000).fill(127);
for (let code = 0; code < 128; code++) folded[code] = code >= 65 && code <= 90 ? code | 32 : code;

function fold(code: number): number {
  return folded[code] ?? 127;
}

function pairAt(text: string, at: number): number {
  return (fold(text.charCodeAt(at)) << 7) | (at + 1 < text.length ? fold(text.charCodeAt(at + 1)) : 0);
}

/** The first position from which a secret may start; -1 if there is none. Every character of every output passes here. */
function nextStart(text: string, from: number, table: Uint8Array): number {
  const last = text.length - 1;
  let at = from;
  let code = at < last ? (folded[text.charCodeAt(at)] as number) : 0;
  for (; at < last; at++) {
    const next = folded[text.charCodeAt(at + 1)] as number;
    if (table[(code << 7) | next] !== 0) return at;
    code = next;
  }
  return at === last && table[pairAt(text, at)] !== 0 ? at : -1;
}

const percent = 0x25;
const ampersand = 0x26;
const plus = 0x2b;
const backslash = 0x5c;
const blank = 0x20;
const letterU = 0x75;
const letterX = 0x78;

/** Every pair of folded characters with which a form may start in a text. */
function firstPairs({ text, base64 }: Form): ReadonlySet<number> {
  const first = text.codePointAt(0) ?? 0;
  const width = first > 0xffff ? 2 : 1;
  const second = text.codePointAt(width);
  const pairs = new Set<number>();
  const add = (one: number, others: Iterable<number>) => {
    for (const other of others) pairs.add((fold(one) << 7) | fold(other));
  };
  const following = second === undefined ? anyCode : [...plainStarts(second, base64), percent, ampersand, backslash];
  for (const start of plainStarts(first, base64)) add(start, width === 2 ? [0xffff] : following);
  add(percent, [0x32, ...bytesOf(first).map((byte) => hexDigits.charCodeAt(byte >> 4))]);
  if (isLetter(first)) add(percent, [hexDigits.charCodeAt((first ^ 32) >> 4)]);
  add(ampersand, [
    0x23,
    percent,
    0x61,
    ...[...namedEntities].flatMap(([name, code]) => (code === first ? [name.charCodeAt(0)] : [])),
  ]);
  add(backslash, [backslash, letterU, letterX, first]);
  for (const [letter, code] of controlLetters) if (code === first) add(backslash, [letter]);
  return pairs;
}

const anyCode = Array.from({ length: 128 }, (_empty, code) => code);
const hexDigits = '0123456789abcdef';

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** How a character may start without an escape. */
function plainStarts(code: number, base64: boolean): readonly number[] {
  if (base64 && code === 0x2b) return [0x2b, 0x2d];
  if (base64 && code === 0x2f) return [0x2f, 0x5f];
  if (code === blank) return [blank, plus];
  return [code > 0xffff ? 0xffff : code];
}

/** The end of the longest text at a position that is the form, or enough of it; -1 if there is none. */
function endOf(text: string, start: number, { text: wanted, base64, least }: Form, work: Work): number {
  let end = -1;
  // Most texts differ within a few characters, and have no escape there.
  let index = 0;
  let plain = start;
  for (; index < wanted.length; index++, plain++) {
    if (plain >= text.length) return end;
    const found = text.charCodeAt(plain);
    if (mayEscape(found) || found > 127) break;
    work.left -= 1;
    if (!isSame(found, wanted.charCodeAt(index), base64)) return end;
    if (index + 1 >= least) end = plain + 1;
  }
  let ends: readonly number[] = [plain];
  while (index < wanted.length) {
    const code = wanted.codePointAt(index) ?? 0;
    const next: number[] = [];
    for (const at of ends) addEnds(next, text, at, code, base64);
    work.left -= escapedWork * ends.length;
    if (next.length === 0) break;
    index += code > 0xffff ? 2 : 1;
    ends = next;
    if (index >= least) end = Math.max(...next);
  }
  return end;
}

/** Adds every position at which the character can end that starts at `at`, in each of its forms. */
function addEnds(ends: number[], text: string, at: number, code: number, exact: boolean): void {
  const found = text.codePointAt(at);
  if (found === undefined) return;
  const add = (end: number) => {
    if (!ends.includes(end)) ends.push(end);
  };
  if (isSame(found, code, exact)) add(at + (found > 0xffff ? 2 : 1));
  if (found === plus && code === blank) add(at + 1);
  else if (found === percent) addPercent(add, text, at, code, exact);
  else if (found === ampersand) addEntity(add, text, at, code, exact);
  else if (found === backslash) addEscape(add, text, at, code, exact);
}

function mayEscape(code: number): boolean {
  return code === percent || code === ampersand || code === backslash || code === plus;
}

type Add = (end: number) => void;

function isSame(found: number, code: number, exact: boolean): boolean {
  if (found === code) return true;
  if (exact) return (code === 0x2b && found === 0x2d) || (code === 0x2f && found === 0x5f);
  if (found < 128 && code < 128) return isLetter(code) && (found | 32) === (code | 32) && isLetter(found);
  return String.fromCodePoint(found).toLowerCase() === String.fromCodePoint(code).toLowerCase();
}

/** `%2f`, and `%252f` or `%25252f` where it was encoded again. */
function addPercent(add: Add, text: string, start: number, code: number, exact: boolean): void {
  const bytes = bytesOf(code);
  for (let again = 0, prefix = '%'; again <= 2; again++, prefix += '25') {
    let at = start;
    const isEncoded = bytes.every((byte) => {
      if (!text.startsWith(prefix, at)) return false;
      const value = hexAt(text, at + prefix.length, 2);
      at += prefix.length + 2;
      return value === byte || (bytes.length === 1 && value !== null && isSame(value, code, exact));
    });
    if (isEncoded) add(at);
  }
}

function bytesOf(code: number): readonly number[] {
  return code < 128 ? [code] : [...Buffer.from(String.fromCodePoint(code))];
}

/** The entities that programs write; all others have numbers. */
const namedEntities: ReadonlyMap<string, number> = new Map([
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
  ['nbsp', 0xa0],
]);
const entity = /&((?:amp;){0,3})(?:(?:#|%23)(\d{1,7});|(?:#|%23)x([0-9a-f]{1,6});|([a-z]{2,4});)?/iy;

/** `&#38;` and `&#x26;`, also with `%23`, `&quot;`, and `&amp;quot;` where it was encoded again. */
function addEntity(add: Add, text: string, at: number, code: number, exact: boolean): void {
  entity.lastIndex = at;
  const [written, again = '', decimal, hex, name] = entity.exec(text) ?? [];
  if (written === undefined) return;
  if (code === ampersand) for (let end = 5; end <= 1 + again.length; end += 4) add(at + end);
  const value =
    decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : entityNamed(name);
  if (value !== undefined && value <= 0x10ffff && isSame(value, code, exact)) add(at + written.length);
}

function entityNamed(name: string | undefined): number | undefined {
  return name === undefined ? undefined : namedEntities.get(name.toLowerCase());
}

const controlLetters: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);
const mostBackslashes = 8;

/** `\n`, `\"`, `\u0022`, `\x22`, and each of them with more backslashes where it was encoded again. */
function addEscape(add: Add, text: string, start: number, code: number, exact: boolean): void {
  let at = start;
  while (text.charCodeAt(at) === backslash && at - start <= mostBackslashes) at++;
  const count = at - start;
  if (count > mostBackslashes) return;
  if (code === backslash) for (let length = 2; length <= count; length *= 2) add(start + length);
  const escaped = text.codePointAt(at);
  if (escaped === undefined) return;
  if (isSame(escaped, code, exact)) add(at + (escaped > 0xffff ? 2 : 1));
  if (controlLetters.get(escaped) === code) add(at + 1);
  const value = escapedCode(text, at, escaped, count);
  if (value !== null && isSame(value.code, code, exact)) add(value.end);
}

interface Escaped {
  readonly code: number;
  readonly end: number;
}

/** The code after the backslashes of `\x22`, `\u0022`, `\ud83d\ude00` and `\u{1f600}`. */
function escapedCode(text: string, at: number, letter: number, backslashes: number): Escaped | null {
  if (letter === letterX) return codeOf(hexAt(text, at + 1, 2), at + 3);
  if (letter !== letterU) return null;
  if (text[at + 1] === '{') {
    const close = text.slice(at + 2, at + 9).indexOf('}');
    return close < 1 ? null : codeOf(hexAt(text, at + 2, close), at + 3 + close);
  }
  const high = hexAt(text, at + 1, 4);
  const low = at + 5 + backslashes;
  if (high === null || high < 0xd800 || high > 0xdbff || text.charCodeAt(low) !== letterU) return codeOf(high, at + 5);
  const rest = hexAt(text, low + 1, 4);
  return rest === null ? null : codeOf(0x10000 + ((high & 0x3ff) << 10) + (rest & 0x3ff), low + 5);
}

function codeOf(code: number | null, end: number): Escaped | null {
  return code === null || code > 0x10ffff ? null : { code, end };
}

function hexAt(text: string, at: number, digits: number): number | null {
  const hex = text.slice(at, at + digits);
  return hex.length === digits && /^[0-9a-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : null;
}
