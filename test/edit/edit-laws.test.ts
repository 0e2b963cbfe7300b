// Any layout of any value, and any edits: the result has the expected value, and every line that belongs to no edited item
// is in it as it was.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { applyEdits } from '../../src/edit/edits.ts';
import {
  type AliasNode,
  type Member,
  readWritten,
  type SourceNode,
  type SourceTree,
  sourceTree,
} from '../../src/edit/source-tree.ts';
import { pointerPath } from '../../src/values/json-pointer.ts';
import { propertyRuns } from '../support/thorough.ts';
import { type Edit, editedYaml, editTree } from './edits.ts';
import { randomEdits, randomLayout, randomValue } from './layouts.ts';

const cases = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 30 }), fc.nat(), fc.nat());

test('every layout reads as its value', () => {
  fc.assert(
    fc.property(cases, ([seed, size, layout]) => {
      const value = randomValue(seed, size);
      expect(readWritten(randomLayout(value, layout))).toEqual(value);
    }),
    propertyRuns(1500, 100),
  );
});

test('edits have the expected result', () => {
  fc.assert(
    fc.property(cases, ([seed, size, layout, choice]) => {
      const value = randomValue(seed, size);
      const edits = randomEdits(value, choice);
      const edited = editedYaml(randomLayout(value, layout), edits);
      expect(readWritten(edited)).toEqual(applyEdits(value, editTree(edits)));
      expect(parseDocument(edited).errors).toEqual([]);
    }),
    propertyRuns(1500, 100),
  );
});

test('lines of other items stay as they are, with their comments', () => {
  fc.assert(
    fc.property(cases, ([seed, size, layout, choice]) => {
      const value = randomValue(seed, size);
      const before = randomLayout(value, layout);
      const edits = randomEdits(value, choice);
      const lines = before.split('\n');
      const changed = changedLines(before, edits);
      const kept = lines.filter((line, index) => !changed.has(index) && line.trim() !== '' && index < lines.length - 1);
      // Where the last line had no line end, the last one that is left has none.
      const after = editedYaml(before, edits) + (before.endsWith('\n') ? '' : before.includes('\r') ? '\r\n' : '\n');
      const withoutMark = (line: string) => line.replace(/^\ufeff/, '');
      expect(missingLine(kept.map(withoutMark), after.split('\n').map(withoutMark))).toBe(null);
    }),
    propertyRuns(1500, 100),
  );
});

/** The first line that is not in the text, in the order of the lines; null if all are. */
function missingLine(lines: readonly string[], text: readonly string[]): string | null {
  let from = 0;
  for (const line of lines) {
    // A comment below a text moves if all between them is deleted.
    const isComment = line.trimStart().startsWith('#');
    const found = text.findIndex(
      (each, index) => index >= from && (each === line || (isComment && each.trimStart() === line.trimStart())),
    );
    if (found < 0) return line;
    from = found + 1;
  }
  return null;
}

/** The lines of the members that edits name, and of the brackets, anchors and aliases around them. */
function changedLines(text: string, edits: readonly Edit[]): ReadonlySet<number> {
  const tree = sourceTree(text);
  if (tree === null) throw new Error('The layout is not valid.');
  const changed = new Set<number>();
  for (const edit of edits) addLines(tree, edit, changed);
  return changed;
}

function addLines({ root, lines }: SourceTree, edit: Edit, changed: Set<number>): void {
  const aliases = aliasesIn(root);
  let node: SourceNode = root;
  const path = pointerPath(edit.pointer);
  let outerFlow: SourceNode | null = null;
  let member: Member | null = null;
  const addNode = ({ start, end }: SourceNode) => addRange(start, end);
  const addRange = (start: number, end: number) => {
    for (let line = lines.lineOf(start); line <= lines.lineOf(Math.max(start, end - 1)); line++) changed.add(line);
  };
  const addUsers = (target: SourceNode) => {
    // Users that differ from now on get copies.
    for (const alias of aliases) if (alias.target === target) addNode(alias);
  };
  for (const name of path) {
    if (node.kind === 'alias' || node.kind === 'scalar') break;
    if (node.isFlow) outerFlow ??= node;
    addUsers(node);
    const members: readonly Member[] = node.members;
    member = members.find((each) => each.name === name) ?? null;
    if (member === null) throw new Error(`No member ${name}.`);
    node = member.value;
  }
  if (outerFlow !== null) addNode(outerFlow);
  if (node.kind === 'alias') {
    addNode(node);
    if (node.target !== null) addUsers(node.target);
    // If all users agree, the lines of the anchor change.
    if (node.target !== null) addNode(node.target);
  } else addUsers(node);
  if (edit.op === 'insert') {
    // The first key after a dash moves.
    if (node.kind !== 'scalar' && node.kind !== 'alias' && (node.isFlow || edit.after === null)) {
      if (node.isFlow) addNode(node);
      else addRange(node.start, node.start + 1);
    }
    return;
  }
  if (member === null) return;
  addRange(member.start, member.end);
  addUsersBelow(node);
  for (let line = lines.lineOf(member.start); lines.commentColumn(line - 1) >= 0; line--) changed.add(line - 1);
  if (edit.op === 'delete') addNeighbors(edit.pointer);

  function addUsersBelow(at: SourceNode): void {
    addUsers(at);
    if (at.kind === 'map' || at.kind === 'list') for (const { value } of at.members) addUsersBelow(value);
  }

  /** A key may move to a dash, and the key or dash before an empty collection gets brackets. */
  function addNeighbors(pointer: string): void {
    const parents = pointerPath(pointer).slice(0, -1);
    let parent: SourceNode = root;
    for (const name of parents) {
      if (parent.kind === 'alias' || parent.kind === 'scalar') return;
      const next: Member | undefined = (parent.members as readonly Member[]).find((each) => each.name === name);
      if (next === undefined) return;
      addRange(next.start, next.headEnd);
      parent = next.value;
    }
    if (parent.kind !== 'map' && parent.kind !== 'list') return;
    if (!lines.isFirstInLine(parent.start)) for (const { start } of parent.members) addRange(start, start + 1);
  }
}

function aliasesIn(node: SourceNode): readonly AliasNode[] {
  if (node.kind === 'alias') return [node];
  return node.kind === 'scalar' ? [] : node.members.flatMap(({ value }) => aliasesIn(value));
}
