import { placeOf } from '../diagnostics/place-of.ts';
import type { SourceText } from '../diagnostics/source-text.ts';
import type { Source } from '../model/diagnostic.ts';
import type { DesiredItem } from '../model/kind.ts';
import { locate, pointerSegment } from './locate.ts';
import type { YamlFile } from './yaml-file.ts';

/** An item of a section in the file that declares it. Pointers go from the file's root. */
export interface Declared {
  readonly file: YamlFile;
  readonly key: string;
  readonly pointer: string;
  readonly keyPointer: string;
  readonly value: unknown;
}

/** Texts from other files, by the pointer from the item to where they belong. */
export type Texts = ReadonlyMap<string, SourceText>;

export function desiredItem(declared: Declared, value: unknown, texts: Texts | null): DesiredItem {
  const at = (pointer: string): Source => {
    const text = texts?.get(pointer);
    if (text !== undefined) return { file: text.file, line: 1, column: 1 };
    const found = locate(declared.file, declared.pointer + pointer);
    // A member of a mapping starts with its key.
    const place = pointer === '' ? (found.key ?? found.value) : found.value;
    return placeOf(place.source, place.start);
  };
  return { key: declared.key, value, at };
}

/** The value with another one at a pointer. Nothing is changed in place: whoever holds the value keeps what they have. */
export function withValueAt(value: unknown, segments: readonly string[], replacement: unknown): unknown {
  const [segment, ...rest] = segments;
  if (segment === undefined) return replacement;
  const member = (value as Readonly<Record<string, unknown>>)[segment];
  const changed = withValueAt(member, rest, replacement);
  return Array.isArray(value) ? value.with(Number(segment), changed) : { ...(value as object), [segment]: changed };
}

export function sectionPointer(section: string): string {
  return `/${pointerSegment(section)}`;
}
