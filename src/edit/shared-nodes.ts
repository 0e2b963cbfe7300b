// Values with an anchor have several users: the place of the anchor, and each alias. Users whose edits agree keep sharing
// one text; others get a copy of their own.
import { InternalError } from '../model/internal-error.ts';
import { firstIndex } from '../values/first-index.ts';
import { valueAt } from '../values/json-pointer.ts';
import { applyEdits, type EditTree, type NewValue, textOfEdits } from './edit-tree.ts';
import type { AliasNode, SourceNode, SourceTree } from './source-tree.ts';
import type { WrittenValue } from './written-value.ts';

/** The text that takes the place of an alias. */
export interface Copy extends NewValue {
  /** The anchor moves here. */
  readonly anchor: string | null;
}

export interface Sharing {
  readonly copies: ReadonlyMap<AliasNode, Copy>;
  /** Nodes that lose their anchor. */
  readonly withoutAnchor: ReadonlySet<SourceNode>;
}

interface Use<Node extends SourceNode = SourceNode> {
  readonly node: Node;
  readonly edits: EditTree | null;
  readonly text: string;
}

/** What becomes of every alias whose value is edited, or whose anchor is. `isQuoted`: texts of copies are in quotes. */
export function shareNodes(tree: SourceTree, value: WrittenValue, edits: EditTree, isQuoted: boolean): Sharing {
  const copies = new Map<AliasNode, Copy>();
  const withoutAnchor = new Set<SourceNode>();
  if (tree.aliases.size > 0) {
    const places = findPlaces(tree.root, edits);
    for (const [target, aliases] of tree.aliases) share(target, aliases, places);
  }
  return { copies, withoutAnchor };

  function share(target: SourceNode, aliases: readonly AliasNode[], places: Places): void {
    const uses = aliases.flatMap((alias) => useOf(alias, places) ?? []);
    const own = useOf(target, places);
    if (own !== null && (own.text === '' || uses.every(({ text }) => text === own.text))) {
      copyOthers(uses, own.text);
      return;
    }
    const unchanged = uses.filter(({ text }) => text === '');
    // As few lines as possible change: those who keep the value share it as before.
    if (own !== null && unchanged.length === 0) {
      copyOthers(uses, own.text);
      return;
    }
    if (own !== null) withoutAnchor.add(target);
    const [next] = unchanged.length > 0 ? unchanged : uses;
    if (next === undefined) return;
    const isShared = uses.some((use) => use !== next && use.text === next.text);
    copyOthers(uses, next.text);
    copies.set(next.node, {
      value: valueUnder(next),
      isQuoted,
      anchor: isShared ? (target.anchor?.name ?? null) : null,
    });
  }

  /** Aliases with other edits get copies. */
  function copyOthers(uses: readonly Use<AliasNode>[], shared: string): void {
    for (const use of uses)
      if (use.text !== shared) copies.set(use.node, { value: valueUnder(use), isQuoted, anchor: null });
  }

  function valueUnder({ node, edits: below }: Use): WrittenValue {
    const before = valueAt(value, node.pointer) as WrittenValue | undefined;
    if (before === undefined) throw new InternalError(`An alias at "${node.pointer}" has no value.`);
    return below === null ? before : applyEdits(before, below);
  }
}

function useOf<Node extends SourceNode>(node: Node, { edits, isGone }: Places): Use<Node> | null {
  if (isGone(node)) return null;
  const below = edits.get(node) ?? null;
  return { node, edits: below, text: below === null ? '' : textOfEdits(below) };
}

interface Places {
  readonly edits: ReadonlyMap<SourceNode, EditTree>;
  /** The text of the node is deleted, or replaced together with the value around it. */
  isGone(node: SourceNode): boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** What is replaced and not gone. */
  readonly node: SourceNode | null;
}

function findPlaces(root: SourceNode, edits: EditTree): Places {
  const found = new Map<SourceNode, EditTree>();
  const ranges: Range[] = [];
  visit(root, edits);
  ranges.sort((left, right) => left.start - right.start);
  return { edits: found, isGone };

  function visit(node: SourceNode, at: EditTree): void {
    found.set(node, at);
    if (at.set !== null) ranges.push({ start: node.start, end: node.end, node });
    else if (node.kind === 'map' || node.kind === 'list') {
      for (const member of node.members) {
        const below = at.members.get(member.name);
        if (below === undefined) continue;
        if (below.isDeleted) ranges.push({ start: member.start, end: member.end, node: null });
        else visit(member.value, below);
      }
    }
  }

  /** Ranges do not overlap. */
  function isGone(node: SourceNode): boolean {
    const range = ranges[firstIndex(ranges, ({ start }) => start > node.start) - 1];
    return range !== undefined && node.start < range.end && range.node !== node;
  }
}
