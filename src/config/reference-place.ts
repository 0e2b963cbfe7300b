import type { SourceText } from '../diagnostics/source-text.ts';
import type { Place } from './fault.ts';
import type { ScalarNode } from './substitution.ts';

const written = /\$\{/g;
/** Between double quotes each of the two characters may be an escape; an escaped backslash starts none. */
const escaped = /\\\\|(?:\$|\\(?:x24|u0024|U00000024))(?:\{|\\(?:x7b|u007b|U0000007b))/gi;
const reach = /[^\s{}"']*\{?[^\s{}"']*\}?/y;

/**
 * Where the `${` of a scalar that has `order` others before it stands in the file. Folding and indentation cannot part the two
 * characters, so they are counted rather than mapped. Where an escaped line break parts them, the scalar is the place.
 */
export function referencePlace(source: SourceText, { range, type }: ScalarNode, order: number): Place {
  const [start, end] = range;
  // The header of a block may carry a comment.
  const textStart = type?.startsWith('BLOCK') ? source.text.indexOf('\n', start) : start;
  const found = [...source.text.slice(textStart, end).matchAll(type === 'QUOTE_DOUBLE' ? escaped : written)].filter(
    ([match]) => match !== '\\\\',
  )[order];
  if (found === undefined) return { source, start, end };
  reach.lastIndex = textStart + found.index;
  reach.test(source.text);
  return { source, start: textStart + found.index, end: Math.max(reach.lastIndex, textStart + found.index + 2) };
}
