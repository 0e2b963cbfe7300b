// The library composes a document when its last token is there: its tokens and its tree are in memory together, and a large
// file takes half a second without a pause. So the complete items of open collections are composed while the parser is still
// reading, and are taken out of the parser's stack. A marker takes their place, and the composed tree gets them back.
import {
  CST,
  isAlias,
  isCollection,
  isPair,
  type Pair,
  type ParsedNode,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** The parser still changes the last items of an open collection. */
const itemsOfParser = 3;
/** With one more, a marker, a run of items is more than the one item that leads to an open collection. */
const fewestItems = 3;
/** Files cannot have it. */
const markerStart = '*\u0000';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type Item = CST.CollectionItem;

export interface Slices {
  /** Composes the complete items of all collections on the parser's stack and removes them. */
  take(stack: readonly CST.Token[]): void;
  /** Puts the items back into the tree that the library made of the rest. */
  restore(root: ParsedNode | null): void;
}

/** `compose` returns the tree of a document, and keeps the mistakes from an offset on. */
export function openSlices(compose: (document: CST.Document, start: number) => ParsedNode | null): Slices {
  const taken: unknown[][] = [];
  const markers = new WeakMap<CST.Token, { readonly id: number; readonly end: number }>();

  const takeFrom = (collection: Collection, path: readonly CST.Token[]) => {
    const items = collection.items as Item[];
    const next = startOfItem(items.at(-itemsOfParser));
    if (items.length < itemsOfParser + fewestItems || next === undefined) return;
    const marker = markers.get(collection);
    const start = marker?.end ?? collection.offset;
    const run = items.splice(0, items.length - itemsOfParser);
    const root = compose(documentOf(path, { ...collection, items: run } as Collection, next), start);
    const composed = collectionOf(root);
    const id = marker?.id ?? taken.push([]) - 1;
    for (const item of composed?.items.slice(marker === undefined ? 0 : 1) ?? []) taken[id]?.push(item);
    const end = (collection.type === 'flow-collection' ? endOf(composed?.items.at(-1)) : composed?.range?.[1]) ?? next;
    markers.set(collection, { id, end });
    items.unshift(markerItem(collection, `${markerStart}${id}`, end));
  };

  const restore = (node: unknown): void => {
    if (!isCollection(node)) return;
    const id = markerOf(node.items[0]);
    if (id !== null) node.items = [...(taken[id] ?? []), ...node.items.slice(1)];
    for (const item of node.items) {
      if (!isPair(item)) restore(item);
      else {
        restore(item.key);
        restore(item.value);
      }
    }
  };

  return {
    take(stack) {
      for (const [depth, token] of stack.entries()) if (CST.isCollection(token)) takeFrom(token, stack.slice(0, depth));
    },
    restore(root) {
      if (taken.length > 0) restore(root);
    },
  };
}

/**
 * A document with nothing but the way to a collection. A parser closes what is open, as it does at the end of a file:
 * mistakes of the document itself are found there, and ignored here.
 */
function documentOf(path: readonly CST.Token[], collection: Collection, end: number): CST.Document {
  const parser = new Parser();
  parser.stack = [...path.map((token) => emptied(token, end)), closed(collection, end)];
  const [document] = [...parser.end()];
  return document as CST.Document;
}

function emptied(token: CST.Token, end: number): CST.Token {
  if (!CST.isCollection(token)) return { ...token, start: [] } as unknown as CST.Token;
  const item = token.items.at(-1) as Item | undefined;
  const items = item === undefined ? [] : [wayThrough(item)];
  return closed({ ...token, items } as Collection, end);
}

function closed(collection: Collection, offset: number): Collection {
  if (collection.type !== 'flow-collection') return collection;
  const mark = isFlowMap(collection)
    ? ({ type: 'flow-map-end', source: '}' } as const)
    : ({ type: 'flow-seq-end', source: ']' } as const);
  return { ...collection, end: [{ ...mark, offset, indent: collection.indent }] };
}

/** An item whose key or value is still open, without comments, and with short texts in place of collections. */
function wayThrough(item: Item): Item {
  const way: Item = { ...item, start: indicators(item.start) };
  if (item.sep !== undefined) way.sep = indicators(item.sep);
  if (CST.isCollection(item.key)) way.key = shortText(item.key);
  if (CST.isCollection(item.value)) way.value = shortText(item.value);
  return way;
}

function indicators(tokens: readonly CST.SourceToken[]): CST.SourceToken[] {
  return tokens.filter(({ type }) => type.endsWith('-ind'));
}

function shortText({ offset, indent }: Collection): CST.FlowScalar {
  return { type: 'scalar', offset, indent, source: 'a' };
}

/** An alias that ends where the last item ended, so that the next item is composed as if it followed that one. */
function markerItem(collection: Collection, source: string, end: number): Item {
  const { type, indent } = collection;
  const offset = end - source.length;
  const alias: CST.FlowScalar = { type: 'alias', offset, indent, source };
  const indicator = (name: 'explicit-key-ind' | 'seq-item-ind', mark: string) =>
    [{ type: name, offset: offset - 1, indent, source: mark }] satisfies CST.SourceToken[];
  if (type === 'block-map') return { start: indicator('explicit-key-ind', '?'), key: alias, sep: [] };
  if (type === 'block-seq') return { start: indicator('seq-item-ind', '-'), value: alias };
  return isFlowMap(collection) ? { start: [], key: alias, sep: [] } : { start: [], value: alias };
}

function isFlowMap({ start }: CST.FlowCollection): boolean {
  return start.type === 'flow-map-start';
}

function markerOf(item: unknown): number | null {
  const node = isPair(item) ? item.key : item;
  if (!isAlias(node) || !`*${node.source}`.startsWith(markerStart)) return null;
  return Number(node.source.slice(markerStart.length - 1));
}

/** The first collection with several items: those on the way to it have one. */
function collectionOf(node: unknown): YAMLMap | YAMLSeq | null {
  if (!isCollection(node)) return null;
  const [item, ...others] = node.items;
  if (others.length > 0) return node;
  if (!isPair(item)) return collectionOf(item);
  return collectionOf(isCollection(item.value) ? item.value : item.key);
}

function startOfItem(item: Item | undefined): number | undefined {
  return item?.start[0]?.offset ?? item?.key?.offset ?? item?.sep?.[0]?.offset ?? item?.value?.offset;
}

function endOf(item: unknown): number | undefined {
  const node = isPair(item) ? ((item as Pair<ParsedNode, ParsedNode | null>).value ?? item.key) : item;
  return (node as ParsedNode | undefined)?.range[2];
}
