// From changes of items to texts of files.
import { posix } from 'node:path';

import { type FileEdits, openEdits } from '../edit/edit-yaml.ts';
import { addInsert, literal, revise } from '../edit/edits.ts';
import { editHeader } from '../edit/header-edits.ts';
import { printYaml } from '../edit/print-yaml.ts';
import { isList, type WrittenMapping, type WrittenValue } from '../edit/written-value.ts';
import type { WrittenFiles, WrittenItem } from '../model/desired.ts';
import type { FileSource } from '../model/file-source.ts';
import type { AnyKind } from '../model/kind.ts';
import { groupBy } from '../values/group-by.ts';
import { jsonPointer, memberOf, pointerPath, valueAt, withValuesAt } from '../values/json-pointer.ts';
import type { ItemChange } from './item-changes.ts';
import { editedPlace, openPlaces } from './place-items.ts';
import {
  agreedTexts,
  type NewFiles,
  newFilesOf,
  openNewFiles,
  pathOfText,
  secretsOf,
  withSecrets,
} from './references.ts';

export interface NewTextsInput {
  readonly written: WrittenFiles;
  readonly changes: readonly ItemChange[];
  /** Patterns to add under `protect`. */
  readonly protect: readonly (readonly [kind: string, pattern: string])[];
  /** Kinds of which undeclared items are ignored from now on. */
  readonly ignored: readonly string[];
  /** Codes to remove from `approvals`. */
  readonly idle: ReadonlySet<string>;
  /** The files before. */
  readonly source: FileSource;
  /** Kinds that have a section. */
  readonly sections: ReadonlySet<string>;
}

/** What the changes of a run share. */
interface Run extends NewTextsInput {
  readonly edits: FileEdits;
  readonly files: NewFiles;
  /** Names and texts of new YAML files. */
  readonly created: Map<string, string>;
  /** Texts that change in their file. */
  readonly agreed: ReadonlyMap<string, string>;
}

/** Texts of YAML files that change, of new ones without their schema comment, and of other files. */
export async function newTexts(input: NewTextsInput) {
  const { written, changes, source } = input;
  const edits = openEdits(written.yaml);
  const files = openNewFiles(source);
  const created = new Map<string, string>();
  const agreed = agreedTexts(changes, written);
  const run: Run = { ...input, edits, files, created, agreed };
  for (const change of changes) {
    if (change.change === 'remove') {
      const { file, pointer } = editedPlace(change.item);
      // A file cannot be empty. A section that is its item says in this way that nothing manages it.
      if (isLastSection(change, edits)) edits.at(file, pointer).set = literal({ unmanaged: true });
      else edits.at(file, pointer).isDeleted = true;
    } else if (change.change === 'edit') await editItem(change, run);
  }
  for (const [kind, ofKind] of groupBy(changes, (change) => change.kind)) await addItems(kind, ofKind, run);
  editRules(run);
  const texts = [...agreed, ...files.texts].filter(([file]) => !created.has(file));
  return { edited: edits.texts(), created, texts: new Map(texts) };
}

/** Whether a file has no section but this one, and the section is the item. */
function isLastSection({ kind, item }: ItemChange & { readonly change: 'remove' }, edits: FileEdits): boolean {
  if (!kind.isSingle) return false;
  const tree = edits.tree(editedPlace(item).file);
  return Object.keys(tree.written as object).every(
    (name) => edits.at(editedPlace(item).file, jsonPointer(name)).isDeleted || name === kind.name,
  );
}

function editRules({ written, edits, created, protect, ignored, idle }: Run): void {
  if (protect.length + ignored.length + idle.size === 0) return;
  const header = editHeader(written, edits, (before) => ({
    ...(idle.size > 0 ? withoutCodes(before, idle) : before),
    ...(protect.length > 0 && { protect: withPatterns(before['protect'], protect) }),
    ...(ignored.length > 0 && { undeclared: withIgnored(before['undeclared'], ignored) }),
  }));
  if (header.created !== null) created.set(header.file, header.created);
}

async function editItem({ kind, item, value }: ItemChange & { readonly change: 'edit' }, run: Run): Promise<void> {
  const { edits } = run;
  const { file, pointer } = editedPlace(item);
  const after = await withReferences({ kind, key: item.item.key, value, item, from: file }, run);
  const written = literal(valueAt(edits.tree(file).written, pointer));
  revise(edits.at(file, pointer), written, withSecrets(kind, item.value), after, kind.pull?.partName);
}

/** An item with its plain value. */
interface ValuedItem {
  readonly kind: AnyKind;
  readonly key: string;
  readonly value: unknown;
  /** As it is declared; null for a new one. */
  readonly item: WrittenItem | null;
  /** The file that declares it. */
  readonly from: string;
}

/** The value with new texts in files of their own, unless those of the item are inline, and with references to secrets. */
async function withReferences(
  { kind, key, value, item, from }: ValuedItem,
  { files, agreed, written }: Run,
): Promise<WrittenValue> {
  const replaced = secretsOf(kind, value);
  const [first] = item?.texts.values() ?? [];
  const isInline = first === undefined && item !== null && newFilesOf(kind, item.value, key).length > 0;
  for (const file of newFilesOf(kind, value, key)) {
    const [text, old] = [valueAt(value, file.pointer) as string, valueAt(item?.value, file.pointer)];
    if (text === old) continue;
    const path = item?.texts.get(file.pointer);
    if (isInline || (path === undefined && old !== undefined)) continue;
    // A text that changes in its file is none of the item.
    const isInFile = path !== undefined && agreed.has(path);
    const beside = path ?? first;
    const own = pathOfText(from, file, beside?.startsWith(written.at) ? beside : undefined);
    const reference = isInFile
      ? literal(old)
      : { file: posix.relative(posix.dirname(from), await files.add(own, text)) };
    replaced.set(file.pointer, reference);
  }
  return literal(withValuesAt(value, replaced));
}

/** Adds new items of a kind beside the declared ones, or in files of their own. */
async function addItems(kind: AnyKind, changes: readonly ItemChange[], run: Run): Promise<void> {
  const { written, edits } = run;
  const added = changes.filter((change) => change.change === 'add');
  const removed = new Set(changes.flatMap((change) => (change.change === 'remove' ? [change.item] : [])));
  const items = written.items.filter((item) => item.kind === kind && !removed.has(item));
  const [first] = items;
  const home = first === undefined ? emptySection(kind, run) : editedPlace(first).file;
  if (home === null) return addFiles(kind, added, run);
  const placeOf = openPlaces(items, home);
  for (const { key, value } of added) {
    const { file, after } = placeOf(key);
    const content = await withReferences({ kind, key, value, item: null, from: file }, run);
    const before = after === null ? null : (pointerPath(editedPlace(after).pointer).at(-1) ?? null);
    const isList = kind.pull?.form === 'list';
    addInsert(edits.at(file, jsonPointer(kind.name)), before, { key: isList ? null : key, value: content });
  }
}

/** The file with a section of the kind that has no items, such as `event_streams: []`. */
function emptySection({ name }: AnyKind, { written, sections, edits }: Run): string | null {
  if (!sections.has(name)) return null;
  return [...written.yaml.keys()].find((file) => memberOf(edits.tree(file).written, name) !== undefined) ?? null;
}

/** Nodes and bytes of the values of one file, far enough below the limits of a file for their layout. */
const nodesOfFile = 150_000;
const bytesOfFile = 2_500_000;

/** A new file for a section, or several if it is long. */
async function addFiles(kind: AnyKind, added: readonly { key: string; value: unknown }[], run: Run): Promise<void> {
  const name = `${run.written.at}${kind.name.replaceAll('_', '-')}.yaml`;
  let part: (readonly [key: string, value: WrittenValue])[] = [];
  let [nodes, bytes] = [0, 0];
  const addPart = async () => {
    const text = printSection(kind, part);
    run.created.set(await run.files.add(name, text), text);
    part = [];
    [nodes, bytes] = [0, 0];
  };
  for (const { key, value } of added) {
    const content = await withReferences({ kind, key, value, item: null, from: name }, run);
    const size = Buffer.byteLength(JSON.stringify(content));
    if (part.length > 0 && (nodes + countNodes(content) > nodesOfFile || bytes + size > bytesOfFile)) await addPart();
    part.push([key, content]);
    nodes += countNodes(content);
    bytes += size;
  }
  await addPart();
}

/** The text of a file with these items. */
export function printSection({ name, pull }: AnyKind, items: readonly (readonly [string, WrittenValue])[]): string {
  const values = items.map(([, value]) => value);
  const forms = { list: () => values, mapping: () => Object.fromEntries(items), single: () => values[0] ?? {} };
  return printYaml({ [name]: forms[pull?.form ?? 'mapping']() });
}

function countNodes(value: WrittenValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, member) => count + 1 + countNodes(member as WrittenValue), 1);
}

/** The header without these codes under `approvals`, and without a list of no other. */
function withoutCodes({ approvals = [], ...header }: WrittenMapping, idle: ReadonlySet<string>): WrittenMapping {
  const left = isList(approvals) ? approvals.filter((code) => !idle.has(String(code))) : [];
  return left.length === 0 ? header : { ...header, approvals: left };
}

/** A rule that is written for the kind would delete or report what the files do not get. */
function withIgnored(rules: WrittenValue | undefined, ignored: readonly string[]): WrittenValue {
  return { ...(rules as WrittenMapping | undefined), ...Object.fromEntries(ignored.map((kind) => [kind, 'ignore'])) };
}

function withPatterns(rules: WrittenValue | undefined, protect: NewTextsInput['protect']): WrittenValue {
  const known = (rules ?? {}) as WrittenMapping;
  const changed = [...groupBy(protect, ([kind]) => kind)].map(([kind, patterns]) => {
    const list = known[kind] ?? [];
    return [kind, [...(isList(list) ? list : []), ...new Set(patterns.map(([, pattern]) => pattern))]] as const;
  });
  return { ...known, ...Object.fromEntries(changed) };
}
