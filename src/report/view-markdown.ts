import { markdownCell, markdownCode, markdownFence, terminalText } from './escape.ts';
import { fenced, type MarkdownSection, markdownDocument, table } from './markdown-document.ts';
import { openTextDiffs, textDetails } from './text-diff.ts';
import { inForm } from './view/group-rows.ts';
import type { Detail, Fact, PlanView, Row, ViewSection } from './view/plan-view.ts';
import { detailText, isReadByName, namesText, originText } from './view-text.ts';
import { cutText, quantity, shortList, thousands } from './wording.ts';

type DiffOf = ReturnType<typeof openTextDiffs>;

/** The most of a list of names in a table, in UTF-16 units. */
const longestCell = 200;
/** The most lines of the details of one row. */
const longestItem = 24;

/** A view for a comment on a pull request. The first line identifies the comment for a later update. */
export function viewMarkdown(view: PlanView, detail: Detail = 'compact'): string {
  const isFull = detail === 'full';
  const { name, tenant, facts, headline, sentences, sections, remarks, sends, closing } = inForm(view, detail);
  const hasOrigins = sections.some(({ rows }) => rows.some(({ origin }) => origin !== null));
  const diffOf = openTextDiffs();
  return markdownDocument({
    head: [
      `<!-- tenant-sync ${name} -->`,
      `## tenant-sync ${name}`,
      '',
      [`${markdownCode(tenant.name)} ${markdownCode(tenant.baseUrl)}`, ...facts.map(factText)].join(' · '),
      '',
      `**${headline.join(' · ')}**`,
      ...sentences.flatMap((sentence) => ['', sentence]),
    ],
    sections: sections.flatMap((section) => [
      tableOf(section, hasOrigins),
      ...namesBelow(section),
      ...detailsBelow(section, diffOf, isFull),
    ]),
    foot: [
      ...remarks.flatMap((remark) => [`${remark.label}: ${markdownCode(remark.text)}`, '']),
      ...(sends === '' ? [] : [sends, '']),
      ...closing.flatMap((fact, index) => (index === 0 ? [factText(fact)] : ['', factText(fact)])),
    ],
  });
}

function factText({ label, text }: Fact): string {
  return `${label}: ${markdownCode(text)}`;
}

/** Lines to copy are one block. */
function notesOf(notes: readonly Fact[]): string[] {
  const lines = notes.filter(({ code }) => code === 'line').map(({ text }) => terminalText(text));
  const fence = markdownFence(lines);
  return notes.flatMap((note, index) => {
    if (note.code !== 'line') return [factText(note)];
    return notes[index - 1]?.code === 'line' ? [] : [[`${fence}yaml`, ...lines, fence].join('\n')];
  });
}

function tableOf({ title, weight, rows, notes }: ViewSection, hasOrigins: boolean): MarkdownSection {
  const columns = ['Item', 'Change', 'Place', ...(hasOrigins ? ['Origin'] : [])];
  return {
    title: weight === 'folded' ? `${title}: ${thousands(rows.reduce((sum, { count }) => sum + count, 0))}` : title,
    weight,
    ...table(
      columns,
      rows.map((row) => [
        itemCell(row),
        textCell([whatInCell(row), row.sentence ?? '', namesInCell(row)]),
        textCell([row.place]),
        ...(hasOrigins ? [originText(row.origin)] : []),
      ]),
    ),
    notes: notesOf(notes),
  };
}

function itemCell({ sign, noun, name, count }: Row): string {
  return markdownCell(`${sign} ${noun} ${count > 1 ? `${thousands(count)} items` : name}`.trimEnd());
}

function textCell(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => markdownCell(text))
    .join(' ');
}

/** Names that fit into a cell; the others are below. */
function namesInCell(row: Row): string {
  const all = row.names.join(', ');
  if (!isReadByName(row)) return namesText(row).join(', ');
  if (all.length <= longestCell) return all;
  const [first = ''] = row.names;
  return `${cutText(first, longestCell / 2)} and ${thousands(row.names.length - 1)} more, listed below`;
}

function whatInCell({ what, parts }: Row): string {
  return parts.length === 0 ? what : `${what}; all are listed below`;
}

/** Folded: every name where those of a cell are not all. Each is a block, so that those which do not fit are counted. */
function namesBelow({ title, rows }: ViewSection): MarkdownSection[] {
  const blocks = rows.flatMap((row) => {
    const { noun, name, count, names, what, parts } = row;
    const hasMore = isReadByName(row) && names.join(', ').length > longestCell;
    return [
      ...(hasMore ? listBlocks(`${noun} ${what}`, names) : []),
      ...listBlocks(`${noun} ${count > 1 ? quantity(count, 'item') : name}`, parts),
    ];
  });
  return folded(`${title}: names`, blocks, 'text', ' All are in the report as text, JSON or HTML.');
}

function listBlocks(title: string, lines: readonly string[]): string[][] {
  return lines.map((line, index) => [...(index === 0 ? [blockTitle(title.trimEnd())] : []), terminalText(line)]);
}

function blockTitle(title: string): string {
  return `@@ ${terminalText(title)} @@`;
}

/** Folded: differences of texts, and in the full form the details of every row. */
function detailsBelow({ title, rows }: ViewSection, diffOf: DiffOf, isFull: boolean): MarkdownSection[] {
  const blocks = rows.flatMap((row) => {
    const lines = rowDetails(row, diffOf, isFull);
    if (lines.length === 0) return [];
    const names = `${row.noun} ${row.count > 1 ? namesInCell(row) : row.name}`;
    return [[blockTitle(names), ...shortList(lines, longestItem, (rest) => `and ${quantity(rest, 'more line')}`)]];
  });
  return folded(`${title}: ${isFull ? 'details' : 'text changes'}`, blocks, 'diff');
}

function rowDetails({ texts, details }: Row, diffOf: DiffOf, isFull: boolean): string[] {
  const changed = texts.flatMap((change) => textDetails(change, diffOf(change)).map(({ text }) => terminalText(text)));
  return [...changed, ...(isFull ? details.map(detailText) : [])];
}

function folded(
  title: string,
  blocks: readonly (readonly string[])[],
  language: 'diff' | 'text',
  elsewhere = '',
): MarkdownSection[] {
  if (blocks.length === 0) return [];
  return [{ title, weight: 'folded', ...fenced(blocks, language), elsewhere, notes: [] }];
}
