import type { Source } from '../../model/diagnostic.ts';
import type { TextChange } from '../../model/kind.ts';
import type { Origin } from '../../model/plan.generated.ts';
import type { FormatContext } from '../document.ts';
import { encodedPath } from '../escape.ts';
import type { Fact, Row, Sign } from '../view/plan-view.ts';
import { quantity, thousands } from '../wording.ts';
import { type Content, html, type Markup } from './markup.ts';
import type { SideBySide } from './side-by-side.ts';

/** What everything in an article shares. */
export interface PageContext {
  /** Begins the ids of the article, which are unique in the page. */
  readonly prefix: string;
  readonly sideBySide: SideBySide;
  readonly placeOf: PlaceOf;
}

export interface RowContext extends PageContext {
  readonly links: ItemLinks;
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
const originTitles: Readonly<Partial<Record<NonNullable<Origin>, string>>> = {
  drift: 'changed on the tenant',
  both: 'changed in the files and on the tenant',
};

/** A line, and beside it what opens it: a control that contains links is not accessible. */
export function rowMarkup(row: Row, context: RowContext): Markup {
  const { name, noun, count, texts, sign } = row;
  const body = bodyMarkup(row, context);
  const id = context.links.ids.get(row);
  const isOpen = context.opens === 'everything' || (context.opens === 'texts' && texts.length > 0);
  const details = html`
<details${isOpen ? html` open` : null}><summary class="toggle" aria-label="details of ${noun} ${name}"></summary>
<div class="body">
${body}</div></details>`;
  return html`<li class="row ${signClasses[sign]}${name === '' && count === 1 ? ' unnamed' : ''}"${id === undefined ? null : html` id="${id}"`}><div class="line">${lineMarkup(row, context)}</div>${body.length === 0 ? null : details}</li>\n`;
}

/** The spaces are for those who hear the line or copy it. */
function lineMarkup(row: Row, { links, placeOf }: RowContext): Markup {
  const { sign, verb, noun, name, count, what, sentence, source, origin } = row;
  const spoken = verb === null ? null : html`<span class="unseen">${verb}</span>`;
  const items = count > 1 ? html` <span class="count">${quantity(count, 'item')}</span>` : null;
  const title = origin === null ? undefined : originTitles[origin];
  const badge = title === undefined ? null : html`<span class="origin" title="${title}">${origin}</span> `;
  return html`<span class="sign"><span aria-hidden="true">${signTexts[sign] ?? sign}</span>${spoken}</span> <span class="noun">${noun}</span> <span class="name">${links.linked(row, name)}${items}</span> <span class="what">${what === '' ? sentence : what}</span> ${badge}<span class="place">${row.place === '' ? null : placeOf(row.place, source)}</span>`;
}

function bodyMarkup(row: Row, context: RowContext): readonly Markup[] {
  const { what, names, sentence, texts } = row;
  const details = row.details(row);
  const parts: Markup[] = [];
  if (sentence !== null && what !== '') parts.push(html`<p>${sentence}</p>\n`);
  if (names.length > 0) parts.push(namesMarkup(names.map((name) => context.links.linked(row, name))));
  for (const change of texts) parts.push(textMarkup(change, context));
  if (details.length > 0) parts.push(detailsMarkup(details));
  return parts;
}

/** So many names are shown at once; the others open. */
const mostNames = 20;

export function namesMarkup(names: readonly Content[]): Markup {
  const list = (of: readonly Content[]) => html`<ul class="names">${of.map((name) => html`<li>${name}</li>`)}</ul>\n`;
  const rest = names.slice(mostNames);
  const more = html`<details class="others"><summary class="more">${thousands(rest.length)} more</summary>
${list(rest)}</details>\n`;
  return html`${list(names.slice(0, mostNames))}${rest.length === 0 ? null : more}`;
}

function textMarkup({ label, before, after, source }: TextChange, { sideBySide, placeOf }: RowContext): Markup {
  const place =
    source === null ? null : html` <span class="at">${placeOf(`${source.file}:${source.line}`, source)}</span>`;
  return html`<div class="text"><h3>${label}${place}</h3>
${sideBySide(label, { before, after })}</div>\n`;
}

function detailsMarkup(details: readonly Fact[]): Markup {
  return html`<dl class="details">${details.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>\n`;
}

/** A location in the files, as a link where the forge shows them. */
export type PlaceOf = (text: string, source: Source | null) => Content;

export function openPlaces({ filesUrl = null }: Pick<FormatContext, 'filesUrl'>): PlaceOf {
  return (text, source) => {
    const path = source?.file ?? '';
    // A lone surrogate has no address, and neither has a file that is not in the repository.
    if (source === null || filesUrl === null || /^(\/|$)|(^|\/)\.\.?(\/|$)|\p{Cs}/u.test(path)) return text;
    const address = `${filesUrl}/${encodedPath(path)}#L${source.line}`;
    return html`<a href="${address}" rel="noreferrer">${text}</a>`;
  };
}

/** Rows about effects, rules and refusals link to the row of the change that they are about. */
export interface ItemLinks {
  /** The id of a row that others link to. */
  readonly ids: ReadonlyMap<Row, string>;
  /** A name of an item, in a row. */
  readonly linked: (row: Row, name: string) => Content;
}

/** `prefix` begins the ids, which are unique in the page. */
export function openItemLinks(rows: readonly Row[], prefix: string): ItemLinks {
  const itemOf = ({ kind }: Row, name: string) => `${kind} ${name}`;
  const others = rows.filter(({ verb }) => verb === null);
  const named = new Set(others.flatMap((row) => [row.name, ...row.names].map((name) => itemOf(row, name))));
  const ids = new Map<Row, string>();
  const idOfItem = new Map<string, string>();
  for (const row of rows) {
    const item = itemOf(row, row.name);
    if (row.verb === null || !named.has(item) || idOfItem.has(item)) continue;
    idOfItem.set(item, `${prefix}item-${ids.size + 1}`);
    ids.set(row, `${prefix}item-${ids.size + 1}`);
  }
  const linked = (row: Row, name: string) => {
    const id = row.verb === null ? idOfItem.get(itemOf(row, name)) : undefined;
    return id === undefined ? name : html`<a href="#${id}">${name}</a>`;
  };
  return { ids, linked };
}
