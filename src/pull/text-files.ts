// Texts that items have in files of their own. A file changes only if all items that refer to it agree; otherwise the
// item that differs gets a file of its own.
import { posix } from 'node:path';
import type { WrittenValue } from '../edit/written-value.ts';
import type { WrittenFiles, WrittenItem } from '../model/desired.ts';
import { isHiddenPath } from '../model/file-source.ts';
import type { NewFile } from '../model/kind.ts';
import { groupBy } from '../values/group-by.ts';

/** A text of an item that is in a file and changes. */
export interface TextOfItem {
  readonly item: WrittenItem;
  readonly pointer: string;
  readonly text: string;
  /** A name for a file of its own, in case that others keep the text. */
  readonly path: string;
}

export interface TextFiles {
  /** New texts by path. */
  readonly texts: Map<string, string>;
  /** Puts a text into a new file near `neighbour`, or else near the file that refers to it; returns the reference. */
  add(from: string, file: NewFile, text: string, neighbour: Neighbour | null): WrittenValue;
}

/** A file of an item. */
export interface Neighbour {
  readonly key: string;
  readonly path: string;
}

/** Whether a path exists and has another text. */
export type IsTaken = (path: string, text: string) => boolean;

export function openTextFiles(isTaken: IsTaken): TextFiles {
  const texts = new Map<string, string>();
  // Some systems ignore the case of names.
  const used = new Set<string>();
  const isFree = (path: string, text: string) => !used.has(path.toLowerCase()) && !isTaken(path, text);
  const freePath = (path: string, text: string): string => {
    const { dir, name, ext } = posix.parse(path);
    for (let count = 1; ; count += 1) {
      const candidate = posix.join(dir, `${name}${count === 1 ? '' : `-${count}`}${ext}`);
      if (isFree(candidate, text)) return candidate;
    }
  };
  return {
    texts,
    add(from, { path }, text, neighbour) {
      const named = safePath(path);
      const folder = posix.dirname(from);
      const near = neighbour === null ? posix.join(folder, posix.dirname(named)) : folderLike(neighbour, named);
      const target = freePath(posix.join(near, posix.basename(named)), text);
      used.add(target.toLowerCase());
      texts.set(target, text);
      return { file: posix.relative(folder, target) };
    },
  };
}

/** The folder of the neighbour; if it is named after its item, the one beside it that is named after the new item. */
function folderLike({ key, path }: Neighbour, named: string): string {
  const folder = posix.dirname(path);
  const own = posix.basename(posix.dirname(named));
  return posix.basename(folder) === key ? posix.join(posix.dirname(folder), own) : folder;
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

/** The texts that change in their file, by path, and those that need a file of their own. */
export function agreedTexts(
  changed: readonly TextOfItem[],
  { items }: Pick<WrittenFiles, 'items'>,
): { readonly agreed: ReadonlyMap<string, string>; readonly own: readonly TextOfItem[] } {
  const users = new Map<string, number>();
  for (const { texts } of items) for (const file of texts.values()) users.set(file, (users.get(file) ?? 0) + 1);
  const wanted = groupBy(changed, ({ item, pointer }) => item.texts.get(pointer) ?? '');
  const agreed = new Map<string, string>();
  const own: TextOfItem[] = [];
  for (const [file, all] of wanted) {
    const [first] = all;
    if (first === undefined) continue;
    if (all.length === users.get(file) && all.every(({ text }) => text === first.text)) agreed.set(file, first.text);
    else own.push(...all);
  }
  return { agreed, own };
}
