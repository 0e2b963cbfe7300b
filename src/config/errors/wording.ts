import { quoted } from '../quoted.ts';
import { fieldsOf, memberPart, type SchemaPart } from './schema-lookup.ts';

/** `a, b and c`. */
export function listed(words: readonly unknown[], last: 'and' | 'or'): string {
  const texts = words.map(String);
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)}`;
}

/** The name of a value in messages: its key, or the list that it is an item of. */
export function nameOf(segments: readonly string[]): string {
  const last = segments.at(-1);
  if (last === undefined) return 'the file';
  if (!isIndex(last)) return quoted(last);
  const list = segments.findLast((segment) => !isIndex(segment));
  return `an item of ${quoted(list ?? 'the list')}`;
}

/** The name of a mapping in messages; `tag` is the value of its discriminator. */
export function ownerOf(segments: readonly string[], tag: unknown): string {
  if (typeof tag !== 'string') return segments.length === 0 ? 'a tenant file' : nameOf(segments);
  return `${/^[aeiou]/i.test(tag) ? 'an' : 'a'} ${quoted(tag)} ${segments.at(-1) ?? 'form'}`;
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** A sentence without its capital letter, for the middle of a sentence. */
export function small(sentence: string): string {
  return /^[A-Z](?:[a-z]| )/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/**
 * The source of a rule of the service: ` (service specification 2.1)` or ` (public facts 4.3)`; empty for a rule of
 * this program.
 */
export function sectionOf(parts: readonly SchemaPart[]): string {
  for (const part of parts.toReversed()) {
    const section = sectionIn(part.text['description']) ?? sectionInMembers(part);
    if (section !== null) return ` (${section})`;
  }
  return '';
}

/** A description without its own mention of the section. */
export function descriptionOf(part: SchemaPart): string | null {
  const text = part.text['description'];
  return typeof text === 'string'
    ? text.replace(/\s*\((?:service specification|public facts)[^)]*\)/i, '').replace(/\.$/, '')
    : null;
}

function sectionInMembers(part: SchemaPart): string | null {
  for (const name of fieldsOf(part)) {
    const section = sectionIn(memberPart(part, name)?.text['description']);
    if (section !== null) return section;
  }
  return null;
}

function sectionIn(text: unknown): string | null {
  const [, document, section] =
    (typeof text === 'string' && /(service specification|public facts)[^()\d]*\(?(\d+(?:\.\d+)*)/i.exec(text)) || [];
  return document === undefined ? null : `${document.toLowerCase()} ${section}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

export function typeName(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',');
  return listed(
    types.map((name) => typeNames[String(name)] ?? String(name)),
    'or',
  );
}

export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}

export function isIndex(segment: string): boolean {
  return /^\d+$/.test(segment);
}

const formatRules: Readonly<Record<string, string>> = {
  'strict-https-uri':
    'an https:// URI (RFC 3986) with a host and without credentials; escape every other character, as in %C3%A9',
  'base-url': 'the base URL of a tenant',
  'path-segment': 'one path segment: no slashes, white space, control characters or backslashes, and not "." or ".."',
};

export function formatRule(format: unknown): string {
  return formatRules[String(format)] ?? `a string of the format ${String(format)}`;
}
