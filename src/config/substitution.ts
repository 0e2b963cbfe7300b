import type { ParsedNode } from 'yaml';
import type { SourceText } from '../diagnostics/source-text.ts';

/** What the walk over a file knows of a scalar. */
export type ScalarNode = ParsedNode & { readonly type?: string; readonly value: unknown };

/** Puts values in the place of references while a file is read to plain values. Reports its own faults. */
export interface Substitution {
  /** The value of a scalar whose text holds `${`; the symbol of a told fault after one. */
  read(source: SourceText, node: ScalarNode, text: string): unknown;
  /**
   * For the value of a field that holds a secret: the text itself where it is exactly one `${env:NAME}`, the symbol of a told
   * fault where that name may not be used, undefined for anything else.
   */
  readSecret(source: SourceText, node: ScalarNode, text: string): unknown;
}

/** False is certain; an escape between double quotes may hide a reference. */
export function mayRefer({ text }: SourceText): boolean {
  return text.includes('${') || text.includes('\\');
}
