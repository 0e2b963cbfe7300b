import type { Alias, ParsedNode } from 'yaml';
import type { SourceText } from '../diagnostics/source-text.ts';

/** One parsed file. Places of values are not kept: the tree is asked for them when someone wants to know. */
export interface YamlFile {
  readonly source: SourceText;
  readonly root: ParsedNode;
  /** The file as plain values; a symbol of `told-faults.ts` stands where a fault has been told. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
  /** The text of each scalar in which a reference was replaced, with the reference. */
  readonly written: ReadonlyMap<ParsedNode, string>;
}
