// Edits between brackets. A collection whose members come or go is written anew, the others with their own text.
import { applyEdits, type EditTree, isUnedited } from './edits.ts';
import { styleLike } from './file-style.ts';
import { flowPair, flowText, type PrintStyle, type StylePath } from './print-yaml.ts';
import type { CollectionNode, Member, SourceNode, SourceTree } from './source-tree.ts';
import type { WrittenValue } from './written-value.ts';

/** The text of a node between brackets after its edits. */
export function editedFlow(
  node: SourceNode,
  edits: EditTree,
  path: StylePath,
  { text, lines }: Pick<SourceTree, 'text' | 'lines'>,
  usual: PrintStyle,
): string {
  return edited(node, edits, path);

  function edited(at: SourceNode, below: EditTree | undefined, atPath: StylePath): string {
    if (below === undefined || isUnedited(below)) return text.slice(at.start, at.end);
    const members = 'members' in at ? at.members : [];
    const kept = members.filter(({ name }) => below.members.get(name)?.isDeleted !== true);
    const hasSameMembers = below.inserts.size === 0 && kept.length === members.length;
    const isBracketed = /[[{]/.test(text.charAt(at.start));
    if (below.set !== null || !('members' in at) || kept.length === 0 || !(isBracketed || hasSameMembers))
      return flowText(applyEdits(at.written as WrittenValue, below), atPath, styleLike(at, atPath, usual));
    return hasSameMembers ? withMembers(at, below, atPath) : rewritten(at, below, atPath);
  }

  function memberText({ name, start, value }: Member, owner: CollectionNode, below: EditTree, path: StylePath): string {
    return text.slice(start, value.start) + edited(value, below.members.get(name), pathOf(owner, name, path));
  }

  function withMembers(at: CollectionNode, below: EditTree, atPath: StylePath): string {
    let from = at.start;
    const parts = at.members.map((member) => {
      const gap = text.slice(from, member.start);
      from = member.end;
      return gap + memberText(member, at, below, atPath);
    });
    return parts.join('') + text.slice(from, at.end);
  }

  function insertedTexts(at: CollectionNode, below: EditTree, atPath: StylePath, after: Member | null): Chunk[] {
    const sibling = after ?? at.members[0];
    return (below.inserts.get(after?.name ?? null) ?? []).map(({ key, value }) => {
      const path = pathOf(at, key ?? '*', atPath);
      const style = sibling === undefined ? usual : styleLike(sibling.value, path, usual);
      return {
        above: [],
        text: key === null ? flowText(value, path, style) : flowPair(key, value, atPath, style),
        after: '',
      };
    });
  }

  function rewritten(at: CollectionNode, below: EditTree, atPath: StylePath): string {
    const ends = [at.start + 1, ...at.members.map(({ end }) => end)];
    const gaps = ends.map((end, index) => gapOf(text.slice(end, at.members[index]?.start ?? at.end - 1)));
    const chunks = insertedTexts(at, below, atPath, null);
    for (const [index, member] of at.members.entries()) {
      const above = gaps[index]?.lines ?? [];
      const after = gaps[index + 1]?.comment ?? '';
      if (below.members.get(member.name)?.isDeleted === true)
        chunks.push({ above: above.slice(0, above.lastIndexOf('') + 1), text: null, after: '' });
      else chunks.push({ above, text: memberText(member, at, below, atPath), after });
      chunks.push(...insertedTexts(at, below, atPath, member));
    }
    const [open, close] = [text.charAt(at.start), text.charAt(at.end - 1)];
    if (gaps.every(({ isInLine }) => isInLine)) {
      const padding = /\s/.test(text.charAt(at.start + 1)) ? ' ' : '';
      return open + padding + chunks.flatMap((chunk) => chunk.text ?? []).join(', ') + padding + close;
    }
    const ownLine = at.members.find(({ start }) => lines.isFirstInLine(start));
    const column = ' '.repeat(lines.columnOf(ownLine?.start ?? at.start));
    const closeColumn = lines.isFirstInLine(at.end - 1) ? ' '.repeat(lines.columnOf(at.end - 1)) : column;
    const last = chunks.findLastIndex((chunk) => chunk.text !== null);
    const body = chunks.flatMap(({ above, text: own, after }, index) => {
      const comma = index < last || gaps.at(-1)?.hasComma === true ? ',' : '';
      return own === null ? above : [...above, `${own}${comma} ${after}`.trimEnd()];
    });
    const all = [...body, ...(gaps.at(-1)?.lines ?? [])].map((line) => (line === '' ? '' : column + line));
    return [`${open} ${gaps[0]?.comment ?? ''}`.trimEnd(), ...all, closeColumn + close].join(lines.lineEnd);
  }
}

/** A member in lines of its own; without a text if it is deleted. */
interface Chunk {
  readonly above: readonly string[];
  readonly text: string | null;
  /** A comment in its last line. */
  readonly after: string;
}

/** What is between two members: a comment in the line of the first one, and comments and blank lines in lines of their own. */
interface Gap {
  readonly isInLine: boolean;
  readonly hasComma: boolean;
  readonly comment: string;
  readonly lines: readonly string[];
}

function gapOf(text: string): Gap {
  const [comment = '', ...others] = text.split('\n').map((line) => line.trim().replace(/^,\s*/, ''));
  const hasComma = text.replaceAll(/#.*/g, '').includes(',');
  return { isInLine: others.length === 0, hasComma, comment, lines: others.slice(0, -1) };
}

function pathOf({ kind }: CollectionNode, name: string, path: StylePath): StylePath {
  return [...path, kind === 'list' ? '*' : name];
}
