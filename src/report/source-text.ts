import type { Source } from '../model/diagnostic.ts';

/** A place as editors and terminals understand it: file:line:column. */
export function sourceText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}
