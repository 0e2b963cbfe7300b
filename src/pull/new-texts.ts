// From changes of items to texts of files. Pure: files come as texts and leave as texts.

import { diffValues } from '../edit/diff-values.ts';
import { editYaml } from '../edit/edit-yaml.ts';
import type { Edit } from '../edit/edits.ts';
import { type HeaderEdits, headerEdits } from '../edit/header-edits.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { type SourceTree, sourceTree } from '../edit/source-tree.ts';
import { isList, isMapping, type WrittenValue } from '../edit/written-value.ts';
import type { WrittenFiles, WrittenItem } from '../model/desired.ts';
import { InternalError } from '../model/internal-error.ts';
import type { AnyKind } from '../model/kind.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer, memberOf, pointerPath, valueAt } from '../values/json-pointer.ts';
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
}

/** A change of a declared item as its file writes it. */
interface WrittenChange {
  readonly item: WrittenItem;
  readonly before: WrittenValue;
  after: WrittenValue;
}

/** What the changes of a run share. */
interface Run extends NewTextsInput {
  readonly read: (file: string) => SourceTree;
  readonly files: TextFiles;
  /** Where the kind has texts in files; null if it has no texts, undefined if they are inline. */
  readonly neighbourOf: (kind: AnyKind) => Neighbour | null | undefined;
}

export function newTexts(input: NewTextsInput): NewTexts {
  const { written, changes, isTaken } = input;
  const run = {
    ...input,
    read: openReader(written),
    files: openTextFiles(isTaken),
    neighbourOf: openNeighbours(written.items),
  };
  const { edited, texts } = writtenChanges(run);
  const edits: (readonly [file: string, edits: readonly Edit[]])[] = edited.map(({ item, before, after }) => {
    const identity = item.kind.pull?.partName;
    return [item.file, diffValues(before, after, { pointer: item.pointer, ...(identity && { identity }) })];
  });
  for (const one of changes)
    if (one.change === 'remove') edits.push([one.item.file, [{ op: 'delete', pointer: one.item.pointer }]]);

  const yaml = new Map<string, string>();
  for (const [kind, ofKind] of groupBy(changes, ({ kind: of }) => of)) {
    const inserts = insertsOf(kind, ofKind, run);
    edits.push(...inserts.edits);
    for (const [file, text] of inserts.created) yaml.set(file, text);
  }
  const rules = headerRules(input);
  if (rules.create !== null) yaml.set(rules.create.file, rules.create.text);
  edits.push(...rules.edits);

  for (const [file, some] of groupBy(edits, ([name]) => name)) {
    const before = written.yaml.get(file);
    if (before === undefined) throw new InternalError(`${file} is edited but was not read`);
    const after = editYaml(
      before,
      some.flatMap(([, each]) => each),
      run.read(file),
    );
    if (after !== before) yaml.set(file, after);
  }
  return { yaml, texts: new Map([...texts, ...run.files.texts]) };
}

function headerRules({ written, protect, ignored, isTaken }: NewTextsInput): HeaderEdits {
  if (protect.size + ignored.length === 0) return { edits: [], create: null };
  return headerEdits(written, isTaken, (header) => ({
    ...header,
    ...(protect.size > 0 && { protect: withPatterns(header['protect'], protect) }),
    ...(ignored.length > 0 && { undeclared: withIgnored(header['undeclared'], ignored) }),
  }));
}

/** Reads each file once. */
function openReader({ yaml }: WrittenFiles): Run['read'] {
  const known = new Map<string, SourceTree>();
  return (file) => {
    const read = known.get(file) ?? sourceTree(yaml.get(file) ?? '');
    if (read === null) throw new InternalError(`${file} was loaded but cannot be parsed`);
    known.set(file, read);
    return read;
  };
}

/** The written values of edited items, and the texts of files that change. */
function writtenChanges({ changes, written, read, files, neighbourOf }: Run): {
  readonly edited: readonly WrittenChange[];
  readonly texts: ReadonlyMap<string, string>;
} {
  const edited = new Map<WrittenItem, WrittenChange>();
  const changedTexts: TextOfItem[] = [];
  for (const { kind, key, ...change } of changes) {
    if (change.change !== 'edit') continue;
    const { item, value } = change;
    const before = valueAt(read(item.file).written, item.pointer) as WrittenValue;
    const names = new Map((kind.pull?.files?.(value, key) ?? []).map(({ pointer, path }) => [pointer, path]));
    const { value: after, texts } = rewritten(before, item.value, value, item.texts, (pointer) => names.has(pointer));
    for (const { pointer, text } of texts) changedTexts.push({ item, pointer, text, path: names.get(pointer) ?? '' });
    const [own] = fileOf(item);
    const neighbour = own ?? (hasTexts(item) ? undefined : neighbourOf(kind));
    const isOld = (pointer: string) => valueAt(item.value, pointer) !== undefined;
    edited.set(item, {
      item,
      before,
      after: withFiles(after, { kind, key, value, from: item.file, neighbour, isOld }, files),
    });
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

function openNeighbours(items: readonly WrittenItem[]): Run['neighbourOf'] {
  const byKind = groupBy(items, ({ kind }) => kind);
  const known = new Map<AnyKind, Neighbour | null | undefined>();
  return (kind) => {
    const ofKind = byKind.get(kind) ?? [];
    if (!known.has(kind)) known.set(kind, ofKind.flatMap(fileOf)[0] ?? (ofKind.some(hasTexts) ? undefined : null));
    return known.get(kind);
  };
}

/** An item with its plain value. */
interface ValuedItem {
  readonly kind: AnyKind;
  readonly key: string;
  readonly value: unknown;
  /** The file that declares it. */
  readonly from: string;
  readonly neighbour: Neighbour | null | undefined;
  /** Whether the text at a pointer is no new one. */
  readonly isOld: (pointer: string) => boolean;
}

/** The written value with new texts in files of their own, unless others are inline, and with references to secrets. */
function withFiles(
  written: WrittenValue,
  { kind: { pull }, key, value, from, neighbour, isOld }: ValuedItem,
  files: TextFiles,
): WrittenValue {
  let result = written;
  for (const file of neighbour === undefined ? [] : (pull?.files?.(value, key) ?? [])) {
    const text = valueAt(value, file.pointer);
    if (typeof text !== 'string' || isOld(file.pointer)) continue;
    const reference = files.add(from, file, text, neighbour ?? null);
    result = replacedAt(result, pointerPath(file.pointer), () => reference);
  }
  return withSecrets(result, pull?.secrets?.(value) ?? []);
}

interface Inserts {
  readonly edits: readonly (readonly [file: string, edits: readonly Edit[]])[];
  readonly created: ReadonlyMap<string, string>;
}

/** New items of a kind: beside the declared ones, or in a file of their own. */
function insertsOf(kind: AnyKind, changes: readonly ItemChange[], run: Run): Inserts {
  const { written, files, neighbourOf } = run;
  const added = changes.filter((change) => change.change === 'add');
  if (added.length === 0) return { edits: [], created: new Map() };
  const removed = new Set(changes.flatMap((change) => (change.change === 'remove' ? [change.item] : [])));
  const items = written.items.filter((item) => item.kind === kind && !removed.has(item));
  const home = items.length > 0 ? null : emptySection(kind, run);
  if (items.length === 0 && home === null) return { edits: [], created: newFiles(kind, added, run) };
  const placeOf = openPlaces(items);
  const neighbour = neighbourOf(kind);
  const pointer = jsonPointer(kind.name);
  const edits = added.map(({ key, value }): Inserts['edits'][number] => {
    const { file, after } = placeOf(key) ?? { file: home ?? '', after: null };
    const content = withFiles(literal(value), { kind, key, value, from: file, neighbour, isOld: () => false }, files);
    if (kind.pull?.form === 'list')
      return [file, [{ op: 'insert', pointer, after: after === null ? null : indexOfItem(after), value: content }]];
    return [file, [{ op: 'insert', pointer, key, after: after === null ? null : after.item.key, value: content }]];
  });
  return { edits, created: new Map() };
}

/** The file with a section of the kind that has no items, such as `event_streams: []`. */
function emptySection({ name }: AnyKind, { written, sections, read }: Run): string | null {
  if (!sections.has(name)) return null;
  return [...written.yaml.keys()].find((file) => memberOf(read(file).written, name) !== undefined) ?? null;
}

/** Columns of new lines in flow style. */
const width = 100;

/** Nodes and bytes of the values of one file, far enough below the limits of a file for their layout. */
const nodesOfFile = 150_000;
const bytesOfFile = 2_500_000;

/** A new file for a section, or several if it is long. */
function newFiles(
  kind: AnyKind,
  added: readonly (ItemChange & { readonly change: 'add' })[],
  { files, isTaken }: Run,
): ReadonlyMap<string, string> {
  const stem = kind.name.replaceAll('_', '-');
  const nameOf = (index: number) => `${stem}${index === 0 ? '' : `-${index + 1}`}.yaml`;
  const parts: (readonly [key: string, value: WrittenValue])[][] = [];
  let nodes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const { key, value } of added) {
    const item = { kind, key, value, from: nameOf(0), neighbour: null, isOld: () => false };
    const content = withFiles(literal(value), item, files);
    nodes += countNodes(content);
    bytes += Buffer.byteLength(JSON.stringify(content));
    if (nodes > nodesOfFile || bytes > bytesOfFile) {
      parts.push([]);
      nodes = countNodes(content);
      bytes = Buffer.byteLength(JSON.stringify(content));
    }
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
