import { type Alias, isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { Place, SourceText } from '../../diagnostics/source-text.ts';
import { jsonPointer, pointerPath } from '../../values/json-pointer.ts';

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

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** The places of a value and, in a mapping, of its key. */
export interface Located {
  readonly value: Place;
  readonly key: Place | null;
}

interface Step {
  readonly node: ParsedNode;
  readonly key: ParsedNode | null;
}

const pairsByMap = new WeakMap<YAMLMap, ReadonlyMap<string, ParsedPair>>();

/** Follows a JSON pointer through the tree, and through aliases. Where the value ends before the pointer does, its end counts. */
export function locate(file: YamlFile, pointer: string): Located {
  const { node, key } = follow(file, pointer);
  return { value: placeOfNode(file, node), key: key === null ? null : placeOfNode(file, key) };
}

/** The place of a key, or of the value where there is no key. */
export function keyPlace(file: YamlFile, pointer: string): Place {
  const { key, value } = locate(file, pointer);
  return key ?? value;
}

/** What a JSON pointer leads to; for an alias, what it names. */
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

/** Made on the first question: a mapping can have tens of thousands of keys, and each of them a fault. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, ParsedPair> {
  const known = pairsByMap.get(map);
  if (known !== undefined) return known;
  const pairs = new Map<string, ParsedPair>();
  for (const pair of map.items as ParsedPair[]) {
    if (isScalar(pair.key) && !pairs.has(String(pair.key.value))) pairs.set(String(pair.key.value), pair);
  }
  pairsByMap.set(map, pairs);
  return pairs;
}

function placeOfNode(file: YamlFile, node: ParsedNode): Place {
  return { source: file.source, start: node.range[0], end: node.range[1] };
}

/** A value of a file as the file writes it: texts with their references, for messages. What a reference brought must not show. */
export function asWritten(file: YamlFile, pointer: string, value: unknown): unknown {
  if (file.written.size === 0) return value;
  if (Array.isArray(value)) return value.map((item, index) => asWritten(file, `${pointer}/${index}`, item));
  if (typeof value !== 'object' || value === null) return file.written.get(nodeAt(file, pointer)) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asWritten(file, pointer + jsonPointer(name), member)]),
  );
}
