import type { Source } from '../model/diagnostic.ts';
import type { SourceText } from './source-text.ts';

/** The place of an offset. */
export function placeOf(source: SourceText, offset: number): Source {
  const starts = source.lineStarts();
  const line = lineAt(starts, offset);
  return { file: source.file, line, column: offset - (starts[line - 1] ?? 0) + 1 };
}

/** The offset of a place. */
export function offsetOf(source: SourceText, place: Source): number {
  return (source.lineStarts()[place.line - 1] ?? 0) + place.column - 1;
}

/** The last line that starts at or before the offset, counted from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
