import type { Source } from '../../model/diagnostic.ts';
import type { TextChange } from '../../model/kind.ts';
import { cutName } from '../cut-text.ts';

export const notInFiles = 'not in the files';

/** `roles.yaml:6`: the column is in the full form. */
export function placeOf(source: Source | null): string {
  return source === null ? '' : `${cutName(source.file)}:${source.line}`;
}

/**
 * The line that changes in the file of a text. Only a text that begins its file has lines that can be counted: in YAML, a
 * text may be folded.
 */
export function changedLine({ before, after, source }: TextChange): Source | null {
  if (source === null || before === null || after === null || source.line !== 1 || source.column !== 1) return source;
  const old = before.split('\n');
  const line = after.split('\n').findIndex((text, index) => text !== old[index]);
  return { ...source, line: Math.max(0, line) + 1 };
}
