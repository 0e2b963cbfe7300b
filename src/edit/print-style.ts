import type { Quote, ScalarStyle } from './scalar-text.ts';
import { isList, isMapping, isScalarValue, ReferenceText, type WrittenValue } from './written-value.ts';

/** Keys from the root of the file; `*` for an item of a list. */
export type StylePath = readonly string[];

/** How new text looks. */
export interface PrintStyle {
  /** Columns from a mapping to the mapping or the text below one of its keys. */
  readonly indent: number;
  /** Columns from a mapping to the dashes of a list below one of its keys. */
  readonly listIndent: number;
  /** Columns from a dash to the item after it. */
  readonly dashWidth: number;
  /** A blank between braces and their content; between brackets. */
  readonly paddedMaps: boolean;
  readonly paddedLists: boolean;
  readonly quote: Quote;
  /** Of all keys; null if keys have quotes only where they need them. */
  readonly keyQuote: Quote | null;
  /** Whether a text with several lines is a block of lines. */
  readonly literals: boolean;
  /** Whether a text may be a block that ends in blank lines, so that blank lines after it would become its own. */
  readonly keepsEnds: boolean;
  /** The longest line of a collection in flow style. */
  readonly width: number;
  /** Whether a collection that fits in one line is written in flow style. */
  readonly flow: (value: WrittenValue, path: StylePath) => boolean;
  /** The style of a scalar, where it can express the text; null for the usual one. */
  readonly scalar: (path: StylePath) => ScalarStyle | null;
}

export const usualStyle: PrintStyle = {
  indent: 2,
  listIndent: 2,
  dashWidth: 2,
  paddedMaps: true,
  paddedLists: false,
  quote: '"',
  keyQuote: null,
  literals: true,
  keepsEnds: true,
  width: 80,
  flow: isShort,
  scalar: () => null,
};

/** Items of a section are at this depth, and take several lines. */
const itemDepth = 2;
const mostPairs = 2;
const mostItems = 2;

/** Pairs and short lists of scalars, as in `configuration: { action: block, limit: 100 }`, and references to files. */
export function isShort(value: WrittenValue, path: StylePath): boolean {
  if (isList(value))
    return path.length >= itemDepth && value.length <= mostItems && value.every((item) => isOneLine(item));
  if (!isMapping(value)) return false;
  const isItem = path.length < itemDepth || (path.length === itemDepth && path.at(-1) === '*');
  const members = Object.values(value);
  return !isItem && members.length <= mostPairs && members.every((member) => isOneLine(member));
}

/** Between brackets, a reference must be in quotes, and a quoted reference is always text. */
function isOneLine(value: WrittenValue): boolean {
  if (value instanceof ReferenceText) return !value.typed;
  return isScalarValue(value) && !(typeof value === 'string' && value.includes('\n'));
}
