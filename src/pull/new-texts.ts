// From changes of items to texts of files. Pure: files come as texts and leave as texts.

import { diffValues } from '../edit/diff-values.ts';
import { editYaml } from '../edit/edit-yaml.ts';
import type { Edit } from '../edit/edits.ts';
import { type HeaderEdits, headerEdits } from '../edit/header-edits.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { readWritten } from '../edit/read-written.ts';
import { isList, isMapping, type WrittenValue } from '../edit/written-value.ts';
import type { WrittenFiles, WrittenItem } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import type { AnyKind } from '../model/kind.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer, pointerPath, valueAt } from '../values/json-pointer.ts';
import { compareText } from '../values/text-order.ts';
import type { ItemChange } from './item-changes.ts';
import { indexOfItem, openPlaces } from './place-items.ts';
import { literal, replacedAt, rewritten, withSecrets } from './rewrite-value.ts';
import {
  agreedTexts,
  type IsTaken,
  type Neighbour,
  openTextFiles,
  type TextFiles,
  type TextOfItem,
} from './text-files.ts';

export interface NewTextsInput {
  readonly written: WrittenFiles;
  readonly changes: readonly ItemChange[];
  /** Patterns to add under `protect`, by kind. */
  readonly protect: ReadonlyMap<string, readonly string[]>;
  /** Kinds of which undeclared items are ignored from now on. */
  readonly ignored: readonly string[];
  readonly isTaken: IsTaken;
  /** Kinds that have a section. */
  readonly sections: ReadonlySet<string>;
}

export interface NewTexts {
  /** Texts of YAML files that change, and of new ones, without their schema comment. */
  readonly yaml: ReadonlyMap<string, string>;
  /** Texts of other files. */
  readonly texts: ReadonlyMap<string, string>;
  /** The edits of each file that exists. */
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
}

/** A change of a declared item as its file writes it. */
interface WrittenChange {
  readonly item: WrittenItem;
  readonly before: WrittenValue;
  after: WrittenValue;
}

export function newTexts(input: NewTextsInput): NewTexts {
  const { written, changes, protect, ignored, isTaken } = input;
  const roots = openRoots(written);
  const files = openTextFiles(isTaken);
  const edits = new Map<string, Edit[]>();
  const edit = (file: string, ...some: readonly Edit[]) => {
    const known = edits.get(file);
    if (known === undefined) edits.set(file, [...some]);
    else known.push(...some);
  };

  const { edited, texts } = writtenChanges(changes, roots, files, written);
  const partNames = new Map(changes.map(({ kind }) => [kind.name, kind.pull?.partName]));
  for (const { item, before, after } of edited) {
    const identity = partNames.get(item.kind.name);
    edit(item.file, ...diffValues(before, after, { pointer: item.pointer, ...(identity && { identity }) }));
  }
  for (const one of changes)
    if (one.change === 'remove') edit(one.item.file, { op: 'delete', pointer: one.item.pointer });

  const yaml = new Map<string, string>();
  for (const [kind, added] of groupBy(changes, ({ kind: of }) => of)) {
    const { inserts, files: created } = insertsOf(kind, added, input, files);
    for (const [file, insert] of inserts) edit(file, insert);
    for (const [file, text] of created) yaml.set(file, text);
  }
  const rules: HeaderEdits =
    protect.size + ignored.length === 0
      ? { edits: [], create: null }
      : headerEdits(written, isTaken, (header) => ({
          ...header,
          ...(protect.size > 0 && { protect: withPatterns(header['protect'], protect) }),
          ...(ignored.length > 0 && { undeclared: withIgnored(header['undeclared'], ignored) }),
        }));
  if (rules.create !== null) yaml.set(rules.create.file, rules.create.text);
  for (const [file, change] of rules.edits) edit(file, ...change);

  for (const [file, some] of edits) {
    if (some.length === 0) continue;
    const before = written.yaml.get(file);
    if (before === undefined) throw new InternalError(`${file} is edited but was not read`);
    const after = editYaml(before, some);
    if (after !== before) yaml.set(file, after);
  }
  return { yaml, texts: new Map([...texts, ...files.texts]), edits };
}

type Roots = (file: string) => WrittenValue;

function openRoots({ yaml }: WrittenFiles): Roots {
  const known = new Map<string, WrittenValue>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const root = readWritten(yaml.get(file) ?? '');
    if (root === null) throw new InternalError(`${file} was loaded but cannot be parsed`);
    known.set(file, root);
    return root;
  };
}

/** The written values of edited items, and the texts of files that change. */
function writtenChanges(
  changes: readonly ItemChange[],
  roots: Roots,
  files: TextFiles,
  written: WrittenFiles,
): { readonly edited: readonly WrittenChange[]; readonly texts: ReadonlyMap<string, string> } {
  const edited = new Map<WrittenItem, WrittenChange>();
  const changedTexts: TextOfItem[] = [];
  for (const change of changes) {
    if (change.change !== 'edit') continue;
    const { item, value, kind } = change;
    const before = valueAt(roots(item.file), item.pointer) as WrittenValue;
    const names = new Map((kind.pull?.files?.(value, change.key) ?? []).map(({ pointer, path }) => [pointer, path]));
    const isFileText = (pointer: string) => names.has(pointer);
    const { value: after, texts } = rewritten(before, item.value, value, item.texts, isFileText);
    for (const { pointer, text } of texts) changedTexts.push({ item, pointer, text, path: names.get(pointer) ?? '' });
    const withNewFiles = withOwnFiles(change, after, files, neighbourOf(item, written.items));
    edited.set(item, { item, before, after: withSecrets(withNewFiles, kind.pull?.secrets?.(value) ?? []) });
  }
  const { agreed, own } = agreedTexts(changedTexts, written);
  for (const { item, pointer, text, path } of own) {
    const change = edited.get(item);
    if (change === undefined) continue;
    const reference = files.add(item.file, { pointer, path }, text, { key: '', path: item.texts.get(pointer) ?? '' });
    change.after = replacedAt(change.after, pointerPath(pointer), () => reference);
  }
  return { edited: [...edited.values()], texts: agreed };
}

/** Whether an item has texts that could be in files. */
function hasTexts({ kind, value, item }: WrittenItem): boolean {
  return (kind.pull?.files?.(value, item.key) ?? []).length > 0;
}

function fileOf({ item: { key }, texts }: WrittenItem): Neighbour[] {
  return [...texts.values()].map((path) => ({ key, path }));
}

/** A file of the item, or else of another item of its kind; null if they have their texts inline. */
function neighbourOf(item: WrittenItem, items: readonly WrittenItem[]): Neighbour | null | undefined {
  const [own] = fileOf(item);
  if (own !== undefined) return own;
  if (hasTexts(item)) return undefined;
  const others = items.filter(({ kind }) => kind === item.kind);
  const [other] = others.flatMap(fileOf);
  return other ?? (others.some(hasTexts) ? undefined : null);
}

/** New texts of an item go into files where its other texts are. `neighbour` is undefined if they are inline. */
function withOwnFiles(
  { item, value, kind, key }: ItemChange & { readonly change: 'edit' },
  after: WrittenValue,
  files: TextFiles,
  neighbour: Neighbour | null | undefined,
): WrittenValue {
  if (neighbour === undefined) return after;
  let result = after;
  for (const file of kind.pull?.files?.(value, key) ?? []) {
    const text = valueAt(value, file.pointer);
    if (valueAt(item.value, file.pointer) !== undefined || typeof text !== 'string') continue;
    const reference = files.add(item.file, file, text, neighbour);
    result = replacedAt(result, pointerPath(file.pointer), () => reference);
  }
  return result;
}

interface Inserts {
  readonly inserts: readonly (readonly [file: string, insert: Edit])[];
  readonly files: ReadonlyMap<string, string>;
}

/** New items of a kind: beside the declared ones, or in a file of their own. */
function insertsOf(
  kind: AnyKind,
  changes: readonly ItemChange[],
  { written, sections, isTaken }: NewTextsInput,
  files: TextFiles,
): Inserts {
  const added = changes.filter((change) => change.change === 'add');
  if (added.length === 0) return { inserts: [], files: new Map() };
  const removed = new Set(changes.flatMap((change) => (change.change === 'remove' ? [change.item] : [])));
  const items = written.items.filter((item) => item.kind === kind && !removed.has(item));
  const isList = kind.pull?.form === 'list';
  const home = items.length > 0 ? null : emptySection(kind, written, sections);
  if (items.length === 0 && home === null) return { inserts: [], files: newFiles(kind, added, files, isTaken) };
  const placeOf = openPlaces(items);
  const [textFile] = items.flatMap(fileOf);
  const neighbour = textFile ?? (items.some(hasTexts) ? undefined : null);
  const inserts = added.map(({ key, value }): [string, Edit] => {
    const { file, after } = placeOf(key) ?? { file: home ?? '', after: null };
    const content = newValue(kind, { key, value }, file, files, neighbour);
    const pointer = jsonPointer(kind.name);
    return isList
      ? [file, { op: 'insert', pointer, after: after === null ? null : indexOfItem(after), value: content }]
      : [file, { op: 'insert', pointer, key, after: after === null ? null : after.item.key, value: content }];
  });
  return { inserts, files: new Map() };
}

/** The file with a section of the kind that has no items, such as `event_streams: []`. */
function emptySection({ name }: AnyKind, { yaml }: WrittenFiles, sections: ReadonlySet<string>): string | null {
  if (!sections.has(name)) return null;
  for (const [file, text] of yaml) {
    const root = readWritten(text);
    if (root !== null && isMapping(root) && Object.hasOwn(root, name)) return file;
  }
  return null;
}

function newValue(
  kind: AnyKind,
  { key, value }: { readonly key: string; readonly value: unknown },
  from: string,
  files: TextFiles,
  neighbour: Neighbour | null | undefined,
): WrittenValue {
  const { pull } = kind;
  const texts = neighbour === undefined ? [] : (pull?.files?.(value, key) ?? []);
  const withFiles = texts.reduce((result, file) => {
    const text = valueAt(value, file.pointer);
    if (typeof text !== 'string') return result;
    const reference = files.add(from, file, text, neighbour ?? null);
    return replacedAt(result, pointerPath(file.pointer), () => reference);
  }, literal(value));
  return withSecrets(withFiles, pull?.secrets?.(value) ?? []);
}

/** Columns of new lines in flow style. */
const width = 100;

/** Keys and values of one file; a file has a limit of 200,000, and of 5 MB. */
const mostNodes = 150_000;
const mostCharacters = 3_000_000;

/** A new file for a section, or several if it is long. */
function newFiles(
  kind: AnyKind,
  added: readonly (ItemChange & { readonly change: 'add' })[],
  files: TextFiles,
  isTaken: IsTaken,
): ReadonlyMap<string, string> {
  const stem = kind.name.replaceAll('_', '-');
  const parts: (readonly [key: string, value: WrittenValue])[][] = [[]];
  let nodes = 0;
  let characters = 0;
  const nameOf = (index: number) => `${stem}${index === 0 ? '' : `-${index + 1}`}.yaml`;
  for (const { key, value } of added) {
    const content = newValue(kind, { key, value }, nameOf(parts.length - 1), files, null);
    const size = JSON.stringify(value).length;
    const count = countNodes(content);
    if (nodes > 0 && (nodes + count > mostNodes || characters + size > mostCharacters)) {
      parts.push([]);
      nodes = 0;
      characters = 0;
    }
    nodes += count;
    characters += size;
    parts.at(-1)?.push([key, content]);
  }
  const created = new Map<string, string>();
  let index = 0;
  for (const part of parts) {
    const section = kind.pull?.form === 'list' ? part.map(([, value]) => value) : Object.fromEntries(part);
    const text = printYaml({ [kind.name]: section }, { width });
    while (isTaken(nameOf(index), text)) index += 1;
    created.set(nameOf(index), text);
    index += 1;
  }
  return created;
}

function countNodes(value: WrittenValue): number {
  if (typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((count, member) => count + 1 + countNodes(member as WrittenValue), 1);
}

/** A rule that is written stays. */
function withIgnored(rules: WrittenValue | undefined, ignored: readonly string[]): WrittenValue {
  const known = rules !== undefined && isMapping(rules) ? rules : {};
  return { ...Object.fromEntries(ignored.map((kind) => [kind, 'ignore'])), ...known };
}

function withPatterns(rules: WrittenValue | undefined, protect: NewTextsInput['protect']): WrittenValue {
  const known = rules !== undefined && isMapping(rules) ? rules : {};
  const changed = [...protect]
    .sort(([left], [right]) => compareText(left, right))
    .map(([kind, patterns]): [string, WrittenValue] => {
      const list = known[kind];
      return [kind, [...(list !== undefined && isList(list) ? list : []), ...patterns]];
    });
  return { ...known, ...Object.fromEntries(changed) };
}
