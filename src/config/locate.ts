import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { Place } from './fault.ts';
import type { YamlFile } from './yaml-file.ts';

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

/** What a JSON pointer leads to; for an alias, what it names. */
export function nodeAt(file: YamlFile, pointer: string): ParsedNode {
  return resolve(file, follow(file, pointer).node);
}

function follow(file: YamlFile, pointer: string): Step {
  let node: ParsedNode = file.root;
  let key: ParsedNode | null = null;
  for (const segment of segmentsOf(pointer)) {
    const step = child(resolve(file, node), segment);
    if (step === null) break;
    key = step.key;
    node = step.node;
  }
  return { node, key };
}

export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
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
