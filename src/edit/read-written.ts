// A file as written values. It is read here again because the desired state has values in place of references.
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  Parser,
} from 'yaml';
import { parserOptions } from '../config/yaml/compose-document.ts';
import { isScalarProblem, readPlainScalar } from '../config/yaml/read-plain-scalar.ts';
import { textWithReferences, type WrittenMapping, type WrittenValue } from './written-value.ts';

export interface ReadFile {
  readonly value: WrittenValue;
  readonly tokens: readonly CST.Token[];
}

/** The written value of a complete file; null if it is not valid, or has something that no file may have. */
export function readWritten(text: string): WrittenValue | null {
  return readFile(text)?.value ?? null;
}

/** The same with the tokens of the file. */
export function readFile(text: string): ReadFile | null {
  const tokens = [...new Parser().parse(text)];
  const composer = new Composer<ParsedNode, true>(parserOptions);
  const documents: Document.Parsed<ParsedNode, true>[] = [];
  for (const token of tokens) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));
  const [document] = documents;
  if (document === undefined || documents.length > 1) return null;
  if (document.errors.length + document.warnings.length > 0 || document.contents === null) return null;
  const value = valueReader()(document.contents);
  return value === undefined ? null : { value, tokens };
}

/** Reads one tree; undefined for a tree with something that no file may have. */
function valueReader(): (node: ParsedNode) => WrittenValue | undefined {
  const anchors = new Map<string, ParsedNode>();
  let aliases = 0;
  return read;

  function read(node: ParsedNode): WrittenValue | undefined {
    if (isAlias(node)) return readAlias(node);
    remember(node);
    if (node.tag !== undefined) return undefined;
    if (isScalar(node)) return readScalar(node);
    return isMap(node)
      ? readMap(node.items as Pair<ParsedNode, ParsedNode | null>[])
      : readList(node.items as ParsedNode[]);
  }

  function remember(node: ParsedNode): void {
    if (node.anchor !== undefined && aliases === 0) anchors.set(node.anchor, node);
  }

  function readAlias(alias: Alias.Parsed): WrittenValue | undefined {
    const target = anchors.get(alias.source);
    if (target === undefined) return undefined;
    aliases += 1;
    const value = read(target);
    aliases -= 1;
    return value;
  }

  function readList(items: readonly ParsedNode[]): WrittenValue | undefined {
    const list: WrittenValue[] = [];
    for (const item of items) {
      const value = read(item);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  }

  function readMap(pairs: readonly Pair<ParsedNode, ParsedNode | null>[]): WrittenMapping | undefined {
    const map: Record<string, WrittenValue> = {};
    for (const { key, value: node } of pairs) {
      if (!isScalar(key) || node === null) return undefined;
      remember(key);
      const name = String(key.value);
      const value = read(node);
      if (value === undefined || Object.hasOwn(map, name) || name === '__proto__') return undefined;
      map[name] = value;
    }
    return map;
  }
}

function readScalar(node: ParsedNode & { readonly type?: string; readonly value: unknown }): WrittenValue | undefined {
  const text = String(node.value);
  const isPlain = node.type === 'PLAIN';
  if (text.includes('${')) return textWithReferences(text, isPlain);
  if (!isPlain) return text;
  const value = readPlainScalar(text);
  return value === null || isScalarProblem(value) ? undefined : value;
}
