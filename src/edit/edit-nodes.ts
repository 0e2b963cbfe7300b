// Edits of a tree as changes of its text. What is not edited keeps its bytes.
import { memberOf } from '../values/json-pointer.ts';
import { type Draft, openDraft } from './draft.ts';
import { editedFlow } from './edit-flow.ts';
import { applyEdits, type EditTree, type Insert } from './edits.ts';
import { fileStyle, isBlock, styleLike } from './file-style.ts';
import type { PrintStyle, StylePath } from './print-lines.ts';
import {
  blanks,
  blockScalar,
  collectionLines,
  flowText,
  hasTypedReference,
  itemLines,
  memberOfList,
  memberOfMap,
  type PrintedValue,
  pairLines,
  rawText,
} from './print-lines.ts';
import type { ScalarStyle } from './scalar-text.ts';
import type { CollectionNode, Member, ScalarNode, SourceNode, SourceTree } from './source-tree.ts';
import { isScalarValue, ReferenceText, type WrittenScalar, type WrittenValue } from './written-value.ts';

/** What the edits of one file share. */
interface Editing {
  readonly tree: SourceTree;
  readonly draft: Draft;
  readonly style: PrintStyle;
}

/** A value in its file. */
interface NodePlace {
  /** The mapping or list around it; null for the root. */
  readonly owner: CollectionNode | null;
  /** The end of the key or dash before it, and of its anchor. */
  readonly headEnd: number;
  readonly path: StylePath;
  /** Before all edits. */
  readonly value: WrittenValue;
}

/** The text after the edits. */
export function editedText(tree: SourceTree, edits: EditTree): string {
  const draft = openDraft(tree.text, tree.lines);
  const place = { owner: null, headEnd: tree.root.start, path: [], value: tree.written };
  editNode(tree.root, edits, place, { tree, draft, style: fileStyle(tree) });
  return draft.finish();
}

function editNode(node: SourceNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  if (edits.set !== null) replaceNode(node, edits.set, place, editing);
  else if (node.kind === 'scalar' || node.kind === 'alias') return;
  else if (!node.isFlow) editBlock(node, edits, place, editing);
  else {
    const { tree, draft, style } = editing;
    const after = applyEdits(place.value, edits);
    // Between brackets, a reference would be text. An empty collection may become one in lines.
    if (node.members.length === 0 || hasTypedReference(after)) {
      if (edits.inserts.size + edits.members.size > 0) replaceNode(node, after, place, editing);
    } else draft.replace(node.start, node.end, editedFlow(node, edits, place.path, place.value, tree, style));
  }
}

/** A mapping or list in lines whose members come or go. */
interface Block {
  readonly node: CollectionNode;
  readonly edits: EditTree;
  readonly place: NodePlace;
  readonly editing: Editing;
  readonly column: number;
  readonly hasBlankLines: boolean;
}

function editBlock(node: CollectionNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  const isDeleted = ({ name }: Member) => edits.members.get(name)?.isDeleted === true;
  for (const { name, headEnd, value } of node.members) {
    const below = edits.members.get(name);
    if (below === undefined || below.isDeleted) continue;
    const path = [...place.path, node.kind === 'list' ? '*' : name];
    // The tree and the value are of the same text.
    const before = memberOf(place.value, name) as WrittenValue;
    editNode(value, below, { owner: node, headEnd, path, value: before }, editing);
  }
  const kept = node.members.filter((member) => !isDeleted(member));
  const [first] = node.members;
  if (first === undefined || (kept.length === node.members.length && edits.inserts.size === 0)) return;
  const column = editing.tree.lines.columnOf(node.start);
  const block = { node, edits, place, editing, column, hasBlankLines: hasBlankLines(node, editing) };
  const leading = insertMembers(block, kept);
  const isCompact = !editing.tree.lines.isFirstInLine(first.start);
  if (isCompact && isDeleted(first)) rewriteHead(block, first, kept[0], leading);
  else {
    insertBefore(block, kept[0] ?? first, leading);
    if (kept.length === 0 && edits.inserts.size === 0) leaveEmpty(block, first);
  }
  deleteMembers(block, isCompact ? node.members.slice(1) : node.members, kept);
}

/** Most members are separated by blank lines. Sections of a file are, if there is only one. */
function hasBlankLines(node: CollectionNode, { tree }: Editing): boolean {
  const others = node.members.slice(1);
  if (others.length === 0) return node === tree.root;
  const gaps = others.filter((member) => tree.lines.isBlank(leadingLine(member, node, tree) - 1));
  return gaps.length * 2 > others.length;
}

/** The last line of a member, without comments after it. */
function lastLine({ start, end }: Pick<Member, 'start' | 'end'>, { lines }: SourceTree): number {
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

/** Inserts all new members that follow a kept one; returns the lines of those before the first one. */
function insertMembers(block: Block, kept: readonly Member[]): string[][] {
  const { node, edits, editing, hasBlankLines: isSeparated, column } = block;
  const { lines } = editing.tree;
  const leading: string[][] = [];
  let last: Member | null = null;
  for (const member of [null, ...node.members]) {
    if (member !== null && edits.members.get(member.name)?.isDeleted !== true) last = member;
    for (const insert of edits.inserts.get(member?.name ?? null) ?? []) {
      const added = insertedLines(insert, last ?? kept[0] ?? node.members[0], block);
      if (last === null) {
        leading.push(added);
        continue;
      }
      let line = lastLine(last, editing.tree) + 1;
      while (lines.commentColumn(line) > column) line += 1;
      const isApart = isSeparated && lines.texts.get(line - 1)?.keepsEnds !== true;
      editing.draft.insertLines(line, isApart ? ['', ...added] : added, textColumn(insert.value, column));
    }
  }
  return leading;
}

function insertedLines({ key, value }: Insert, sibling: Member | undefined, block: Block): string[] {
  const { node, place, editing, column } = block;
  const style = styleOf(node, editing);
  const path = [...place.path, key ?? '*'];
  // Sections have nothing in common.
  const like = sibling === undefined || node === editing.tree.root ? style : styleLike(sibling.value, path, style);
  return key === null ? itemLines(value, column, place.path, like) : pairLines(key, value, column, place.path, like);
}

function styleOf({ dashWidth }: CollectionNode, { style }: Editing): PrintStyle {
  return dashWidth === null ? style : { ...style, dashWidth };
}

/** The column from which a comment would become a part of a new text below `column`; null if it does not end in lines. */
function textColumn(value: WrittenValue, column: number): number | null {
  const isText = typeof value === 'string' || value instanceof ReferenceText;
  if (isText) return rawText(value).includes('\n') ? column + 1 : null;
  const last = isScalarValue(value) ? undefined : Object.values(value).at(-1);
  return last === undefined ? null : textColumn(last, column);
}

/** New members before the first one that stays, or in the place of all that do not. */
function insertBefore(
  { node, column, editing: { tree, draft }, hasBlankLines: isSeparated }: Block,
  first: Member,
  leading: readonly string[][],
): void {
  if (leading.length === 0) return;
  if (tree.lines.isFirstInLine(first.start)) {
    const added = leading.flatMap((lines) => (isSeparated ? [...lines, ''] : lines));
    draft.insertLines(leadingLine(first, node, tree), added, column + 1);
  } else
    draft.replace(first.start, first.start, [...leading.flat(), blanks(column)].join(tree.lines.lineEnd).slice(column));
}

/** The first member is in the line of a dash, as in `- name: x`, and is deleted. */
function rewriteHead(
  { node, column, place, editing: { tree, draft } }: Block,
  first: Member,
  next: Member | undefined,
  leading: readonly string[][],
): void {
  const { lines, text } = tree;
  const end = lines.endOf(lastLine(first, tree));
  const added = next === undefined && leading.length === 0 ? [blanks(column) + emptyText(node)] : leading.flat();
  if (added.length > 0) draft.replace(first.start, end, added.join(lines.lineEnd).slice(column));
  else if (next !== undefined && text.slice(end, next.start).trim() === '') draft.replace(first.start, next.start, '');
  else draft.replace(place.headEnd, end, '');
}

/** Deletes members with their comments, and the blank lines that have nothing left to separate. */
function deleteMembers({ node, edits, editing }: Block, members: readonly Member[], kept: readonly Member[]): void {
  const { tree, draft } = editing;
  const { lines } = tree;
  const [firstKept] = kept;
  let isAfterText = false;
  for (const member of members) {
    if (edits.members.get(member.name)?.isDeleted !== true) {
      isAfterText = false;
      continue;
    }
    const isFirst = firstKept !== undefined && member.start < firstKept.start;
    let first = leadingLine(member, node, tree);
    let last = lastLine(member, tree);
    while (!isFirst && lines.isBlank(first - 1)) first -= 1;
    isAfterText ||= lines.texts.get(first - 1)?.keepsEnds === true && !draft.isDeleted(first - 1);
    while ((isFirst || isAfterText) && lines.isBlank(last + 1)) last += 1;
    draft.deleteLines(first, last);
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

/** Replaces a value outside of brackets. */
function replaceNode(node: SourceNode, value: WrittenValue, place: NodePlace, editing: Editing): void {
  const { owner, path } = place;
  if (owner === null) {
    replaceRoot(node, value, editing);
    return;
  }
  const printed = printedIn(owner, node, value, path, editing);
  const column = textColumn(value, editing.tree.lines.columnOf(owner.start));
  if (isBlock(node)) replaceBlock(node, printed, column, place, editing);
  else replaceInline(node, printed, column, place, editing);
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
  const base = styleOf(owner, editing);
  if (node.kind === 'scalar' && isScalarValue(value)) {
    const below = indentOfText(node, tree) ?? column + (owner.kind === 'list' ? base.dashWidth : base.indent);
    const style = { ...base, keepsEnds: tree.text.slice(node.start, node.headEnd).includes('+') };
    return blockScalar(value, wantedStyle(node, value, tree), style, below);
  }
  const print = owner.kind === 'list' ? memberOfList : memberOfMap;
  return print(value, { path, column, taken: tree.lines.columnOf(node.start) }, styleLike(node, path, base));
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

/** A scalar, an alias or a collection in brackets. */
function replaceInline(
  node: SourceNode,
  { head, lines: below }: PrintedValue,
  column: number | null,
  place: NodePlace,
  { tree, draft }: Editing,
): void {
  const { lines, text } = tree;
  const end = node.kind === 'scalar' ? node.headEnd : node.end;
  const line = lines.lineOf(Math.max(node.start, end - 1));
  if (end < node.end) draft.deleteLines(line + 1, lines.lineOf(node.end - 1));
  const isAlone = text.slice(end, lines.endOf(line)).trim() === '' && !node.hasAnchor;
  const isInLine = !text.slice(place.headEnd, node.start).includes('\n');
  if (head === null && place.owner?.kind === 'list' && isAlone && isInLine)
    draft.replace(node.start, end, below.join(lines.lineEnd).trimStart());
  else {
    draft.replace(head === null ? place.headEnd : node.start, end, head ?? '');
    draft.insertLines(line + 1, below, column);
  }
}

function replaceBlock(
  node: CollectionNode,
  { head, lines: below }: PrintedValue,
  column: number | null,
  { headEnd }: NodePlace,
  { tree, draft }: Editing,
): void {
  const { lines } = tree;
  const last = lastLine(node, tree);
  if (!lines.isFirstInLine(node.start)) {
    const end = below.length === 0 ? node.end : lines.endOf(last);
    draft.replace(node.start, end, [head ?? [], ...below].flat().join(lines.lineEnd).trimStart());
    return;
  }
  const [first] = node.members;
  if (head !== null) draft.replace(headEnd, headEnd, ` ${head}`);
  draft.insertLines(lines.lineOf(headEnd) + 1, below, column);
  draft.deleteLines(first === undefined ? lines.lineOf(node.start) : leadingLine(first, node, tree), last);
}

function replaceRoot(node: SourceNode, value: WrittenValue, { tree, draft, style }: Editing): void {
  const { lines, text } = tree;
  const isInline = isScalarValue(value) || Object.keys(value).length === 0;
  if (isInline || lines.isFirstInLine(node.start)) {
    const by = isInline ? flowText(value, [], style) : collectionLines(value, 0, [], style).join(lines.lineEnd);
    draft.replace(node.start, node.end, by);
    return;
  }
  const start = text.slice(0, node.start).trimEnd().length;
  draft.replace(start, node.end, lines.lineEnd + collectionLines(value, 0, [], style).join(lines.lineEnd));
}
