import { folderSource } from '../../src/config/files/folder-source.ts';
import { type Loaded, loadDesired } from '../../src/config/load-desired.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { AnyKind } from '../../src/model/kind.ts';
import { kinds } from './all-kinds.ts';
import { folder } from './temp-folder.ts';

/** `CODE file:line:column "underlined"`, to compare complete lists of diagnostics. */
export function summaryOf({ code, source, excerpt }: Diagnostic): string {
  const place = source === undefined ? '' : ` ${source.file}:${source.line}:${source.column}`;
  const underlined =
    excerpt === undefined
      ? ''
      : ` ${JSON.stringify(excerpt.text.slice(excerpt.column - 1, excerpt.column - 1 + excerpt.width))}`;
  return code + place + underlined;
}

export async function problemsIn(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles(files);
  return diagnostics.map(summaryOf);
}

export async function diagnosticsOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<readonly Diagnostic[]> {
  return (await loadFiles(files)).diagnostics;
}

/** Files in a new folder on disk, as the loader reads them. */
export async function loadFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  only: readonly AnyKind[] = kinds,
): Promise<Loaded> {
  return loadFolder(await folder(files), only);
}

export function loadFolder(path: string, only: readonly AnyKind[] = kinds): Promise<Loaded> {
  return loadDesired(folderSource(path), only);
}
