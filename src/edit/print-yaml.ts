// Written values as YAML. Lines have no line end, so that they fit into files with any.
import { InternalError } from '../model/internal-error.ts';
import { isPlainText, literalBlock, type Quote, quotedText, readableQuote, type ScalarStyle } from './scalar-text.ts';
import {
  isList,
  isMapping,
  isScalarValue,
  ReferenceText,
  type WrittenScalar,
  type WrittenValue,
  withoutReferences,
} from './written-value.ts';

/** A value as YAML in block style, with a final line end. If a file can have it, it reads back as the same value. */
export function printYaml(value: WrittenValue, changes: Partial<PrintStyle> = {}): string {
  const style = { ...usualStyle, ...changes };
  const lines = isInline(value) ? [flowText(value, [], style)] : collectionLines(value, 0, [], style);
  return `${lines.join('\n')}\n`;
}

/** Whether a value has no lines of its own. */
function isInline(value: WrittenValue): boolean {
  return isScalarValue(value) || Object.keys(value).length === 0;
}

/** A value after its key or dash: the text in the same line, if any, and the lines below with their indentation. */
export interface PrintedValue {
  readonly head: string | null;
  readonly lines: readonly string[];
}

/** Where a value is printed. */
export interface PrintPlace {
  readonly path: StylePath;
  /** Column of the mapping or list that has the value. */
  readonly column: number;
  /** Columns of the line that are taken before the value. */
  readonly taken: number;
}

/** Columns from a dash to the item after it. */
export const dashWidth = 2;

/** The longest key that YAML allows without a question mark. */
const longestKey = 1024;

/** Lines of a mapping or list in block style; the collection is not empty. */
function collectionLines(value: WrittenValue, column: number, path: StylePath, style: PrintStyle): string[] {
  if (isList(value)) return value.flatMap((item) => itemLines(item, column, path, style));
  if (!isMapping(value)) throw new InternalError('A scalar has no lines.');
  return Object.entries(value).flatMap(([key, member]) => pairLines(key, member, column, path, style));
}

/** A key with its value, below the mapping's path. */
export function pairLines(
  key: string,
  value: WrittenValue,
  column: number,
  mapPath: StylePath,
  style: PrintStyle,
): string[] {
  const text = scalarText(key, null, false, style);
  const before = text.length > longestKey ? [`${blanks(column)}? ${text}`] : [];
  const start = before.length > 0 ? `${blanks(column)}:` : `${blanks(column)}${text}:`;
  const path = [...mapPath, key];
  const { head, lines } = printedMember('map', value, { path, column, taken: start.length + 1 }, style);
  return [...before, head === null ? start : `${start} ${head}`, ...lines];
}

/** A dash with its item, below the list's path. */
export function itemLines(item: WrittenValue, column: number, listPath: StylePath, style: PrintStyle): string[] {
  const path = [...listPath, '*'];
  const start = `${blanks(column)}- `;
  const { head, lines } = printedMember('list', item, { path, column, taken: start.length }, style);
  if (head !== null) return [start + head, ...lines];
  // The first line of the block is in the line of the dash.
  const [first = '', ...others] = lines;
  return [start + first.slice(start.length), ...others];
}

/**
 * A member of a mapping or list: a scalar, or a collection in flow style if it may be and fits. A block of lines begins
 * below its key, or for an item of a list in the line of the dash.
 */
export function printedMember(
  kind: 'map' | 'list',
  value: WrittenValue,
  { path, column, taken }: PrintPlace,
  style: PrintStyle,
): PrintedValue {
  const belowKey = isList(value) ? style.listIndent : style.indent;
  const indent = kind === 'list' ? dashWidth : belowKey;
  if (isScalarValue(value)) return blockScalar(value, style.scalar(path), style, column + indent);
  if (isInline(value)) return { head: flowText(value, path, style), lines: [] };
  const text = style.flow(value, path) ? flowText(value, path, style) : null;
  if (text !== null && taken + text.length <= style.width) return { head: text, lines: [] };
  return { head: null, lines: collectionLines(value, column + indent, path, style) };
}

/** A scalar outside of brackets; `column` is the indentation of the lines of a text. */
export function blockScalar(
  value: WrittenScalar,
  wanted: ScalarStyle | null,
  style: PrintStyle,
  column: number,
): PrintedValue {
  const text = rawText(value);
  const isText = typeof value === 'string' || value instanceof ReferenceText;
  if (isText && (wanted === 'literal' || (wanted === null && text.includes('\n')))) {
    const block = literalBlock(text, wanted !== 'literal');
    const indented = (line: string) => (line === '' ? '' : blanks(column) + line);
    if (block !== null) return { head: block.header, lines: block.lines.map(indented) };
  }
  return { head: scalarText(value, wanted, false, style), lines: [] };
}

/** A scalar in one line. */
function scalarText(value: WrittenScalar, wanted: ScalarStyle | null, inFlow: boolean, style: PrintStyle): string {
  const text = rawText(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return text;
  if (wanted === '"' || wanted === "'") return quotedText(text, wanted);
  return isPlainText(text, inFlow) ? text : quotedText(text, readableQuote(text, style.quote));
}

export function rawText(value: WrittenScalar): string {
  if (value instanceof ReferenceText) return value.written;
  return typeof value === 'string' ? withoutReferences(value) : String(value);
}

/** A value between brackets, in one line. */
export function flowText(value: WrittenValue, path: StylePath, style: PrintStyle): string {
  if (isScalarValue(value)) return scalarText(value, style.scalar(path), true, style);
  const members = isList(value)
    ? value.map((item) => flowText(item, [...path, '*'], style))
    : Object.entries(value).map(([key, member]) => flowPair(key, member, path, style));
  const isPadded = members.length > 0 && (isList(value) ? style.paddedLists : style.paddedMaps);
  const padding = isPadded ? ' ' : '';
  const text = padding + members.join(', ') + padding;
  return isList(value) ? `[${text}]` : `{${text}}`;
}

export function flowPair(key: string, value: WrittenValue, mapPath: StylePath, style: PrintStyle): string {
  const text = scalarText(key, null, true, style);
  return `${text.length > longestKey ? '? ' : ''}${text}: ${flowText(value, [...mapPath, key], style)}`;
}

function blanks(count: number): string {
  return ' '.repeat(count);
}

/** Keys from the root of the file; `*` for an item of a list. */
export type StylePath = readonly string[];

/** How new text looks. */
export interface PrintStyle {
  /** Columns from a mapping to the mapping or the text below one of its keys. */
  readonly indent: number;
  /** Columns from a mapping to the dashes of a list below one of its keys. */
  readonly listIndent: number;
  /** A blank between braces and their content; between brackets. */
  readonly paddedMaps: boolean;
  readonly paddedLists: boolean;
  readonly quote: Quote;
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
  paddedMaps: true,
  paddedLists: false,
  quote: '"',
  width: 100,
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

/** Between brackets, a reference would need quotes. */
function isOneLine(value: WrittenValue): boolean {
  return (typeof value !== 'object' || value === null) && !(typeof value === 'string' && value.includes('\n'));
}
