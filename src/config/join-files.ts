// Sections of all files become one section for each kind. The files are sorted, so the first of two items with one
// identity is the same on every machine.

import { type Place, placeText } from '../diagnostics/source-text.ts';
import type { AnyKind } from '../model/kind.ts';
import { idPrefix } from '../model/names.ts';
import { groupBy } from '../values/group-by.ts';
import { isRecord } from '../values/is-record.ts';
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import {
  type Declared,
  type HeaderInFile,
  type JoinedHeader,
  type JoinedSection,
  nameOf,
  namePlace,
  placeBelow,
} from './declared.ts';
import type { Report } from './errors/problem.ts';
import { mergedHeader, mergedItems } from './merge-layers.ts';
import type { ValidatedFile } from './validate-file.ts';
import { asWritten, keyPlace, type YamlFile } from './yaml/yaml-file.ts';

export function joinSections(
  files: readonly ValidatedFile[],
  kinds: readonly AnyKind[],
  report: Report,
): readonly JoinedSection[] {
  return kinds.flatMap((kind) => {
    const first = files.find(({ file }) => Object.hasOwn(file.value, kind.name));
    if (first === undefined) return [];
    const byLayer = [...groupBy(files, ({ layer }) => layer).values()];
    const layers = byLayer.map((ofLayer) =>
      withoutRepeats(
        ofLayer.flatMap(({ declared }) => declared(kind)),
        kind,
        report,
      ),
    );
    const declaring = layers.findIndex((items) => items.length > 0);
    for (const [index, ofLayer] of byLayer.entries())
      if (index > declaring && declaring >= 0 && layers[index]?.length === 0) reportEmpty(ofLayer, kind, report);
    const declared = mergedItems(layers, report);
    for (const item of declared) {
      if (looksLikeAnother(nameOf(item))) report({ ...lookalike, at: namePlace(item) });
      if (kind.naming?.isUnique === false && looksLikeId(item)) report({ ...likeAnId, at: namePlace(item) });
    }
    const layerOf = (file: YamlFile) => files.find((one) => one.file === file)?.layer ?? 0;
    return [{ kind, declared, place: keyPlace(first.file, jsonPointer(kind.name)), layerOf }];
  });
}

/** An empty section removes nothing that earlier layers declare. */
function reportEmpty(files: readonly ValidatedFile[], { name }: AnyKind, report: Report): void {
  for (const { file } of files) {
    const value = Object.hasOwn(file.value, name) ? file.value[name] : undefined;
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) continue;
    report({
      code: 'CONFIG_LAYER_EMPTY',
      severity: 'warning',
      message: `The empty section "${name}" removes nothing: what earlier layers declare stays.`,
      hint: 'delete the section; to delete an item, declare it with "absent: true"',
      at: keyPlace(file, jsonPointer(name)),
    });
  }
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
  const { file, pointer } = placeBelow(item, '');
  return item.named === null ? item.key : kind.keyOf(asWritten(file, pointer, item.value), '');
}

function repeated(section: string, first: Place, second: Place, key: string) {
  return {
    code: 'CONFIG_DUPLICATE_IDENTITY',
    message: `"${key}" is declared twice in ${section}: at ${placeText(first)} and at ${placeText(second)}. An identity can be declared only once.`,
    hint: 'delete one of the two',
    at: second,
  } as const;
}

/** Most names: no other name looks the same. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Format characters, and those that choose between two forms of a letter or are shown as nothing. */
const invisibleCharacter = /\p{Cf}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/u;

/** In UTF-16 units. */
const longestName = 1000;

/**
 * Two names that look the same must be the same, or an item that a reviewer takes for a declared one is another. The
 * text does not show the name: it may come from a variable, and the excerpt shows its place.
 */
function looksLikeAnother(name: string): boolean {
  if (plain.test(name)) return false;
  // Normalization takes a time that grows with the square of the length.
  const isShown = name.length <= longestName && !invisibleCharacter.test(name) && name.trim() === name;
  return !isShown || name.normalize('NFC') !== name;
}

const lookalike = {
  code: 'CONFIG_LOOKALIKE_NAME',
  message: `This name may look like another one: it has an invisible character, a blank at its start or end, letters that are not composed (Unicode NFC), or more than ${longestName} characters.`,
  hint: 'type the name again, without blanks around it',
} as const;

/** Where several items can have one name, the key of one that is declared by its id begins like this. */
function looksLikeId({ key, value }: Declared): boolean {
  return key.startsWith(idPrefix) && memberOf(value, 'id') === undefined;
}

const likeAnId = {
  code: 'CONFIG_BAD_FORMAT',
  message: `A name does not begin with "${idPrefix}", which would be an id.`,
  hint: 'write { id: … } in place of the name, or beside it',
} as const;

const header = 'tenant';

export function joinHeaders(files: readonly ValidatedFile[], report: Report): JoinedHeader {
  const headers = [...groupBy(files, ({ layer }) => layer).values()].flatMap((layer) => headerOf(layer, report) ?? []);
  return { file: headers.at(-1)?.file ?? null, ...mergedHeader(headers) };
}

function headerOf(files: readonly ValidatedFile[], report: Report): HeaderInFile | null {
  const [first, ...others] = files.map(({ file }) => file).filter((file) => Object.hasOwn(file.value, header));
  if (first === undefined) return null;
  const place = keyPlace(first, jsonPointer(header));
  for (const other of others) {
    const second = keyPlace(other, jsonPointer(header));
    report({
      ...repeated('the folder', place, second, header),
      message: `The header "${header}" is declared twice: at ${placeText(place)} and at ${placeText(second)}. A tenant folder has one header.`,
    });
  }
  // Validated by the schema that the type is generated from.
  const tenant = first.value[header];
  return { tenant: isRecord(tenant) ? tenant : {}, file: first };
}
