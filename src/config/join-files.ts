// Sections of all files become one section for each kind. The files are sorted, so the first of two items with one
// identity is the same on every machine.

import { type Place, placeText } from '../diagnostics/source-text.ts';
import type { AnyKind, DeclaredEntry } from '../model/kind.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, valueAt } from '../values/json-pointer.ts';
import type { Declared } from './desired-items.ts';
import { lookalikeProblem } from './errors/lookalike-name.ts';
import type { Report } from './errors/problem.ts';
import { type ValidatedFile, validSection } from './validate-file.ts';
import { asWritten, keyPlace, locate, type YamlFile } from './yaml/yaml-file.ts';

/** A section as the files declare it, without repeated identities and invalid items. */
export interface JoinedSection {
  readonly kind: AnyKind;
  readonly declared: readonly Declared[];
  /** The section's key in the first file that has it. */
  readonly place: Place;
}

export function joinSections(
  files: readonly ValidatedFile[],
  kinds: readonly AnyKind[],
  report: Report,
): readonly JoinedSection[] {
  return kinds.flatMap((kind) => {
    const first = files.find(({ file }) => Object.hasOwn(file.value, kind.name));
    if (first === undefined) return [];
    const declared = withoutRepeats(
      files.flatMap((validated) => declaredIn(validated, kind)),
      kind,
      report,
    );
    for (const item of declared) {
      const lookalike = lookalikeProblem(nameOf(item));
      if (lookalike !== null) report({ ...lookalike, at: namePlace(item) });
    }
    return [{ kind, declared, place: keyPlace(first.file, jsonPointer(kind.name)) }];
  });
}

function declaredIn(validated: ValidatedFile, kind: AnyKind): readonly Declared[] {
  const valid = validSection(validated, kind.name);
  if (valid === null) return [];
  const section = jsonPointer(kind.name);
  const inFile = (pointer: string) =>
    section + (valid.indexes === null ? pointer : movedPointer(pointer, valid.indexes));
  return kind.entries(valid.value).map((entry: DeclaredEntry) => ({
    file: validated.file,
    key: entry.key,
    pointer: inFile(entry.pointer),
    keyPointer: inFile(entry.keyPointer),
    value: valueAt(valid.value, entry.pointer),
  }));
}

function movedPointer(pointer: string, indexes: readonly number[]): string {
  return pointer.replace(/^\/(\d+)/, (_whole, index: string) => `/${indexes[Number(index)]}`);
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

/** The key with references instead of their values, which must not be shown. Keys of a mapping have no references. */
function writtenKey(kind: AnyKind, item: Declared): string {
  if (item.file.written.size === 0 || item.keyPointer === item.pointer) return item.key;
  const entries: readonly DeclaredEntry[] = kind.entries([asWritten(item.file, item.pointer, item.value)]);
  return entries.map(({ key }) => key).join();
}

/** What names an item in the files: a value, or its key in a mapping. Patterns of `protect` are matched against it. */
export function nameOf({ key, keyPointer, pointer, value }: Declared): string {
  return keyPointer === pointer ? key : String(valueAt(value, keyPointer.slice(pointer.length)));
}

/** What names an item: a value, or the item's own key in a mapping. */
function namePlace(item: Declared): Place {
  return item.keyPointer === item.pointer
    ? keyPlace(item.file, item.keyPointer)
    : locate(item.file, item.keyPointer).value;
}

function repeated(section: string, first: Place, second: Place, key: string) {
  return {
    code: 'CONFIG_DUPLICATE_IDENTITY',
    message: `"${key}" is declared twice in ${section}: at ${placeText(first)} and at ${placeText(second)}. An identity can be declared only once.`,
    hint: 'delete one of the two',
    at: second,
  } as const;
}

const header = 'tenant';

/** The one header of a folder and the file that has it. The value counts only if no error was reported. */
export interface JoinedHeader {
  readonly tenant: TenantHeader;
  readonly file: YamlFile | null;
}

export function joinHeaders(files: readonly ValidatedFile[], report: Report): JoinedHeader {
  const [first, ...others] = files.map(({ file }) => file).filter((file) => Object.hasOwn(file.value, header));
  if (first === undefined) return { tenant: {}, file: null };
  const place = keyPlace(first, jsonPointer(header));
  for (const other of others) {
    const second = keyPlace(other, jsonPointer(header));
    report({
      ...repeated('the folder', place, second, header),
      message: `The header "${header}" is declared twice: at ${placeText(place)} and at ${placeText(second)}. A tenant folder has one header.`,
    });
  }
  // Validated by the schema that the type is generated from.
  return { tenant: first.value[header] as TenantHeader, file: first };
}
