import { folderSource } from '../../config/files/folder-source.ts';
import { outlineOf } from '../../config/outline.ts';
import type { AnyKind } from '../../model/kind.ts';
import { terminalText } from '../../report/escape.ts';
import { compareText } from '../../values/text-order.ts';

/** Completion that takes longer is worse than none. */
const longestMs = 2_000;

/**
 * Keys of the items of a kind in the files of a folder, sorted. Files with errors count as far as they can be read: a
 * person completes a command while a file is half written. Keys with references or invisible characters are left out.
 */
export async function declaredNames(folder: string, kind: AnyKind): Promise<readonly string[]> {
  const files = await outlineOf(folderSource(folder), AbortSignal.timeout(longestMs)).catch(() => []);
  const names = files.flatMap(({ value }) => namesIn(value[kind.name], kind));
  return [...new Set(names)].filter((name) => terminalText(name) === name && !name.includes('${')).sort(compareText);
}

/** Sections are not validated here, so a kind may meet anything. */
function namesIn(section: unknown, kind: AnyKind): readonly string[] {
  const items = Array.isArray(section) ? section.map((item) => [item]) : [section];
  return items.flatMap((part) => {
    try {
      return kind.entries(part).map(({ key }) => key);
    } catch {
      return [];
    }
  });
}
