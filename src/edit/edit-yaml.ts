// Edits of files in place. Each result is read again: a value that is not as expected is never returned.
import { InternalError } from '../model/internal-error.ts';
import { editedText } from './edit-nodes.ts';
import { applyEdits, type EditTree, editsAt, isUnedited, noEdits } from './edits.ts';
import { readWritten, type SourceNode, type SourceTree, sourceTree } from './source-tree.ts';
import { isSameWritten, type WrittenValue } from './written-value.ts';

export type FileEdits = ReturnType<typeof openEdits>;

/** Edits of several files, by their texts before. */
export function openEdits(yaml: ReadonlyMap<string, string>) {
  const trees = new Map<string, SourceTree>();
  const edits = new Map<string, EditTree>();
  /** A file as it is written; it is read once. */
  const tree = (file: string): SourceTree => {
    const known = trees.get(file) ?? sourceTree(yaml.get(file) ?? '');
    if (known === null) throw new InternalError(`${file} cannot be edited, because it is not valid.`);
    trees.set(file, known);
    return known;
  };
  return {
    tree,
    /** The edits at a place of a file, to add to. */
    at(file: string, pointer: string): EditTree {
      const root = edits.get(file) ?? noEdits();
      edits.set(file, root);
      return editsAt(root, pointer);
    },
    /** The texts that change. */
    texts(): Map<string, string> {
      const edited = [...edits].map(([file, root]) => [file, editYaml(tree(file), root)] as const);
      return new Map(edited.filter(([file, text]) => text !== yaml.get(file)));
    },
  };
}

/** The text of a file after its edits. Comments, order, style and line ends of everything else stay. */
export function editYaml(tree: SourceTree, edits: EditTree): string {
  if (isUnedited(edits)) return tree.text;
  const expected = applyEdits(tree.written, edits);
  settle(tree.root, edits, tree.hasAliases ? new Map() : null);
  const edited = editedText(tree, edits);
  const after = readWritten(edited);
  if (after === null || !isSameWritten(after, expected))
    throw new InternalError('The edits of a file do not have the expected result.');
  return edited;
}

/**
 * Sets what cannot be edited in its place: an alias whose anchor has another value after the edits gets a copy. `shared`: the values of the anchors that stay;
 * null without aliases.
 */
function settle(node: SourceNode, edits: EditTree, shared: Map<SourceNode, WrittenValue> | null): void {
  // What is invalid has no tree.
  const after = () => applyEdits(node.written as WrittenValue, edits);
  const set = (value: WrittenValue | undefined) => Object.assign(edits, noEdits(), { set: value });
  if (node.hasAnchor) shared?.set(node, after());
  if (node.kind === 'alias') {
    const kept = node.target === null ? undefined : shared?.get(node.target);
    const own = after();
    set(kept !== undefined && isSameWritten(kept, own) ? undefined : own);
  } else if (node.kind === 'scalar' || edits.set !== undefined) return;
  // An empty collection may become one in lines.
  else if (node.isFlow && node.members.length === 0 && !isUnedited(edits)) set(after());
  else {
    for (const { name, key, value } of node.members) {
      const below = edits.members.get(name) ?? noEdits();
      if (below.isDeleted || (shared === null && !edits.members.has(name))) continue;
      if (key?.hasAnchor === true) shared?.set(key, name);
      settle(value, below, shared);
      if (!isUnedited(below)) edits.members.set(name, below);
    }
  }
}
