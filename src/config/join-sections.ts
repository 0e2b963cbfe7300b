// Sections of all files become one section for each kind. The files are in order, so the first of two items with one identity
// is the same on every machine, and both places are named.
import { placeOf } from '../diagnostics/place-of.ts';
import type { AnyKind, DeclaredEntry } from '../model/kind.ts';
import { asWritten } from './as-written.ts';
import type { Declared } from './desired-item.ts';
import { sectionPointer } from './desired-item.ts';
import type { Place, Report } from './fault.ts';
import { type JudgedFile, soundSection } from './judge-file.ts';
import { locate, segmentsOf } from './locate.ts';
import { memberOf } from './member-of.ts';

/** A section as the files declare it, without repeated identities and broken items. */
export interface JoinedSection {
  readonly kind: AnyKind;
  readonly declared: readonly Declared[];
  /** The section's key in the first file that has it. */
  readonly place: Place;
}

export function joinSections(
  files: readonly JudgedFile[],
  kinds: readonly AnyKind[],
  report: Report,
): readonly JoinedSection[] {
  return kinds.flatMap((kind) => {
    const first = files.find(({ file }) => Object.hasOwn(file.value, kind.name));
    if (first === undefined) return [];
    const declared = withoutRepeats(
      files.flatMap((judged) => declaredIn(judged, kind)),
      kind,
      report,
    );
    return [{ kind, declared, place: keyPlace(first.file, sectionPointer(kind.name)) }];
  });
}

function declaredIn(judged: JudgedFile, kind: AnyKind): readonly Declared[] {
  const sound = soundSection(judged, kind.name);
  if (sound === null) return [];
  const section = sectionPointer(kind.name);
  const inFile = (pointer: string) =>
    section + (sound.indexes === null ? pointer : movedPointer(pointer, sound.indexes));
  return kind.entries(sound.value).map((entry: DeclaredEntry) => ({
    file: judged.file,
    key: entry.key,
    pointer: inFile(entry.pointer),
    keyPointer: inFile(entry.keyPointer),
    value: valueAt(sound.value, entry.pointer),
  }));
}

function movedPointer(pointer: string, indexes: readonly number[]): string {
  return pointer.replace(/^\/(\d+)/, (_whole, index: string) => `/${indexes[Number(index)]}`);
}

function valueAt(value: unknown, pointer: string): unknown {
  return segmentsOf(pointer).reduce(memberOf, value);
}

function withoutRepeats(declared: readonly Declared[], kind: AnyKind, report: Report): readonly Declared[] {
  const firsts = new Map<string, Declared>();
  return declared.filter((item) => {
    const first = firsts.get(item.key);
    if (first === undefined) {
      firsts.set(item.key, item);
      return true;
    }
    report(repeated(kind.name, namePlace(first), namePlace(item), writtenKey(kind, item)));
    return false;
  });
}

/** The key with references in it instead of what they stand for, which must not show. Keys of a mapping hold none. */
function writtenKey(kind: AnyKind, item: Declared): string {
  if (item.file.written.size === 0 || item.keyPointer === item.pointer) return item.key;
  const entries: readonly DeclaredEntry[] = kind.entries([asWritten(item.file, item.pointer, item.value)]);
  return entries.map(({ key }) => key).join();
}

/** What names an item: a value, or the item's own key in a mapping. */
function namePlace(item: Declared): Place {
  return item.keyPointer === item.pointer
    ? keyPlace(item.file, item.keyPointer)
    : locate(item.file, item.keyPointer).value;
}

export function keyPlace(file: JudgedFile['file'], pointer: string): Place {
  const { key, value } = locate(file, pointer);
  return key ?? value;
}

export function repeated(section: string, first: Place, second: Place, key: string) {
  return {
    code: 'CONFIG_DUPLICATE_IDENTITY',
    message: `"${key}" is declared twice in ${section}: at ${told(first)} and at ${told(second)}. An identity may be declared once in all files of a folder.`,
    hint: 'keep one of the two',
    at: second,
  } as const;
}

export function told(place: Place): string {
  const { file, line, column } = placeOf(place.source, place.start);
  return `${file}:${line}:${column}`;
}
