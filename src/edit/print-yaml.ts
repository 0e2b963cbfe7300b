import { InternalError } from '../model/internal-error.ts';
import {
  collectionLines,
  itemLines,
  type PrintStyle,
  pairLines,
  type StylePath,
  scalarText,
  usualStyle,
} from './print-lines.ts';
import { isList, isMapping, isScalarValue, type WrittenValue, writtenProblem } from './written-value.ts';

export interface PrintOptions {
  /** Columns of one level. */
  readonly indent?: number;
  /** Whether the dashes of a list are indented below its key. */
  readonly indentSequences?: boolean;
  /** Whether a collection that fits in one line is written in flow style. */
  readonly flow?: (value: WrittenValue, path: StylePath) => boolean;
  readonly width?: number;
  /** Levels of collections whose members are separated by a blank line: 1 is the keys of the file. */
  readonly blankLines?: number;
}

/** A value as YAML in block style, with a final line end. It reads back as the same value. */
export function printYaml(value: WrittenValue, options: PrintOptions = {}): string {
  const problem = writtenProblem(value);
  if (problem !== null)
    throw new InternalError(`A value cannot be written as YAML at "${problem.pointer}": ${problem.reason}.`);
  const { indent = 2, indentSequences = true, flow, width, blankLines = 0 } = options;
  const style: PrintStyle = {
    ...usualStyle,
    indent,
    listIndent: indentSequences ? indent : 0,
    ...(flow === undefined ? {} : { flow }),
    ...(width === undefined ? {} : { width }),
  };
  return `${separated(value, 0, [], style, blankLines).join('\n')}\n`;
}

/** Lines of a collection, with a blank line between its members on the first levels. */
function separated(value: WrittenValue, column: number, path: StylePath, style: PrintStyle, levels: number): string[] {
  if (isScalarValue(value)) return [scalarText(value, null, false, style)];
  if (Object.keys(value).length === 0) return [isList(value) ? '[]' : '{}'];
  if (levels <= 0) return collectionLines(value, column, path, style);
  const blocks = isList(value)
    ? value.map((item) => itemLines(item, column, path, style))
    : Object.entries(value).map(([key, member]) => separatedPair(key, member, column, path, style, levels));
  // A text that keeps its last blank lines would take one more for its own.
  return blocks.flatMap((lines, index) => (index === 0 || blocks[index - 1]?.at(-1) === '' ? lines : ['', ...lines]));
}

function separatedPair(
  key: string,
  value: WrittenValue,
  column: number,
  path: StylePath,
  style: PrintStyle,
  levels: number,
): string[] {
  const lines = pairLines(key, value, column, path, style);
  const [first = ''] = lines;
  const isBlock = first.endsWith(':') && (isList(value) || isMapping(value)) && lines.length > 1;
  if (!isBlock) return lines;
  const below = column + (isList(value) ? style.listIndent : style.indent);
  return [first, ...separated(value, below, [...path, key], style, levels - 1)];
}
