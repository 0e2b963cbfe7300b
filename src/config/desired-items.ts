import { type SourceText, sourceOf } from '../diagnostics/source-text.ts';
import type { WrittenItem, WrittenPlace } from '../model/desired.ts';
import type { Source } from '../model/diagnostic.ts';
import type { AnyKind, DesiredItem, ItemState } from '../model/kind.ts';
import { isRecord } from '../values/is-record.ts';
import { memberOf, valueAt, withValuesAt } from '../values/json-pointer.ts';
import { memoizedByObject } from '../values/memoized.ts';
import { type Declared, type FilePlace, type JoinedSection, placeBelow } from './declared.ts';
import type { Resolve } from './files/file-reference.ts';
import { locate } from './yaml/yaml-file.ts';

/**
 * The items of a section, with references to files replaced by their texts. An item without one of its texts is left
 * out.
 */
export async function resolveItems(
  { kind, declared }: JoinedSection,
  resolve: Resolve,
): Promise<readonly WrittenItem[]> {
  const items: WrittenItem[] = [];
  for (const one of declared) {
    const { stated, pointers, item } = plainItem(kind)(one);
    if (item !== null) items.push(item);
    else {
      const texts = await textsOf(one, pointers, resolve);
      if (texts.size === pointers.length) items.push(writtenItem(kind, one, stated, texts));
    }
  }
  return items;
}

/** An item that refers to no file is the same for every tenant that shares its file. */
const plainItem = memoizedByObject((kind: AnyKind) =>
  memoizedByObject((declared: Declared) => {
    const stated = statedValue(declared.value, kind);
    const pointers = kind.fileReferences?.(stated) ?? [];
    return { stated, pointers, item: pointers.length === 0 ? writtenItem(kind, declared, stated, new Map()) : null };
  }),
);

function writtenItem(kind: AnyKind, declared: Declared, stated: unknown, texts: Texts): WrittenItem {
  const each = <Of>(part: (text: SourceText) => Of) => new Map([...texts].map(([at, text]) => [at, part(text)]));
  const value = withValuesAt(
    stated,
    each(({ text }) => text),
  );
  const item = desiredItem(kind, declared, value, texts);
  return { kind, item, places: declared.places.map(writtenPlace), value, texts: each(({ file }) => file) };
}

/** Texts of other files, by the pointer from the item to where they belong. */
type Texts = ReadonlyMap<string, SourceText>;

async function textsOf(declared: Declared, pointers: readonly string[], resolve: Resolve): Promise<Texts> {
  const texts = new Map<string, SourceText>();
  for (const pointer of pointers) {
    const text = await resolve(placeBelow(declared, `${pointer}/file`));
    if (text !== null) texts.set(pointer, text);
  }
  return texts;
}

function desiredItem(kind: AnyKind, declared: Declared, written: unknown, texts: Texts): DesiredItem {
  const { renamedFrom, own } = withoutOldName(written);
  const canonical = kind.canonical?.(own) ?? { value: own, writtenAt: (pointer: string) => pointer };
  const at = (pointer: string): Source => {
    const below = canonical.writtenAt(pointer);
    const text = texts.get(below);
    if (text !== undefined) return { file: text.file, line: 1, column: 1 };
    return sourceBelow(placeBelow(declared, below), below);
  };
  const state = stateOf(declared.value);
  return { key: declared.key, state, ...(renamedFrom !== undefined && { renamedFrom }), value: canonical.value, at };
}

/** Where a value is that is at `below` in its item. A mapping that has a name starts with it. */
function sourceBelow({ file, pointer }: FilePlace, below: string): Source {
  const { key, value } = locate(file, pointer);
  const isNamed = below === '' || isRecord(valueAt(file.value, pointer));
  return sourceOf(isNamed ? (key ?? value) : value);
}

function writtenPlace({ file, pointer }: FilePlace): WrittenPlace {
  return {
    file: file.source.file,
    pointer,
    get value() {
      return valueAt(file.value, pointer);
    },
    at: (below) => sourceBelow({ file, pointer: pointer + below }, below),
  };
}

/** The name that an item is renamed from, and the rest of the item. */
export function withoutOldName(item: unknown): { readonly renamedFrom?: string; readonly own: unknown } {
  if (!isRecord(item)) return { own: item };
  const { renamed_from: renamedFrom, ...own } = item;
  return typeof renamedFrom === 'string' ? { renamedFrom, own } : { own: item };
}

/** What an item can say of itself, for every kind. */
const flags = ['unmanaged', 'absent'] as const;

export function stateOf(item: unknown): ItemState {
  return flags.find((flag) => memberOf(item, flag) === true) ?? 'present';
}

/** The item without its flags; of an item that is not present, what identifies it. */
function statedValue(item: unknown, { identity }: Pick<AnyKind, 'identity'>): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const isPresent = stateOf(item) === 'present';
  if (isPresent && !flags.some((flag) => Object.hasOwn(item, flag))) return item;
  const keeps = (name: string) => (isPresent ? !flags.some((flag) => flag === name) : identity.includes(name));
  return Object.fromEntries(Object.entries(item).filter(([name]) => keeps(name)));
}
