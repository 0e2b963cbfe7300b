import { memberOf } from '../values/json-pointer.ts';
import type { Draft } from './draft.ts';
import type { EditTree } from './edit-tree.ts';
import type { PrintStyle, StylePath } from './print-style.ts';
import type { Sharing } from './shared-nodes.ts';
import type { CollectionNode, Member, SourceTree } from './source-tree.ts';
import type { WrittenValue } from './written-value.ts';

/** What the edits of one file share. */
export interface Editing {
  readonly tree: SourceTree;
  readonly draft: Draft;
  readonly sharing: Sharing;
  readonly style: PrintStyle;
  /** Of lists that were asked for. */
  readonly dashWidths: Map<CollectionNode, number>;
}

/** A value in its file: where it is, and the key or dash before it. */
export interface NodePlace {
  /** The mapping or list around it; null for the root. */
  readonly owner: CollectionNode | null;
  readonly markEnd: number;
  readonly headEnd: number;
  readonly path: StylePath;
  /** Before all edits. */
  readonly value: WrittenValue;
}

export function placeOfMember(owner: CollectionNode, member: Member, { path, value }: NodePlace): NodePlace {
  return {
    owner,
    markEnd: member.markEnd,
    headEnd: member.headEnd,
    path: [...path, owner.kind === 'list' ? '*' : member.name],
    // The tree and the value are of the same text.
    value: memberOf(value, member.name) as WrittenValue,
  };
}

export function isDeletedMember(member: Member, edits: EditTree): boolean {
  return edits.members.get(member.name)?.isDeleted === true;
}

/** The last line of a member, without comments after it. */
export function lastLine({ start, end }: Pick<Member, 'start' | 'end'>, { lines }: SourceTree): number {
  return lines.lineOf(Math.max(start, end - 1));
}

/**
 * The first of the comment lines directly above a member. Comments that are indented more than the member belong to what
 * is before it, if there is anything.
 */
export function leadingLine(member: Member, owner: CollectionNode, { lines, root }: SourceTree): number {
  const own = lines.lineOf(member.start);
  const isFirst = member === owner.members[0];
  const column = isFirst ? Number.POSITIVE_INFINITY : lines.columnOf(member.start);
  let line = own;
  for (; lines.commentColumn(line - 1) >= 0 && lines.commentColumn(line - 1) <= column; line--);
  // A comment at the start of the file is about the file.
  return isFirst && owner === root && line === 0 ? own : line;
}
