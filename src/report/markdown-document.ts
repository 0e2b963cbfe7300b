import { joinLines, markdownFence } from './escape.ts';
import type { Weight } from './report.ts';
import { thousands } from './wording.ts';

/**
 * A comment on a pull request has at most 65,536 characters, so a long report is cut and states how much was omitted.
 * Head and foot are always complete. Every section first gets a small share, so that a longer one before it cannot
 * displace it; the rest goes to the sections in order. A section is cut between blocks, and its fence and fold are
 * always closed.
 */
export interface MarkdownSection {
  /** Words. */
  readonly title: string;
  readonly weight: Weight;
  /** How GitHub colours the fence: diff colours lines by their first sign. */
  readonly language: 'diff' | 'text';
  /** Escaped lines inside a fence; a block is shown completely or not at all. */
  readonly blocks: readonly (readonly string[])[];
  /** Escaped lines below the fence. */
  readonly notes: readonly string[];
}

export interface MarkdownDocument {
  readonly head: readonly string[];
  readonly sections: readonly MarkdownSection[];
  readonly foot: readonly string[];
}

/** In UTF-16 units, of which a character has at least one; below 65,536 with a margin. */
const longestDocument = 64_800;
const firstShare: Readonly<Record<Weight, number>> = { urgent: 24_000, visible: 3_000, folded: 3_000 };
/** Size of the text around a section's blocks, without fences. */
const wrapping = 240;

export function markdownDocument({ head, sections, foot }: MarkdownDocument): string {
  const fixed = sizeOf(head) + sizeOf(foot) + sections.reduce((sum, section) => sum + wrappingOf(section), 0);
  const shares = shareOut(longestDocument - fixed, sections);
  const written = sections.flatMap((section, index) => ['', ...sectionLines(section, shares[index] ?? 0)]);
  return joinLines([...head, ...written, ...(foot.length === 0 ? [] : ['', ...foot])]);
}

function shareOut(available: number, sections: readonly MarkdownSection[]): number[] {
  const needs = sections.map(({ weight, blocks }) => {
    const size = blocks.reduce((sum, block) => sum + sizeOf(block), 0);
    return { size, first: Math.min(size, firstShare[weight]) };
  });
  let rest = available - needs.reduce((sum, { first }) => sum + first, 0);
  return needs.map(({ size, first }) => {
    const further = Math.max(0, Math.min(size - first, rest));
    rest -= further;
    return first + further;
  });
}

function sectionLines(section: MarkdownSection, share: number): string[] {
  const { title, weight, language, blocks, notes } = section;
  const shown = fitting(blocks, share);
  const fence = fenceOf(section);
  const content = [
    ...(shown.length === 0 ? [] : [`${fence}${language}`, ...shown.flat(), fence]),
    ...(shown.length === blocks.length
      ? []
      : ['', `… and ${thousands(blocks.length - shown.length)} more, omitted to fit the size limit of a comment.`]),
    ...notes.flatMap((note) => ['', note]),
  ];
  if (weight !== 'folded') return [`### ${title}`, '', ...content];
  return [`<details><summary>${title}</summary>`, '', ...content, '', '</details>'];
}

function fitting(blocks: readonly (readonly string[])[], share: number): readonly (readonly string[])[] {
  let rest = share;
  const end = blocks.findIndex((block) => {
    rest -= sizeOf(block);
    return rest < 0;
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}

function fenceOf({ blocks }: MarkdownSection): string {
  return markdownFence(blocks.flat());
}

function wrappingOf(section: MarkdownSection): number {
  return wrapping + section.title.length + 2 * fenceOf(section).length + sizeOf(section.notes) + section.notes.length;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
