// Edits between brackets. A collection whose members come or go is written anew, the others with their own text.
import { applyEdits, type EditTree } from './edits.ts';
import { styleLike } from './file-style.ts';
import type { PrintStyle, StylePath } from './print-yaml.ts';
import { blanks, flowPair, flowText } from './print-yaml.ts';
import type { CollectionNode, Member, SourceNode, SourceTree } from './source-tree.ts';
import type { WrittenValue } from './written-value.ts';

/** The text of a node between brackets after its edits. */
export function editedFlow(
  node: SourceNode,
  edits: EditTree,
  path: StylePath,
  tree: Pick<SourceTree, 'text' | 'lines'>,
  usual: PrintStyle,
): string {
  return edited(node, edits, path);

  function edited(at: SourceNode, below: EditTree | undefined, atPath: StylePath): string {
    const own = tree.text.slice(at.start, at.end);
    if (below === undefined) return own;
    const isCollection = at.kind === 'map' || at.kind === 'list';
    if (below.set !== null || !isCollection) return below.set === null ? own : anew(at, atPath, below.set);
    const isKept = (member: Member) => below.members.get(member.name)?.isDeleted !== true;
    if (below.inserts.size === 0 && at.members.every(isKept)) return withMembers(at, below, atPath);
    const isBracketed = /[[{]/.test(own.charAt(0));
    if (!isBracketed || !at.members.some(isKept))
      return anew(at, atPath, applyEdits(at.written as WrittenValue, below));
    return rewritten(at, below, atPath);
  }

  function anew(at: SourceNode, atPath: StylePath, after: WrittenValue): string {
    return flowText(after, atPath, styleLike(at, atPath, usual));
  }

  /** The text from an offset to the end of a member. */
  function memberText(
    from: number,
    { name, value: at }: Member,
    owner: CollectionNode,
    below: EditTree,
    ownerPath: StylePath,
  ): string {
    const text = edited(at, below.members.get(name), pathOf(owner, name, ownerPath));
    return tree.text.slice(from, at.start) + text;
  }

  function withMembers(at: CollectionNode, below: EditTree, atPath: StylePath): string {
    let from = at.start;
    const texts = at.members.map((member) => {
      const text = memberText(from, member, at, below, atPath);
      from = member.end;
      return text;
    });
    return texts.join('') + tree.text.slice(from, at.end);
  }

  function rewritten(at: CollectionNode, below: EditTree, atPath: StylePath): string {
    const [first] = at.members;
    const open = tree.text.charAt(at.start);
    const chunks: Chunk[] = [];
    const insertAfter = (sibling: Member | undefined, name: string | null) => {
      for (const { key, value: added } of below.inserts.get(name) ?? []) {
        const addedPath = pathOf(at, key ?? '*', atPath);
        const style = sibling === undefined ? usual : styleLike(sibling.value, addedPath, usual);
        const text = key === null ? flowText(added, addedPath, style) : flowPair(key, added, atPath, style);
        chunks.push({ above: [], text, hasComma: gaps.at(-1)?.hasComma ?? false, after: '' });
      }
    };
    const ends = [at.start + 1, ...at.members.map(({ end }) => end)];
    const gaps = ends.map((end, index) => gapOf(tree.text.slice(end, at.members[index]?.start ?? at.end - 1)));
    insertAfter(first, null);
    for (const [index, member] of at.members.entries()) {
      const above = gaps[index]?.lines ?? [];
      if (below.members.get(member.name)?.isDeleted === true)
        chunks.push({ above: above.slice(0, above.lastIndexOf('') + 1), text: null, hasComma: false, after: '' });
      else {
        const text = memberText(member.start, member, at, below, atPath);
        const { hasComma = false, comment: after = '' } = gaps[index + 1] ?? {};
        chunks.push({ above, text, hasComma, after });
      }
      insertAfter(member, member.name);
    }
    const close = tree.text.charAt(at.end - 1);
    if (!gaps.some(({ isInLine }) => !isInLine)) {
      const padding = /\s/.test(tree.text.charAt(at.start + 1)) ? ' ' : '';
      return open + padding + chunks.flatMap(({ text }) => text ?? []).join(', ') + padding + close;
    }
    const { lines } = tree;
    const ownLine = at.members.find(({ start }) => lines.isFirstInLine(start));
    const column = blanks(lines.columnOf(ownLine?.start ?? at.start));
    const closeColumn = lines.isFirstInLine(at.end - 1) ? blanks(lines.columnOf(at.end - 1)) : column;
    const last = chunks.findLastIndex(({ text }) => text !== null);
    const body = chunks.flatMap(({ above, text, hasComma, after }, index) => {
      const comma = index < last || hasComma ? ',' : '';
      return text === null ? above : [...above, `${text}${comma}${after === '' ? '' : ` ${after}`}`];
    });
    const start = gaps[0]?.comment ?? '';
    const all = [...body, ...(gaps.at(-1)?.lines ?? [])].map((line) => (line === '' ? '' : column + line));
    return [`${open}${start === '' ? '' : ` ${start}`}`, ...all, closeColumn + close].join(lines.lineEnd);
  }
}

/** A member in lines of its own; without a text if it is deleted. */
interface Chunk {
  readonly above: readonly string[];
  readonly text: string | null;
  readonly hasComma: boolean;
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
  const [first = '', ...others] = text.split('\n').map((line) => line.trim().replace(/^,\s*/, ''));
  const hasComma = text.replaceAll(/#.*/g, '').includes(',');
  return { isInLine: !text.includes('\n'), hasComma, comment: first, lines: others.slice(0, -1) };
}

function pathOf({ kind }: CollectionNode, name: string, path: StylePath): StylePath {
  return [...path, kind === 'list' ? '*' : name];
}
