import { loadDesired } from '../../src/config/load-desired.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { folder } from './temp-folder.ts';

/** `CODE file:line:column "underlined"`, for whole-value comparison. */
export function told({ code, source, excerpt }: Diagnostic): string {
  const place = source === undefined ? '' : ` ${source.file}:${source.line}:${source.column}`;
  const underlined =
    excerpt === undefined
      ? ''
      : ` ${JSON.stringify(excerpt.text.slice(excerpt.column - 1, excerpt.column - 1 + excerpt.width))}`;
  return code + place + underlined;
}

export async function toldFaults(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> {
  const { diagnostics } = await loadDesired(await folder(files), kinds);
  return diagnostics.map(told);
}

export async function diagnosticsOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<readonly Diagnostic[]> {
  return (await loadDesired(await folder(files), kinds)).diagnostics;
}
