import { joinLines, terminalText } from './escape.ts';
import type { Fact, Item, Report, Section, Sign } from './report.ts';
import type { Style } from './style.ts';
import { thousands } from './wording.ts';

const signStyles: Readonly<Record<Sign, keyof Style>> = {
  '-': 'red',
  '+': 'green',
  '~': 'yellow',
  '!': 'yellow',
  x: 'red',
  '?': 'dim',
  '=': 'dim',
};
const labelWidth = 9;

/** A report for people, on a terminal or in a log. */
export function reportText(report: Report, style: Style): string {
  const { facts, conclusion, sections, summary, closing } = report;
  const lines = [style.bold(terminalText(facts.map(({ label, text }) => `${label}: ${text}`).join('  ')))];
  if (conclusion !== null) lines.push('', terminalText(conclusion));
  for (const section of sections) pushSection(lines, section, style);
  lines.push('', style.bold(summary), ...closing.map((fact) => style.dim(terminalText(`${fact.label} ${fact.text}`))));
  return joinLines(lines);
}

/** Pushes instead of joining lists, which may be long. */
function pushSection(lines: string[], { title, groups, notes }: Section, style: Style): void {
  lines.push('', style.bold(title));
  for (const group of groups) {
    lines.push(`  ${terminalText(group.title)}`);
    for (const item of group.items) pushItem(lines, item, style, '    ');
    if (group.more > 0) lines.push(`    and ${thousands(group.more)} more; see all with --format json`);
  }
  for (const note of notes) lines.push(`  ${noteText(note)}`);
}

/** The lines of one item, beginning in the first column. */
export function itemLines(item: Item, style: Style): string[] {
  const lines: string[] = [];
  pushItem(lines, item, style, '');
  return lines;
}

function pushItem(lines: string[], { sign, head, details }: Item, style: Style, indent: string): void {
  lines.push(indent + style[signStyles[sign]](`${sign} ${terminalText(head)}`));
  for (const detail of details) lines.push(`${indent}    ${detailText(detail)}`);
}

export function detailText({ label, text }: Fact): string {
  return `${label.padEnd(labelWidth)} ${terminalText(text)}`;
}

function noteText({ label, text }: Fact): string {
  return `${label}: ${terminalText(text)}`;
}
