import type { Row } from '../view/plan-view.ts';
import { thousands } from '../wording.ts';
import { html, type Markup } from './markup.ts';

/** What the script of the page filters by: an attribute of each row, and its values in the order in which they are shown. */
interface Facet {
  readonly name: 'kind' | 'verb' | 'origin';
  readonly title: string;
  readonly values: readonly Value[];
  /** Fewer values are no choice. */
  readonly least: number;
}

interface Value {
  readonly value: string;
  readonly text: string;
}

/** The filters of the rows of an article. They are hidden until the script of the page runs. */
export function filterMarkup(rows: readonly Row[], article: string): Markup | null {
  if (rows.length < 2) return null;
  const nouns = new Map(rows.map(({ kind, noun }) => [kind, noun]));
  const facets: readonly Facet[] = [
    { name: 'kind', title: 'Kind', values: [...nouns].map(([value, text]) => ({ value, text })), least: 2 },
    { name: 'verb', title: 'Action', values: ['delete', 'change', 'add'].map(named), least: 2 },
    { name: 'origin', title: 'Origin', values: ['change', 'drift', 'both'].map(named), least: 1 },
  ];
  return html`<div class="filters" role="search" aria-label="Filter: ${article}" hidden>
<details><summary>Filter</summary>
<div class="choices">
<label>Search <input type="search" autocomplete="off" spellcheck="false"></label>
${facets.map((facet) => facetMarkup(facet, rows))}<div><button type="button" data-do="clear">Clear</button> <button type="button" data-do="open">Open all</button> <button type="button" data-do="close">Close all</button></div>
</div></details>
<p class="shown" role="status"></p>
</div>\n`;
}

/** The attributes of a row that the filters compare. */
export function rowAttributes({ kind, verb, origin, count }: Row): Markup {
  return html` data-row data-kind="${kind}" data-verb="${verb ?? ''}" data-origin="${origin ?? ''}" data-count="${count}"`;
}

function named(value: string): Value {
  return { value, text: value };
}

function facetMarkup({ name, title, values, least }: Facet, rows: readonly Row[]): Markup | null {
  const counts = new Map<string | null, number>();
  for (const row of rows) counts.set(row[name], (counts.get(row[name]) ?? 0) + row.count);
  const present = values.filter(({ value }) => counts.has(value));
  if (present.length < least) return null;
  return html`<fieldset><legend>${title}</legend>${present.map(
    ({ value, text }) =>
      html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"> ${text} <span class="count">${thousands(counts.get(value) ?? 0)}</span></label>`,
  )}</fieldset>\n`;
}
