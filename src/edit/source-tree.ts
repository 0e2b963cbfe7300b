// A file as a tree of nodes with their written values, which the desired state does not have, and with the offsets that
// edits need: dashes, anchors and comments, which the parser keeps in its tokens only.
import { CST, Parser } from 'yaml';
import { isScalarProblem, readPlainScalar } from '../config/yaml/read-plain-scalar.ts';
import { type SourceLines, sourceLines } from './source-lines.ts';
import { textWithReferences, type WrittenMapping, type WrittenScalar, type WrittenValue } from './written-value.ts';

export type SourceNode = ScalarNode | AliasNode | CollectionNode;

interface NodeBase {
  readonly start: number;
  /** After the last character of the value; for a text in lines, after its last line. */
  readonly end: number;
  readonly hasAnchor: boolean;
  /** Undefined for something that no file may have. */
  readonly written: WrittenValue | undefined;
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
  /** Between brackets. `a: b` between square brackets is a mapping without braces. */
  readonly isFlow: boolean;
  readonly members: readonly Member[];
}

/** An item of a list, or a key with its value. */
export interface Member {
  readonly name: string;
  /** Null for an item of a list. */
  readonly key: SourceNode | null;
  /** Of the dash, the question mark, the key or its anchor. */
  readonly start: number;
  readonly end: number;
  /** After the dash or colon, and the anchor of the value. */
  readonly headEnd: number;
  readonly value: SourceNode;
}

export interface SourceTree {
  readonly text: string;
  readonly root: SourceNode;
  /** The value of the root. */
  readonly written: WrittenValue;
  readonly lines: SourceLines;
  readonly hasAliases: boolean;
}

/** The written value of a file; null if it is not valid, or has something that no file may have. */
export function readWritten(text: string): WrittenValue | null {
  return sourceTree(text)?.written ?? null;
}

/** The same as a tree. Not every mistake in the layout is found: what is written is loaded again. */
export function sourceTree(text: string): SourceTree | null {
  const lines = sourceLines(text);
  const anchors = new Map<string, SourceNode>();
  let hasAliases = false;
  const tokens = [...new Parser().parse(text)];
  const [document, ...others] = tokens.filter(({ type }) => type === 'document' || type === 'error');
  if (document?.type !== 'document' || document.value === undefined || others.length > 0) return null;
  const root = nodeOf(document.value, headOf(document.start, document.offset));
  return root.written === undefined ? null : { text, root, written: root.written, lines, hasAliases };

  function nodeOf(token: CST.Token, { anchor, isTagged }: Head): SourceNode {
    const untagged = unnamed(token, anchor !== null);
    const node = isTagged ? { ...untagged, written: undefined } : untagged;
    if (anchor === null) return node;
    // An anchor inside the node is after its own.
    const known = anchors.get(anchor);
    if (known === undefined || known.start < node.start) anchors.set(anchor, node);
    return node;
  }

  function unnamed(token: CST.Token, hasAnchor: boolean): SourceNode {
    switch (token.type) {
      case 'block-map':
      case 'block-seq':
        return blockOf(token, hasAnchor);
      case 'flow-collection':
        return flowOf(token, hasAnchor);
      case 'block-scalar':
        return textOf(token, hasAnchor);
      default:
        return inlineOf(token as CST.FlowScalar, hasAnchor);
    }
  }

  function inlineOf(token: CST.FlowScalar, hasAnchor: boolean): ScalarNode | AliasNode {
    const { type, offset: start, source } = token;
    const end = start + source.length;
    if (source.includes('\n')) lines.markScalar(start, end);
    if (type === 'alias') {
      hasAliases = true;
      const target = anchors.get(source.slice(1)) ?? null;
      return { kind: 'alias', start, end, hasAnchor, target, written: target?.written };
    }
    const style = type === 'scalar' ? 'plain' : type === 'double-quoted-scalar' ? '"' : "'";
    return { kind: 'scalar', start, end, headEnd: end, hasAnchor, style, written: writtenScalar(token) };
  }

  function textOf(token: CST.BlockScalar, hasAnchor: boolean): ScalarNode {
    const { props, source } = token;
    const header = props.find(({ type }) => type === 'block-scalar-header') as CST.SourceToken;
    const keepsEnds = header.source.includes('+');
    const textStart = tokenEnd(props.at(-1) as CST.SourceToken);
    const headEnd = tokenEnd(header);
    const kept = keepsEnds ? source : source.trimEnd();
    const end = kept === '' ? headEnd : textStart + kept.length;
    if (kept !== '') lines.markScalar(textStart, end);
    const column = /\d/.test(header.source) ? 1 : (/^ *(?=[^ \r\n])/m.exec(source)?.[0].length ?? 1);
    lines.texts.set(lines.lineOf(end - 1), { column, keepsEnds });
    const style = header.source.startsWith('|') ? 'literal' : 'folded';
    return { kind: 'scalar', start: header.offset, end, headEnd, hasAnchor, style, written: writtenScalar(token) };
  }

  function blockOf(token: CST.BlockMap | CST.BlockSequence, hasAnchor: boolean): CollectionNode {
    const kind = token.type === 'block-map' ? 'map' : 'list';
    const members = token.items.flatMap((item, index) => memberOf(item, String(index)) ?? []);
    const start = members[0]?.start ?? token.offset;
    const end = members.at(-1)?.end ?? token.offset;
    return { kind, start, end, hasAnchor, isFlow: false, members, written: writtenMembers(kind, members) };
  }

  function flowOf(token: CST.FlowCollection, hasAnchor: boolean): CollectionNode {
    const kind = token.start.source === '{' ? 'map' : 'list';
    const members: Member[] = [];
    for (const item of token.items) {
      const isPair = kind === 'list' && item.sep?.some(({ type }) => type === 'map-value-ind') === true;
      const member = memberOf(item, String(members.length));
      if (member !== null) members.push(isPair ? itemOfPair(member, String(members.length)) : member);
    }
    const [close] = token.end;
    const isClosed = close?.type === `flow-${kind === 'map' ? 'map' : 'seq'}-end`;
    const end = (close?.offset ?? token.offset) + 1;
    const written = isClosed ? writtenMembers(kind, members) : undefined;
    return { kind, start: token.offset, end, hasAnchor, isFlow: true, members, written };
  }

  /** Null for white space and comments only. `index` names an item of a list. */
  function memberOf({ start: before, key, sep, value }: CST.CollectionItem, index: string): Member | null {
    const first = before.find(({ type }) => !isSpace(type) && type !== 'comma');
    if (!key && value === undefined && first === undefined) return null;
    const start = first?.offset ?? key?.offset ?? value?.offset ?? 0;
    const keyHead = headOf(before, start);
    const keyNode = key ? nodeOf(key, keyHead) : null;
    // A key that is not valid makes a text that is not the expected one.
    const name = key && CST.isScalar(key) ? CST.resolveAsScalar(key, true, () => {}).value : index;
    const head = key ? headOf(sep ?? [], tokenEnd(key)) : keyHead;
    const node = value === undefined ? emptyScalar(head.end) : nodeOf(value, head);
    return { name, key: keyNode, start, end: node.end, headEnd: head.end, value: node };
  }
}

/** `a: b` as an item between square brackets. */
function itemOfPair(pair: Member, index: string): Member {
  const { start, end } = pair;
  const value: CollectionNode = {
    kind: 'map',
    start,
    end,
    hasAnchor: false,
    isFlow: true,
    members: [pair],
    written: writtenMembers('map', [pair]),
  };
  return { name: index, key: null, start, end, headEnd: start, value };
}

/** An empty value, which no file may have. */
function emptyScalar(at: number): ScalarNode {
  return { kind: 'scalar', start: at, end: at, headEnd: at, hasAnchor: false, style: 'plain', written: undefined };
}

function writtenScalar(token: CST.FlowScalar | CST.BlockScalar): WrittenScalar | undefined {
  let isValid = true;
  const { value: text } = CST.resolveAsScalar(token, true, () => {
    isValid = false;
  });
  if (!isValid) return undefined;
  const isPlain = token.type === 'scalar';
  if (text.includes('${')) return textWithReferences(text);
  if (!isPlain) return text;
  const value = readPlainScalar(text);
  return text === '' || isScalarProblem(value) ? undefined : value;
}

function writtenMembers(kind: 'map' | 'list', members: readonly Member[]): WrittenValue | undefined {
  const isValid = members.every(
    ({ name, key, value }) =>
      value.written !== undefined && (kind === 'list' || (key?.kind === 'scalar' && name !== '__proto__')),
  );
  if (!isValid) return undefined;
  const values = members.map(({ name, value }) => [name, value.written as WrittenValue] as const);
  if (kind === 'list') return values.map(([, value]) => value);
  const map: WrittenMapping = Object.fromEntries(values);
  return Object.keys(map).length < values.length ? undefined : map;
}

/** What precedes a value: its dash or colon, and its anchor. */
interface Head {
  readonly end: number;
  readonly anchor: string | null;
  readonly isTagged: boolean;
}

function headOf(tokens: readonly CST.SourceToken[], start: number): Head {
  const marks = tokens.filter(({ type }) => !isSpace(type) && type !== 'comma');
  const last = marks.at(-1);
  const anchor = marks.find(({ type }) => type === 'anchor');
  const isTagged = marks.some(({ type }) => type === 'tag');
  return { end: last === undefined ? start : tokenEnd(last), anchor: anchor?.source.slice(1) ?? null, isTagged };
}

function tokenEnd(token: CST.Token): number {
  return 'source' in token ? token.offset + token.source.length : token.offset;
}

function isSpace(type: string): boolean {
  return type === 'space' || type === 'newline' || type === 'comment' || type === 'byte-order-mark';
}
