import { joinLines, markdownFence } from './escape.ts';
import type { Weight } from './view/plan-view.ts';
import { quantity, thousands } from './wording.ts';

/**
 * A comment on a pull request has at most 65,536 characters, so a long report is cut and states how much was omitted.
 * Head and foot are always complete. What is critical is cut last; a long section cannot displace another one. A section
 * is cut between blocks, and its fence and fold are always closed.
 */
export interface MarkdownSection {
  /** Words. */
  readonly title: string;
  readonly weight: Weight;
  /** Lines before the blocks, if any is shown: the start of a fence or of a table. */
  readonly open: readonly string[];
  /** Escaped lines; a block is shown completely or not at all. */
  readonly blocks: readonly (readonly string[])[];
  /** Lines after the blocks: the end of a fence. */
  readonly close: readonly string[];
  /** Words: where the blocks are that do not fit. */
  readonly elsewhere?: string;
  /** Escaped lines below. */
  readonly notes: readonly string[];
}

export interface MarkdownDocument {
  readonly head: readonly string[];
  readonly sections: readonly MarkdownSection[];
  readonly foot: readonly string[];
}

/** In UTF-16 units, of which a character has at least one; below 65,536 with a margin. */
const longestDocument = 64_800;
/** What a section may take, relative to the others. */
const partsOfWeight: Readonly<Record<Weight, number>> = { critical: 1e6, visible: 4, folded: 1 };
/** Size of the text around a section's blocks. */
const wrapping = 240;

/** Blocks in a fence. GitHub colours it: diff colours lines by their first sign. */
export function fenced(
  blocks: readonly (readonly string[])[],
  language: 'diff' | 'text',
): Pick<MarkdownSection, 'open' | 'blocks' | 'close'> {
  const fence = markdownFence(blocks.flat());
  return { open: [`${fence}${language}`], blocks, close: [fence] };
}

/** Rows of escaped cells as a table. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Pick<MarkdownSection, 'open' | 'blocks' | 'close'> {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return {
    open: [line(columns), line(columns.map(() => '---'))],
    blocks: rows.map((cells) => [line(cells)]),
    close: [],
  };
}

export function markdownDocument({ head, sections, foot }: MarkdownDocument): string {
  const fixed = sizeOf(head) + sizeOf(foot) + sections.reduce((sum, section) => sum + wrappingOf(section), wrapping);
  const shares = shareOut(longestDocument - fixed, sections);
  const shown = sections.map(({ blocks }, index) => fitting(blocks, shares[index] ?? 0));
  const omitted = sections.reduce((sum, { blocks }, index) => sum + blocks.length - (shown[index]?.length ?? 0), 0);
  const [marker = '', ...others] = head;
  return joinLines([
    marker,
    ...omittedLine(omitted),
    ...others,
    ...sections.flatMap((section, index) => ['', ...sectionLines(section, shown[index] ?? [])]),
    ...(foot.length === 0 ? [] : ['', ...foot]),
  ]);
}

/** The first line that readers see. */
function omittedLine(count: number): string[] {
  if (count === 0) return [];
  const what = `${quantity(count, 'line')} ${count === 1 ? 'does' : 'do'} not fit into this comment.`;
  return [`**${what}** All are in the report as text, JSON or HTML.`, ''];
}

/** What is critical gets all it needs. Of the rest, every section has a share, and leaves what it does not need to the others. */
function shareOut(available: number, sections: readonly MarkdownSection[]): number[] {
  const needs = sections
    .map(({ blocks, weight }, index) => ({
      index,
      size: blocks.reduce((sum, block) => sum + sizeOf(block), 0),
      parts: partsOfWeight[weight],
    }))
    .sort((one, other) => one.size / one.parts - other.size / other.parts);
  const shares: number[] = [];
  let rest = available;
  let allParts = needs.reduce((sum, { parts }) => sum + parts, 0);
  for (const { index, size, parts } of needs) {
    const share = Math.max(0, Math.min(size, Math.floor((rest * parts) / allParts)));
    shares[index] = share;
    rest -= share;
    allParts -= parts;
  }
  return shares;
}

function sectionLines(section: MarkdownSection, shown: MarkdownSection['blocks']): string[] {
  const { title, weight, open, blocks, close, elsewhere = '', notes } = section;
  const rest = blocks.length - shown.length;
  const content = [
    ...(shown.length === 0 ? [] : [...open, ...shown.flat(), ...close]),
    ...(rest === 0
      ? []
      : ['', `… and ${thousands(rest)} more, omitted to fit the size limit of a comment.${elsewhere}`]),
    ...notes.flatMap((note) => ['', note]),
  ];
  if (weight !== 'folded') return [`### ${title}`, '', ...content];
  return [`<details><summary>${title}</summary>`, '', ...content, '', '</details>'];
}

function fitting(blocks: MarkdownSection['blocks'], share: number): MarkdownSection['blocks'] {
  let rest = share;
  const end = blocks.findIndex((block) => {
    rest -= sizeOf(block);
    return rest < 0;
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}

function wrappingOf({ title, open, close, elsewhere = '', notes }: MarkdownSection): number {
  return wrapping + title.length + elsewhere.length + sizeOf(open) + sizeOf(close) + sizeOf(notes) + notes.length;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
