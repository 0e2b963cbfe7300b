import type { Alias, ParsedNode } from 'yaml';
import type { SourceText } from '../diagnostics/source-text.ts';

/** One parsed file. Places of values are not kept: the tree is asked for them when someone wants to know. */
export interface YamlFile {
  readonly source: SourceText;
  readonly root: ParsedNode;
  /** The file as plain values; a symbol of `told-faults.ts` stands where a fault has been told. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
}
