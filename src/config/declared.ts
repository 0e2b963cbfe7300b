// What the files of a tenant declare, and where.
import { type Place, sourceOf } from '../diagnostics/source-text.ts';
import type { Desired } from '../model/desired.ts';
import type { FileSource } from '../model/file-source.ts';
import type { AnyKind } from '../model/kind.ts';
import { type Layering, layeredTo } from '../model/layering.ts';
import type { TenantHeader } from '../model/tenant.generated.ts';
import { jsonPointer, memberOf, pointerPath, valueAt } from '../values/json-pointer.ts';
import { keyPlace, locate, type YamlFile } from './yaml/yaml-file.ts';

/** A value in a file, by the JSON pointer from the file's root. */
export interface FilePlace {
  readonly file: YamlFile;
  readonly pointer: string;
}

/** An item of a section and where it is declared. */
export interface Declared {
  readonly key: string;
  /** In the order in which they apply: of a value that several have, the last one counts. */
  readonly places: readonly [FilePlace, ...FilePlace[]];
  /** The field that names it; null if its own key in a mapping does. */
  readonly named: string | null;
  readonly layering: Layering;
  readonly value: unknown;
}

const byField = layeredTo(1);

export function layeringOf({ layering }: Pick<AnyKind, 'layering'>, key: string): Layering {
  return layering?.(key) ?? byField;
}

/** `invalid`: members with errors, by section; '' is the section itself. */
export function declaredIn(
  file: YamlFile,
  kind: AnyKind,
  invalid: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Declared[] {
  const { name, keyOf, identity, isSingle } = kind;
  const section = memberOf(file.value, name);
  const faulty = invalid.get(name) ?? new Set();
  if (typeof section !== 'object' || section === null || faulty.has('')) return [];
  if (isSingle) {
    const places = [{ file, pointer: jsonPointer(name) }] as const;
    return faulty.size > 0
      ? []
      : [{ key: name, places, named: null, layering: layeringOf(kind, name), value: section }];
  }
  return Object.entries(section)
    .filter(([member]) => !faulty.has(member))
    .map(([member, value]: [string, unknown]) => ({
      key: keyOf(value, member),
      places: [{ file, pointer: jsonPointer(name, member) }],
      named: identity.findLast((field) => memberOf(value, field) !== undefined) ?? null,
      layering: layeringOf(kind, keyOf(value, member)),
      value,
    }));
}

/** Where the value at a pointer below an item is declared. One that is not declared is at the last place of the item. */
export function placeBelow({ places, layering, value }: Declared, below: string): FilePlace {
  const path = pointerPath(below);
  const complete = path.findIndex((_name, index) => layering(path.slice(0, index), value) === null);
  const own = jsonPointer(...(complete < 0 ? path : path.slice(0, complete)));
  const has = ({ file, pointer }: FilePlace) => valueAt(file.value, pointer + own) !== undefined;
  const { file, pointer } = places.findLast(has) ?? places.at(-1) ?? places[0];
  return { file, pointer: pointer + below };
}

/** A section as the files declare it, without repeated identities and invalid items. */
export interface JoinedSection {
  readonly kind: AnyKind;
  readonly declared: readonly Declared[];
  /** The section's key in the first file that has it. */
  readonly place: Place;
  /** The index of the layer that a file belongs to. */
  layerOf(file: YamlFile): number;
}

/** What names an item in the files: a value, or its key in a mapping. Patterns of `protect` are matched against it. */
export function nameOf({ key, named, value }: Declared): string {
  return named === null ? key : String(memberOf(value, named));
}

/** What names an item: a value, or the item's own key in a mapping. */
export function namePlace(item: Declared): Place {
  const { file, pointer } = placeBelow(item, item.named === null ? '' : jsonPointer(item.named));
  return item.named === null ? keyPlace(file, pointer) : locate(file, pointer).value;
}

/** A header and the file that has it. */
export interface HeaderInFile {
  readonly tenant: TenantHeader;
  readonly file: YamlFile;
}

/** The header of a tenant, and where its values are. The value counts only if no error was reported. */
export interface JoinedHeader {
  readonly tenant: TenantHeader;
  /** The file that the last layer with a header has it in. */
  readonly file: YamlFile | null;
  /** Where the value at a pointer below the header is written; null if there is no header. */
  readonly placeOf: (pointer: string) => FilePlace | null;
}

/** The header of the desired state; what the project says of a tenant replaces what its files say. */
export function desiredHeader(
  { tenant, placeOf }: JoinedHeader,
  entry: FileSource['entry'],
): Omit<Desired, 'sections'> {
  const codes = tenant.approvals ?? [];
  const inProject = new Map(
    entry?.approvals.map(({ source }, index) => [jsonPointer('approvals', codes.length + index), source]),
  );
  if (entry?.stateAt !== undefined) inProject.set('/state', entry.stateAt);
  const tenantAt = (pointer: string) => {
    const own = inProject.get(pointer);
    if (own !== undefined) return own;
    if (entry !== undefined && valueAt(entry.values, pointer) !== undefined) return entry.source;
    const place = placeOf(pointer);
    if (place === null) return entry?.source;
    const { key, value } = locate(place.file, place.pointer);
    return sourceOf(pointer === '' ? (key ?? value) : value);
  };
  const approvals = [...codes, ...(entry?.approvals ?? []).map(({ code }) => code)];
  const header = { ...tenant, ...entry?.values, ...(approvals.length > 0 && { approvals }) };
  return { tenant: header, tenantAt, ofProject: entry !== undefined };
}
