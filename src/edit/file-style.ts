// The style that new text of a file takes over from the text around it.
import { type PrintStyle, type StylePath, usualStyle } from './print-yaml.ts';
import type { ScalarStyle } from './scalar-text.ts';
import type { CollectionNode, SourceNode, SourceTree } from './source-tree.ts';

/** Layouts of a file that are found, in its order. */
type Found = { -readonly [Key in keyof PrintStyle]?: PrintStyle[Key] };

/** The style of the first values of a file that show one. */
export function fileStyle({ root, text, lines }: SourceTree): PrintStyle {
  const found: Found = {};
  visit(root);
  return { ...usualStyle, ...found };

  function visit(node: SourceNode): void {
    if (node.kind === 'scalar' && (node.style === '"' || node.style === "'")) found.quote ??= node.style;
    if (node.kind !== 'map' && node.kind !== 'list') return;
    if (node.isFlow) lookAtBrackets(node);
    else lookAtColumns(node);
    for (const { value } of node.members) visit(value);
  }

  function lookAtBrackets({ kind, start, members }: CollectionNode): void {
    if (members.length === 0) return;
    const isPadded = /\s/.test(text[start + 1] ?? '');
    if (kind === 'map') found.paddedMaps ??= isPadded;
    else found.paddedLists ??= isPadded;
  }

  function lookAtColumns({ kind, start, members }: CollectionNode): void {
    if (kind === 'list') return;
    const column = lines.columnOf(start);
    for (const { value } of members) {
      if (!isBlock(value) || !lines.isFirstInLine(value.start)) continue;
      const below = lines.columnOf(value.start) - column;
      if (value.kind === 'list') found.listIndent ??= below;
      else found.indent ??= below;
    }
  }
}

/** A mapping or list in lines. */
export function isBlock(node: SourceNode): node is CollectionNode {
  return (node.kind === 'map' || node.kind === 'list') && !node.isFlow;
}

/** The style of new text that replaces a node, or that is next to it, at the same path. */
export function styleLike(node: SourceNode, path: StylePath, usual: PrintStyle): PrintStyle {
  const flows = new Map<string, boolean>();
  const quotes = new Map<string, ScalarStyle | null>();
  remember(node, keyOf(path));
  return {
    ...usual,
    flow: (value, at) => flows.get(keyOf(at)) ?? usual.flow(value, at),
    scalar: (at) => quotes.get(keyOf(at)) ?? usual.scalar(at),
  };

  function remember(at: SourceNode, key: string): void {
    if (at.kind === 'alias') {
      if (at.target !== null) remember(at.target, key);
    } else if (at.kind === 'scalar') {
      if (!quotes.has(key)) quotes.set(key, at.style === '"' || at.style === "'" ? at.style : null);
    } else {
      if (!flows.has(key) && at.members.length > 0) flows.set(key, at.isFlow);
      for (const { name, value } of at.members) remember(value, `${key}\n${at.kind === 'list' ? '*' : name}`);
    }
  }
}

function keyOf(path: StylePath): string {
  return ['', ...path].join('\n');
}
