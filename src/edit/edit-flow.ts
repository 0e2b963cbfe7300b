// Edits between brackets: items with their commas, in one line or several.
import { applyEdits, type EditTree, type Insert } from './edit-tree.ts';
import { type Editing, isDeletedMember, lastLine, leadingLine, type NodePlace, placeOfMember } from './editing.ts';
import { styleLike } from './file-style.ts';
import { blanks, flowPair, flowText } from './print-lines.ts';
import type { CollectionNode, Member, SourceNode } from './source-tree.ts';
import type { WrittenValue } from './written-value.ts';

/** Edits a node between brackets, at any depth. */
function editFlowNode(node: SourceNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  if (node.kind === 'alias') {
    const copy = editing.sharing.copies.get(node);
    if (copy !== undefined) replaceNode(node, copy.value, copy.anchor, place, editing);
  } else if (edits.set !== null) replaceNode(node, edits.set.value, null, place, editing);
  else if (node.kind !== 'scalar') editFlow(node, edits, place, editing);
}

/** An anchor that the value loses is removed elsewhere. */
function replaceNode(
  node: SourceNode,
  value: WrittenValue,
  anchor: string | null,
  { path }: NodePlace,
  { draft, style }: Editing,
): void {
  const text = flowText(value, path, styleLike(node, path, style));
  draft.replace(node.start, node.end, anchor === null ? text : `&${anchor} ${text}`);
}

export function editFlow(node: CollectionNode, edits: EditTree, place: NodePlace, editing: Editing): void {
  const { members } = node;
  const isKept = members.map((member) => !isDeletedMember(member, edits));
  const changes = edits.inserts.size > 0 || isKept.includes(false);
  if (changes && (node.isImplicit || !isKept.includes(true))) {
    replaceNode(node, applyEdits(place.value, edits), null, place, editing);
    return;
  }
  for (const member of members) {
    const below = edits.members.get(member.name);
    if (below !== undefined && !below.isDeleted)
      editFlowNode(member.value, below, placeOfMember(node, member, place), editing);
  }
  if (!changes) return;
  deleteMembers(node, isKept, editing);
  insertMembers(node, isKept, edits, place, editing);
}

/** The member has its lines for itself. */
function isAlone(node: CollectionNode, index: number, { tree }: Editing): boolean {
  const member = node.members[index];
  if (member === undefined || !tree.lines.isFirstInLine(member.start)) return false;
  const last = lastLine(member, tree);
  const next = node.members[index + 1]?.start ?? node.close;
  return tree.lines.lineOf(next) > last && (member.comma === null || tree.lines.lineOf(member.comma) === last);
}

function deleteMembers(node: CollectionNode, isKept: readonly boolean[], editing: Editing): void {
  const { tree, draft } = editing;
  const { members } = node;
  for (let first = 0; first < members.length; first++) {
    if (isKept[first] === true) continue;
    let last = first;
    while (last + 1 < members.length && isKept[last + 1] === false) last += 1;
    const run = members.slice(first, last + 1);
    if (run.every((_member, index) => isAlone(node, first + index, editing))) {
      for (const member of run) draft.deleteLines(leadingLine(member, node, tree), lastLine(member, tree), false);
    } else deleteRange(members[first - 1], run, members[last + 1], editing);
    first = last;
  }
}

/** Members in the middle of a line, with one of the commas around them. Comments of other members stay. */
function deleteRange(
  before: Member | undefined,
  run: readonly Member[],
  after: Member | undefined,
  { tree, draft }: Editing,
): void {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return;
  const isInLine = (start: number, end: number) => !tree.text.slice(start, end).includes('\n');
  const end = Math.max(last.end, (last.comma ?? 0) + 1);
  if (after === undefined && before !== undefined && isInLine(before.end, first.start))
    draft.replace(before.end, last.end, '');
  else if (after !== undefined && isInLine(last.end, after.start)) draft.replace(first.start, after.start, '');
  else draft.replace(first.start, end, '');
}

function insertMembers(
  node: CollectionNode,
  isKept: readonly boolean[],
  edits: EditTree,
  place: NodePlace,
  editing: Editing,
): void {
  const { tree, draft } = editing;
  const firstKept = isKept.indexOf(true);
  let last = -1;
  for (let index = -1; index < node.members.length; index++) {
    if (isKept[index] === true) last = index;
    const inserts = edits.inserts.get(index < 0 ? null : (node.members[index]?.name ?? null)) ?? [];
    if (inserts.length === 0) continue;
    const sibling = node.members[last < 0 ? firstKept : last];
    if (sibling === undefined) continue;
    const texts = inserts.map((insert) => insertedText(insert, node, sibling, place, editing));
    const column = blanks(tree.lines.columnOf(sibling.start));
    if (last < 0) {
      if (isAlone(node, firstKept, editing))
        draft.insertLines(
          leadingLine(sibling, node, tree),
          texts.map((text) => `${column}${text},`),
        );
      else draft.replace(sibling.start, sibling.start, texts.map((text) => `${text}, `).join(''));
    } else if (isAlone(node, last, editing)) {
      const isOpen = sibling.comma === null;
      if (isOpen) draft.replace(sibling.end, sibling.end, ',');
      draft.insertLines(
        lastLine(sibling, tree) + 1,
        texts.map((text, at) => `${column}${text}${isOpen && at === texts.length - 1 ? '' : ','}`),
      );
    } else draft.replace(sibling.end, sibling.end, texts.map((text) => `, ${text}`).join(''));
  }
}

function insertedText(
  { key, value }: Insert,
  node: CollectionNode,
  sibling: Member,
  { path }: NodePlace,
  { style }: Editing,
): string {
  if (key === null || node.kind === 'list')
    return flowText(value, [...path, '*'], styleLike(sibling.value, [...path, '*'], style));
  return flowPair(key, value, path, styleLike(sibling.value, [...path, key], style));
}
