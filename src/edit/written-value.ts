// A written value is what a file writes: references are kept, aliases are expanded, nothing is substituted.
import { splitReferences } from '../config/variables/references.ts';
import { deepestNesting, unsafeKeys } from '../config/yaml/yaml-problems.ts';

export type WrittenValue = WrittenScalar | readonly WrittenValue[] | WrittenMapping;

/** A string is literal: a `${` in it is no reference, and is printed with the escape that variables require. */
export type WrittenScalar = string | number | boolean | null | ReferenceText;

export interface WrittenMapping {
  readonly [key: string]: WrittenValue;
}

/** A text with references, `${env:NAME}` or `${var:NAME}`, as a file writes it: `$${` in it is a literal `${`. */
export class ReferenceText {
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }
}

export function envReference(name: string): ReferenceText {
  return new ReferenceText(`\${env:${name}}`);
}

/** The value of a scalar's text: the text itself without its escapes, or a text with references. */
export function textWithReferences(text: string): string | ReferenceText {
  const parts = splitReferences(text);
  const [first] = parts;
  return parts.length === 1 && typeof first === 'string' ? first : new ReferenceText(text);
}

/** A literal text as a file must write it. */
export function withoutReferences(text: string): string {
  return text.replaceAll('${', () => '$${');
}

export function isList(value: WrittenValue): value is readonly WrittenValue[] {
  return Array.isArray(value);
}

export function isMapping(value: WrittenValue): value is WrittenMapping {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof ReferenceText);
}

export function isScalarValue(value: WrittenValue): value is WrittenScalar {
  return typeof value !== 'object' || value === null || value instanceof ReferenceText;
}

/** The order of keys does not count. */
export function isSameWritten(left: WrittenValue, right: WrittenValue): boolean {
  return left === right || textOfWritten(left) === textOfWritten(right);
}

/** A text that equal values have in common. */
export function textOfWritten(value: WrittenValue): string {
  if (value instanceof ReferenceText) return `$${JSON.stringify(value.written)}`;
  if (isList(value)) return `[${value.map(textOfWritten).join()}]`;
  if (!isMapping(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${textOfWritten(member)}`);
  return `{${pairs.sort().join()}}`;
}

/** Why no file can express a value; null if one can. Values of a tenant may be anything, so this takes all of JSON. */
export function whyUnwritable(value: unknown, depth = 0): string | null {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? null : `the number ${value} is not an integer that is exact`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value instanceof ReferenceText)
    return null;
  if (typeof value !== 'object') return 'a value is not JSON';
  if (depth >= deepestNesting) return `values are nested deeper than ${deepestNesting} levels`;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value) && unsafeKeys.has(name)) return `the key "${name}" is not allowed`;
    if (!Array.isArray(value) && name.includes('${')) return 'a key contains "${"';
    const why = whyUnwritable(member, depth + 1);
    if (why !== null) return why;
  }
  return null;
}
