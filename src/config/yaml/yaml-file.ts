import { type Alias, isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { Place, SourceText } from '../../diagnostics/source-text.ts';
import { jsonPointer, pointerPath } from '../../values/json-pointer.ts';
import { memoizedByObject } from '../../values/memoized.ts';

/** One parsed file. Places of values are found in the tree when they are needed. */
export interface YamlFile {
  readonly source: SourceText;
  readonly root: ParsedNode;
  /** The file as plain values, with `reportedValue` in place of values with a problem. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
  /** Mappings in `value` with a key that is a problem: it may stand for any field that they lack. */
  readonly incomplete: ReadonlySet<object>;
  /** The text with references of each scalar in which one was replaced. */
  readonly written: ReadonlyMap<ParsedNode, string>;
}

export type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

interface Step {
  readonly node: ParsedNode;
  readonly key: ParsedNode | null;
}

/**
 * The places of a value and, in a mapping, of its key; `target` is the value itself where `value` is an alias. Follows a
 * JSON pointer through the tree and its aliases, as far as it leads.
 */
export function locate(file: YamlFile, pointer: string) {
  const { node, key } = follow(file, pointer);
  const value = placeOfNode(file, node);
  const target = isAlias(node) ? placeOfNode(file, resolve(file, node)) : value;
  return { value, key: key === null ? null : placeOfNode(file, key), target };
}

/** The place of a key, or of the value where there is no key. */
export function keyPlace(file: YamlFile, pointer: string): Place {
  const { key, value } = locate(file, pointer);
  return key ?? value;
}

/** No message about a value points to a place before this one. An alias may lead to an earlier value. */
export function earliestPlace(file: YamlFile, pointer: string): Place {
  const { key, value, target } = locate(file, pointer);
  const place = key ?? value;
  return target.start < place.start ? target : place;
}

/** The node at a JSON pointer; for an alias, its target. */
export function nodeAt(file: YamlFile, pointer: string): ParsedNode {
  return resolve(file, follow(file, pointer).node);
}

function follow(file: YamlFile, pointer: string): Step {
  let node: ParsedNode = file.root;
  let key: ParsedNode | null = null;
  for (const segment of pointerPath(pointer)) {
    const step = child(resolve(file, node), segment);
    if (step === null) break;
    key = step.key;
    node = step.node;
  }
  return { node, key };
}

function resolve(file: YamlFile, node: ParsedNode): ParsedNode {
  return isAlias(node) ? (file.aliases.get(node) ?? node) : node;
}

function child(node: ParsedNode, segment: string): Step | null {
  if (isSeq(node)) {
    const item = node.items[Number(segment)] as ParsedNode | undefined;
    return item === undefined ? null : { node: item, key: null };
  }
  const pair = isMap(node) ? pairsOf(node).get(segment) : undefined;
  return pair === undefined ? null : { node: pair.value ?? pair.key, key: pair.key };
}

/** Built when it is first needed: a mapping can have tens of thousands of keys, and each of them an error. */
export const pairsOf = memoizedByObject((map: YAMLMap): ReadonlyMap<string, ParsedPair> => {
  const pairs = new Map<string, ParsedPair>();
  for (const pair of map.items as ParsedPair[]) {
    if (isScalar(pair.key) && !pairs.has(String(pair.key.value))) pairs.set(String(pair.key.value), pair);
  }
  return pairs;
});

function placeOfNode(file: YamlFile, node: ParsedNode): Place {
  return { source: file.source, start: node.range[0], end: node.range[1] };
}

/** A value as the file writes it, with references, for messages: the values of references must not be shown. */
export function asWritten(file: YamlFile, pointer: string, value: unknown): unknown {
  if (file.written.size === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => asWritten(file, `${pointer}/${index}`, item));
  if (typeof value !== 'object' || value === null) return file.written.get(nodeAt(file, pointer)) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asWritten(file, pointer + jsonPointer(name), member)]),
  );
}
