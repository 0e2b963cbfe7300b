import type { Counts, Fact, PlanView, SectionName, ViewSection } from '../view/plan-view.ts';
import { thousands } from '../wording.ts';
import { filterMarkup, rowAttributes } from './filters.ts';
import { type Content, html, type Markup } from './markup.ts';
import { pageDocument } from './page.ts';
import { factMarkup, type RowContext, rowMarkup } from './row.ts';
import { openSideBySide } from './side-by-side.ts';

/** Up to this many rows, changed texts are shown at once. */
const mostOpenRows = 50;

/** Consequences and refusals are on the first screen, above the filters. */
const leading: Readonly<Partial<Record<SectionName, string>>> = {
  refused: 'error',
  errors: 'error',
  header: 'warn',
  lost: 'delete',
  gained: 'add',
  effects: 'warn',
};

/** A plan, its drift or its outcomes as a page. `made` is when and by what. */
export function viewPage(view: PlanView, made: string): string {
  const first = view.sections.filter(({ name }) => name in leading);
  const listed = view.sections.filter(({ name }) => !(name in leading));
  const rows = listed.flatMap((section) => section.rows);
  const context: RowContext = { sideBySide: openSideBySide(), opensTexts: rows.length <= mostOpenRows };
  return pageDocument({
    title: `${view.name} of ${view.tenant.name}: ${view.headline.join(', ')}`,
    body: html`<header>
${headMarkup(view)}</header>
<main${rows.some(({ origin }) => origin !== null) ? html` class="with-origins"` : null}>
${first.map((section) => panelMarkup(section, context))}${filterMarkup(rows)}${listed
  .filter(({ isFullOnly }) => !isFullOnly)
  .map((section) => listMarkup(section, context))}${remarksMarkup(view)}${listed
  .filter(({ isFullOnly }) => isFullOnly)
  .map((section) => foldedMarkup(section, context))}</main>
<footer>${factsMarkup([...view.closing, ...view.moreClosing, { label: 'made', text: made }])}</footer>`,
  });
}

function headMarkup({ name, tenant, facts, headline, counts, base, sentences }: PlanView): Markup {
  const separator = html` <span aria-hidden="true">·</span> `;
  return html`<p class="tool">tenant-sync ${name}</p>
<h1>${tenant.name} <span class="address">${tenant.baseUrl}</span></h1>
<p class="headline">${headline.map((part, index) => html`${index === 0 ? null : separator}${part}`)}</p>
${tilesMarkup(counts)}${sentences.map((sentence) => html`<p class="sentence">${sentence}</p>\n`)}${factsMarkup([
  { label: 'api', text: tenant.api },
  ...(base === null ? [] : [{ label: 'base', text: `${base.ref} (${base.commit.slice(0, 12)})` }]),
  ...facts,
])}`;
}

/** Counts that lead to their sections. */
function tilesMarkup({ deletions, changes, additions }: Counts): Markup | null {
  const tiles = [
    { count: deletions, name: 'deletions', className: 'delete', sign: '−' },
    { count: changes, name: 'changes', className: 'change', sign: '~' },
    { count: additions, name: 'additions', className: 'add', sign: '+' },
  ].filter(({ count }) => count > 0);
  if (tiles.length === 0) return null;
  return html`<ul class="tiles">${tiles.map(
    ({ count, name, className, sign }) =>
      html`<li><a class="tile ${className}" href="#${name}"><span class="figure"><span aria-hidden="true">${sign}</span>${thousands(count)}</span> ${name}</a></li>`,
  )}</ul>\n`;
}

function panelMarkup(section: ViewSection, context: RowContext): Markup {
  const { name, title, notes, rows } = section;
  return html`<section class="panel ${leading[name] ?? ''}" aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
${notesMarkup(notes)}<ul class="rows">
${rows.map((row) => html`<li>${rowMarkup(row, context)}</li>\n`)}</ul></section>\n`;
}

function listMarkup({ name, title, notes, rows }: ViewSection, context: RowContext): Markup {
  return html`<section class="list" aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
${listedMarkup({ notes, rows }, context)}</section>\n`;
}

/** What needs no action opens. */
function foldedMarkup({ name, title, notes, rows }: ViewSection, context: RowContext): Markup {
  return html`<section class="list" aria-labelledby="${name}">
<details class="fold"><summary><h2 class="fold-title" id="${name}">${title}</h2></summary>
${listedMarkup({ notes, rows }, context)}</details></section>\n`;
}

function listedMarkup({ notes, rows }: Pick<ViewSection, 'notes' | 'rows'>, context: RowContext): Markup {
  return html`${notesMarkup(notes)}<ul class="rows">
${rows.map((row) => html`<li ${rowAttributes(row)}>${rowMarkup(row, context)}</li>\n`)}</ul>`;
}

/** A command or a line of a file is selected with one click. */
function notesMarkup(notes: readonly Fact[]): Content {
  return notes.map(({ label, text }) => html`<p class="note">${label} <code class="copy">${text}</code></p>\n`);
}

function remarksMarkup({ remarks }: PlanView): Markup | null {
  if (remarks.length === 0) return null;
  return html`<ul class="remarks">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>\n`;
}

function factsMarkup(facts: readonly Fact[]): Markup {
  return html`<dl class="facts">${facts.map(factMarkup)}</dl>\n`;
}
