import type { Place, SourceText } from '../../diagnostics/source-text.ts';
import type { ScalarNode } from '../yaml/plain-values.ts';

/** `${env:NAME}` or `${var:NAME}`. */
export interface Reference {
  readonly from: 'env' | 'var';
  readonly name: string;
  /** The reference itself, for messages. */
  readonly written: string;
  /** Offset in the text. */
  readonly start: number;
}

/** A `${` that starts no reference. */
export interface Malformed {
  readonly from: null;
  readonly written: string;
  readonly start: number;
}

export type Part = string | Reference | Malformed;

export function isReference(part: Part | undefined): part is Reference {
  return typeof part === 'object' && part.from !== null;
}

/** A reference in a reference is a part of the same mistake. */
const opening = /\$\$\{|\$\{(?:(env|var):(?:([A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^{}]*\}\}?)|[^\s{}"'$]*\}?)/g;

/** In one file. */
export const mostReferences = 100_000;

/**
 * A text as literal parts and references, without empty parts. `$${` is a literal `${`. A text that has more parts than a
 * file may have references ends there: it is refused, and 4 MB of them would be millions.
 */
export function splitReferences(text: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  let done = 0;
  for (const { 0: written, 1: from, 2: name, index: start } of text.matchAll(opening)) {
    if (parts.length > mostReferences) return parts;
    literal += text.slice(done, start);
    done = start + written.length;
    if (written === '$${') literal += '${';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      // The pattern has both groups or none.
      parts.push(
        name === undefined ? { from: null, written, start } : { from: from as Reference['from'], name, written, start },
      );
    }
  }
  literal += text.slice(done);
  return literal === '' ? parts : [...parts, literal];
}

/** What is not literal in a text. */
export function referencesIn(text: string): readonly (Reference | Malformed)[] {
  return splitReferences(text).filter((part) => typeof part !== 'string');
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/**
 * The places of the references of a scalar, in their order. The file has them as the value has them, unless they are
 * written with escapes: then the scalar is the place.
 */
export function referencePlaces(source: SourceText, node: ScalarNode): readonly Place[] {
  const { text } = source;
  const [start, end] = node.range;
  // The header of a block may carry a comment.
  const from = node.type?.startsWith('BLOCK') ? text.indexOf('\n', start) : start;
  const written = referencesIn(text.slice(from, end));
  const found = referencesIn(String(node.value));
  if (written.length !== found.length) return found.map(() => ({ source, start, end }));
  return written.map((part) => ({ source, start: from + part.start, end: from + part.start + part.written.length }));
}
