import type { ReportContext } from './document.ts';
import { joinLines, terminalText } from './escape.ts';
import { displayWidth, fitStart, padTo, type Style, wrapWords } from './terminal.ts';
import { changedLines, openTextDiffs, type TextDiff, textDetails } from './text-diff.ts';
import { originText } from './view/items.ts';
import type { Detail, PlanView, Row, Sign, ViewSection } from './view/plan-view.ts';
import { groupRows } from './view/shared-rows.ts';
import { quantity, shortList, thousands } from './wording.ts';

const signStyles: Readonly<Record<Sign, keyof Style>> = {
  '-': 'red',
  '+': 'green',
  '~': 'yellow',
  '!': 'yellow',
  x: 'red',
  '?': 'dim',
  '=': 'dim',
};
/** Keeps logs readable; the JSON form of a plan is always complete. */
const longestSection = 10_000;
const labelWidth = 9;

type TextContext = Pick<ReportContext, 'style' | 'width' | 'detail'>;

/** A view for people, on a terminal or in a log. */
export function viewText(view: PlanView, context: TextContext): string {
  const { style, width = null, detail } = context;
  const shown = detail === 'full' ? view : groupRows(view);
  const rowsOf = openRows(shown.sections, context);
  const lines = headLines(shown, style, width);
  for (const section of shown.sections) {
    lines.push('', ...wrapped(section.title, width, '').map(style.bold));
    for (const line of rowsOf(section)) lines.push(line);
    for (const { label, text, code } of section.notes) {
      if (code === 'line') lines.push(`      ${terminalText(text)}`);
      else lines.push(...wrapped(`${label}: ${terminalText(text)}`, width, '  '));
    }
  }
  const remarks = shown.remarks.map(({ label, text }) => `${label}: ${terminalText(text)}.`);
  const last = [...remarks, shown.sends].filter((text) => text !== '');
  if (last.length + shown.closing.length > 0) lines.push('', ...last.flatMap((text) => wrapped(text, width, '')));
  for (const { label, text } of shown.closing) lines.push(style.dim(terminalText(`${label} ${text}`)));
  return joinLines(lines);
}

/** The first screen begins with the tenant, the totals and what they mean. */
function headLines(view: PlanView, style: Style, width: number | null): string[] {
  const { tenant, tenants, facts, headline, sentences } = view;
  const who = terminalText(`${tenant.name}  ${tenant.baseUrl.replace(/\/api\/v2$/, '')}`.trimEnd());
  const totals = headline.join('   ');
  const isOneLine = width === null || displayWidth(`${who}   ${totals}`) <= width;
  const selected = facts.map(({ label, text }) => terminalText(`${label}: ${text}`)).join('  ');
  return [
    ...(isOneLine ? [`${who}   ${totals}`] : [who, ...wrapWords(totals, width)]).map(style.bold),
    ...(tenants.length === 0 ? [] : wrapped(tenants.map(terminalText).join(', '), width, '  ')),
    ...(selected === '' ? [] : wrapped(selected, width, '').map(style.dim)),
    ...sentences.flatMap((sentence) => ['', ...wrapped(sentence, width, '')]),
  ];
}

function wrapped(text: string, width: number | null, indent: string): string[] {
  const lines = width === null ? [text] : wrapWords(text, Math.max(10, width - indent.length));
  return lines.map((line) => indent + line);
}

interface TextOptions extends Required<TextContext> {
  readonly columns: readonly number[];
  readonly diffOf: (change: Row['texts'][number]) => TextDiff;
}

/** Writes the rows of each section, with columns that all of them share: lines with an indentation of at least two. */
export function openRows(
  sections: readonly ViewSection[],
  { style, width = null, detail = 'compact' }: TextContext,
): (section: ViewSection) => Iterable<string> {
  const diffOf = openTextDiffs(detail === 'full' || width === null ? null : width - 8);
  const options = { style, width, detail, columns: columnsOf(sections, width), diffOf };
  return (section) => sectionLines(section, options);
}

function* sectionLines({ rows }: ViewSection, options: TextOptions): Iterable<string> {
  const shown = rows.slice(0, longestSection);
  let shared = 1;
  for (const [index, row] of shown.entries()) {
    const next = shown[index + 1];
    const isLast = options.detail === 'full' || row.sentence !== next?.sentence || row.kind !== next.kind;
    yield* linesOf(row, isLast ? shared : null, options);
    shared = isLast ? 1 : shared + 1;
  }
  if (rows.length > shown.length)
    yield `  and ${thousands(rows.length - shown.length)} more; see all with --format json`;
}

/** Rows with one reason come together, and the last of them states it; `sharing` is their number, or null before the last. */
function linesOf(row: Row, sharing: number | null, options: TextOptions): readonly string[] {
  const { width, detail } = options;
  const below = (text: string) => (text === '' ? [] : wrapped(text, width, '      '));
  const isUnsent = row.sentence?.startsWith('not sent');
  const of =
    sharing === 1 ? '' : isUnsent ? `${thousands(sharing ?? 0)} actions ` : `these ${thousands(sharing ?? 0)}: `;
  return [
    ...rowLines(row, options),
    ...below(terminalText(shownNames(row, detail).join(', '))),
    ...below(row.sentence === null || sharing === null ? '' : of + terminalText(row.sentence)),
    ...(detail === 'compact' ? diffLines(row, options) : fullLines(row, options)),
  ];
}

function fullLines(row: Row, { diffOf }: TextOptions): readonly string[] {
  const changed = row.texts.flatMap((change) => textDetails(change, diffOf(change)));
  return [...changed, ...row.details(row)].map(
    ({ label, text }) => `      ${label.padEnd(labelWidth)} ${terminalText(text)}`,
  );
}

/** The most names of a group, of what is read name by name, and of a refusal. */
const groupNames = 3;
const lostNames = 1_000;
const refusedNames = 10;

/** Names of a group or of a refusal. What is deleted or lost, and what has an effect, is read name by name. */
export function shownNames({ sign, isLoss, sentence, names, count }: Row, detail: Detail): readonly string[] {
  const isReadByName = sign === '-' || isLoss || (sign === '!' && sentence === null);
  const most = count === 1 ? refusedNames : isReadByName ? lostNames : groupNames;
  return detail === 'full' ? names : shortList(names, most);
}

/** The most changed lines of a row with one text; of several, the most texts, and lines of each. */
const mostLines = 8;
const mostTexts = 4;
const mostOfText = 4;

function diffLines({ texts }: Row, { style, width, diffOf }: TextOptions): readonly string[] {
  const isOne = texts.length === 1;
  const more = (noun: string) => (rest: number) => style.dim(`      and ${quantity(rest, noun)}`);
  const lines = texts.slice(0, mostTexts).flatMap((change) => {
    const diff = diffOf(change);
    const heading = isOne && diff.remark === '' ? [] : [style.dim(cutLine(`${change.label}${diff.remark}:`, width))];
    const changed = changedLines(diff).map((line) =>
      (line.startsWith('-') ? style.red : style.green)(cutLine(line, width)),
    );
    return [...heading, ...shortList(changed, isOne ? mostLines : mostOfText, more('more line'))];
  });
  const rest = texts.length - mostTexts;
  return rest > 0 ? [...lines, more('more text')(rest)] : lines;
}

function cutLine(text: string, width: number | null): string {
  const line = terminalText(text);
  return `      ${width === null ? line : fitStart(line, width - 8)}`;
}

/** The widest cells of a column; that of names depends on the terminal. What is longer moves the rest of its line. */
const widestCells = { noun: 24, name: 40, what: 44, place: 40 };
/** Of the columns of a terminal, the part for names. */
const partOfNames = 0.36;

/** Widths of the columns, the same for all sections. */
function columnsOf(sections: readonly ViewSection[], width: number | null): readonly number[] {
  const name = width === null ? widestCells.name : Math.max(16, Math.floor(width * partOfNames));
  const most = Object.values({ ...widestCells, name });
  const cells = sections.flatMap(({ rows }) => rows.slice(0, longestSection).map(cellsOf));
  return most.map((limit, column) => {
    const sizes = cells.map((ofRow) => displayWidth(ofRow[column] ?? ''));
    return sizes.reduce((widest, size) => (size <= limit ? Math.max(widest, size) : widest), 0);
  });
}

/** Noun, name, what changes, place and origin. */
function cellsOf({ noun, name, count, what, place, origin }: Row): readonly string[] {
  return [noun, count > 1 ? `${thousands(count)} items` : name, what, place, originText(origin)].map(terminalText);
}

/** A row is one line, unless it is too long for the terminal: then what changes is below its item. */
function rowLines(row: Row, { style, width, columns }: TextOptions): readonly string[] {
  const cells = cellsOf(row);
  const [noun, name, ...others] = cells;
  const paint = style[signStyles[row.sign]];
  const mark = `${row.sign} ${noun}`;
  if (name === '') {
    const lines = wrapped(others[0] ?? '', width === null ? null : width - displayWidth(mark) - 4, '');
    return lines.map((line, index) => (index === 0 ? `  ${paint(mark)}  ${line}` : `      ${line}`));
  }
  // Nothing follows the last cell that is filled.
  const last = cells.findLastIndex((cell) => cell !== '');
  const inColumns = (widths: readonly number[]) =>
    cells.slice(0, last + 1).map((cell, index) => (index < last ? padTo(cell, widths[index] ?? 0) : cell));
  const isFitting = (line: readonly string[]) =>
    width === null || displayWidth(`  ${row.sign} ${line.join('  ')}`) <= width;
  // Cells that are too wide in their columns may fit without them.
  const line = [inColumns(columns), inColumns(columns.slice(0, 2))].find(isFitting);
  if (line !== undefined) {
    const [what, place, by] = line.slice(2);
    const item = paint(`${row.sign} ${line.slice(0, 2).join('  ')}`);
    return [
      `  ${[item, what, place && style.dim(place), by && style.yellow(by)].filter((cell) => cell !== undefined).join('  ')}`,
    ];
  }
  const item = wrapWords(`${mark} ${name}`, (width ?? 0) - 6).map(
    (text, index) => (index === 0 ? '  ' : '      ') + paint(text),
  );
  const below = others.filter((cell) => cell !== '').join('  ');
  return below === '' ? item : [...item, ...wrapped(below, width, '      ')];
}
