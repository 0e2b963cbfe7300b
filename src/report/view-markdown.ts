import type { ReportContext } from './document.ts';
import { markdownCode, markdownFence, terminalText } from './escape.ts';
import { type MarkdownSection, markdownDocument } from './markdown-document.ts';
import { plainStyle } from './terminal.ts';
import type { Fact, PlanView, Row, ViewSection } from './view/plan-view.ts';
import { groupRows } from './view/shared-rows.ts';
import { openRows, shownNames } from './view-text.ts';
import { thousands } from './wording.ts';

/** Columns of a fence that a comment shows without scrolling. */
const width = 110;

/**
 * A view for a comment on a pull request: the rows of the text report in fences, which a forge colours by their signs.
 */
export function viewMarkdown(view: PlanView, { detail = 'compact', longest }: Partial<ReportContext>): string {
  const { name, tenant, tenants, facts, headline, sentences, remarks, sends, closing } = view;
  const { sections } = detail === 'full' ? view : groupRows(view);
  const subject = [tenant.name, tenant.baseUrl].filter((text) => text !== '');
  const rowsOf = openRows(sections, { style: plainStyle, width, detail });
  const foot = [...remarks.map(factText), ...(sends === '' ? [] : [sends]), ...closing.map(factText)];
  return markdownDocument({
    longest,
    name,
    head: [[subject.map(markdownCode).join(' '), ...facts.map(factText)].join(' · '), ...tenantLines(tenants), ''],
    headline: headline.join(' · '),
    sentences: sentences.flatMap((sentence) => ['', sentence]),
    sections: sections.flatMap((section) => [
      {
        title: titleOf(section),
        weight: section.weight,
        language: 'diff',
        // A sign colours its line at the start of it.
        lines: Array.from(rowsOf(section), (line) => line.slice(2)),
        notes: notesOf(section.notes),
      },
      ...(detail === 'full' ? [] : section.rows.flatMap(allNames)),
    ]),
    foot: foot.flatMap((text, index) => (index === 0 ? [text] : ['', text])),
  });
}

/** So many names are shown at once; more are folded. */
const mostNames = 10;

function tenantLines(tenants: readonly string[]): string[] {
  if (tenants.length === 0) return [];
  const names = tenants.map(markdownCode).join(', ');
  if (tenants.length <= mostNames) return ['', names];
  return ['', `<details><summary>${thousands(tenants.length)} tenants</summary>`, '', names, '', '</details>'];
}

/** Every item of a refusal whose row names only the first ones. */
function allNames(row: Row): MarkdownSection[] {
  const title = `All items of ${row.what.split(':', 1)[0]}: ${thousands(row.names.length)}`;
  const lines = row.names.map(terminalText);
  if (row.count > 1 || shownNames(row, 'compact').length === lines.length) return [];
  return [{ title, weight: 'folded', language: 'text', lines }];
}

function titleOf({ title, weight, rows }: ViewSection): string {
  return weight === 'folded' ? `${title}: ${thousands(rows.reduce((sum, { count }) => sum + count, 0))}` : title;
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
