import { joinLines, markdownFence } from './escape.ts';
import type { Weight } from './view/plan-view.ts';
import { quantity } from './wording.ts';

/**
 * A comment on a pull request has at most 65,536 characters, so a long report is cut and states how much was omitted.
 * Head and foot are always complete. What is critical is cut last; a long section cannot displace another one. A section
 * is cut between lines, and its fence and fold are always closed.
 */
export interface MarkdownSection {
  /** Words. */
  readonly title: string;
  readonly weight: Weight;
  /** GitHub colours `diff` by the first sign of a line. */
  readonly language: 'diff' | 'text';
  /** Escaped lines, which are shown in a fence. */
  readonly lines: readonly string[];
  /** Escaped lines below. */
  readonly notes?: readonly string[];
}

export interface MarkdownDocument {
  /** Words: what the report is of. The first line has it as well, and identifies the comment for a later update. */
  readonly name: string;
  /** Escaped lines before the headline. */
  readonly head?: readonly string[];
  /** Words. */
  readonly headline: string;
  /** Escaped lines between the headline and the sections. */
  readonly sentences?: readonly string[];
  /** Those without lines and notes are left out. */
  readonly sections: readonly MarkdownSection[];
  readonly foot?: readonly string[];
  /** In UTF-16 units. Default: that of a comment. */
  readonly longest?: number | undefined;
}

/** In UTF-16 units, of which a character has at least one; below 65,536 with a margin. */
export const longestDocument = 64_800;
/** What a section may take, relative to the others. */
const partsOfWeight: Readonly<Record<Weight, number>> = { critical: 1e6, visible: 4, folded: 1 };
/** Size of the text around the lines of a section. */
const wrapping = 240;

export function markdownDocument(document: MarkdownDocument): string {
  const { name, head: above = [], headline, sentences = [], foot = [], longest = longestDocument } = document;
  const sections = document.sections.filter(({ lines, notes = [] }) => lines.length + notes.length > 0);
  const head = [`## tenant-sync ${name}`, '', ...above, `**${headline}**`, ...sentences];
  const fixed = sizeOf(head) + sizeOf(foot) + sections.reduce((sum, section) => sum + wrappingOf(section), wrapping);
  const shares = shareOut(longest - fixed, sections);
  const shown = sections.map(({ lines }, index) => fitting(lines, shares[index] ?? 0));
  const omitted = sections.reduce((sum, { lines }, index) => sum + lines.length - (shown[index]?.length ?? 0), 0);
  return joinLines([
    `<!-- tenant-sync ${name} -->`,
    ...omittedLine(omitted),
    ...head,
    ...sections.flatMap((section, index) => ['', ...sectionLines(section, shown[index] ?? [])]),
    ...(foot.length === 0 ? [] : ['', ...foot]),
  ]);
}

/** The first line that readers see. */
function omittedLine(count: number): string[] {
  if (count === 0) return [];
  const what = `${quantity(count, 'line')} ${count === 1 ? 'does' : 'do'} not fit into this comment.`;
  return [`**${what}** All are in the report as JSON or HTML.`, ''];
}

/** What is critical gets all it needs. Of the rest, every section has a share, and leaves what it does not need to the others. */
function shareOut(available: number, sections: readonly MarkdownSection[]): number[] {
  const needs = sections
    .map(({ lines, weight }, index) => ({ index, size: sizeOf(lines), parts: partsOfWeight[weight] }))
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

function sectionLines(
  { title, weight, language, lines, notes = [] }: MarkdownSection,
  shown: readonly string[],
): string[] {
  const rest = lines.length - shown.length;
  const fence = markdownFence(shown);
  const content = [
    ...(shown.length === 0 ? [] : [fence + language, ...shown, fence]),
    ...(rest === 0 ? [] : ['', `… and ${quantity(rest, 'more line')}, omitted to fit the size limit of a comment.`]),
    ...notes.flatMap((note) => ['', note]),
  ];
  if (weight !== 'folded') return [`### ${title}`, '', ...content];
  return [`<details><summary>${title}</summary>`, '', ...content, '', '</details>'];
}

function fitting(lines: readonly string[], share: number): readonly string[] {
  let rest = share;
  const end = lines.findIndex((line) => {
    rest -= line.length + 1;
    return rest < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

function wrappingOf({ title, lines, notes = [] }: MarkdownSection): number {
  return wrapping + title.length + 2 * markdownFence(lines).length + sizeOf(notes) + notes.length;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
