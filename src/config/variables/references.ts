import type { Place, SourceText } from '../../diagnostics/source-text.ts';
import type { ScalarNode } from '../yaml/plain-values.ts';

/** `${env:NAME}` or `${var:NAME}`. */
export interface Reference {
  readonly from: 'env' | 'var';
  readonly name: string;
  /** The reference itself, for messages. */
  readonly written: string;
  /** Number of `${` before it in the text. */
  readonly order: number;
}

/** A `${` that starts no reference. */
export interface Malformed {
  readonly from: null;
  readonly order: number;
}

export type Part = string | Reference | Malformed;

export function isReference(part: Part | undefined): part is Reference {
  return typeof part === 'object' && part.from !== null;
}

/** A reference in a reference is a part of the same mistake. */
const opening = /\$\$\{|\$\{(?:(env|var):(?:([A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^{}]*\}\}?))?/g;

/** A text as literal parts and references, without empty parts. `$${` is a literal `${`. */
export function splitReferences(text: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  let done = 0;
  let order = 0;
  for (const match of text.matchAll(opening)) {
    const [written, from, name] = match;
    literal += text.slice(done, match.index);
    done = match.index + written.length;
    if (written === '$${') literal += '${';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      // The pattern has both groups or none.
      parts.push(
        name === undefined ? { from: null, order } : { from: from as Reference['from'], name, written, order },
      );
    }
    order += openingsIn(written);
  }
  literal += text.slice(done);
  return literal === '' ? parts : [...parts, literal];
}

/** The number of `${` in a text. */
export function openingsIn(text: string): number {
  let count = 0;
  for (let index = text.indexOf('${'); index >= 0; index = text.indexOf('${', index + 2)) count += 1;
  return count;
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

const written = /\$\{/g;
/** Between double quotes each of the two characters may be an escape; an escaped backslash starts none. */
const escaped = /\\\\|(?:\$|\\(?:x24|u0024|U00000024))(?:\{|\\(?:x7b|u007b|U0000007b))/gi;
const reach = /[^\s{}"']*\{?[^\s{}"']*\}?/y;

/**
 * The places in the file of the `${` of a scalar. Folding and indentation cannot separate the two characters, so they are
 * counted rather than mapped. If an escaped line break separates them, the scalar is the place.
 */
export function referencePlaces(source: SourceText, node: ScalarNode): (part: Reference | Malformed) => Place {
  const [start, end] = node.range;
  // One scalar can have thousands, and all places in it are asked for together.
  let openings: readonly number[] | null = null;
  return ({ order }) => {
    openings ??= openingsOf(source, node);
    const found = openings[order];
    if (found === undefined) return { source, start, end };
    reach.lastIndex = found;
    reach.test(source.text);
    return { source, start: found, end: Math.max(reach.lastIndex, found + 2) };
  };
}

/** The offsets of each `${` of a scalar. */
function openingsOf({ text }: SourceText, { range: [start, end], type }: ScalarNode): readonly number[] {
  // The header of a block may carry a comment.
  const textStart = type?.startsWith('BLOCK') ? text.indexOf('\n', start) : start;
  const found = text.slice(textStart, end).matchAll(type === 'QUOTE_DOUBLE' ? escaped : written);
  return [...found].flatMap(({ 0: match, index }) => (match === '\\\\' ? [] : textStart + index));
}
