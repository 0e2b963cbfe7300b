// Edits of a tree as changes of its text. What is not edited keeps its bytes.
import { openDraft } from './draft.ts';
import { editFlow } from './edit-flow.ts';
import {
  applyEdits,
  type EditTree,
  editsAt,
  editTree,
  type Insert,
  type NewValue,
  type QuotedEdit,
} from './edit-tree.ts';
import { type Editing, isDeletedMember, lastLine, leadingLine, type NodePlace, placeOfMember } from './editing.ts';
import { fileStyle, styleLike } from './file-style.ts';
import {
  blockScalar,
  collectionLines,
  flowText,
  itemLines,
  memberOfList,
  memberOfMap,
  type PrintedValue,
  pairLines,
} from './print-lines.ts';
import type { PrintStyle, StylePath } from './print-style.ts';
import type { ScalarStyle } from './scalar-text.ts';
import { shareNodes } from './shared-nodes.ts';
import type { CollectionNode, Member, ScalarNode, SourceNode, SourceTree } from './source-tree.ts';
import { isScalarValue, type WrittenScalar, type WrittenValue } from './written-value.ts';

/** The text after the edits, or null if they overlap; `keepsMissingEnd`: no final line end if there was none. */
export function editedText(
  tree: SourceTree,
  value: WrittenValue,
  edits: readonly QuotedEdit[],
  keepsMissingEnd: boolean,
): string | null {
  const tops = editTree(edits);
  const draft = openDraft(tree.text, tree.lines);
  const sharing = shareNodes(
    tree,
    value,
    tops,
    edits.some(({ isQuoted }) => isQuoted),
  );
  const editing: Editing = { tree, draft, sharing, style: fileStyle(tree), dashWidths: new Map() };
  // An alias may change although no edit leads to it, because its anchor is gone.
  for (const alias of sharing.copies.keys()) editsAt(tops, alias.pointer);
  const { root } = tree;
  editNode(root, tops, { owner: null, markEnd: root.start, headEnd: root.start, path: [], value }, editing);
  for (const node of sharing.withoutAnchor) removeAnchor(node, editing);
  return draft.finish(keepsMissingEnd);
}

function removeAnchor({ anchor, start }: SourceNode, { tree, draft }: Editing): void {
  if (anchor === null) return;
  const isInLine = tree.lines.lineOf(anchor.start) === tree.lines.lineOf(start);
  if (isInLine) draft.replace(anchor.start, start, '');
  else draft.replace(endBefore(tree.text, anchor.start), anchor.end, '');
}

/** The end of what is before an offset, without blanks. */
function endBefore(text: string, offset: number): number {
  let end = offset;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return end;
}

function editNode(node: SourceNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  if (node.kind === 'alias') {
    const copy = editing.sharing.copies.get(node);
    if (copy !== undefined) replaceNode(node, copy, copy.anchor, place, editing);
  } else if (edits.set !== null) replaceNode(node, edits.set, null, place, editing);
  else if (node.kind === 'scalar') return;
  else if (!node.isFlow) editBlock(node, edits, place, editing);
  else if (node.members.length > 0) editFlow(node, edits, place, editing);
  else if (edits.inserts.size > 0)
    replaceNode(node, { value: applyEdits(place.value, edits), isQuoted: false }, null, place, editing);
}

/** A mapping or list of lines whose members are edited. */
interface Block {
  readonly node: CollectionNode;
  readonly edits: EditTree;
  readonly place: NodePlace;
  readonly editing: Editing;
  readonly column: number;
  readonly style: PrintStyle;
  readonly hasBlankLines: boolean;
}

function editBlock(node: CollectionNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  const { members } = node;
  for (const member of members) {
    const below = edits.members.get(member.name);
    if (below !== undefined && !below.isDeleted)
      editNode(member.value, below, placeOfMember(node, member, place), editing);
  }
  const kept = members.filter((member) => !isDeletedMember(member, edits));
  if (kept.length === members.length && edits.inserts.size === 0) return;
  const column = editing.tree.lines.columnOf(node.start);
  const style = { ...editing.style, dashWidth: dashWidth(node, editing) };
  const block: Block = { node, edits, place, editing, column, style, hasBlankLines: hasBlankLines(node, editing) };
  const [first] = members;
  if (first === undefined) return;
  const leading = insertMembers(block, kept);
  const isCompact = !editing.tree.lines.isFirstInLine(first.start);
  if (isCompact && isDeletedMember(first, edits)) rewriteHead(block, first, kept[0], leading);
  else {
    insertBefore(block, kept[0] ?? first, leading);
    if (kept.length === 0 && edits.inserts.size === 0) leaveEmpty(block, first);
    deleteMembers(block, members, kept.length > 0);
  }
}

function dashWidth(node: CollectionNode, { tree, style, dashWidths }: Editing): number {
  const known = dashWidths.get(node);
  if (known !== undefined) return known;
  const inLine = node.members.find(
    ({ markEnd, value }) =>
      node.kind === 'list' && value.anchor === null && tree.lines.lineOf(value.start) === tree.lines.lineOf(markEnd),
  );
  const width = inLine === undefined ? style.dashWidth : inLine.value.start - inLine.start;
  dashWidths.set(node, width);
  return width;
}

/** Most members are separated by blank lines. Sections of a file are, if there is only one. */
function hasBlankLines(node: CollectionNode, { tree }: Editing): boolean {
  const { members } = node;
  if (members.length === 1) return node === tree.root;
  let gaps = 0;
  for (let index = 1; index < members.length; index++) {
    const [before, after] = [members[index - 1], members[index]];
    if (before === undefined || after === undefined) continue;
    const end = tree.lines.lineOf(after.start);
    let line = lastLine(before, tree) + 1;
    while (line < end && !tree.lines.isBlank(line)) line += 1;
    if (line < end) gaps += 1;
  }
  return gaps * 2 > members.length - 1;
}

/** Inserts all new members that follow a kept one; returns the lines of those before the first one. */
function insertMembers(block: Block, kept: readonly Member[]): string[][] {
  const { node, edits, editing, hasBlankLines } = block;
  const leading: string[][] = [];
  let last: Member | null = null;
  for (const member of [null, ...node.members]) {
    if (member !== null && !isDeletedMember(member, edits)) last = member;
    for (const insert of edits.inserts.get(member?.name ?? null) ?? []) {
      const lines = insertedLines(insert, last ?? kept[0] ?? node.members[0], block);
      if (last === null) leading.push(lines);
      else {
        const line = lineAfter(last, block);
        const separated = hasBlankLines && !editing.tree.lines.keepsLineEnds(line - 1) ? ['', ...lines] : lines;
        editing.draft.insertLines(line, separated);
      }
    }
  }
  return leading;
}

/** The line after a member and the comments that are indented more than it. */
function lineAfter(member: Member, { column, editing: { tree } }: Block): number {
  let line = lastLine(member, tree) + 1;
  while (tree.lines.commentColumn(line) > column) line += 1;
  return line;
}

function insertedLines({ key, value, isQuoted }: Insert, sibling: Member | undefined, block: Block): string[] {
  const { node, place, editing, column } = block;
  const style: PrintStyle = { ...block.style, literals: !isQuoted };
  const path = [...place.path, key ?? '*'];
  // Sections have nothing in common.
  const like = sibling === undefined || node === editing.tree.root ? style : styleLike(sibling.value, path, style);
  return key === null ? itemLines(value, column, place.path, like) : pairLines(key, value, column, place.path, like);
}

/** New members before the first one that stays, or in the place of all that do not. */
function insertBefore(
  { node, column, editing, hasBlankLines }: Block,
  first: Member,
  leading: readonly string[][],
): void {
  const { tree, draft } = editing;
  if (leading.length === 0) return;
  if (!tree.lines.isFirstInLine(first.start)) {
    const text = leading.flat().map((line, index) => (index === 0 ? line.slice(column) : line));
    draft.replace(first.start, first.start, [...text, ' '.repeat(column)].join(tree.lines.lineEnd));
    return;
  }
  const lines = leading.flatMap((added) => (hasBlankLines ? [...added, ''] : added));
  draft.insertLines(leadingLine(first, node, tree), lines);
}

/** The first member is in the line of a dash, as in `- name: x`, and is deleted. */
function rewriteHead(block: Block, first: Member, next: Member | undefined, leading: readonly string[][]): void {
  const { node, editing, column, place } = block;
  const { tree, draft } = editing;
  const { lines } = tree;
  const members = node.members.slice(1);
  const endOfFirst = lines.endOf(lastLine(first, tree));
  if (leading.length > 0 || next === undefined) {
    const text = leading.length > 0 ? leading.flat() : [' '.repeat(column) + emptyText(node)];
    draft.replace(first.start, endOfFirst, text.join(lines.lineEnd).slice(column));
    deleteMembers(block, members, true);
    return;
  }
  const between = members.slice(0, members.indexOf(next));
  if (isFreeBetween(first, between, next, block)) {
    draft.replace(first.start, next.start, '');
    deleteMembers(block, members.slice(between.length), true);
  } else {
    draft.replace(place.headEnd, endOfFirst, '');
    deleteMembers(block, members, true);
  }
}

/** Between two members are only lines that are deleted or blank. */
function isFreeBetween(
  first: Member,
  between: readonly Member[],
  next: Member,
  { node, editing: { tree } }: Block,
): boolean {
  const deleted = new Set<number>();
  for (const member of between) {
    for (let line = leadingLine(member, node, tree); line <= lastLine(member, tree); line++) deleted.add(line);
  }
  for (let line = lastLine(first, tree) + 1; line < tree.lines.lineOf(next.start); line++) {
    if (!deleted.has(line) && !tree.lines.isBlank(line)) return false;
  }
  return true;
}

function deleteMembers({ node, edits, editing }: Block, members: readonly Member[], hasKept: boolean): void {
  const { tree, draft } = editing;
  let isFirst = hasKept && members[0] === node.members[0];
  for (const member of members) {
    if (!isDeletedMember(member, edits)) isFirst = false;
    else draft.deleteLines(leadingLine(member, node, tree), lastLine(member, tree), isFirst);
  }
}

function emptyText({ kind }: CollectionNode): string {
  return kind === 'list' ? '[]' : '{}';
}

/** A key without a value is an error, so an empty list is written. */
function leaveEmpty({ node, place, editing: { tree, draft } }: Block, first: Member): void {
  if (place.owner === null) draft.insertLines(leadingLine(first, node, tree), [emptyText(node)]);
  else draft.replace(place.headEnd, place.headEnd, ` ${emptyText(node)}`);
}

/** Replaces a value outside of brackets. `anchor` is added to it. */
function replaceNode(
  node: SourceNode,
  { value, isQuoted }: NewValue,
  anchor: string | null,
  place: NodePlace,
  editing: Editing,
): void {
  if (place.owner === null) {
    replaceRoot(node, value, editing);
    return;
  }
  const style: PrintStyle = { ...editing.style, literals: !isQuoted };
  const printed = printedIn(place.owner, node, value, place.path, { ...editing, style });
  const head = [anchor === null ? [] : `&${anchor}`, printed.head ?? []].flat().join(' ');
  if ((node.kind === 'map' || node.kind === 'list') && !node.isFlow) replaceBlock(node, head, printed, place, editing);
  else replaceInline(node, head, printed, place, editing);
}

function printedIn(
  owner: CollectionNode,
  node: SourceNode,
  value: WrittenValue,
  path: StylePath,
  editing: Editing,
): PrintedValue {
  const { tree } = editing;
  const column = tree.lines.columnOf(owner.start);
  const base: PrintStyle = { ...editing.style, dashWidth: dashWidth(owner, editing) };
  if (node.kind === 'scalar' && isScalarValue(value)) {
    const below = textColumn(node, tree) ?? column + (owner.kind === 'list' ? base.dashWidth : base.indent);
    const style = { ...base, keepsEnds: tree.text.slice(node.start, node.headEnd).includes('+') };
    return blockScalar(value, wantedStyle(node, value, tree), style, below);
  }
  const style = styleLike(node, path, base);
  const taken = tree.lines.columnOf(node.start);
  const print = owner.kind === 'list' ? memberOfList : memberOfMap;
  return print(value, { path, column, taken }, style);
}

/** A text in quotes stays in quotes, unless it gets lines. */
function wantedStyle(node: ScalarNode, value: WrittenScalar, { text }: SourceTree): ScalarStyle | null {
  if (node.style === 'literal') return 'literal';
  if (node.style !== '"' && node.style !== "'") return null;
  const isLong = typeof value === 'string' && value.includes('\n');
  return isLong && !text.slice(node.start, node.end).includes('\\n') ? null : node.style;
}

/** The indentation of a text in lines; null for any other scalar, and where the header has it. */
function textColumn({ start, headEnd, end }: ScalarNode, { text, lines }: SourceTree): number | null {
  if (headEnd === end || /\d/.test(text.slice(start, headEnd))) return null;
  const found = /\n( +)[^ \r\n]/.exec(text.slice(lines.endOf(lines.lineOf(headEnd)), end));
  return found?.[1]?.length ?? null;
}

/** A scalar, an alias or a collection in brackets. */
function replaceInline(
  node: SourceNode,
  head: string,
  printed: PrintedValue,
  place: NodePlace,
  editing: Editing,
): void {
  const { tree, draft, sharing } = editing;
  const { lines, text } = tree;
  const isText = node.kind === 'scalar' && node.headEnd < node.end;
  const oldEnd = isText ? node.headEnd : node.end;
  const headLine = lines.lineOf(Math.max(node.start, oldEnd - 1));
  if (isText) draft.deleteLines(headLine + 1, lines.lineOf(node.end - 1), false);
  const losesAnchor = sharing.withoutAnchor.has(node);
  const isLast = /^[ \t]*\r?$/.test(text.slice(oldEnd, lines.endOf(headLine)));
  const isInLine = lines.lineOf(node.start) === lines.lineOf(place.headEnd);
  if (head !== '') {
    draft.replace(node.start, oldEnd, head);
    draft.insertLines(headLine + 1, printed.lines);
  } else if (place.owner?.kind === 'list' && isLast && isInLine && (node.anchor === null || losesAnchor)) {
    draft.replace(node.start, oldEnd, printed.lines.join(lines.lineEnd).trimStart());
  } else {
    draft.replace(losesAnchor ? node.start : place.headEnd, oldEnd, '');
    draft.insertLines(headLine + 1, printed.lines);
  }
}

function replaceBlock(
  node: CollectionNode,
  head: string,
  printed: PrintedValue,
  place: NodePlace,
  { tree, draft }: Editing,
): void {
  const { lines } = tree;
  const last = lines.lineOf(node.end - 1);
  const [first] = node.members;
  if (first === undefined) return;
  if (!lines.isFirstInLine(node.start)) {
    const text = head === '' ? printed.lines.join(lines.lineEnd).trimStart() : head;
    draft.replace(node.start, node.end, text);
    if (head !== '') draft.insertLines(last + 1, printed.lines);
    return;
  }
  // Comments between the key and a text would become a part of the text.
  const isText = head !== '' && printed.lines.length > 0;
  const start = isText ? lines.lineOf(place.headEnd) + 1 : leadingLine(first, node, tree);
  if (head !== '') draft.replace(place.headEnd, place.headEnd, ` ${head}`);
  draft.insertLines(start, printed.lines);
  draft.deleteLines(start, last, false);
}

function replaceRoot(node: SourceNode, value: WrittenValue, { tree, draft, style }: Editing): void {
  const { lines } = tree;
  if (isScalarValue(value) || Object.keys(value).length === 0) {
    draft.replace(node.start, node.end, flowText(value, [], style));
    return;
  }
  const text = collectionLines(value, 0, [], style).join(lines.lineEnd);
  if (lines.isFirstInLine(node.start)) draft.replace(node.start, node.end, text);
  else draft.replace(endBefore(tree.text, node.start), node.end, lines.lineEnd + text);
}
