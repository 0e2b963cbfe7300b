// Edits of a tree, written from the first line to the last. What is not edited keeps its bytes.
import { editedFlow } from './edit-flow.ts';
import { applyEdits, type EditTree, type Insert, isUnedited } from './edits.ts';
import { fileStyle, isBlock, styleLike } from './file-style.ts';
import { type Output, openOutput } from './output.ts';
import type { PrintedValue, PrintStyle, StylePath } from './print-yaml.ts';
import { blockScalar, documentLines, isInline, itemLines, pairLines, printedMember, rawText } from './print-yaml.ts';
import type { ScalarStyle } from './scalar-text.ts';
import type { CollectionNode, Member, ScalarNode, SourceNode, SourceTree } from './source-tree.ts';
import { isScalarValue, type WrittenScalar, type WrittenValue } from './written-value.ts';

/** What the edits of one file share. */
interface Editing {
  readonly tree: SourceTree;
  readonly output: Output;
  readonly style: PrintStyle;
}

/** The text after the edits. */
export function editedText(tree: SourceTree, edits: EditTree): string {
  const { root, text, lines } = tree;
  const style = fileStyle(tree);
  if (edits.set !== null || !isBlock(root)) return editedRoot(tree, edits, style);
  const output = openOutput(text, lines);
  writeMembers({ node: root, edits, path: [] }, { tree, output, style });
  return output.finish();
}

function editedRoot({ root, text, lines }: SourceTree, edits: EditTree, style: PrintStyle): string {
  const end = text.slice(root.end);
  if (edits.set === null) return text.slice(0, root.start) + editedFlow(root, edits, [], { text, lines }, style) + end;
  const by = documentLines(edits.set, style).join(lines.lineEnd);
  if (isInline(edits.set) || lines.isFirstInLine(root.start)) return text.slice(0, root.start) + by + end;
  return text.slice(0, root.start).trimEnd() + lines.lineEnd + by + end;
}

/** A mapping or list in lines whose members change. */
interface Block {
  readonly node: CollectionNode;
  readonly edits: EditTree;
  readonly path: StylePath;
}

function writeMembers(block: Block, editing: Editing): void {
  const { node, edits } = block;
  const { tree, output } = editing;
  const { lines } = tree;
  const column = lines.columnOf(node.start);
  const isSeparated = hasBlankLines(node, tree);
  const kept = node.members.filter(({ name }) => !isDeleted(edits, name));
  let last: Member | null = null;
  // New members before the first one that stays come before its comments.
  const leading = [...(edits.inserts.get(null) ?? [])];
  for (const member of node.members) {
    const { name, start } = member;
    const own = leadingLine(member, node, tree);
    if (isDeleted(edits, name)) leaveOut(member, own, kept[0] === undefined || last !== null, editing);
    else {
      output.keepTo(own);
      for (const insert of leading.splice(0)) {
        writeInsert(insert, member, block, editing);
        if (isSeparated) output.addBlank();
      }
      output.keepTo(lines.lineOf(start));
      writeMember(member, block, editing);
      last = member;
    }
    const inserts = edits.inserts.get(name) ?? [];
    if (last === null) leading.push(...inserts);
    else if (inserts.length > 0) {
      while (lines.commentColumn(output.next()) > column) output.keepTo(output.next() + 1);
      for (const insert of inserts) {
        if (isSeparated) output.addBlank();
        writeInsert(insert, last, block, editing);
      }
    }
  }
  for (const insert of leading) writeInsert(insert, node.members[0], block, editing);
  if (node === tree.root && isEmptied(node, edits)) output.add([emptyText(node)], null);
}

function isDeleted(edits: EditTree, name: string): boolean {
  return edits.members.get(name)?.isDeleted === true;
}

/** A key without a value is an error, so an empty list is written. */
function isEmptied({ members }: CollectionNode, edits: EditTree): boolean {
  return edits.inserts.size === 0 && members.every(({ name }) => isDeleted(edits, name));
}

function emptyText({ kind }: CollectionNode): string {
  return kind === 'list' ? '[]' : '{}';
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

/** Leaves out a member with its comments, and the blank lines that have nothing left to separate. */
function leaveOut(member: Member, own: number, isBelow: boolean, { tree, output }: Editing): void {
  const { lines } = tree;
  let end = own;
  while (isBelow && lines.isBlank(end - 1)) end -= 1;
  output.keepTo(end);
  output.skipTo(lastLine(member, tree) + 1);
  while (!isBelow && lines.isBlank(output.next())) output.skipTo(output.next() + 1);
}

function writeInsert({ key, value }: Insert, sibling: Member | undefined, block: Block, editing: Editing): void {
  const { node, path } = block;
  const { tree, output } = editing;
  const column = tree.lines.columnOf(node.start);
  const style = styleOf(node, editing);
  // Sections have nothing in common.
  const isLike = sibling !== undefined && node !== tree.root;
  const like = isLike ? styleLike(sibling.value, [...path, key ?? '*'], style) : style;
  const [first = '', ...others] =
    key === null ? itemLines(value, column, path, like) : pairLines(key, value, column, path, like);
  output.add([output.startAt(column) + first.slice(column), ...others], textColumn(value, column));
}

function styleOf({ dashWidth }: CollectionNode, { style }: Editing): PrintStyle {
  return dashWidth === null ? style : { ...style, dashWidth };
}

/** The column from which a comment would become a part of a new text below `column`; null if it does not end in lines. `isLines`: a scalar does. */
function textColumn(value: WrittenValue, column: number, isLines = false): number | null {
  if (isScalarValue(value)) return isLines || rawText(value).includes('\n') ? column + 1 : null;
  const last = Object.values(value).at(-1);
  return last === undefined ? null : textColumn(last, column);
}

function writeMember(member: Member, { node: owner, edits: around, path: outer }: Block, editing: Editing): void {
  const { tree, output } = editing;
  const { text, lines } = tree;
  const { name, value, start, headEnd } = member;
  const edits = around.members.get(name);
  const prefix = output.startAt(lines.columnOf(start));
  if (edits === undefined || isUnedited(edits)) {
    output.keep(prefix, start, lastLine(member, tree));
    return;
  }
  const path = [...outer, owner.kind === 'list' ? '*' : name];
  if (edits.set !== null || !isBlock(value)) {
    replaceValue(member, prefix, edits, { owner, path }, editing);
    return;
  }
  const empty = isEmptied(value, edits) ? emptyText(value) : '';
  if (lines.isFirstInLine(value.start)) {
    const head = prefix + text.slice(start, headEnd) + (empty && ` ${empty}`);
    output.keep(head, headEnd, lines.lineOf(headEnd));
  } else if (empty === '') output.begin(prefix + text.slice(start, value.start));
  else output.add([prefix + text.slice(start, value.start) + empty], null);
  writeMembers({ node: value, edits, path }, editing);
}

interface PlaceOfValue {
  readonly owner: CollectionNode;
  readonly path: StylePath;
}

/** Writes a member with another value, after its own key or dash. */
function replaceValue(
  member: Member,
  prefix: string,
  edits: EditTree,
  { owner, path }: PlaceOfValue,
  editing: Editing,
): void {
  const { tree, output, style } = editing;
  const { text, lines } = tree;
  const { value: node, start, headEnd } = member;
  const after = applyEdits(node.written as WrittenValue, edits);
  const { head, lines: below } =
    edits.set === null
      ? { head: editedFlow(node, edits, path, tree, style), lines: [] }
      : printedValue(node, after, { owner, path }, editing);
  const isBelow = isBlock(node) && lines.isFirstInLine(node.start);
  const space = isBelow ? ' ' : text.slice(headEnd, node.start);
  const end = isBelow ? headEnd : node.kind === 'scalar' ? node.headEnd : node.end;
  const comment = text.slice(end, lines.endOf(lines.lineOf(Math.max(headEnd, end - 1)))).trimEnd();
  const isCompact = owner.kind === 'list' && comment === '' && !node.hasAnchor && !space.includes('\n');
  const key = prefix + text.slice(start, headEnd);
  output.skipTo(lastLine(member, tree) + 1);
  const open = below.length === 0 ? null : textColumn(after, lines.columnOf(owner.start), node.kind === 'scalar');
  if (head !== null) output.add([key + space + head + comment, ...below], open);
  else if (!isCompact) output.add([key + comment, ...below], open);
  else {
    const [first = '', ...others] = below;
    output.add([prefix + '-'.padEnd(styleOf(owner, editing).dashWidth) + first.trimStart(), ...others], open);
  }
}

function printedValue(
  node: SourceNode,
  value: WrittenValue,
  { owner, path }: PlaceOfValue,
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
  const place = { path, column, taken: tree.lines.columnOf(node.start) };
  return printedMember(owner.kind, value, place, styleLike(node, path, base));
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
