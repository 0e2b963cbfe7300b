// References in the place of plain values of an item: to secrets, and to texts in files of their own. Such a file changes
// only if all items that refer to it agree; otherwise the item that differs gets a file of its own.
import { posix } from 'node:path';
import { literal } from '../edit/edits.ts';
import { envReference, type WrittenValue } from '../edit/written-value.ts';
import type { WrittenFiles } from '../model/desired.ts';
import { type FileSource, isHiddenPath } from '../model/file-source.ts';
import type { AnyKind, NewFile } from '../model/kind.ts';
import { groupBy } from '../values/group-by.ts';
import { valueAt, withValuesAt } from '../values/json-pointer.ts';
import type { ItemChange } from './item-changes.ts';

/** The value of an item with `${env:NAME}` in the place of texts of that form, where its kind has secrets. */
export function withSecrets(kind: AnyKind, value: unknown): WrittenValue {
  return literal(withValuesAt(value, secretsOf(kind, value)));
}

/** These references, by pointer. */
export function secretsOf({ pull }: AnyKind, value: unknown): Map<string, WrittenValue> {
  const found = new Map<string, WrittenValue>();
  for (const pointer of pull?.secrets?.(value) ?? []) {
    const [, name] = /^\$\{env:(\w+)\}$/.exec(String(valueAt(value, pointer))) ?? [];
    if (name !== undefined) found.set(pointer, envReference(name));
  }
  return found;
}

export type NewFiles = ReturnType<typeof openNewFiles>;

/** New files beside those that exist. */
export function openNewFiles({ read }: Pick<FileSource, 'read'>) {
  /** By path. */
  const texts = new Map<string, string>();
  // Some systems ignore the case of names.
  const used = new Set<string>();
  const isFree = async (path: string, text: string) => {
    if (used.has(path.toLowerCase())) return false;
    const content = await read(path);
    // An interrupted writing may have left it.
    return content.ok ? Buffer.from(content.bytes).toString() === text : content.reason === 'missing';
  };
  return {
    texts,
    /** Puts a text into a file of this name, or of one like it that no other text has; returns the path. */
    async add(path: string, text: string): Promise<string> {
      const { dir, name, ext } = posix.parse(path);
      let free = path;
      for (let count = 2; !(await isFree(free, text)); count += 1) free = posix.join(dir, `${name}-${count}${ext}`);
      used.add(free.toLowerCase());
      texts.set(free, text);
      return free;
    },
  };
}

/** The texts of an item that can be in files of their own, with a path for each. */
export function newFilesOf({ pull }: AnyKind, value: unknown, key: string): readonly NewFile[] {
  return pull?.files?.(value, key) ?? [];
}

/** The path of a text of an item: beside another one of its texts, or else near the file that declares the item. */
export function pathOfText(from: string, { path }: NewFile, beside: string | undefined): string {
  const named = safePath(path);
  return beside === undefined
    ? posix.join(posix.dirname(from), named)
    : posix.join(posix.dirname(beside), posix.basename(named));
}

const longestName = 100;

/** Names come from the tenant: only plain characters, and no name that is hidden or leads elsewhere. */
function safePath(path: string): string {
  const names = path.split('/').map((name) => {
    const { name: stem, ext } = posix.parse(name.replaceAll(/[^\w.-]+/g, '-'));
    const plain = stem.replace(/^\.+/, '').slice(0, longestName) || 'text';
    return isHiddenPath(plain + ext) ? `_${plain}${ext}` : plain + ext;
  });
  return names.join('/');
}

/** The texts of `written` that change in their file, by path: all items that refer to it have the same new one. */
export function agreedTexts(
  changes: readonly ItemChange[],
  { items, texts }: Pick<WrittenFiles, 'items' | 'texts'>,
): ReadonlyMap<string, string> {
  const changed = new Map(changes.flatMap((one) => (one.change === 'edit' ? [[one.item, changedTexts(one)]] : [])));
  const uses = items.flatMap((item) =>
    [...item.texts].map(([pointer, file]) => ({ file, text: changed.get(item)?.get(pointer) })),
  );
  const agreed = new Map<string, string>();
  for (const [file, all] of groupBy(uses, (use) => use.file)) {
    const [text, ...others] = new Set(all.map((use) => use.text));
    if (text !== undefined && others.length === 0 && texts.has(file)) agreed.set(file, text);
  }
  return agreed;
}

/** New texts of an item by their pointers. A text that no file can have is not among them. */
function changedTexts({ kind, key, item, value }: ItemChange & { readonly change: 'edit' }): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { pointer } of newFilesOf(kind, value, key)) {
    const text = valueAt(value, pointer) as string;
    if (text !== valueAt(item.value, pointer)) texts.set(pointer, text);
  }
  return texts;
}
