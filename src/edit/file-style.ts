// The style that new text of a file takes over from the text around it.

import { type PrintStyle, type StylePath, usualStyle } from './print-style.ts';
import type { Quote, ScalarStyle } from './scalar-text.ts';
import type { CollectionNode, SourceNode, SourceTree } from './source-tree.ts';

/** The style that most of a file has. */
export function fileStyle({ root, text, lines }: SourceTree): PrintStyle {
  const indents = openCount<number>();
  const listIndents = openCount<number>();
  const dashWidths = openCount<number>();
  const paddedMaps = openCount<boolean>();
  const paddedLists = openCount<boolean>();
  const quotes = openCount<Quote>();
  const keyQuotes = openCount<Quote | null>();
  visit(root);
  return {
    ...usualStyle,
    indent: indents.most() ?? usualStyle.indent,
    listIndent: listIndents.most() ?? usualStyle.listIndent,
    dashWidth: dashWidths.most() ?? usualStyle.dashWidth,
    paddedMaps: paddedMaps.most() ?? usualStyle.paddedMaps,
    paddedLists: paddedLists.most() ?? usualStyle.paddedLists,
    quote: quotes.most() ?? usualStyle.quote,
    keyQuote: keyQuotes.most(),
    keepsEnds: false,
  };

  function visit(node: SourceNode): void {
    if (node.kind === 'scalar' && (node.style === '"' || node.style === "'")) quotes.add(node.style);
    if (node.kind !== 'map' && node.kind !== 'list') return;
    if (node.isFlow) countPadding(node);
    else countColumns(node);
    for (const { start, value } of node.members) {
      const first = text[start];
      if (node.kind === 'map') keyQuotes.add(first === '"' || first === "'" ? first : null);
      visit(value);
    }
  }

  function countPadding(node: CollectionNode): void {
    if (node.members.length === 0 || node.isImplicit) return;
    (node.kind === 'map' ? paddedMaps : paddedLists).add(/\s/.test(text[node.open + 1] ?? ''));
  }

  function countColumns(node: CollectionNode): void {
    const column = lines.columnOf(node.start);
    for (const { start, markEnd, value } of node.members) {
      const below = lines.columnOf(value.start);
      const isInLine = lines.lineOf(value.start) === lines.lineOf(markEnd);
      if (node.kind === 'list' && isInLine && value.anchor === null) dashWidths.add(value.start - start);
      if (node.kind === 'list' || isInLine || value.kind === 'scalar' || value.kind === 'alias' || value.isFlow)
        continue;
      if (value.kind === 'list' && below >= column) listIndents.add(below - column);
      if (value.kind === 'map' && below > column) indents.add(below - column);
    }
  }
}

/** Counts values, and returns the one that is there most often. */
function openCount<Value>() {
  const counts = new Map<Value, number>();
  return {
    add: (value: Value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    most: (): Value | null => {
      let found: Value | null = null;
      for (const [value, count] of counts) if (found === null || count > (counts.get(found) ?? 0)) found = value;
      return found;
    },
  };
}

type WrittenStyle = 'flow' | 'block' | ScalarStyle;

/** The style of new text that replaces a node, or that is next to it, at the same path. */
export function styleLike(node: SourceNode, path: StylePath, usual: PrintStyle): PrintStyle {
  const known = new Map<string, WrittenStyle>();
  remember(node, keyOf(path));
  return {
    ...usual,
    flow: (value, at) => {
      const style = known.get(keyOf(at));
      return style === 'flow' || style === 'block' ? style === 'flow' : usual.flow(value, at);
    },
    scalar: (at) => {
      const style = known.get(keyOf(at));
      return style === '"' || style === "'" ? style : usual.scalar(at);
    },
  };

  function remember(at: SourceNode, key: string): void {
    if (at.kind === 'alias') {
      if (at.target !== null) remember(at.target, key);
      return;
    }
    if (at.kind === 'scalar') {
      if (!known.has(key) && at.style !== 'folded') known.set(key, at.style);
      return;
    }
    if (!known.has(key) && at.members.length > 0) known.set(key, at.isFlow ? 'flow' : 'block');
    for (const { name, value } of at.members) remember(value, `${key}\n${at.kind === 'list' ? '*' : name}`);
  }
}

function keyOf(path: StylePath): string {
  return ['', ...path].join('\n');
}
