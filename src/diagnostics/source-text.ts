import type { Source } from '../model/diagnostic.ts';
import { firstIndex } from '../values/first-index.ts';
import { findSecrets, type TextRange } from './find-secrets.ts';

/**
 * A file's text by name. Lines and secrets are searched when they are first needed, so a file without errors never pays
 * for it.
 */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** The offset at which each line starts. */
  lineStarts(): readonly number[];
  /** Ranges that an excerpt must not show, in order and without overlap. */
  secrets(): readonly TextRange[];
  /** Adds such a range; for secrets that only a parser can find. */
  hide(start: number, end: number): void;
}

/** A half-open range of a text. */
export interface Place extends TextRange {
  readonly source: SourceText;
}

export function sourceText(file: string, text: string): SourceText {
  const hidden: TextRange[] = [];
  let starts: readonly number[] | undefined;
  let ranges: readonly TextRange[] | undefined;
  const lineStarts = () => {
    starts ??= findLineStarts(text);
    return starts;
  };
  const secrets = () => {
    ranges ??= merged([...findSecrets(text), ...userInfos(text), ...hidden]);
    return ranges;
  };
  const hide = (start: number, end: number) => {
    hidden.push({ start, end });
    ranges = undefined;
  };
  return { file, text, lineStarts, secrets, hide };
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

function merged(ranges: TextRange[]): readonly TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.sort((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (last !== undefined && range.start < last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else result.push(range);
  }
  return result;
}

/** Where a place starts, for people. */
export function sourceOf({ source, start }: Place): Source {
  return sourceAt(source, start);
}

/** `file:line:column`. */
export function placeText(place: Place): string {
  return locationText(sourceOf(place));
}

/** `policies.yaml:3:5`: a place that editors and terminals can open. */
export function locationText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** Line and column of an offset. */
export function sourceAt(source: SourceText, offset: number): Source {
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
  return Math.max(
    firstIndex(starts, (start) => start > offset),
    1,
  );
}

/** The user info of addresses. Every character is read once: a text can be made of a million of their beginnings. */
function userInfos(text: string): readonly TextRange[] {
  const addresses = text.matchAll(/(?:https?:[\\/]*|:[\\/]+)([^\s\\/?#"'][^\s/?#"']*)/gi);
  return [...addresses].flatMap(({ index, 0: all, 1: rest = '' }) => {
    const start = index + all.length - rest.length;
    const length = rest.lastIndexOf('@');
    return length > 0 ? [{ start, end: start + length }] : [];
  });
}
