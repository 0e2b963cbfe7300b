// Edits of a tree. The text of a mapping or list is put together from those of its members, with what is between them.
// What is not edited keeps its bytes.
import { applyEdits, type EditTree, type Insert, isUnedited, noEdits } from './edits.ts';
import { fileStyle, isBlock, styleLike } from './file-style.ts';
import type { PrintedValue, PrintStyle, StylePath } from './print-yaml.ts';
import {
  blockScalar,
  dashWidth,
  flowPair,
  flowText,
  itemLines,
  pairLines,
  printedMember,
  rawText,
} from './print-yaml.ts';
import type { ScalarStyle } from './scalar-text.ts';
import type { TextLines } from './source-lines.ts';
import type { CollectionNode, Member, ScalarNode, SourceNode, SourceTree } from './source-tree.ts';
import { isScalarValue, type WrittenScalar, type WrittenValue } from './written-value.ts';

/** What the edits of one file share. */
interface Editing {
  readonly tree: SourceTree;
  readonly style: PrintStyle;
}

/** A mapping or list whose members change. */
interface Collection {
  readonly node: CollectionNode;
  readonly edits: EditTree;
  readonly path: StylePath;
  /** Where the text before its first member begins. */
  readonly from: number;
}

/** A text, and the text in lines that it ends in. */
interface Piece {
  readonly text: string;
  readonly open: TextLines | null;
}

/** What is between two members. */
interface Gap {
  /** Between brackets only. */
  readonly comma: string;
  /** What belongs to the member before: between brackets the comment in its line, and elsewhere lines that are indented more. */
  readonly comment: string;
  /** Lines that belong to no member. */
  readonly free: string;
  /** The comment lines of the member after it, and its indentation. */
  readonly own: string;
}

const unedited = noEdits();

/** The text after the edits. */
export function editedText(tree: SourceTree, edits: EditTree): string {
  const { root, text, lines } = tree;
  const editing = { tree, style: fileStyle(tree) };
  if (!isBlock(root)) return text.slice(0, root.start) + editedFlow(root, edits, [], editing) + text.slice(root.end);
  const from = lines.startOf(0);
  const { text: body, open } = withMembers({ node: root, edits, path: [], from }, editing);
  const all = isEmptied(root, edits) ? [body, emptyText(root)].filter((part) => part !== '').join(lines.lineEnd) : body;
  const rest = text.slice(extentOf(root, tree));
  // The end of a text in lines is a part of its value.
  const end = open !== null && rest === '' ? lines.lineEnd : '';
  return text.slice(0, from) + (/\s/.test(text.charAt(from)) ? all : all.replace(/^\r?\n/, '')) + rest + end;
}

/** The text of a value between brackets, or in one line. */
function editedFlow(node: SourceNode, edits: EditTree, path: StylePath, editing: Editing): string {
  const { tree, style } = editing;
  if (isUnedited(edits)) return tree.text.slice(node.start, node.end);
  const isBracketed = bracketOf(node, tree) !== '';
  // Without brackets, a mapping has one pair.
  const canStay = 'members' in node && (isBracketed || edits.inserts.size === 0);
  if (edits.set !== undefined || !canStay)
    return flowText(applyEdits(node.written as WrittenValue, edits), path, styleLike(node, path, style));
  return withMembers({ node, edits, path, from: node.start + (isBracketed ? 1 : 0) }, editing).text;
}

function bracketOf({ start }: SourceNode, { text }: SourceTree): string {
  return /[[{]/.exec(text.charAt(start))?.[0] ?? '';
}

function isDeleted(edits: EditTree, name: string): boolean {
  return edits.members.get(name)?.isDeleted === true;
}

function isAllDeleted({ members }: CollectionNode, edits: EditTree): boolean {
  return members.every(({ name }) => isDeleted(edits, name));
}

/** A key without a value is an error, so an empty list is written. */
function isEmptied(node: CollectionNode, edits: EditTree): boolean {
  return edits.inserts.size === 0 && isAllDeleted(node, edits);
}

function emptyText({ kind }: CollectionNode): string {
  return kind === 'list' ? '[]' : '{}';
}

/** The text of a mapping or list. Without members left, it has only lines that belonged to none. */
function withMembers(collection: Collection, editing: Editing): Piece {
  const { node, edits } = collection;
  const { tree } = editing;
  const { lines } = tree;
  const { members, isFlow } = node;
  const gaps = gapsOf(collection, tree);
  const [first = noGap, last = noGap] = [gaps[0], gaps.at(-1)];
  const isEmpty = isAllDeleted(node, edits);
  const bracket = isFlow ? bracketOf(node, tree) : '';
  const ownLine = isFlow ? members.find(({ start }) => lines.isFirstInLine(start)) : undefined;
  const newLine = lines.lineEnd + ' '.repeat(lines.columnOf(ownLine?.start ?? node.start));
  const blank = !isFlow && hasBlankLines(node, tree) ? lines.lineEnd : '';
  let text = bracket + first.comment;
  let open: TextLines | null = null;
  /** What is after the last member; null before the first one. */
  let after: Gap | null = null;
  let free = '';

  const endMember = (comma: string) => {
    if (after === null) return;
    text += (isFlow ? comma : '') + belowText(open, after.comment);
    if (after.comment !== '') open = null;
  };
  /** Between brackets, a comment and lines that belong to no member end before what follows. */
  const led = (lead: string) => {
    const isBelow = isFlow && (after ?? first).comment + free !== '' && !lead.includes('\n');
    return belowText(open, free + (isBelow ? newLine : lead));
  };
  const add = (lead: string, member: Piece, gap: Gap) => {
    const before = first.free + first.own;
    // The first one takes the place of the one that was first.
    const isInPlace = after === null && (free + lead).trim() === '' && !before.includes('\n');
    endMember(after?.comma || ',');
    text += (isInPlace ? before : led(lead)) + member.text;
    [open, after, free] = [member.open, gap, ''];
  };
  const addInserts = (sibling: Member | undefined, inserts: readonly Insert[] = []) => {
    const isInLine = isFlow && !(sibling !== undefined && lines.isFirstInLine(sibling.start));
    for (const insert of inserts) {
      const lead = isInLine ? ' ' : (after === null ? '' : blank) + newLine;
      add(lead, inserted(insert, sibling, collection, editing), noGap);
    }
  };

  if (edits.inserts.has(null)) free = first.free;
  addInserts(members[0], edits.inserts.get(null));
  for (const [index, member] of members.entries()) {
    const [{ own, ...gap } = noGap, next = noGap] = [gaps[index], gaps[index + 1]];
    const isAfterNew = index === 0 && after !== null;
    const above = isAfterNew ? '' : gap.free;
    if (isDeleted(edits, member.name)) {
      // Blank lines have nothing left to separate.
      free += after !== null || isEmpty ? above.trimEnd() : above;
      if (!isFlow) free += commentsBelow(member, tree) + next.comment;
    } else {
      const lead = isAfterNew ? blank + (own || (isFlow ? ' ' : newLine)) : above + own;
      const isFirst = index > 0 && after === null;
      add(isFirst ? lead.replace(blankLines, '') : lead, editedMember(member, collection, editing), next);
    }
    addInserts(member, edits.inserts.get(member.name));
  }
  endMember(last.comma);
  if (!isFlow) return { text: text + belowText(open, free), open: free.trim() === '' ? open : null };
  const isBare = after === null && (first.comment + free + last.free).trim() === '';
  if (isBare) return { text: emptyText(node), open };
  return { text: text + led(last.free) + closing[bracket], open };
}

const closing: Readonly<Record<string, string>> = { '': '', '[': ']', '{': '}' };

/** Blank lines at the start of what begins with a line end. */
const blankLines = /^(?:\r?\n[ \t]*)*(?=\r?\n)/;

/** What follows a text in lines and must not become a part of it: comments move to the left. */
function belowText(open: TextLines | null, lead: string): string {
  if (open === null) return lead;
  const kept = open.keepsEnds ? lead.replace(blankLines, '') : lead;
  return kept.replaceAll(new RegExp(`^ {${open.column},}(?=#)`, 'gm'), ' '.repeat(open.column - 1));
}

const noGap: Gap = { comma: '', comment: '', free: '', own: '' };

/** What is before each member, and after the last one. */
function gapsOf({ node, from }: Collection, tree: SourceTree): readonly Gap[] {
  const { text, lines } = tree;
  const { members, isFlow } = node;
  const column = lines.columnOf(node.start);
  const end = isFlow ? node.end - bracketOf(node, tree).length : extentOf(node, tree);
  return [from, ...members.map((member) => (isFlow ? member.end : tailOf(member, tree)))].map((start, index) => {
    const member = members[index];
    const until = member?.start ?? end;
    const [, comma = '', inLine = ''] = (isFlow && endOfMember.exec(text.slice(start, until))) || [];
    const comment = isFlow || index === 0 ? inLine : text.slice(start, indentedEnd(start, column, tree));
    const at = start + comma.length + comment.length;
    const own = member === undefined ? until : Math.max(at, lines.endOf(leadingLine(member, node, tree) - 1));
    return { comma, comment, free: text.slice(at, own), own: text.slice(own, until) };
  });
}

/** Between brackets: the comma, which may be in a line below, and a comment. */
const endOfMember = /^((?:\s|#[^\n]*\n)*,)?([ \t]*#[^\r\n]*)?/;

/** The end of a member in lines, with the comment in its last line. */
function tailOf(member: Member, tree: SourceTree): number {
  return isBlock(member.value) ? extentOf(member.value, tree) : tree.lines.endOf(lastLine(member, tree));
}

/** Lines below the last one of a member that are its own, because they are indented more. */
function commentsBelow(member: Member, tree: SourceTree): string {
  return tree.text.slice(tree.lines.endOf(lastLine(member, tree)), tailOf(member, tree));
}

/** The end of a mapping or list in lines, with comments below it that are indented more. */
function extentOf(node: CollectionNode, tree: SourceTree): number {
  const last = node.members.at(-1);
  const end = last === undefined ? node.end : tailOf(last, tree);
  return indentedEnd(end, tree.lines.columnOf(node.start), tree);
}

/** The end of the comment lines below an offset that are indented more than a column. */
function indentedEnd(offset: number, column: number, { lines }: SourceTree): number {
  let line = lines.lineOf(offset);
  while (lines.commentColumn(line + 1) > column) line += 1;
  return lines.endOf(line);
}

/** Most members are separated by blank lines. Sections of a file are, if there is only one. */
function hasBlankLines(node: CollectionNode, tree: SourceTree): boolean {
  const others = node.members.slice(1);
  if (others.length === 0) return node === tree.root;
  const gaps = others.filter((member) => tree.lines.isBlank(leadingLine(member, node, tree) - 1));
  return gaps.length * 2 > others.length;
}

/** The last line of a member, without comments after it. */
function lastLine({ start, end }: Member, { lines }: SourceTree): number {
  return lines.lineOf(Math.max(start, end - 1));
}

/**
 * The first of the comment lines directly above a member. Comments that are indented more than the member belong to what
 * is before it, if there is anything.
 */
function leadingLine({ start }: Member, owner: CollectionNode, { lines, root }: SourceTree): number {
  const own = lines.lineOf(start);
  const isFirst = start === owner.start;
  const column = isFirst ? Number.POSITIVE_INFINITY : lines.columnOf(start);
  let line = own;
  for (; lines.commentColumn(line - 1) >= 0 && lines.commentColumn(line - 1) <= column; line--);
  // A comment at the start of the file is about the file.
  return isFirst && owner === root && line === 0 ? own : line;
}

function inserted(
  { key, value }: Insert,
  sibling: Member | undefined,
  { node, path }: Collection,
  { tree, style }: Editing,
): Piece {
  // Sections have nothing in common.
  const isLike = sibling !== undefined && node !== tree.root;
  const like = isLike ? styleLike(sibling.value, [...path, key ?? '*'], style) : style;
  if (node.isFlow) {
    const text = key === null ? flowText(value, [...path, '*'], like) : flowPair(key, value, path, like);
    return { text, open: null };
  }
  const column = tree.lines.columnOf(node.start);
  const [first = '', ...others] =
    key === null ? itemLines(value, column, path, like) : pairLines(key, value, column, path, like);
  return piece([first.slice(column), ...others], textColumn(value, column), tree);
}

/** New lines. `column`: the indentation of the text in lines that they end in, at most. */
function piece(printed: readonly string[], column: number | null, { lines }: SourceTree): Piece {
  return { text: printed.join(lines.lineEnd), open: column === null ? null : { column, keepsEnds: false } };
}

/** The column from which a comment would become a part of a new text below `column`; null if it does not end in lines. `isLines`: a scalar does. */
function textColumn(value: WrittenValue, column: number, isLines = false): number | null {
  if (isScalarValue(value)) return isLines || rawText(value).includes('\n') ? column + 1 : null;
  const last = Object.values(value).at(-1);
  return last === undefined ? null : textColumn(last, column);
}

function editedMember(
  member: Member,
  { node: owner, edits: around, path: outer }: Collection,
  editing: Editing,
): Piece {
  const { tree } = editing;
  const { text, lines } = tree;
  const { name, value, start, headEnd } = member;
  const edits = around.members.get(name) ?? unedited;
  const path = [...outer, owner.kind === 'list' ? '*' : name];
  const tail = owner.isFlow ? member.end : tailOf(member, tree);
  if (isUnedited(edits)) return { text: text.slice(start, tail), open: lines.texts.get(lines.lineOf(tail)) ?? null };
  if (edits.set !== undefined && !owner.isFlow) {
    const changed = withValue(member, edits.set, { owner, path }, editing);
    const comments = commentsBelow(member, tree);
    return { text: changed.text + belowText(changed.open, comments), open: comments === '' ? changed.open : null };
  }
  if (!isBlock(value)) {
    const edited = editedFlow(value, edits, path, editing);
    return { text: text.slice(start, value.start) + edited + text.slice(value.end, tail), open: null };
  }
  const isBelow = lines.isFirstInLine(value.start);
  const from = isBelow ? lines.endOf(lines.lineOf(headEnd)) : value.start;
  const { text: below, open } = withMembers({ node: value, edits, path, from }, editing);
  const empty = isEmptied(value, edits) ? emptyText(value) : '';
  if (isBelow)
    return { text: text.slice(start, headEnd) + (empty && ` ${empty}`) + text.slice(headEnd, from) + below, open };
  const head = text.slice(start, from) + empty;
  return { text: (below.startsWith(lines.lineEnd) ? head.trimEnd() : head) + below, open };
}

interface PlaceOfValue {
  readonly owner: CollectionNode;
  readonly path: StylePath;
}

/** Writes a member with another value, after its own key or dash. */
function withValue(
  { value: node, start, headEnd }: Member,
  value: WrittenValue,
  place: PlaceOfValue,
  editing: Editing,
): Piece {
  const { tree } = editing;
  const { text, lines } = tree;
  const { owner } = place;
  const { head, lines: below } = printedValue(node, value, place, editing);
  const isBelow = isBlock(node) && lines.isFirstInLine(node.start);
  const space = isBelow ? ' ' : text.slice(headEnd, node.start);
  const end = isBelow ? headEnd : node.kind === 'scalar' ? node.headEnd : node.end;
  const comment = text.slice(end, lines.endOf(lines.lineOf(Math.max(headEnd, end - 1)))).trimEnd();
  const isEmpty = 'members' in node && node.members.length === 0;
  const above = space.trimEnd() + (isEmpty ? text.slice(node.start + 1, node.end - 1).trimEnd() : '') + comment;
  const isCompact = owner.kind === 'list' && above === '' && !node.hasAnchor && !space.includes('\n');
  const key = text.slice(start, headEnd);
  const open = below.length === 0 ? null : textColumn(value, lines.columnOf(owner.start), node.kind === 'scalar');
  if (head !== null) return piece([key + space + head + comment, ...below], open, tree);
  if (!isCompact) return piece([key + above, ...below], open, tree);
  const [first = '', ...others] = below;
  return piece([`- ${first.trimStart()}`, ...others], open, tree);
}

function printedValue(
  node: SourceNode,
  value: WrittenValue,
  { owner, path }: PlaceOfValue,
  { tree, style }: Editing,
): PrintedValue {
  const column = tree.lines.columnOf(owner.start);
  if (node.kind === 'scalar' && isScalarValue(value)) {
    const below = indentOfText(node, tree) ?? column + (owner.kind === 'list' ? dashWidth : style.indent);
    return blockScalar(value, wantedStyle(node, value, tree), style, below);
  }
  const place = { path, column, taken: tree.lines.columnOf(node.start) };
  return printedMember(owner.kind, value, place, styleLike(node, path, style));
}

/** A text in quotes stays in quotes, unless it gets lines. */
function wantedStyle(node: ScalarNode, value: WrittenScalar, { text }: SourceTree): ScalarStyle | null {
  if (node.style === 'literal') return 'literal';
  if (node.style !== '"' && node.style !== "'") return null;
  const isLong = typeof value === 'string' && value.includes('\n');
  return isLong && !text.slice(node.start, node.end).includes('\\n') ? null : node.style;
}

/** The indentation of a text in lines; null for any other scalar, and where the header has it. */
function indentOfText({ start, headEnd, end }: ScalarNode, { text, lines }: SourceTree): number | null {
  if (headEnd === end || /\d/.test(text.slice(start, headEnd))) return null;
  return lines.texts.get(lines.lineOf(end - 1))?.column ?? null;
}
