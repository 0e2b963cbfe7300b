// A file as a tree of nodes with the offsets that edits need: indicators, anchors, commas and comments, which the parser
// keeps in its tokens only.
import { CST } from 'yaml';
import { jsonPointer } from '../values/json-pointer.ts';
import { type SourceLines, sourceLines } from './source-lines.ts';

export type SourceNode = ScalarNode | AliasNode | CollectionNode;

interface NodeBase {
  readonly start: number;
  /** After the last character of the value; for a text in lines, after its last line. */
  readonly end: number;
  readonly anchor: Anchor | null;
  /** From the root, as the file is written: aliases are not followed. */
  readonly pointer: string;
}

export interface Anchor {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: 'plain' | '"' | "'" | 'literal' | 'folded';
  /** After the header of a text in lines, or `end`. */
  readonly headEnd: number;
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  /** The node with the anchor. */
  readonly target: SourceNode | null;
}

export interface CollectionNode extends NodeBase {
  readonly kind: 'map' | 'list';
  readonly isFlow: boolean;
  /** `a: b` as an item between square brackets: a mapping without braces. */
  readonly isImplicit: boolean;
  readonly members: readonly Member[];
  /** Between brackets: the offsets of the brackets. */
  readonly open: number;
  readonly close: number;
}

/** An item of a list, or a key with its value. */
export interface Member {
  readonly name: string;
  /** Of the dash, the question mark, the key or its anchor. */
  readonly start: number;
  readonly end: number;
  /** After the dash or colon. */
  readonly markEnd: number;
  /** After the dash or colon, and the anchor of the value. */
  readonly headEnd: number;
  readonly value: SourceNode;
  /** The offset of the comma after it. */
  readonly comma: number | null;
}

export interface SourceTree {
  readonly text: string;
  readonly root: SourceNode;
  readonly lines: SourceLines;
  /** Aliases of each node with an anchor, in the order of the file. */
  readonly aliases: ReadonlyMap<SourceNode, readonly AliasNode[]>;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The tree of a valid file; null for a file without a value. */
export function sourceTree(text: string, tokens: readonly CST.Token[]): SourceTree | null {
  const lines = sourceLines(text);
  const anchors = new Map<string, SourceNode>();
  const aliases = new Map<SourceNode, AliasNode[]>();
  let root: SourceNode | null = null;
  for (const token of tokens) {
    if (token.type !== 'document') {
      markToken(token);
      continue;
    }
    markAll(token.start);
    if (token.value !== undefined) root = nodeOf(token.value, headOf(token.start, token.offset), '');
    if (token.end !== undefined) markAll(token.end);
  }
  return root === null ? null : { text, root, lines, aliases };

  function nodeOf(token: CST.Token, head: Head, pointer: string): SourceNode {
    switch (token.type) {
      case 'alias':
        return aliasOf(token, head, pointer);
      case 'block-map':
      case 'block-seq':
        return blockOf(token, head, pointer);
      case 'flow-collection':
        return flowOf(token, head, pointer);
      case 'block-scalar':
        return blockScalarOf(token, head, pointer);
      default:
        return flowScalarOf(token as CST.FlowScalar, head, pointer);
    }
  }

  function remember<Node extends SourceNode>(node: Node): Node {
    if (node.anchor !== null) anchors.set(node.anchor.name, node);
    return node;
  }

  function aliasOf(token: CST.FlowScalar, { anchor }: Head, pointer: string): AliasNode {
    const { start, end } = marked(token);
    const target = anchors.get(token.source.slice(1)) ?? null;
    const node: AliasNode = { kind: 'alias', start, end, anchor, pointer, target };
    if (target === null) return node;
    const known = aliases.get(target);
    if (known === undefined) aliases.set(target, [node]);
    else known.push(node);
    return node;
  }

  function flowScalarOf(token: CST.FlowScalar, { anchor }: Head, pointer: string): ScalarNode {
    const { start, end } = marked(token);
    const style = token.type === 'scalar' ? 'plain' : token.type === 'double-quoted-scalar' ? '"' : "'";
    return remember({ kind: 'scalar', start, end, headEnd: end, anchor, pointer, style });
  }

  function blockScalarOf(token: CST.BlockScalar, { anchor }: Head, pointer: string): ScalarNode {
    const header = token.props.find(({ type }) => type === 'block-scalar-header') as CST.SourceToken;
    const last = token.props.at(-1) as CST.SourceToken;
    const textStart = last.offset + last.source.length;
    const headEnd = header.offset + header.source.length;
    const kept = header.source.includes('+') ? token.source : token.source.trimEnd();
    const end = Math.max(headEnd, kept === '' ? 0 : textStart + kept.length);
    for (const prop of token.props) markToken(prop);
    lines.markContent(textStart, textStart + kept.length);
    if (header.source.includes('+')) lines.markKeptEnd(end);
    const column = /\d/.test(header.source) ? 1 : (/^ *(?=[^ \r\n])/m.exec(token.source)?.[0].length ?? 1);
    lines.markText({ head: lines.lineOf(header.offset), last: lines.lineOf(end - 1), column });
    const style = header.source.startsWith('|') ? 'literal' : 'folded';
    return remember({ kind: 'scalar', start: header.offset, end, headEnd, anchor, pointer, style });
  }

  function blockOf(token: CST.BlockMap | CST.BlockSequence, { anchor }: Head, pointer: string): CollectionNode {
    const members: Member[] = [];
    const node = {
      kind: token.type === 'block-map' ? ('map' as const) : ('list' as const),
      start: token.offset,
      end: token.offset,
      anchor,
      pointer,
      isFlow: false,
      isImplicit: false,
      members,
      open: -1,
      close: -1,
    };
    remember(node);
    for (const item of token.items) {
      const member = memberOf(item, members.length, pointer);
      if (member !== null) members.push(member);
    }
    node.start = members[0]?.start ?? token.offset;
    node.end = members.at(-1)?.end ?? token.offset;
    return node;
  }

  function flowOf(token: CST.FlowCollection, { anchor }: Head, pointer: string): CollectionNode {
    const members: Mutable<Member>[] = [];
    const isMap = token.start.source === '{';
    const close = token.end[0]?.offset ?? token.offset;
    const node: CollectionNode = {
      kind: isMap ? 'map' : 'list',
      start: token.offset,
      end: close + 1,
      anchor,
      pointer,
      isFlow: true,
      isImplicit: false,
      members,
      open: token.offset,
      close,
    };
    remember(node);
    markToken(token.start);
    for (const item of token.items) {
      const comma = item.start.find(({ type }) => type === 'comma');
      const last = members.at(-1);
      if (comma !== undefined && last !== undefined) last.comma = comma.offset;
      const isPair = !isMap && item.sep !== undefined && item.sep.some(({ type }) => type === 'map-value-ind');
      const member = isPair
        ? implicitOf(item, members.length, pointer)
        : memberOf(item, isMap ? -1 : members.length, pointer);
      if (member !== null) members.push(member);
    }
    markAll(token.end);
    return node;
  }

  function implicitOf(item: CST.CollectionItem, index: number, pointer: string): Member | null {
    const below = pointer + jsonPointer(index);
    const pair = memberOf(item, -1, below);
    if (pair === null) return null;
    const { start, end } = pair;
    const value: CollectionNode = {
      kind: 'map',
      start,
      end,
      anchor: null,
      pointer: below,
      isFlow: true,
      isImplicit: true,
      members: [pair],
      open: start,
      close: end,
    };
    return { name: String(index), start, end, markEnd: start, headEnd: start, value, comma: null };
  }

  /** `index` is that of a list item; the key of a mapping names its pair. Null for white space and comments only. */
  function memberOf(item: CST.CollectionItem, index: number, pointer: string): Member | null {
    const { start: before, key, sep, value } = item;
    const inMap = key !== undefined && key !== null;
    markAll(before);
    const first = before.find(({ type }) => !isSpace(type) && type !== 'comma');
    if (!inMap && value === undefined && first === undefined) return null;
    const start = first?.offset ?? (inMap ? key.offset : (value?.offset ?? -1));
    const keyHead = headOf(before, start);
    const name = inMap && CST.isScalar(key) ? nodeNameOf(key, keyHead) : String(index);
    if (sep !== undefined) markAll(sep);
    const head = inMap ? headOf(sep ?? [], tokenEnd(key)) : keyHead;
    if (value === undefined) {
      // Only an empty value, which no file may have.
      const at = head.headEnd;
      const empty: ScalarNode = {
        kind: 'scalar',
        start: at,
        end: at,
        headEnd: at,
        anchor: null,
        pointer,
        style: 'plain',
      };
      return { name, start, end: at, markEnd: head.markEnd, headEnd: at, value: empty, comma: null };
    }
    const node = nodeOf(value, head, pointer + jsonPointer(name));
    return { name, start, end: node.end, markEnd: head.markEnd, headEnd: head.headEnd, value: node, comma: null };
  }

  /** The text of a key, whose anchor may have aliases. */
  function nodeNameOf(key: CST.FlowScalar | CST.BlockScalar, head: Head): string {
    nodeOf(key, head, '');
    return CST.resolveAsScalar(key).value;
  }

  function marked(token: CST.FlowScalar): { readonly start: number; readonly end: number } {
    const start = token.offset;
    const end = start + token.source.length;
    lines.markContent(start, end);
    if (token.end !== undefined) markAll(token.end);
    return { start, end };
  }

  function markAll(tokens: readonly CST.SourceToken[]): void {
    for (const token of tokens) markToken(token);
  }

  function markToken(token: CST.Token): void {
    if (!('source' in token)) return;
    if (token.type === 'comment') lines.markComment(token.offset);
    else if (!isSpace(token.type)) lines.markContent(token.offset, token.offset + token.source.length);
  }
}

/** What precedes a value: its dash or colon, and its anchor. */
interface Head {
  readonly markEnd: number;
  readonly headEnd: number;
  readonly anchor: Anchor | null;
}

function headOf(tokens: readonly CST.SourceToken[], start: number): Head {
  let markEnd = start;
  let headEnd = start;
  let anchor: Anchor | null = null;
  for (const token of tokens) {
    if (isSpace(token.type) || token.type === 'comma') continue;
    headEnd = token.offset + token.source.length;
    if (token.type === 'anchor') anchor = { name: token.source.slice(1), start: token.offset, end: headEnd };
    else markEnd = headEnd;
  }
  return { markEnd, headEnd, anchor };
}

function tokenEnd(token: CST.Token): number {
  return 'source' in token ? token.offset + token.source.length : token.offset;
}

function isSpace(type: string): boolean {
  return type === 'space' || type === 'newline' || type === 'comment' || type === 'byte-order-mark';
}
