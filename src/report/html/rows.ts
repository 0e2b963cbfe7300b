import type { TextChange } from '../../model/kind.ts';
import type { Origin } from '../../model/plan.generated.ts';
import type { Fact, Row, Sign } from '../view/plan-view.ts';
import { quantity, thousands } from '../wording.ts';
import { html, type Markup } from './markup.ts';
import type { SideBySide } from './side-by-side.ts';

export interface RowContext {
  readonly sideBySide: SideBySide;
  /** What is behind a line with texts, or behind every line, is shown at once. */
  readonly opens: 'texts' | 'everything' | 'nothing';
}

const signClasses: Readonly<Record<Sign, string>> = {
  '-': 'delete',
  '+': 'add',
  '~': 'change',
  '!': 'warn',
  x: 'error',
  '?': 'quiet',
  '=': 'quiet',
};
const signTexts: Readonly<Partial<Record<Sign, string>>> = { '-': '−', x: '✕' };
const originTitles: Readonly<Record<Exclude<Origin, null>, string>> = {
  change: 'changed in the files',
  drift: 'changed on the tenant',
  both: 'changed in the files and on the tenant',
};

/** One line; what is behind it opens. */
export function rowMarkup(row: Row, context: RowContext): Markup {
  const line = lineMarkup(row);
  const body = bodyMarkup(row, context);
  const className = `${signClasses[row.sign]}${row.name === '' && row.count === 1 ? ' unnamed' : ''}`;
  if (body.length === 0) return html`<div class="row ${className}">${line}</div>`;
  const isOpen = context.opens === 'everything' || (context.opens === 'texts' && row.texts.length > 0);
  const open = isOpen ? html` open` : null;
  return html`<details class="row ${className}"${open}><summary>${line}</summary>
<div class="body">
${body}</div></details>`;
}

/** The spaces are for those who hear the line or copy it. */
function lineMarkup(row: Row): Markup {
  const { sign, verb, noun, name, count, what, sentence, place, origin } = row;
  const spoken = verb === null ? null : html`<span class="unseen">${verb}</span>`;
  const items = count > 1 ? html` <span class="count">${quantity(count, 'item')}</span>` : null;
  const badge = origin === null ? null : html`<span class="origin" title="${originTitles[origin]}">${origin}</span> `;
  return html`<span class="sign"><span aria-hidden="true">${signTexts[sign] ?? sign}</span>${spoken}</span> <span class="noun">${noun}</span> <span class="name">${name}${items}</span> <span class="what">${what === '' ? sentence : what}</span> ${badge}<span class="place">${place}</span>`;
}

function bodyMarkup(
  { what, names, parts: lines, sentence, texts, details }: Row,
  context: RowContext,
): readonly Markup[] {
  const parts: Markup[] = [];
  if (sentence !== null && what !== '') parts.push(html`<p>${sentence}</p>\n`);
  if (names.length > 0) parts.push(namesMarkup(names));
  if (lines.length > 0) parts.push(namesMarkup(lines));
  for (const change of texts) parts.push(textMarkup(change, context));
  if (details.length > 0) parts.push(detailsMarkup(details));
  return parts;
}

/** So many names are shown at once; the others open. */
const mostNames = 20;

export function namesMarkup(names: readonly string[]): Markup {
  const list = (of: readonly string[]) => html`<ul class="names">${of.map((name) => html`<li>${name}</li>`)}</ul>\n`;
  const rest = names.slice(mostNames);
  const more = html`<details><summary class="more">${thousands(rest.length)} more</summary>
${list(rest)}</details>\n`;
  return html`${list(names.slice(0, mostNames))}${rest.length === 0 ? null : more}`;
}

function textMarkup({ label, before, after, source }: TextChange, { sideBySide }: RowContext): Markup {
  const place = source === null ? null : html` <span class="at">${source.file}:${source.line}</span>`;
  return html`<div class="text"><h3>${label}${place}</h3>
${sideBySide(label, { before, after })}</div>\n`;
}

function detailsMarkup(details: readonly Fact[]): Markup {
  return html`<dl class="details">${details.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>\n`;
}
