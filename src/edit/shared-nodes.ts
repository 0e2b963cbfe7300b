// Values with an anchor have several users: the place of the anchor, and each alias. A user whose value is another one
// than that of the anchor after the edits gets a copy.
import { jsonPointer, memberOf } from '../values/json-pointer.ts';
import { applyEdits, type EditTree, editsAt } from './edits.ts';
import type { SourceNode, SourceTree } from './source-tree.ts';
import { isSameWritten, type WrittenValue } from './written-value.ts';

/** Adds the copies to the edits, and takes away the edits of aliases that agree with their anchor. */
export function shareNodes({ root, hasAliases }: SourceTree, written: WrittenValue, edits: EditTree): void {
  /** Values after the edits at the anchors that stay. */
  const shared = new Map<SourceNode, WrittenValue>();
  if (hasAliases) visit(root, edits, written, '');

  function visit(node: SourceNode, at: EditTree | undefined, before: WrittenValue, pointer: string): void {
    const after = () => (at === undefined ? before : applyEdits(before, at));
    if (node.kind === 'alias') {
      const kept = node.target === null ? undefined : shared.get(node.target);
      const own = after();
      const copy = kept !== undefined && isSameWritten(kept, own) ? null : own;
      if (copy !== null || at !== undefined) replaceEdits(editsAt(edits, pointer), copy);
      return;
    }
    if (node.hasAnchor) shared.set(node, after());
    if (node.kind === 'scalar' || (at !== undefined && at.set !== null)) return;
    for (const { name, key, value } of node.members) {
      const below = at?.members.get(name);
      if (below?.isDeleted === true) continue;
      if (key?.hasAnchor === true) shared.set(key, name);
      // The tree and the value are of the same text.
      visit(value, below, memberOf(before, name) as WrittenValue, pointer + jsonPointer(name));
    }
  }
}

function replaceEdits(edits: EditTree, set: WrittenValue | null): void {
  edits.set = set;
  edits.members.clear();
  edits.inserts.clear();
}
