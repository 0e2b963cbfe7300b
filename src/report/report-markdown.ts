import { markdownCell, markdownCode, terminalText } from './escape.ts';
import { type MarkdownSection, markdownDocument } from './markdown-document.ts';
import type { Fact, Group, Item, Report, Section } from './report.ts';
import { itemLines } from './report-text.ts';
import { plainStyle } from './style.ts';
import { quantity, thousands } from './wording.ts';

/** The most lines of an item; the items of a refusal fit. */
const longestItem = 24;

/** A report for a comment on a pull request. The first line identifies the comment for a later update. */
export function reportMarkdown(report: Report): string {
  const { name, facts, conclusion, sections, summary, closing } = report;
  return markdownDocument({
    head: [
      `<!-- tenant-sync ${name} -->`,
      `## tenant-sync ${name}`,
      '',
      facts.map(factText).join(' · '),
      '',
      `**${summary}**`,
      ...(conclusion === null ? [] : ['', markdownCode(conclusion)]),
      ...tableLines(sections),
    ],
    sections: [...sections.filter(isVisible), ...sections.filter((section) => !isVisible(section))].map(
      markdownSection,
    ),
    foot: closing.map(factText),
  });
}

function isVisible({ weight }: Section): boolean {
  return weight !== 'folded';
}

function factText({ label, text }: Fact): string {
  return `${label}: ${markdownCode(text)}`;
}

/** One row for each kind, one column for each section that counts. */
function tableLines(sections: readonly Section[]): string[] {
  const counting = sections.filter(({ column }) => column !== null);
  const kinds = [...new Set(counting.flatMap(({ groups }) => groups.map(({ title }) => title)))];
  if (counting.length === 0) return [];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const count = ({ groups }: Section, kind: string) =>
    thousands(groups.find(({ title }) => title === kind)?.items.length ?? 0);
  return [
    '',
    row(['Kind', ...counting.map(({ column }) => column ?? '')]),
    row(['---', ...counting.map(() => '---:')]),
    ...kinds.map((kind) => row([markdownCell(kind), ...counting.map((section) => count(section, kind))])),
  ];
}

function markdownSection({ title, weight, groups, notes }: Section): MarkdownSection {
  return {
    title,
    weight,
    language: 'diff',
    blocks: groups.flatMap(weight === 'urgent' ? lineBlocks : groupBlocks),
    notes: notes.map(factText),
  };
}

/** The title of a kind is in one block with its first item, so that it never appears alone. */
function groupBlocks({ title, items, more }: Group): string[][] {
  const [first = [], ...rest] = items.map((item) => itemLines(shortened(item), plainStyle));
  const last = more > 0 ? [[`and ${thousands(more)} more`]] : [];
  return [[`@@ ${terminalText(title)} @@`, ...first], ...rest, ...last];
}

/** Line by line, so that at least the start of an urgent section is shown. */
function lineBlocks(group: Group): string[][] {
  return groupBlocks(group)
    .flat()
    .map((line) => [line]);
}

function shortened(item: Item): Item {
  const { details } = item;
  if (details.length <= longestItem) return item;
  const rest = { label: '…', text: `and ${quantity(details.length - longestItem, 'more line')}` };
  return { ...item, details: [...details.slice(0, longestItem), rest] };
}
