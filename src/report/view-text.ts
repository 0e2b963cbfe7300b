import type { ReportContext } from './document.ts';
import { joinLines, terminalText } from './escape.ts';
import { displayWidth, fitStart, padTo, plainStyle, type Style, wrapWords } from './terminal.ts';
import { changedLines, openTextDiffs, type TextDiff, textDetails } from './text-diff.ts';
import { originText } from './view/items.ts';
import type { Detail, PlanView, Row, Sign, ViewSection } from './view/plan-view.ts';
import { groupRows } from './view/shared-rows.ts';
import { quantity, shortList, thousands } from './wording.ts';

interface TextOptions {
  readonly style: Style;
  /** Columns of the terminal; null without one: nothing is cut or wrapped. */
  readonly width: number | null;
  readonly detail: Detail;
}

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

/** A view for people, on a terminal or in a log. */
export function viewText(
  view: PlanView,
  { style, width = null, detail = 'compact' }: Pick<ReportContext, 'style' | 'width' | 'detail'>,
): string {
  const options = { style, width, detail };
  const shown = detail === 'full' ? view : groupRows(view);
  const { sections, closing } = shown;
  const lines = headLines(shown, options);
  const rowsOf = openRows(sections, options);
  for (const section of sections) {
    lines.push('', ...wrapped(section.title, width, '').map(style.bold));
    for (const line of rowsOf(section)) lines.push(line);
    for (const { label, text, code } of section.notes) {
      if (code === 'line') lines.push(`      ${terminalText(text)}`);
      else lines.push(...wrapped(`${label}: ${terminalText(text)}`, width, '  '));
    }
  }
  const remarks = [
    ...shown.remarks.map(({ label, text }) => `${label}: ${terminalText(text)}.`),
    ...(shown.sends === '' ? [] : [shown.sends]),
  ];
  if (remarks.length > 0) lines.push('', ...remarks.flatMap((text) => wrapped(text, width, '')));
  if (remarks.length === 0 && closing.length > 0) lines.push('');
  for (const { label, text } of closing) lines.push(style.dim(terminalText(`${label} ${text}`)));
  return joinLines(lines);
}

/** The first screen begins with the tenant, the totals and what they mean. */
function headLines(view: PlanView, { style, width }: TextOptions): string[] {
  const { tenant, tenants, facts, headline, sentences } = view;
  const who = terminalText(`${tenant.name}  ${tenant.baseUrl.replace(/\/api\/v2$/, '')}`.trimEnd());
  const totals = headline.join('   ');
  const isOneLine = width === null || displayWidth(who) + 3 + displayWidth(totals) <= width;
  const selected = facts.map(({ label, text }) => terminalText(`${label}: ${text}`)).join('  ');
  return [
    ...(isOneLine ? [style.bold(`${who}   ${totals}`)] : [who, ...wrapWords(totals, width)].map(style.bold)),
    ...(tenants.length === 0 ? [] : wrapped(tenants.map(terminalText).join(', '), width, '  ')),
    ...(selected === '' ? [] : wrapped(selected, width, '').map(style.dim)),
    ...sentences.flatMap((sentence) => ['', ...wrapped(sentence, width, '')]),
  ];
}

function wrapped(text: string, width: number | null, indent: string): string[] {
  const lines = width === null ? [text] : wrapWords(text, Math.max(10, width - indent.length));
  return lines.map((line) => indent + line);
}

interface SectionOptions extends TextOptions {
  readonly layout: Layout;
  readonly diffOf: (change: Row['texts'][number]) => TextDiff;
}

/** Writes the rows of each section, with columns that all of them share: lines with an indentation of at least two. */
export function openRows(
  sections: readonly ViewSection[],
  options: TextOptions,
): (section: ViewSection) => Iterable<string> {
  const { width, detail } = options;
  const diffOf = openTextDiffs(detail === 'full' || width === null ? null : width - 8);
  const all = { ...options, layout: layoutOf(sections, width), diffOf };
  return (section) => sectionLines(section, all);
}

function* sectionLines({ rows }: ViewSection, options: SectionOptions): Iterable<string> {
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
function linesOf(row: Row, sharing: number | null, options: SectionOptions): readonly string[] {
  const { width, detail } = options;
  const below = (text: string) => (text === '' ? [] : wrapped(text, width, '      '));
  const isUnsent = row.sentence?.startsWith('not sent');
  const of =
    sharing === 1 ? '' : isUnsent ? `${thousands(sharing ?? 0)} actions ` : `these ${thousands(sharing ?? 0)}: `;
  return [
    ...rowLines(row, options),
    ...below(shownNames(row, detail).map(terminalText).join(', ')),
    ...below(row.parts.map(terminalText).join(', ')),
    ...below(row.sentence === null || sharing === null ? '' : of + terminalText(row.sentence)),
    ...(detail === 'compact' ? diffLines(row, options) : fullLines(row, options)),
  ];
}

function fullLines({ texts, details }: Row, { diffOf }: SectionOptions): readonly string[] {
  const changed = texts.flatMap((change) => textDetails(change, diffOf(change)));
  return [...changed, ...details()].map(({ label, text }) => `      ${label.padEnd(labelWidth)} ${terminalText(text)}`);
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

function diffLines({ texts }: Row, { style, width, diffOf }: SectionOptions): readonly string[] {
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

/** Widths of the columns; what is longer moves the rest of its line. */
interface Layout {
  readonly noun: number;
  readonly name: number;
  readonly what: number;
  readonly place: number;
}

const widestCell = 40;
const widestWhat = 44;
/** Of the columns of a terminal, the part for names. */
const partOfNames = 0.36;

/** One layout for all sections, so that their columns are aligned. */
function layoutOf(sections: readonly ViewSection[], width: number | null): Layout {
  const rows = sections.flatMap((section) => section.rows.slice(0, longestSection));
  const widest = (cellOf: (row: Row) => string, most: number) =>
    rows.reduce((found, row) => {
      const cell = displayWidth(terminalText(cellOf(row)));
      return cell > found && cell <= most ? cell : found;
    }, 0);
  return {
    noun: widest((row) => row.noun, 24),
    name: widest(nameText, width === null ? widestCell : Math.max(16, Math.floor(width * partOfNames))),
    what: widest((row) => row.what, widestWhat),
    place: widest((row) => row.place, widestCell),
  };
}

function nameText({ name, count }: Row): string {
  return count > 1 ? `${thousands(count)} items` : name;
}

/** A row is one line, unless it is too long for the terminal: then what changes is below its item. */
function rowLines(row: Row, { style, width, layout }: SectionOptions): string[] {
  const noun = terminalText(row.noun);
  const name = terminalText(nameText(row));
  const cells = { what: terminalText(row.what), place: terminalText(row.place), origin: originText(row.origin) };
  const paint = style[signStyles[row.sign]];
  const mark = `${row.sign} ${noun}`;
  if (name === '') {
    const lines = wrapped(cells.what, width === null ? null : width - displayWidth(mark) - 4, '');
    return lines.map((line, index) => (index === 0 ? `  ${paint(mark)}  ${line}` : `      ${line}`));
  }
  const start = `${row.sign} ${padTo(noun, layout.noun)}  ${padTo(name, layout.name)}`;
  const widthWith = (one: Layout) => displayWidth(`  ${start}  ${alignedEnd(cells, one, plainStyle)}`);
  // Cells that are too wide in their columns may fit without them.
  const fitting = [layout, { ...layout, what: 0, place: 0 }].find((one) => width === null || widthWith(one) <= width);
  if (fitting !== undefined || width === null) {
    const end = alignedEnd(cells, fitting ?? layout, style);
    return [end === '' ? `  ${paint(start.trimEnd())}` : `  ${paint(start)}  ${end}`];
  }
  const below = [cells.what, cells.place, cells.origin].filter((cell) => cell !== '').join('  ');
  const item = wrapWords(`${mark} ${name}`, width - 6).map(
    (line, index) => (index === 0 ? '  ' : '      ') + paint(line),
  );
  return below === '' ? item : [...item, ...wrapped(below, width, '      ')];
}

/** The cells after the name in their columns; nothing follows the last one that is filled. */
function alignedEnd(
  { what, place, origin }: Readonly<Record<'what' | 'place' | 'origin', string>>,
  layout: Layout,
  style: Style,
): string {
  const places = origin === '' ? place : `${padTo(place, layout.place)}  `;
  if (place === '' && origin === '') return what;
  return `${padTo(what, layout.what)}  ${style.dim(places)}${style.yellow(origin)}`;
}
