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

const opening = /\$\$\{|\$\{(?:(env|var):([A-Za-z_][A-Za-z0-9_]*)\})?/g;

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
    order++;
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
 * The place in the file of the `${` of a scalar that has `order` others before it. Folding and indentation cannot
 * separate the two characters, so they are counted rather than mapped. If an escaped line break separates them, the
 * scalar is the place.
 */
export function referencePlace(source: SourceText, node: ScalarNode, order: number): Place {
  const [start, end] = node.range;
  const found = openingsOf(source, node)[order];
  if (found === undefined) return { source, start, end };
  reach.lastIndex = found;
  reach.test(source.text);
  return { source, start: found, end: Math.max(reach.lastIndex, found + 2) };
}

/** The offsets of each `${` of a scalar. One scalar can have thousands, and all places in it are asked for together. */
function openingsOf(source: SourceText, node: ScalarNode): readonly number[] {
  if (lastSearch?.node === node) return lastSearch.openings;
  const { range, type } = node;
  const [start, end] = range;
  // The header of a block may carry a comment.
  const textStart = type?.startsWith('BLOCK') ? source.text.indexOf('\n', start) : start;
  const openings: number[] = [];
  for (const { 0: match, index } of source.text
    .slice(textStart, end)
    .matchAll(type === 'QUOTE_DOUBLE' ? escaped : written)) {
    if (match !== '\\\\') openings.push(textStart + index);
  }
  lastSearch = { node, openings };
  return openings;
}

/** One for each scalar of a large file would take the collection of garbage a second. */
let lastSearch: { readonly node: ScalarNode; readonly openings: readonly number[] } | null = null;
